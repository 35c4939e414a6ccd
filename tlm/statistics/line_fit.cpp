// SPDX-License-Identifier: Apache-2.0
#include "tlm/statistics/line_fit.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ringmesh {
namespace {

void check(std::span<const LinePoint> points)
{
    for (const LinePoint& point : points) {
        if (!std::isfinite(point.x) || !std::isfinite(point.y)) {
            throw std::domain_error("a line is fitted to finite points only");
        }
    }
    // Compares the values themselves: the sum of squares over equal x may round to more than zero.
    const bool different = std::any_of(points.begin(), points.end(), [&](const LinePoint& point) {
        return point.x < points.front().x || point.x > points.front().x;
    });
    if (!different) throw std::domain_error("a line needs two points with different x");
}

}  // namespace

LineFit fit_line(std::span<const LinePoint> points)
{
    check(points);
    const auto count = static_cast<double>(points.size());
    double mean_x = 0;
    double mean_y = 0;
    for (const LinePoint& point : points) {
        mean_x += point.x / count;
        mean_y += point.y / count;
    }
    double xx = 0;
    double xy = 0;
    for (const LinePoint& point : points) {
        xx += (point.x - mean_x) * (point.x - mean_x);
        xy += (point.x - mean_x) * (point.y - mean_y);
    }
    LineFit line{.slope = xy / xx, .intercept = mean_y - xy / xx * mean_x};
    for (const LinePoint& point : points) {
        line.largest_residual = std::max(line.largest_residual, std::abs(point.y - line.at(point.x)));
    }
    return line;
}

}  // namespace ringmesh
