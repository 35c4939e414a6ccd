// SPDX-License-Identifier: Apache-2.0
#include "lab/saturation/search.h"

#include <algorithm>
#include <array>

namespace ringmesh::lab {
namespace {

/// The first one is as good as unloaded.
constexpr std::array<double, 9> kGrid{0.03125, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0};

}  // namespace

void SaturationSearch::run(const Measure& measure)
{
    points_.clear();
    measure_more(measure, kGrid);
    for (int round = 0; round < kRefinements; ++round) {
        const LoadPoint* below = last_below();
        const LoadPoint* above = first_above();
        if (below == nullptr || above == nullptr) return;
        const double step = (above->load - below->load) / 4;
        const std::array<double, 3> quarters{below->load + step, below->load + 2 * step, below->load + 3 * step};
        measure_more(measure, quarters);
    }
}

void SaturationSearch::measure_more(const Measure& measure, std::span<const double> loads)
{
    const auto more = measure(loads);
    points_.insert(points_.end(), more.begin(), more.end());
    std::sort(points_.begin(), points_.end(), [](const auto& a, const auto& b) { return a.load < b.load; });
}

bool SaturationSearch::saturated(const LoadPoint& point) const
{
    if (point.stuck || point.accepted_part < rule_.accepted_part) return true;
    const LoadPoint& lowest = points_.front();
    return !lowest.stuck && point.latency_mean_ns > rule_.latency_factor * lowest.latency_mean_ns;
}

const LoadPoint* SaturationSearch::first_above() const
{
    const auto found = std::find_if(points_.begin(), points_.end(), [this](const auto& p) { return saturated(p); });
    return found == points_.end() ? nullptr : &*found;
}

const LoadPoint* SaturationSearch::last_below() const
{
    const LoadPoint* above = first_above();
    if (above == &points_.front()) return nullptr;
    return above == nullptr ? &points_.back() : above - 1;
}

const LoadPoint* SaturationSearch::most_accepted() const
{
    const LoadPoint* most = nullptr;
    for (const LoadPoint& point : points_) {
        if (point.stuck) continue;
        if (most == nullptr || point.accepted_total_mb_per_s > most->accepted_total_mb_per_s) most = &point;
    }
    return most;
}

}  // namespace ringmesh::lab
