// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

/// Least-squares lines, for statements such as "the overhead is linear in the message size".
namespace ringmesh {

struct LinePoint {
    double x = 0;
    double y = 0;
};

/// y = intercept + slope * x, in whatever units the points have.
struct LineFit {
    double slope = 0;
    double intercept = 0;
    double largest_residual = 0;  ///< the largest distance in y between a point and the line, never negative

    double at(double x) const { return intercept + slope * x; }
};

/// The least-squares line with equal weights.
/// @throws std::domain_error unless there are two points with different x and all coordinates are finite.
LineFit fit_line(std::span<const LinePoint> points);

}  // namespace ringmesh
