// SPDX-License-Identifier: Apache-2.0
#include "lab/saturation/estimate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tlm/student_t.h"

namespace ringmesh::lab {
namespace {

constexpr auto kCount = static_cast<double>(kSeeds);

double mean_load(const std::array<double, kSeeds>& loads)
{
    return std::accumulate(loads.begin(), loads.end(), 0.0) / kCount;
}

/// For one more value, whose variance is `part` of theirs.
SaturationInterval prediction(const std::array<double, kSeeds>& values, double part)
{
    const double mean = mean_load(values);
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    const double half = student_975(kCount - 1) * std::sqrt(squares / (kCount - 1) * (1 / kCount + part));
    return {mean - half, mean + half};
}

}  // namespace

double Crossings::mean() const { return mean_load(load); }

SaturationInterval interval_of(const Crossings& before, const Crossings& last)
{
    const double durations = static_cast<double>(kHorizon) / last.times;
    const double doublings = std::max(0.0, std::log2(durations));
    const double part = std::min(1.0, 1 / durations);
    std::array<double, kSeeds> moved{};
    for (std::size_t i = 0; i < kSeeds; ++i) {
        moved[i] = last.load[i] + doublings * (last.load[i] - before.load[i]);
    }
    const SaturationInterval at_rest = prediction(last.load, part);
    const SaturationInterval moving = prediction(moved, part);
    return {std::max(kLowestStep * kLoadStep, std::min(at_rest.low, moving.low)),
            std::min(kHighestStep * kLoadStep, std::max(at_rest.high, moving.high))};
}

}  // namespace ringmesh::lab
