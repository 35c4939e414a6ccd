// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace ringmesh::lab {

/// Loads are multiples of this.
inline constexpr double kLoadStep = 1.0 / 128;
inline constexpr int kLowestStep = 4;  ///< practically unloaded
inline constexpr int kHighestStep = 128;

/// So many seeds run at each load that decides.
inline constexpr std::size_t kSeeds = 5;
/// The value is that of a run so many times as long as the given duration.
inline constexpr int kHorizon = 100;

/// Where the runs of one duration turn saturated.
struct Crossings {
    int times = 1;  ///< the given duration
    /// Of each seed; the lowest load if that is saturated already, the highest that was tried if none is.
    std::array<double, kSeeds> load{};
    bool open_below = false;  ///< the lowest load was saturated with some seed
    bool open_above = false;  ///< no load was saturated with some seed

    double mean() const;
};

/// Where a run of any seed, kHorizon times as long as the given duration, turns saturated, with 95 % confidence.
struct SaturationInterval {
    double low = 0;
    double high = 0;
    double width() const { return high - low; }
    bool overlaps(const SaturationInterval& other) const { return low <= other.high && other.low <= high; }
};

/// From the runs of a duration and of its double, with the same seeds. Short runs near saturation look better than long
/// ones, because a backlog needs time to grow; so the seeds' spread alone would give a wrong interval. The interval
/// contains two: one if longer runs no longer move the crossing, one if each further doubling up to the horizon moves
/// it as the last one did. Both are Student's prediction intervals for one more run, whose variance is smaller in the
/// proportion of the durations.
SaturationInterval interval_of(const Crossings& before, const Crossings& last);

}  // namespace ringmesh::lab
