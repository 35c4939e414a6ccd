// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include "lab/validation/rows.h"
#include "lab/validation/time_curve.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;

const auto kNear = boost::test_tools::tolerance(1e-12);

Row claimed(double value)
{
    Row row = plain_row("m.claim", "a claim", "x");
    row.published = value;
    return row;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(validation_time_curve)

BOOST_AUTO_TEST_CASE(a_curve_drops_after_the_size_before_its_largest_drop_and_rises_after_likewise)
{
    const TimeCurve curve{{100, 10}, {200, 30}, {300, 25}, {400, 5}, {500, 8}};
    BOOST_TEST(drops_after(curve).value() == 300.0);
    BOOST_TEST(rises_after(curve).value() == 100.0);
}

BOOST_AUTO_TEST_CASE(a_rising_curve_never_drops_and_a_flat_one_never_rises)
{
    BOOST_TEST(!drops_after({{1, 1}, {2, 2}, {3, 4}}));
    BOOST_TEST(!drops_after({{1, 1}, {2, 1}}));
    BOOST_TEST(!rises_after({{1, 1}, {2, 1}}));
    BOOST_TEST(!rises_after({{1, 3}, {2, 1}}));
}

BOOST_AUTO_TEST_CASE(a_mean_over_sizes_is_the_mean_of_the_ratios_and_not_the_ratio_of_the_means)
{
    const auto ratio = [](double a, double b) { return a / b; };
    BOOST_TEST(mean_over_sizes({{1, 10}, {2, 100}}, {{1, 1}, {2, 50}}, ratio) == (10.0 + 2.0) / 2, kNear);
}

BOOST_AUTO_TEST_CASE(curves_over_different_sizes_have_no_mean_ratio)
{
    const auto ratio = [](double a, double b) { return a / b; };
    BOOST_CHECK_THROW(mean_over_sizes({{1, 1}}, {{2, 1}}, ratio), ModelError);
    BOOST_CHECK_THROW(mean_over_sizes({{1, 1}}, {{1, 1}, {2, 1}}, ratio), ModelError);
    BOOST_CHECK_THROW(mean_over_sizes({}, {}, ratio), ModelError);
}

BOOST_AUTO_TEST_CASE(a_slope_is_taken_between_points_that_the_curve_has)
{
    const TimeCurve curve{{100, 10}, {300, 50}, {400, 51}};
    BOOST_TEST(slope(curve, 100, 300) == 0.2, kNear);
    BOOST_TEST(slope(curve, 100, 400) == 41.0 / 300, kNear);
    BOOST_CHECK_THROW(slope(curve, 100, 200), ModelError);
}

BOOST_AUTO_TEST_CASE(a_straight_line_is_even_and_a_stair_is_not)
{
    BOOST_TEST(unevenness({{1, 10}, {3, 30}, {4, 40}}) == 0.0, kNear);
    // Mean growth 1; steps of 0 and 2
    BOOST_TEST(unevenness({{0, 0}, {1, 0}, {2, 2}}) == 1.0, kNear);
    BOOST_CHECK_THROW(unevenness({{1, 1}}), ModelError);
}

BOOST_AUTO_TEST_CASE(a_range_is_judged_on_either_side_by_its_own_width)
{
    const auto within = [](double simulated) {
        return pass(judged_between(claimed(5.5), Role::kPrediction, 4, 6.5, simulated)).value();
    };
    for (const double simulated : {4.001, 5.0, 5.5, 6.0, 6.499}) BOOST_TEST(within(simulated), simulated);
    for (const double simulated : {0.0, 3.999, 6.501, 7.0}) BOOST_TEST(!within(simulated), simulated);
}

BOOST_AUTO_TEST_CASE(a_statement_that_fails_in_one_case_fails)
{
    BOOST_TEST(pass(statement("m.claim", "it holds", 32, 32)).value());
    BOOST_TEST(!pass(statement("m.claim", "it holds", 31, 32)).value());
    BOOST_TEST(!pass(statement("m.claim", "it holds", 0, 1)).value());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
