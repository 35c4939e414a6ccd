// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "lab/run_record.h"

/// Properties of curves of times over sizes, to decide statements about them.
namespace ringmesh::lab {

struct TimePoint {
    double size = 0;  ///< bytes
    double time = 0;
};
using TimeCurve = std::vector<TimePoint>;  ///< by size, ascending

/// size_bytes and another column of the results. @throws ModelError if there is no such column
TimeCurve time_curve(const Outcome& outcome, std::string_view column);

/// @throws ModelError if the curve has no point there
double time_at(const TimeCurve& curve, double size);

/// Mean over all sizes of `of` applied to the times of two curves.
/// @throws ModelError if they are not over the same sizes, or over none
double mean_over_sizes(const TimeCurve& a, const TimeCurve& b, const std::function<double(double a, double b)>& of);

/// The size before the curve's largest drop; empty if it never drops.
std::optional<double> drops_after(const TimeCurve& curve);

/// The size before the curve's largest rise; empty if it never rises.
std::optional<double> rises_after(const TimeCurve& curve);

/// Time per byte from one size to another. @throws ModelError if the curve has no points there
double slope(const TimeCurve& curve, double from, double to);

/// The largest deviation of a slope between neighbouring points from the mean slope, relative to it.
/// @throws ModelError for fewer than two points
double unevenness(const TimeCurve& curve);

}  // namespace ringmesh::lab
