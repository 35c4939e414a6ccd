// SPDX-License-Identifier: Apache-2.0
#include "tlm/statistics/line_fit.h"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "analytic/sci/ring.h"

namespace ringmesh::line_fit_test {
namespace {

const auto kClose = boost::test_tools::tolerance(1e-9);

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(line_fit)

// Means 1 and 1, slope 0 by symmetry; the residuals are -1, 2 and -1.
BOOST_AUTO_TEST_CASE(the_largest_residual_is_a_distance)
{
    const LineFit up = fit_line(std::array{LinePoint{0, 0}, LinePoint{1, 3}, LinePoint{2, 0}});
    BOOST_TEST(std::abs(up.slope) < 1e-12);
    BOOST_TEST(up.intercept == 1.0, kClose);
    BOOST_TEST(up.largest_residual == 2.0, kClose);
    const LineFit down = fit_line(std::array{LinePoint{0, 0}, LinePoint{1, -3}, LinePoint{2, 0}});
    BOOST_TEST(down.largest_residual == 2.0, kClose);
}

// Means 2 and 3, sum of squares 18, sum of products 24.
BOOST_AUTO_TEST_CASE(squares_of_distances_decide)
{
    const LineFit line = fit_line(std::array{LinePoint{0, 0}, LinePoint{0, 0}, LinePoint{3, 6}, LinePoint{5, 6}});
    BOOST_TEST(line.slope == 24.0 / 18.0, kClose);
    BOOST_TEST(line.intercept == 3.0 - 2.0 * 24.0 / 18.0, kClose);
    BOOST_TEST(line.largest_residual == 6.0 - line.at(3), kClose);
}

BOOST_AUTO_TEST_CASE(two_points_lie_on_their_line_in_any_order)
{
    for (const auto& points : {std::array{LinePoint{64, 2085}, LinePoint{512, 7268}},
                               std::array{LinePoint{512, 7268}, LinePoint{64, 2085}}}) {
        const LineFit line = fit_line(points);
        // The labels of [003 Fig. 11], whose gradient is printed as 11.6 ns per byte.
        BOOST_TEST(line.slope == 5183.0 / 448.0, kClose);
        BOOST_TEST(std::round(line.slope * 10) / 10 == 11.6, kClose);
        BOOST_TEST(line.at(64) == 2085.0, kClose);
        BOOST_TEST(line.at(512) == 7268.0, kClose);
        BOOST_TEST(line.largest_residual < 1e-9);
    }
}

// Slope and intercept of the overhead line [000 Table 1].
BOOST_AUTO_TEST_CASE(the_published_overhead_is_found_to_be_linear)
{
    std::vector<LinePoint> points;
    for (int bytes = 64; bytes <= 512; bytes += 64) {
        points.push_back({static_cast<double>(bytes), analytic::published_overhead_ns(Bytes(bytes))});
    }
    const LineFit line = fit_line(points);
    BOOST_TEST(line.slope == 11.6, kClose);
    BOOST_TEST(line.intercept == 2085 - 64 * 11.6, kClose);
    BOOST_TEST(line.largest_residual < 1e-9);
}

BOOST_AUTO_TEST_CASE(points_with_one_x_have_no_line)
{
    BOOST_CHECK_THROW(fit_line({}), std::domain_error);
    BOOST_CHECK_THROW(fit_line(std::array{LinePoint{64, 2085}}), std::domain_error);
    // 0.1 three times has a mean that is not 0.1 in double.
    BOOST_CHECK_THROW(fit_line(std::array{LinePoint{0.1, 1}, LinePoint{0.1, 2}, LinePoint{0.1, 3}}), std::domain_error);
}

BOOST_AUTO_TEST_CASE(points_must_be_finite)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinite = std::numeric_limits<double>::infinity();
    for (const double bad : {nan, infinite, -infinite}) {
        BOOST_CHECK_THROW(fit_line(std::array{LinePoint{0, 0}, LinePoint{bad, 1}}), std::domain_error);
        BOOST_CHECK_THROW(fit_line(std::array{LinePoint{0, 0}, LinePoint{1, bad}}), std::domain_error);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::line_fit_test
