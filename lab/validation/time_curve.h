// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "lab/run_record.h"

/// What decides a statement about curves of times over sizes.
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

/// Mean over all sizes of what `of` makes of the times of two curves.
/// @throws ModelError if they are not over the same sizes, or over none
double mean_over_sizes(const TimeCurve& a, const TimeCurve& b, const std::function<double(double a, double b)>& of);

/// The size from which to the next one the curve falls most; nothing if it falls nowhere.
std::optional<double> falls_behind(const TimeCurve& curve);

/// The size from which to the next one it rises most; nothing if it rises nowhere.
std::optional<double> rises_behind(const TimeCurve& curve);

/// Growth of the time with a byte, from one size to another. @throws ModelError if the curve has no points there
double slope(const TimeCurve& curve, double from, double to);

/// The largest departure of a growth between neighbouring points from the mean one, as a part of that.
/// @throws ModelError for fewer than two points
double unevenness(const TimeCurve& curve);

}  // namespace ringmesh::lab
