// SPDX-License-Identifier: Apache-2.0
#include "analytic/curves.h"

#include <vector>

#include "tests/support/cases.h"

namespace {

using namespace ringmesh::analytic;
using Values = std::vector<double>;

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(curves)

BOOST_AUTO_TEST_CASE(curves_cross_on_straight_lines_between_points)
{
    const Values points{1, 2, 4, 8};
    const auto found = crossings(points, Values{1, 2, 4, 8}, Values{3, 3, 3, 3});
    BOOST_TEST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found[0].at == 3.0);
    BOOST_TEST(found[0].below == 2.0);
    BOOST_TEST(found[0].above == 4.0);
    BOOST_TEST(found[0].lower == 1);  // the second from here on
    BOOST_TEST(crossings(points, Values{1, 2, 3, 4}, Values{2, 3, 4, 5}).empty());
    BOOST_TEST(crossings(points, Values{1, 5, 1, 5}, Values{2, 2, 2, 2}).size() == 3u);
}

BOOST_AUTO_TEST_CASE(curves_that_touch_do_not_cross_and_equal_points_may_lie_between)
{
    const Values points{1, 2, 3, 4};
    BOOST_TEST(crossings(points, Values{1, 2, 1, 1}, Values{2, 2, 2, 2}).empty());
    BOOST_TEST(crossings(points, Values{2, 2, 2, 2}, Values{2, 2, 2, 2}).empty());
    BOOST_TEST(crossings(points, Values{2, 2, 1, 1}, Values{2, 2, 2, 2}).empty());  // equal at the first points
    BOOST_TEST(crossings(points, Values{1, 1, 2, 2}, Values{2, 2, 2, 2}).empty());  // at the last ones
    const auto found = crossings(points, Values{1, 2, 2, 3}, Values{2, 2, 2, 2});
    BOOST_TEST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found[0].at == 2.0);
    BOOST_TEST(found[0].below == 1.0);
    BOOST_TEST(found[0].above == 4.0);
}

BOOST_AUTO_TEST_CASE(the_best_curve_changes_where_two_meet_between_points_too)
{
    const Values points{0, 10};
    // The third is lowest between 2 and 8 only, where no point lies
    const std::vector<Values> curves{{0, 20}, {20, 0}, {4, 4}};
    const auto ranges = best_ranges(points, curves, Better::kSmaller);
    BOOST_TEST_REQUIRE(ranges.size() == 3u);
    BOOST_TEST(ranges[0].curves.front() == 0u);
    BOOST_TEST(ranges[1].curves.front() == 2u);
    BOOST_TEST(ranges[1].from == 2.0);
    BOOST_TEST(ranges[1].to == 8.0);
    BOOST_TEST(ranges[2].curves.front() == 1u);
    const auto largest = best_ranges(points, curves, Better::kLarger);
    BOOST_TEST_REQUIRE(largest.size() == 2u);
    BOOST_TEST(largest[0].curves.front() == 1u);
    const std::vector<Values> same{{1, 1}, {1, 1}};
    BOOST_TEST(best_ranges(points, same, Better::kSmaller).at(0).curves.size() == 2u);
}

BOOST_AUTO_TEST_CASE(between_points_of_a_logarithmic_axis_lines_are_straight_in_the_logarithm)
{
    const auto found = crossings(Values{4, 16}, Values{0, 2}, Values{1, 1}, Abscissa::kLogarithmic);
    BOOST_TEST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found[0].at == 8.0, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_network_is_saturated_that_accepts_too_little_or_is_late)
{
    const SaturationRule rule;
    BOOST_TEST(rule.accepts_too_little(0.94));
    BOOST_TEST(!rule.accepts_too_little(0.95));
    BOOST_TEST(rule.is_late(101, 10));
    BOOST_TEST(!rule.is_late(100, 10));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
