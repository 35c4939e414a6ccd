// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "tlm/names.h"
#include "workloads/workload.h"

/// The difference of two means of repetitions: the core of `compare`, `study compare` and `whatif`.
namespace ringmesh::lab {

/// Whether a difference is one.
enum class Noise : std::uint8_t { kEqual, kBeyond, kWithin, kUnknown };
inline constexpr NameTable<Noise, 4> kNoises{
    {{{"equal", Noise::kEqual}, {"yes", Noise::kBeyond}, {"no", Noise::kWithin}, {"unknown", Noise::kUnknown}}}};

/// Whether repetition i of one side has the seed of repetition i of the other: what both owe to it then cancels.
enum class Pairing : std::uint8_t { kNone, kBySeed };

struct MeanDifference {
    std::optional<double> percent = {};   ///< (b - a) / |a|
    std::optional<double> interval = {};  ///< half the 95 % interval of b - a; needs repetitions
    Noise noise = Noise::kUnknown;
};
/// @pre each has at least one value
MeanDifference mean_difference(std::span<const double> a, std::span<const double> b, Pairing pairing = Pairing::kNone);

/// Nothing for texts and where nothing was measured.
std::optional<double> number_of(const workloads::Cell& cell);

}  // namespace ringmesh::lab
