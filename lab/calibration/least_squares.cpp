// SPDX-License-Identifier: Apache-2.0
#include "lab/calibration/least_squares.h"

// Ceres and Eigen add seconds to the compilation of a file: only this one includes them.
#include <ceres/ceres.h>

#include <Eigen/SVD>
#include <algorithm>

namespace ringmesh::lab {
namespace {

/// All residuals over one block of parameters, so that one evaluation runs its simulations together.
class Cost final : public ceres::CostFunction {
public:
    Cost(int parameters, int residuals, const Residuals& values, const Jacobian& jacobian)
        : parameters_(parameters), values_(&values), jacobian_(&jacobian)
    {
        set_num_residuals(residuals);
        mutable_parameter_block_sizes()->push_back(parameters);
    }

    bool Evaluate(double const* const* parameters, double* residuals, double** jacobians) const override
    {
        const std::vector<double> x(parameters[0], parameters[0] + parameters_);
        const auto found = (*values_)(x);
        if (!found) return false;
        std::copy(found->begin(), found->end(), residuals);
        if (jacobians == nullptr || jacobians[0] == nullptr) return true;
        const auto slopes = (*jacobian_)(x);
        if (!slopes) return false;
        double* next = jacobians[0];
        for (const auto& row : *slopes) next = std::copy(row.begin(), row.end(), next);
        return true;
    }

private:
    int parameters_;
    const Residuals* values_;
    const Jacobian* jacobian_;
};

}  // namespace

LeastSquaresFit least_squares(const std::vector<double>& start, const std::vector<double>& low,
                              const std::vector<double>& high, const Residuals& residuals, const Jacobian& jacobian)
{
    LeastSquaresFit fit{.x = start, .residuals = {}, .covariance = {}};
    const auto first = residuals(start);
    if (!first) return fit;
    const int parameters = static_cast<int>(start.size());
    ceres::Problem problem;
    problem.AddResidualBlock(new Cost(parameters, static_cast<int>(first->size()), residuals, jacobian), nullptr,
                             fit.x.data());
    for (int i = 0; i < parameters; ++i) {
        problem.SetParameterLowerBound(fit.x.data(), i, low[static_cast<std::size_t>(i)]);
        problem.SetParameterUpperBound(fit.x.data(), i, high[static_cast<std::size_t>(i)]);
    }
    ceres::Solver::Options options;
    options.linear_solver_type = ceres::DENSE_QR;
    options.max_num_iterations = 30;
    options.function_tolerance = 1e-6;
    options.parameter_tolerance = 1e-5;
    options.logging_type = ceres::SILENT;
    ceres::Solver::Summary summary;
    ceres::Solve(options, &problem, &summary);
    fit.converged = summary.IsSolutionUsable() && summary.termination_type == ceres::CONVERGENCE;
    fit.steps = static_cast<int>(summary.iterations.size());
    fit.residuals = residuals(fit.x).value_or(*first);

    ceres::Covariance::Options how;
    how.algorithm_type = ceres::DENSE_SVD;
    ceres::Covariance covariance(how);
    const std::vector<std::pair<const double*, const double*>> block{{fit.x.data(), fit.x.data()}};
    if (!covariance.Compute(block, &problem)) return fit;
    std::vector<double> values(start.size() * start.size());
    if (!covariance.GetCovarianceBlock(fit.x.data(), fit.x.data(), values.data())) return fit;
    auto& rows = fit.covariance.emplace();
    for (std::size_t i = 0; i < start.size(); ++i) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * start.size());
        rows.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(start.size()));
    }
    return fit;
}

std::size_t rank_of(const std::vector<std::vector<double>>& rows, double least)
{
    if (rows.empty() || rows.front().empty()) return 0;
    Eigen::MatrixXd matrix(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.front().size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < rows[i].size(); ++j) {
            matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j];
        }
    }
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(matrix);
    const auto& values = svd.singularValues();
    if (values.size() == 0 || values(0) == 0) return 0;
    return static_cast<std::size_t>((values.array() > least * values(0)).count());
}

}  // namespace ringmesh::lab
