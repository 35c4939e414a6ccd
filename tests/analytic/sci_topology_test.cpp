// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci/topology.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/support/cases.h"

namespace ringmesh::analytic::sci_topology_test {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
const Components kCurrent = published_components(64_B);
const Components kEnhanced = enhanced_components(64_B);
const auto kClose = boost::test_tools::tolerance(1e-9);

/// [000 eq. 17] with eq. 14 to 16 as printed, for D equal dimensions of N^(1/D) nodes; a second writing of the formula.
double printed_average(int dimensions, double nodes, const Components& c)
{
    const double n = std::pow(nodes, 1.0 / dimensions);
    const double hops = dimensions * n / 2 * nodes / n * (n - 1) / (nodes - 1);
    double switches = 0;
    double cases = 1;
    for (int i = 1; i <= dimensions; ++i) {
        cases = cases * (dimensions - i + 1) / i;
        switches += (i - 1) * cases * std::pow(n - 1, i) / (nodes - 1);
    }
    return 2 * c.overhead_ns + hops * c.propagation_ns + (hops - 1 - switches) * c.forwarding_ns +
           switches * c.switching_ns;
}

std::vector<SizedLatency> series(int dimensions, const std::vector<int>& sizes, const Components& components)
{
    std::vector<SizedLatency> points;
    for (const int size : sizes) {
        const double nodes = std::pow(size, dimensions);
        points.push_back({nodes, average_latency(average_way(dimensions, nodes), components)});
    }
    return points;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sci_topology)

// [000 Table 2] prints 18, 191, 1831 and 9, 45, 232 for the average latency.
BOOST_DATA_TEST_CASE(crossovers_of_average_latency_are_those_of_the_papers,
                     data::make({1, 2, 3, 1, 2, 3}) ^ data::make({670, 670, 670, 335, 335, 335}) ^
                         data::make({18.21, 190.84, 1832.58, 8.21, 44.72, 228.93}) ^
                         data::make({18, 191, 1831, 9, 45, 232}),
                     dimensions, switching_ns, nodes, published)
{
    Components components = kCurrent;
    components.switching_ns = switching_ns;
    const auto found = crossover(dimensions, components);
    BOOST_TEST_REQUIRE(found.has_value());
    BOOST_TEST(std::abs(*found - nodes) < 0.005);
    BOOST_TEST(std::abs(*found - published) <= std::max(1.0, 0.0135 * published));
    BOOST_TEST(printed_average(dimensions, *found, components) == printed_average(dimensions + 1, *found, components),
               kClose);
}

// N = 2 (l_s - l_f) / (l_f + l_p)
BOOST_DATA_TEST_CASE(ring_and_torus_cross_at_the_closed_form, data::make({200.0, 335.0, 643.0, 670.0, 5000.0}),
                     switching_ns)
{
    Components components = kCurrent;
    components.switching_ns = switching_ns;
    const double expected = 2 * (switching_ns - 60) / 67;
    BOOST_TEST(crossover_of_ring_and_torus(components) == expected, kClose);
    BOOST_TEST(crossover(1, components).value_or(0) == (expected > 4 ? expected : 0), kClose);
}

// Switching as cheap as forwarding: more dimensions always win, from their smallest torus on.
BOOST_DATA_TEST_CASE(no_crossover_if_the_higher_dimension_always_wins, data::make({1, 2, 3}), dimensions)
{
    Components components = kCurrent;
    components.switching_ns = components.forwarding_ns - 1;
    BOOST_TEST(!crossover(dimensions, components).has_value());
    BOOST_TEST(penalty_percent(dimensions, least_nodes(dimensions + 1), components) < 0);
}

BOOST_AUTO_TEST_CASE(no_crossover_outside_the_range)
{
    BOOST_TEST(!crossover(1, kCurrent, {.least = 2, .most = 18.2}).has_value());
    BOOST_TEST(crossover(1, kCurrent, {.least = 2, .most = 18.3}).has_value());
    BOOST_TEST(crossover(1, kCurrent, {.least = 18.2, .most = 100}).has_value());
    BOOST_TEST(!crossover(1, kCurrent, {.least = 18.3, .most = 100}).has_value());
    BOOST_TEST(!crossover(3, kCurrent, {.least = 2, .most = 15}).has_value());  // four dimensions need 16 nodes
    BOOST_CHECK_THROW(crossover(1, kCurrent, {.least = 20, .most = 10}), std::domain_error);
    BOOST_CHECK_THROW(crossover(1, kCurrent, {.least = 1, .most = 10}), std::domain_error);
    BOOST_CHECK_THROW(crossover(1, kCurrent, {.least = 2, .most = 2e6}), std::domain_error);
    BOOST_CHECK_THROW(crossover(1, kCurrent, {.least = 2, .most = kNotANumber}), std::domain_error);
    BOOST_CHECK_THROW(crossover(0, kCurrent), std::domain_error);
    BOOST_CHECK_THROW(crossover(4, kCurrent), std::domain_error);
}

// [000 Table 2] prints 5, 9 and 18 nodes for multi-unicast on the enhanced system. By the papers' own equations the
// higher dimension is still 0.8 to 1 % slower there: average and multi-unicast differ by the factor N - 1. The same
// table prints 20, 220 and 2050 for the current system, where the average crosses at 18.2, 190.8 and 1832.6: the higher
// dimension is faster already, by less than 0.8 %.
BOOST_DATA_TEST_CASE(published_multi_unicast_crossovers_do_not_follow_from_the_equations,
                     data::make({1, 2, 3}) ^ data::make({5.0, 9.0, 18.0}) ^ data::make({20.0, 220.0, 2050.0}),
                     dimensions, enhanced, current)
{
    const double penalty = penalty_percent(dimensions, enhanced, kEnhanced);
    BOOST_TEST((penalty > 0.8 && penalty < 1.0), penalty);
    const double lower = multi_unicast_latency(average_way(dimensions, enhanced), kEnhanced);
    const double higher = multi_unicast_latency(average_way(dimensions + 1, enhanced), kEnhanced);
    BOOST_TEST(100 * (higher / lower - 1) == penalty, kClose);
    const double late = penalty_percent(dimensions, current, kCurrent);
    BOOST_TEST((late < 0 && late > -0.8), late);
}

BOOST_DATA_TEST_CASE(penalties_follow_the_printed_equations, data::make({1, 2, 3}) * data::make({16.0, 81.0, 500.0}),
                     dimensions, nodes)
{
    const double expected =
        100 * (printed_average(dimensions + 1, nodes, kCurrent) / printed_average(dimensions, nodes, kCurrent) - 1);
    BOOST_TEST(std::abs(penalty_percent(dimensions, nodes, kCurrent) - expected) < 1e-9);
}

// Two lines in log N: 1000 + 300 log2 N and 1600 + 100 log2 N meet at N = 8.
BOOST_AUTO_TEST_CASE(straight_lines_cross_where_they_meet_whatever_their_points)
{
    const auto line = [](double start, double slope, const std::vector<double>& sizes) {
        std::vector<SizedLatency> points;
        for (const double nodes : sizes) points.push_back({nodes, start + slope * std::log2(nodes)});
        return points;
    };
    const auto found = crossover(line(1000, 300, {2, 3, 6, 12, 20, 40}), line(1600, 100, {4, 9, 16, 25}));
    BOOST_TEST_REQUIRE(found.has_value());
    BOOST_TEST(found->nodes == 8.0, kClose);
    BOOST_TEST(found->below == 6.0);
    BOOST_TEST(found->above == 9.0);
}

// Between real sizes of equal dimensions the straight lines run above the curves, or below, and shift the crossover.
BOOST_AUTO_TEST_CASE(real_sizes_cross_near_the_continuous_formula)
{
    const auto found =
        crossover(series(1, {2, 4, 8, 12, 16, 20, 24, 32}, kCurrent), series(2, {2, 3, 4, 5, 6}, kCurrent));
    BOOST_TEST_REQUIRE(found.has_value());
    BOOST_TEST(found->below == 16.0);
    BOOST_TEST(found->above == 20.0);
    BOOST_TEST(std::abs(found->nodes / crossover(1, kCurrent).value() - 1) < 0.01);
}

BOOST_AUTO_TEST_CASE(sizes_that_enclose_no_crossover_give_none)
{
    const std::vector<SizedLatency> rising{{4, 100}, {16, 300}};
    BOOST_TEST(!crossover(rising, std::vector<SizedLatency>{{4, 150}, {16, 350}}).has_value());   // always slower
    BOOST_TEST(!crossover(rising, std::vector<SizedLatency>{{4, 50}, {16, 250}}).has_value());    // always faster
    BOOST_TEST(!crossover(rising, std::vector<SizedLatency>{{4, 50}, {16, 350}}).has_value());    // the other way
    BOOST_TEST(!crossover(rising, std::vector<SizedLatency>{{25, 150}, {64, 160}}).has_value());  // no common range
    BOOST_TEST(!crossover(rising, std::vector<SizedLatency>{{9, 150}}).has_value());              // one common size
    BOOST_TEST(crossover(rising, std::vector<SizedLatency>{{4, 150}, {16, 250}}).value().nodes == 8.0, kClose);
}

BOOST_AUTO_TEST_CASE(equal_latencies_are_not_yet_faster)
{
    const std::vector<SizedLatency> lower{{4, 100}, {8, 200}, {16, 300}};
    const auto touching = crossover(lower, std::vector<SizedLatency>{{4, 150}, {8, 200}, {16, 300}});
    BOOST_TEST(!touching.has_value());
    const auto crossing = crossover(lower, std::vector<SizedLatency>{{4, 150}, {8, 200}, {16, 250}});
    BOOST_TEST(crossing.value().nodes == 8.0, kClose);
    const auto from_the_first = crossover(lower, std::vector<SizedLatency>{{4, 100}, {8, 150}, {16, 250}});
    BOOST_TEST(!from_the_first.has_value());  // it was never slower
}

BOOST_AUTO_TEST_CASE(invalid_series_are_refused)
{
    const std::vector<SizedLatency> good{{4, 100}, {16, 300}};
    for (const std::vector<SizedLatency>& bad : {std::vector<SizedLatency>{},
                                                 {{4, 100}, {4, 200}},
                                                 {{8, 100}, {4, 200}},
                                                 {{0, 100}},
                                                 {{4, 0}},
                                                 {{4, kNotANumber}},
                                                 {{kNotANumber, 100}}}) {
        BOOST_CHECK_THROW(crossover(good, bad), std::domain_error);
        BOOST_CHECK_THROW(crossover(bad, good), std::domain_error);
    }
}

BOOST_DATA_TEST_CASE(the_best_torus_is_the_least_of_all,
                     data::make({2.0, 3.9, 4.0, 10.0, 18.0, 19.0, 100.0, 191.0, 1000.0, 1833.0, 1e5}), nodes)
{
    for (const Components& components : {kCurrent, kEnhanced}) {
        const BestTorus best = best_torus(nodes, components);
        BOOST_TEST(best.latency_ns == printed_average(best.dimensions, nodes, components), kClose);
        for (int dimensions = 1; dimensions <= 4 && std::pow(2, dimensions) <= nodes; ++dimensions) {
            BOOST_TEST(best.latency_ns <= printed_average(dimensions, nodes, components) * (1 + 1e-12));
        }
    }
}

// [000 6.2] says 5 % for the average at 100 nodes, and 10 % at 1000 and nothing at medium sizes for multi-unicast.
BOOST_DATA_TEST_CASE(gains_follow_the_printed_equations,
                     data::make({100.0, 1000.0}) ^ data::make({2, 3}) ^ data::make({3, 4}), nodes, before, after)
{
    const double current = printed_average(before, nodes, kCurrent);
    const double enhanced = printed_average(after, nodes, kEnhanced);
    BOOST_TEST(gain_percent(nodes, kCurrent, kEnhanced) == 100 * (1 - enhanced / current), kClose);
    const double unicasts = multi_unicast_latency(average_way(before, nodes), kCurrent);
    const double faster_unicasts = multi_unicast_latency(average_way(after, nodes), kEnhanced);
    BOOST_TEST(gain_percent(nodes, kCurrent, kEnhanced) == 100 * (1 - faster_unicasts / unicasts), kClose);
}

BOOST_AUTO_TEST_CASE(invalid_sizes_are_refused)
{
    for (const double bad : {1.9, 1.1e6, kNotANumber}) {
        BOOST_CHECK_THROW(best_torus(bad, kCurrent), std::domain_error);
        BOOST_CHECK_THROW(gain_percent(bad, kCurrent, kEnhanced), std::domain_error);
    }
    BOOST_CHECK_THROW(penalty_percent(1, 3.9, kCurrent), std::domain_error);
    BOOST_CHECK_THROW(penalty_percent(4, 1000, kCurrent), std::domain_error);
    BOOST_CHECK_THROW(penalty_percent(1, 4, Components{}), std::domain_error);
    BOOST_CHECK_THROW(crossover_of_ring_and_torus({.switching_ns = 670}), std::domain_error);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::analytic::sci_topology_test
