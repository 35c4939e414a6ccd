// SPDX-License-Identifier: Apache-2.0
#include "analytic/sci/topology.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "analytic/sci/ring.h"
#include "tests/support/cases.h"

namespace ringmesh::analytic::sci_torus_test {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

/// No component is a multiple of another, so that a mistaken count cannot hide.
constexpr Components kOdd{.propagation_ns = 7.3, .forwarding_ns = 61.9, .overhead_ns = 2083.1, .switching_ns = 640.7};

const auto kClose = boost::test_tools::tolerance(1e-12);

/// Everything that an average is made of, counted node by node.
struct Counted {
    double hops = 0;
    double response_hops = 0;
    double used = 0;
    double latency_ns = 0;
    double destinations = 0;
};

Counted count_all(const std::vector<int>& sizes)
{
    Counted counted;
    std::vector<DimensionPath> path;
    for (const int size : sizes) path.push_back({.nodes = size, .hops = 0});
    while (true) {
        std::size_t i = 0;
        while (i < path.size() && ++path[i].hops == path[i].nodes) path[i++].hops = 0;
        if (i == path.size()) return counted;
        for (const DimensionPath& part : path) {
            if (part.hops == 0) continue;
            counted.hops += part.hops;
            counted.response_hops += part.nodes - part.hops;
            ++counted.used;
        }
        counted.latency_ns += request_latency(path, kOdd);
        ++counted.destinations;
    }
}

std::vector<double> as_doubles(const std::vector<int>& sizes) { return {sizes.begin(), sizes.end()}; }

const std::vector<std::vector<int>> kTori{{2},    {8},       {2, 2},    {3, 3},       {3, 5},
                                          {9, 2}, {4, 4, 4}, {2, 3, 7}, {3, 3, 3, 3}, {5, 2, 4, 3}};

const auto kEachTorus = data::xrange(kTori.size());

double power(double base, int exponent) { return std::pow(base, exponent); }

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(sci_torus)

// [000 eq. 4, 5], written out for both dimensions in use.
BOOST_DATA_TEST_CASE(two_dimensions_pay_two_rings_and_one_switch, data::make({1, 2, 4}) * data::make({1, 3, 6}), first,
                     second)
{
    const std::array<DimensionPath, 2> path{{{.nodes = 5, .hops = first}, {.nodes = 7, .hops = second}}};
    const double lp = kOdd.propagation_ns;
    const double lf = kOdd.forwarding_ns;
    const double request =
        2 * kOdd.overhead_ns + first * lp + (first - 1) * lf + kOdd.switching_ns + second * lp + (second - 1) * lf;
    const int back_first = 5 - first;
    const int back_second = 7 - second;
    const double response = 2 * kOdd.overhead_ns + back_first * lp + (back_first - 1) * lf + kOdd.switching_ns +
                            back_second * lp + (back_second - 1) * lf;
    BOOST_TEST(request_latency(path, kOdd) == request, kClose);
    BOOST_TEST(response_latency(path, kOdd) == response, kClose);
    BOOST_TEST(transaction_latency(path, kOdd) == request + response, kClose);
}

// [000 eq. 6, 7]: the minimum function takes out the dimensions without hops.
BOOST_DATA_TEST_CASE(a_path_in_one_dimension_is_that_of_a_ring, data::make({0, 1, 2, 3}) * data::make({1, 2, 5}), used,
                     hops)
{
    std::array<DimensionPath, 4> path{{{.nodes = 6}, {.nodes = 6}, {.nodes = 6}, {.nodes = 6}}};
    path[static_cast<std::size_t>(used)].hops = hops;
    const RingPath ring{.nodes = 6, .hops = hops};
    BOOST_TEST(request_latency(path, kOdd) == request_latency(ring, kOdd), kClose);
    BOOST_TEST(response_latency(path, kOdd) == response_latency(ring, kOdd), kClose);
}

// [000 eq. 8, 9] with three of four dimensions in use: 2 + 1 + 4 hops, back over 3 + 1 + 2.
BOOST_AUTO_TEST_CASE(unequal_dimensions_count_each_with_its_own_size)
{
    const std::array<DimensionPath, 4> path{
        {{.nodes = 5, .hops = 2}, {.nodes = 2, .hops = 1}, {.nodes = 9, .hops = 0}, {.nodes = 6, .hops = 4}}};
    BOOST_TEST(request_latency(path, kOdd) == one_way_latency(7, 2, kOdd), kClose);
    BOOST_TEST(response_latency(path, kOdd) == one_way_latency(6, 2, kOdd), kClose);
}

BOOST_AUTO_TEST_CASE(invalid_paths_are_refused)
{
    using Path = std::vector<DimensionPath>;
    const DimensionPath step{.nodes = 3, .hops = 1};
    for (const Path& path : {Path{}, Path{{.nodes = 3}, {.nodes = 3}}, Path{step, {.nodes = 3, .hops = 3}},
                             Path{step, {.nodes = 3, .hops = -1}}, Path{step, {.nodes = 1, .hops = 0}},
                             Path{step, step, step, step, step}}) {
        BOOST_CHECK_THROW(request_latency(path, kOdd), std::domain_error);
        BOOST_CHECK_THROW(response_latency(path, kOdd), std::domain_error);
    }
    BOOST_CHECK_NO_THROW(transaction_latency(Path{step, step, step, step}, kOdd));
}

BOOST_DATA_TEST_CASE(averages_are_those_over_all_destinations, kEachTorus, index)
{
    const std::vector<int>& sizes = kTori[index];
    const Counted counted = count_all(sizes);
    const AverageWay way = average_way(as_doubles(sizes));
    BOOST_TEST(way.nodes == counted.destinations + 1);
    BOOST_TEST(way.hops == counted.hops / counted.destinations, kClose);
    BOOST_TEST(way.hops == counted.response_hops / counted.destinations, kClose);
    BOOST_TEST(1 + way.switches == counted.used / counted.destinations, kClose);
    BOOST_TEST(average_latency(way, kOdd) == counted.latency_ns / counted.destinations, kClose);
    BOOST_TEST(multi_unicast_latency(way, kOdd) == counted.latency_ns, kClose);
}

// [000 eq. 14]: D (n/2) n^(D-1) (n - 1) / (n^D - 1)
BOOST_DATA_TEST_CASE(equal_dimensions_have_the_published_distance,
                     data::make({1, 2, 3, 4}) * data::make({2.0, 3.0, 4.7, 10.0, 31.0}), dimensions, n)
{
    const double nodes = power(n, dimensions);
    const double expected = dimensions * n / 2 * power(n, dimensions - 1) * (n - 1) / (nodes - 1);
    BOOST_TEST(average_way(dimensions, nodes).hops == expected, boost::test_tools::tolerance(1e-9));
}

// [000 eq. 15], as the sum over how many dimensions a destination differs in: i of D in C(D, i) (n - 1)^i cases. The
// model has the closed form D (n - 1) n^(D-1) / (n^D - 1) - 1.
BOOST_DATA_TEST_CASE(equal_dimensions_have_the_published_number_of_switches,
                     data::make({1, 2, 3, 4}) * data::make({2.0, 3.0, 4.7, 10.0, 31.0}), dimensions, n)
{
    double sum = 0;
    double cases = 1;  // C(D, i)
    for (int i = 1; i <= dimensions; ++i) {
        cases = cases * (dimensions - i + 1) / i;
        sum += (i - 1) * cases * power(n - 1, i);
    }
    const double nodes = power(n, dimensions);
    BOOST_TEST(average_way(dimensions, nodes).switches == sum / (nodes - 1), boost::test_tools::tolerance(1e-9));
}

// [000 eq. 16, 17]
BOOST_DATA_TEST_CASE(forwardings_switches_and_one_make_the_hops, kEachTorus, index)
{
    const AverageWay way = average_way(as_doubles(kTori[index]));
    BOOST_TEST(way.forwardings + way.switches + 1 == way.hops, kClose);
    const double expected = 2 * kOdd.overhead_ns + way.hops * kOdd.propagation_ns +
                            way.forwardings * kOdd.forwarding_ns + way.switches * kOdd.switching_ns;
    BOOST_TEST(average_latency(way, kOdd) == expected, kClose);
}

BOOST_DATA_TEST_CASE(rings_of_two_never_forward, data::make({1, 2, 3, 4}), dimensions)
{
    const AverageWay way = average_way(dimensions, least_nodes(dimensions));
    BOOST_TEST(way.nodes == power(2, dimensions));
    BOOST_TEST(std::abs(way.forwardings) < 1e-12);
    BOOST_CHECK_NO_THROW(average_latency(way, kOdd));
}

// [000 eq. 10 to 13]
BOOST_DATA_TEST_CASE(published_sums_give_the_average_distance, data::make({1, 2, 3, 4}) * data::make({2, 3, 8}),
                     dimensions, n)
{
    const double expected = average_way(dimensions, power(n, dimensions)).hops;
    BOOST_TEST(summed_request_hops(dimensions, n) == expected, kClose);
    BOOST_TEST(summed_response_hops(dimensions, n) == expected, kClose);
}

// [000 eq. 11, 13] start at h = 0 in print, where n hops count for a destination that is not on the ring: on a ring of
// eight 36/7 = 5.14 and not 28/7 = 4. Each sum is too large by n^D / (n^D - 1) times D.
BOOST_DATA_TEST_CASE(printed_response_sums_are_too_large, data::make({1, 2}) * data::make({2, 3, 8, 20}), dimensions, n)
{
    const double nodes = power(n, dimensions);
    const double excess = dimensions * nodes / (nodes - 1);
    BOOST_TEST(summed_response_hops_as_printed(dimensions, n) == summed_response_hops(dimensions, n) + excess, kClose);
}

BOOST_AUTO_TEST_CASE(on_eight_nodes_the_printed_sum_gives_5_14_instead_of_4)
{
    BOOST_TEST(summed_response_hops_as_printed(1, 8) == 36.0 / 7, kClose);
    BOOST_TEST(summed_response_hops(1, 8) == 4.0, kClose);
}

BOOST_AUTO_TEST_CASE(invalid_tori_are_refused)
{
    using Sizes = std::vector<double>;
    for (const Sizes& sizes : {Sizes{}, Sizes{1.99}, Sizes{4, 1}, Sizes{4, kNotANumber}, Sizes{1e4, 1e4},
                               Sizes{1e6 + 1}, Sizes{2, 2, 2, 2, 2}}) {
        BOOST_CHECK_THROW(average_way(sizes), std::domain_error);
    }
    BOOST_CHECK_THROW(average_way(0, 16), std::domain_error);
    BOOST_CHECK_THROW(average_way(-1, 16), std::domain_error);
    BOOST_CHECK_THROW(average_way(5, 64), std::domain_error);
    BOOST_CHECK_THROW(average_way(2, 3.99), std::domain_error);
    BOOST_CHECK_THROW(average_way(2, kNotANumber), std::domain_error);
    BOOST_CHECK_THROW(average_way(4, 1e6 + 1), std::domain_error);
    BOOST_CHECK_NO_THROW(average_way(4, 1e6));
    BOOST_CHECK_THROW(least_nodes(0), std::domain_error);
    BOOST_CHECK_THROW(summed_request_hops(1, 1), std::domain_error);
    BOOST_CHECK_THROW(summed_response_hops(0, 8), std::domain_error);
    BOOST_CHECK_THROW(summed_response_hops_as_printed(1, 65), std::domain_error);
    BOOST_CHECK_THROW(multi_unicast_latency({.nodes = 1, .hops = 1}, kOdd), std::domain_error);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::analytic::sci_torus_test
