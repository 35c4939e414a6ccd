// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Lengths of the computations of the report's program [001 App. A].
namespace ringmesh::workloads::vertex {

inline constexpr std::int64_t kShort = 5;  ///< long enough for a transfer to end
inline constexpr std::int64_t kLong = 25;  ///< long enough for an echo to arrive
inline constexpr std::int64_t kIntegerTurns = 40;
inline constexpr std::int64_t kFloatTurns = 18;
inline constexpr int kCalibrations = 10;  ///< of so many blocks of long computations each
inline constexpr int kBlock = 10;
inline constexpr int kTimerCalls = 12;
/// A computation slowed further than this counts as stopped. The report's was slowed by 3.78 at most.
inline constexpr std::int64_t kMostSlowdown = 100;

inline constexpr int kType = 0x100;
inline constexpr int kHostType = 0x200;
inline constexpr int kStop = 0x300;  ///< type of the message that ends a stream, or a program
inline constexpr int kDone = 0x500;  ///< to the host

}  // namespace ringmesh::workloads::vertex
