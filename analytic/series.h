// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

/// What papers read off a series of values, or off a curve through points. Where x and y are given they have the same
/// length, at least 1, and x is sorted; functions that need a curve throw std::domain_error if an x is there twice, for
/// then the order of points would decide.
namespace ringmesh::analytic {

/// The value below which this part of them lies, linear between two ranks, as spreadsheets and numpy have it.
/// @param sorted at least one @throws std::domain_error unless the part is from 0 to 1
double quantile(std::span<const double> sorted, double part);

/// The x at which y is largest; of several the smallest.
double place_of_largest(std::span<const double> x, std::span<const double> y);
double place_of_least(std::span<const double> x, std::span<const double> y);

/// The x before the largest rise of the curve to the next point; nothing if it never rises.
std::optional<double> before_largest_rise(std::span<const double> x, std::span<const double> y);
std::optional<double> before_largest_fall(std::span<const double> x, std::span<const double> y);

/// The largest deviation of a slope between neighbours from the slope between the ends, relative to it.
/// @throws std::domain_error for fewer than two points
double unevenness(std::span<const double> x, std::span<const double> y);

/// Means of so many batches of equal length in the order of x; values before them are left over, at the beginning.
/// Neighbours depend on each other: a queue that is long now is long a moment later. Means of long batches nearly do
/// not.
/// @return empty for fewer values than batches @throws std::domain_error unless batches are 2 to 1000
std::vector<double> batch_means(std::span<const double> x, std::span<const double> y, double batches);

/// @throws std::domain_error if two x of a sorted series are equal
void require_each_x_once(std::span<const double> x);

}  // namespace ringmesh::analytic
