// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ringmesh::workloads {

inline constexpr std::uint32_t kSmallestMessage = 1;
inline constexpr std::uint32_t kLargestMessage = 1024 * 1024;

/// Message sizes in bytes as people write them, in the order written, repeats kept. Items are separated by commas:
///
///     64                one size
///     64..512 step 64   from the first to the last or just below it, each 64 more (also 64..512/64)
///     1..4096 x2        from the first to the last or just below it, each twice the one before
///
/// @throws UserError saying what is wrong with which item and how to write it
std::vector<std::uint32_t> parse_sizes(std::string_view text);

}  // namespace ringmesh::workloads
