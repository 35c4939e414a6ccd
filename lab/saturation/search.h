// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace ringmesh::lab {

/// What a run at one offered load came to.
struct LoadPoint {
    double load = 0;  ///< offered, as a part of the link rate
    /// The run did not end by itself: packets were refused for ever. The numbers below are then nothing.
    bool stuck = false;
    double accepted_part = 0;  ///< of the packets born in the window
    double offered_total_mb_per_s = 0;
    double accepted_total_mb_per_s = 0;
    double latency_mean_ns = 0;
    std::optional<double> latency_ci95_ns;
    double latency_p99_ns = 0;
    double link_use_highest = 0;
    std::optional<double> blink_use_highest;
};

/// When a network is said to be saturated.
struct SaturationRule {
    double accepted_part = 0.95;  ///< less than this part of what is offered is accepted,
    double latency_factor = 10;   ///< or the mean latency is above so many times that of the lowest load
};

/// Looks for the load at which a network saturates, in rounds whose loads do not depend on how many runs go on at once:
/// first a grid up to the whole link rate, then twice three loads that quarter the interval between the highest load below
/// saturation and the next one. 15 runs, and the load is known to 1/128 of the link rate.
class SaturationSearch {
public:
    static constexpr int kRefinements = 2;
    static constexpr std::size_t kRuns = 15;  ///< at most

    explicit SaturationSearch(const SaturationRule& rule) : rule_(rule) {}

    /// The points of these loads, in their order.
    using Measure = std::function<std::vector<LoadPoint>(std::span<const double> loads)>;
    void run(const Measure& measure);

    /// All points, by rising load. @pre run
    const std::vector<LoadPoint>& points() const { return points_; }
    bool saturated(const LoadPoint& point) const;
    /// The highest load below the first saturated one; none if the lowest is saturated already.
    const LoadPoint* last_below() const;
    /// The lowest saturated load; none if the network accepts all.
    const LoadPoint* first_above() const;
    /// The point at which most was accepted; none if all got stuck.
    const LoadPoint* most_accepted() const;

private:
    void measure_more(const Measure& measure, std::span<const double> loads);

    SaturationRule rule_;
    std::vector<LoadPoint> points_;
};

}  // namespace ringmesh::lab
