// SPDX-License-Identifier: Apache-2.0
#include "lab/saturation/curve.h"

#include <map>

#include "lab/table/welch.h"

namespace ringmesh::lab {
namespace {

LoadPoint mean_run(const std::vector<LoadPoint>& runs)
{
    if (runs.empty()) return {.stuck = true};
    LoadPoint mean = runs.front();
    if (runs.size() == 1) return mean;
    std::optional<double> between_runs;
    for (const LoadMeasure& measure : kLoadMeasures) {
        std::vector<double> values;
        for (const LoadPoint& run : runs) {
            values.push_back(measure.number != nullptr ? run.*measure.number
                                                       : (run.*measure.number_if_any).value_or(0));
        }
        const Sample sample = sample_of(values);
        if (measure.number != nullptr) {
            mean.*measure.number = sample.mean;
            if (measure.number == &LoadPoint::latency_mean_ns) between_runs = mean_interval(sample);
        } else if (mean.*measure.number_if_any) {
            mean.*measure.number_if_any = sample.mean;
        }
    }
    mean.latency_ci95_ns = between_runs;
    return mean;
}

}  // namespace

std::vector<CurvePoint> curve_of(const SaturationSearch& search)
{
    std::map<int, int> longest;  // of each step; points are in the order of steps, then durations
    for (const auto& [trial, point] : search.points()) longest[trial.step] = trial.times;
    std::vector<CurvePoint> curve;
    for (const auto& [step, times] : longest) {
        CurvePoint& row = curve.emplace_back();
        row.load = step * kLoadStep;
        row.times = times;
        std::vector<LoadPoint> runs;
        for (unsigned seed = 0; seed < kSeeds; ++seed) {
            const auto found = search.points().find({step, times, seed});
            if (found == search.points().end()) continue;
            ++row.all;
            if (search.saturated(found->first) && row.saturated++ == 0) row.state = search.state(found->first);
            if (!found->second.stuck) runs.push_back(found->second);
        }
        row.runs = static_cast<int>(runs.size());
        row.mean = mean_run(runs);
    }
    return curve;
}

const CurvePoint* most_accepted(const SaturationSearch& search, const std::vector<CurvePoint>& curve)
{
    const CurvePoint* most = nullptr;
    if (!search.sound()) return most;
    for (const CurvePoint& point : curve) {
        if (point.times != search.crossings().back().times || point.runs < point.all) continue;
        if (most == nullptr || point.mean.accepted_load > most->mean.accepted_load) most = &point;
    }
    return most;
}

}  // namespace ringmesh::lab
