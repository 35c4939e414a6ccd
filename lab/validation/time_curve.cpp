// SPDX-License-Identifier: Apache-2.0
#include "lab/validation/time_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/experiments.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// @param sign of the steps that count
std::optional<double> largest_step(const TimeCurve& curve, double sign)
{
    std::optional<double> size;
    double most = 0;
    for (std::size_t i = 1; i < curve.size(); ++i) {
        const double step = sign * (curve[i].time - curve[i - 1].time);
        if (step <= most) continue;
        most = step;
        size = curve[i - 1].size;
    }
    return size;
}

}  // namespace

TimeCurve time_curve(const Outcome& outcome, std::string_view name)
{
    const auto sizes = column(outcome, "size_bytes");
    const auto times = column(outcome, name);
    TimeCurve curve;
    for (std::size_t i = 0; i < sizes.size(); ++i) curve.push_back({sizes[i], times.at(i)});
    return curve;
}

double time_at(const TimeCurve& curve, double size)
{
    const auto found = std::find_if(curve.begin(), curve.end(), [size](const auto& each) { return each.size == size; });
    if (found == curve.end()) throw ModelError(fmt::format("the curve has no point at {} bytes", size));
    return found->time;
}

double mean_over_sizes(const TimeCurve& a, const TimeCurve& b, const std::function<double(double, double)>& of)
{
    if (a.empty() || a.size() != b.size()) throw ModelError("two curves are not over the same sizes");
    double sum = 0;
    for (const TimePoint& point : a) sum += of(point.time, time_at(b, point.size));
    return sum / static_cast<double>(a.size());
}

std::optional<double> drops_after(const TimeCurve& curve) { return largest_step(curve, -1); }
std::optional<double> rises_after(const TimeCurve& curve) { return largest_step(curve, 1); }

double slope(const TimeCurve& curve, double from, double to)
{
    return (time_at(curve, to) - time_at(curve, from)) / (to - from);
}

double unevenness(const TimeCurve& curve)
{
    if (curve.size() < 2) throw ModelError("the smoothness of a curve needs two points");
    const double mean = (curve.back().time - curve.front().time) / (curve.back().size - curve.front().size);
    double most = 0;
    for (std::size_t i = 1; i < curve.size(); ++i) {
        const double here = slope(curve, curve[i - 1].size, curve[i].size);
        most = std::max(most, std::abs(here / mean - 1));
    }
    return most;
}

}  // namespace ringmesh::lab
