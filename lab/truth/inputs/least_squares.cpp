// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/inputs/least_squares.h"

// Ceres and Eigen add seconds to the compilation of a file: only this one includes them.
#include <ceres/ceres.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>

namespace ringmesh::lab {
namespace {

Eigen::MatrixXd matrix_of(const std::vector<std::vector<double>>& rows)
{
    Eigen::MatrixXd matrix(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.front().size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < rows[i].size(); ++j) {
            matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j];
        }
    }
    return matrix;
}

/// All residuals over all parameters, each a block of its own, so that one evaluation runs its simulations together.
class Cost final : public ceres::CostFunction {
public:
    Cost(std::size_t parameters, std::size_t residuals, const Residuals& values, const Jacobian& jacobian)
        : parameters_(parameters), values_(&values), jacobian_(&jacobian)
    {
        set_num_residuals(static_cast<int>(residuals));
        mutable_parameter_block_sizes()->assign(parameters, 1);
    }

    bool Evaluate(double const* const* parameters, double* residuals, double** jacobians) const override
    {
        std::vector<double> x;
        for (std::size_t i = 0; i < parameters_; ++i) x.push_back(parameters[i][0]);
        const auto found = (*values_)(x);
        if (!found) return false;
        std::copy(found->begin(), found->end(), residuals);
        if (jacobians == nullptr) return true;
        const auto slopes = (*jacobian_)(x);
        if (!slopes) return false;
        for (std::size_t i = 0; i < parameters_; ++i) {
            if (jacobians[i] == nullptr) continue;  // held
            for (std::size_t row = 0; row < slopes->size(); ++row) jacobians[i][row] = (*slopes)[row][i];
        }
        return true;
    }

private:
    std::size_t parameters_;
    const Residuals* values_;
    const Jacobian* jacobian_;
};

/// Ceres projects each step onto the bounds, and comes to rest where the step of one parameter is cut and the others
/// would have to follow it. So parameters at a bound are held there as long as the sum falls beyond it.
class Fitter {
public:
    Fitter(std::vector<double> start, const std::vector<double>& low, const std::vector<double>& high,
           const Residuals& residuals, const Jacobian& jacobian, std::size_t count)
        : x_(std::move(start)), low_(low), high_(high), jacobian_(&jacobian), residuals_(&residuals)
    {
        std::vector<double*> blocks;
        for (double& each : x_) blocks.push_back(&each);
        problem_.AddResidualBlock(new Cost(x_.size(), count, residuals, jacobian), nullptr, blocks);
        for (std::size_t i = 0; i < x_.size(); ++i) {
            problem_.SetParameterLowerBound(&x_[i], 0, low[i]);
            problem_.SetParameterUpperBound(&x_[i], 0, high[i]);
        }
    }

    LeastSquaresFit fit()
    {
        LeastSquaresFit found;
        std::vector<bool> held(x_.size(), false);
        for (std::size_t round = 0; round < 2 * x_.size() + 1; ++round) {
            ceres::Solver::Options options;
            options.linear_solver_type = ceres::DENSE_QR;
            options.max_num_iterations = 30;
            options.function_tolerance = 1e-8;
            options.parameter_tolerance = 1e-6;
            options.logging_type = ceres::SILENT;
            ceres::Solver::Summary summary;
            const bool all_held = std::find(held.begin(), held.end(), false) == held.end();
            if (!all_held) ceres::Solve(options, &problem_, &summary);
            found.converged = all_held || (summary.termination_type != ceres::FAILURE &&
                                           summary.termination_type != ceres::NO_CONVERGENCE);
            const auto wanted = beyond_bounds();
            if (!wanted || *wanted == held) break;
            held = *wanted;
            for (std::size_t i = 0; i < x_.size(); ++i) {
                if (held[i]) {
                    problem_.SetParameterBlockConstant(&x_[i]);
                } else {
                    problem_.SetParameterBlockVariable(&x_[i]);
                }
            }
        }
        found.x = x_;
        found.covariance = covariance(held);
        return found;
    }

private:
    /// Those at a bound where the sum of squares falls towards the outside; none if it is not known.
    std::optional<std::vector<bool>> beyond_bounds() const
    {
        const auto residuals = (*residuals_)(x_);
        const auto slopes = (*jacobian_)(x_);
        if (!residuals || !slopes) return std::nullopt;
        std::vector<bool> beyond(x_.size(), false);
        for (std::size_t i = 0; i < x_.size(); ++i) {
            double gradient = 0;
            for (std::size_t row = 0; row < slopes->size(); ++row) gradient += (*slopes)[row][i] * (*residuals)[row];
            beyond[i] = (x_[i] <= low_[i] && gradient > 0) || (x_[i] >= high_[i] && gradient < 0);
        }
        return beyond;
    }

    /// Whether the residuals tell those apart that are not held: Ceres would refuse the others, with lines of its own
    /// on standard error. Its limit is that of the squares.
    bool are_told_apart(const std::vector<bool>& held) const
    {
        constexpr double kLeast = 1e-7;
        const auto slopes = (*jacobian_)(x_);
        if (!slopes) return false;
        const auto count = static_cast<std::size_t>(std::ranges::count(held, false));
        std::vector<std::vector<double>> rows;
        for (const auto& of_row : *slopes) {
            auto& row = rows.emplace_back();
            for (std::size_t i = 0; i < held.size(); ++i) {
                if (!held[i]) row.push_back(of_row[i]);
            }
        }
        return rank_of(rows, kLeast) == count;
    }

    /// Zero for those that are held.
    std::optional<std::vector<std::vector<double>>> covariance(const std::vector<bool>& held)
    {
        ceres::Covariance::Options options;
        options.algorithm_type = ceres::DENSE_SVD;
        ceres::Covariance covariance(options);
        std::vector<std::pair<const double*, const double*>> pairs;
        for (std::size_t i = 0; i < x_.size(); ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                if (!held[i] && !held[j]) pairs.emplace_back(&x_[i], &x_[j]);
            }
        }
        std::vector<std::vector<double>> rows(x_.size(), std::vector<double>(x_.size(), 0));
        if (pairs.empty()) return rows;
        if (!are_told_apart(held)) return std::nullopt;
        if (!covariance.Compute(pairs, &problem_)) return std::nullopt;
        for (std::size_t i = 0; i < x_.size(); ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                if (held[i] || held[j]) continue;
                if (!covariance.GetCovarianceBlock(&x_[i], &x_[j], &rows[i][j])) return std::nullopt;
                rows[j][i] = rows[i][j];
            }
        }
        return rows;
    }

    std::vector<double> x_;
    const std::vector<double>& low_;
    const std::vector<double>& high_;
    const Jacobian* jacobian_;
    const Residuals* residuals_;
    ceres::Problem problem_;
};

}  // namespace

LeastSquaresFit least_squares(const std::vector<double>& start, const std::vector<double>& low,
                              const std::vector<double>& high, const Residuals& residuals, const Jacobian& jacobian)
{
    const auto first = residuals(start);
    if (!first) return {.x = start, .covariance = {}};
    return Fitter(start, low, high, residuals, jacobian, first->size()).fit();
}

std::size_t rank_of(const std::vector<std::vector<double>>& rows, double least)
{
    if (rows.empty() || rows.front().empty()) return 0;
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(matrix_of(rows));
    const auto& values = svd.singularValues();
    if (values.size() == 0 || values(0) == 0) return 0;
    return static_cast<std::size_t>((values.array() > least * values(0)).count());
}

}  // namespace ringmesh::lab
