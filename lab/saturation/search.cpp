// SPDX-License-Identifier: Apache-2.0
#include "lab/saturation/search.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace ringmesh::lab {
namespace {

/// The first one is practically unloaded.
constexpr std::array<double, 9> kGrid{0.03125, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0};

}  // namespace

void SaturationSearch::run(const Measure& measure)
{
    points_.clear();
    measure_more(measure, kGrid, 1);
    for (int round = 0; round < kRefinements; ++round) {
        const LoadPoint* below = last_below();
        if (below == nullptr || below == &points_.back()) return;
        const LoadPoint* above = first_above();
        const double from = below->load;
        const double step = ((above == nullptr ? points_.back() : *above).load - from) / 4;
        const std::array<double, 3> quarters{from + step, from + 2 * step, from + 3 * step};
        measure_more(measure, quarters, kLonger);
    }
}

void SaturationSearch::measure_more(const Measure& measure, std::span<const double> loads, int times_the_duration)
{
    // A load that was measured before is measured again, for longer
    std::erase_if(points_,
                  [loads](const auto& p) { return std::find(loads.begin(), loads.end(), p.load) != loads.end(); });
    const auto more = measure(loads, times_the_duration);
    points_.insert(points_.end(), more.begin(), more.end());
    std::sort(points_.begin(), points_.end(), [](const auto& a, const auto& b) { return a.load < b.load; });
}

LoadState SaturationSearch::state(const LoadPoint& point) const
{
    if (point.stuck) return LoadState::kStuck;
    if (point.accepted_part < rule_.accepted_part) return LoadState::kLittleAccepted;
    const LoadPoint& lowest = points_.front();
    const bool late = !lowest.stuck && point.latency_mean_ns > rule_.latency_factor * lowest.latency_mean_ns;
    return late ? LoadState::kLate : LoadState::kBelow;
}

const LoadPoint* SaturationSearch::last_below() const
{
    const auto first = std::find_if(points_.begin(), points_.end(), [this](const auto& p) { return saturated(p); });
    return first == points_.begin() ? nullptr : &*std::prev(first);
}

const LoadPoint* SaturationSearch::first_above() const
{
    const auto last = std::find_if(points_.rbegin(), points_.rend(), [this](const auto& p) { return !saturated(p); });
    return last == points_.rbegin() ? nullptr : &*last.base();
}

bool SaturationSearch::ambiguous() const
{
    return !std::is_partitioned(points_.begin(), points_.end(), [this](const auto& p) { return !saturated(p); });
}

const LoadPoint* SaturationSearch::most_accepted() const
{
    const LoadPoint* most = nullptr;
    for (const LoadPoint& point : points_) {
        if (point.stuck) continue;
        if (most == nullptr || point.accepted_load > most->accepted_load) most = &point;
    }
    return most;
}

}  // namespace ringmesh::lab
