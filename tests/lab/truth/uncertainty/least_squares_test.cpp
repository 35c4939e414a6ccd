// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/inputs/least_squares.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

namespace {

using namespace ringmesh::lab;
namespace tt = boost::test_tools;

/// y = a + b t at t = 0, 1, 2, 3.
std::optional<std::vector<double>> line(const std::vector<double>& x)
{
    std::vector<double> residuals;
    const double measured[] = {1.0, 3.1, 4.9, 7.0};
    for (int t = 0; t < 4; ++t) residuals.push_back((x[0] + x[1] * t - measured[t]) / 0.1);
    return residuals;
}

std::optional<std::vector<std::vector<double>>> slopes(const std::vector<double>& /*x*/)
{
    std::vector<std::vector<double>> rows;
    for (int t = 0; t < 4; ++t) rows.push_back({10.0, 10.0 * t});
    return rows;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(uncertainty)
BOOST_AUTO_TEST_SUITE(least_squares_fit)

BOOST_AUTO_TEST_CASE(a_line_is_found_with_its_covariance)
{
    const auto fit = least_squares({0, 0}, {-10, -10}, {10, 10}, line, slopes);
    BOOST_TEST(fit.converged);
    BOOST_TEST(fit.x[0] == 1.03, tt::tolerance(1e-4));  // by the normal equations
    BOOST_TEST(fit.x[1] == 1.98, tt::tolerance(1e-4));
    BOOST_TEST_REQUIRE(fit.covariance.has_value());
    BOOST_TEST((*fit.covariance)[0][0] == 0.01 * 14 / 20, tt::tolerance(1e-6));
    BOOST_TEST((*fit.covariance)[1][1] == 0.01 * 4 / 20, tt::tolerance(1e-6));
    BOOST_TEST((*fit.covariance)[0][1] == -0.01 * 6 / 20, tt::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(a_bound_holds)
{
    const auto fit = least_squares({0, 0}, {-10, -10}, {10, 1.5}, line, slopes);
    BOOST_TEST(fit.x[1] == 1.5, tt::tolerance(1e-6));
    BOOST_TEST(fit.x[0] == 1.75, tt::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(what_lies_beyond_all_bounds_comes_to_rest_on_them)
{
    const auto fit = least_squares({0, 0}, {-10, -10}, {0.5, 0.5}, line, slopes);
    BOOST_TEST(fit.converged);
    BOOST_TEST(fit.x[0] == 0.5);
    BOOST_TEST(fit.x[1] == 0.5);
}

BOOST_AUTO_TEST_CASE(a_rank_counts_independent_rows)
{
    BOOST_TEST(rank_of({{1, 2}, {2, 4}, {3, 6}}, 0.01) == 1u);
    BOOST_TEST(rank_of({{1, 2}, {2, 4.001}, {3, 6}}, 0.01) == 1u);
    BOOST_TEST(rank_of({{1, 2}, {2, 1}}, 0.01) == 2u);
    BOOST_TEST(rank_of({{0, 0}}, 0.01) == 0u);
    BOOST_TEST(rank_of({}, 0.01) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
