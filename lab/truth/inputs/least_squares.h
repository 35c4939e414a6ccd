// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace ringmesh::lab {

/// Residuals at a point, as many each time; none if they cannot be had there.
using Residuals = std::function<std::optional<std::vector<double>>(const std::vector<double>& x)>;
/// d residual / d x at a point, a row for each residual; likewise.
using Jacobian = std::function<std::optional<std::vector<std::vector<double>>>(const std::vector<double>& x)>;

struct LeastSquaresFit {
    std::vector<double> x;
    /// Of x, for residuals whose standard deviation is one; zero for those at a bound; none if the residuals do not
    /// determine x.
    std::optional<std::vector<std::vector<double>>> covariance;
    bool converged = false;
};

/// Minimises the sum of squared residuals between bounds, by Levenberg and Marquardt's method within a trust region
/// (Ceres). @pre start, low and high of one length
LeastSquaresFit least_squares(const std::vector<double>& start, const std::vector<double>& low,
                              const std::vector<double>& high, const Residuals& residuals, const Jacobian& jacobian);

/// A singular value below this part of the largest is no independent number.
inline constexpr double kIndependent = 0.02;

/// How many directions of x the rows of a matrix determine: singular values above `least` times the largest.
std::size_t rank_of(const std::vector<std::vector<double>>& rows, double least);

}  // namespace ringmesh::lab
