// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace ringmesh::lab {

/// The result of a run at one offered load.
struct LoadPoint {
    double load = 0;  ///< offered, in the unit of the network
    /// The run ended in livelock: endless retries. No other results.
    bool stuck = false;
    double accepted_part = 0;  ///< of the packets born in the window
    double accepted_load = 0;  ///< in the unit of the network
    double offered_total_mb_per_s = 0;
    double accepted_total_mb_per_s = 0;
    double latency_mean_ns = 0;
    std::optional<double> latency_ci95_ns;
    double latency_p99_ns = 0;
    double link_use_highest = 0;
    std::optional<double> blink_use_highest;
};

/// The criterion of saturation.
struct SaturationRule {
    double accepted_part = 0.95;  ///< less than this part of what is offered is accepted,
    double latency_factor = 10;   ///< or the mean latency is above so many times that of the lowest load
};

/// The state of a run by the rule.
enum class LoadState : std::uint8_t { kBelow, kLittleAccepted, kLate, kStuck };

/// Searches the load at which a network saturates, in rounds whose loads do not depend on the number of parallel runs:
/// first a grid up to a load of 1, then twice three loads that quarter the interval between the load up to which all
/// runs were below saturation and the one from which all were saturated. 15 runs give the load to 1/128, unless runs
/// near it contradict each other: then the interval contains them all. The later runs are longer than those of the
/// grid, because a decision near saturation needs long runs.
class SaturationSearch {
public:
    static constexpr int kRefinements = 2;
    static constexpr std::size_t kRuns = 15;  ///< at most

    explicit SaturationSearch(const SaturationRule& rule) : rule_(rule) {}

    static constexpr int kLonger = 4;  ///< times the duration of the grid's runs, for the others

    /// Measures the points of these loads, in order, without those that the sources cannot offer; with runs of so many
    /// times the given duration.
    using Measure = std::function<std::vector<LoadPoint>(std::span<const double> loads, int times_the_duration)>;
    void run(const Measure& measure);

    /// All points, by rising load. @pre run
    const std::vector<LoadPoint>& points() const { return points_; }
    LoadState state(const LoadPoint& point) const;
    bool saturated(const LoadPoint& point) const { return state(point) != LoadState::kBelow; }
    /// The highest load up to which all runs were below saturation; none if the lowest is saturated already.
    const LoadPoint* last_below() const;
    /// The lowest load from which on all runs were saturated; none if the highest is not.
    const LoadPoint* first_above() const;
    /// Whether runs between these two, or above the first of them, contradict each other.
    bool ambiguous() const;
    /// The point with the highest accepted load; none if all runs were stuck.
    const LoadPoint* most_accepted() const;

private:
    void measure_more(const Measure& measure, std::span<const double> loads, int times_the_duration);

    SaturationRule rule_;
    std::vector<LoadPoint> points_;
};

}  // namespace ringmesh::lab
