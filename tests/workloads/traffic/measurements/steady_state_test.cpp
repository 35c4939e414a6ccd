// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/measurements/steady_state.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "tests/support/cases.h"
#include "tests/workloads/traffic/measurements/queue_series.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using ringmesh::test::queue_series;
using ringmesh::test::Service;

const auto kQueues = data::make({"M/M/1", "M/D/1"});

/// How many of so many queues the test finds rising.
int rising(double utilisation, std::string_view queue_name, int customers, int queues)
{
    const Service service = queue_name == "M/D/1" ? Service::kConstant : Service::kExponential;
    int found = 0;
    for (int queue = 0; queue < queues; ++queue) {
        Random random(static_cast<std::uint64_t>(queue) + 1);
        found += still_rises({1_ns, queue_series(utilisation, service, customers, 500, random)}) ? 1 : 0;
    }
    return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(steady_state)

/// Of 600 queues, the rate of false alarms lets 1.2 be found, and 6 or more hardly once in 600 times.
BOOST_DATA_TEST_CASE(queues_that_are_stable_are_hardly_ever_found_rising, kQueues* data::make({0.5, 0.8, 0.9}), queue,
                     utilisation)
{
    BOOST_TEST(rising(utilisation, queue, 20'000, 600) < 6);
}

BOOST_DATA_TEST_CASE(queues_that_are_overloaded_are_found, kQueues* data::make({1.1, 1.3, 2.0}), queue, utilisation)
{
    BOOST_TEST(rising(utilisation, queue, 20'000, 100) >= 99);
}

BOOST_AUTO_TEST_CASE(a_warm_up_is_cut_where_it_ends)
{
    Random random(3);
    std::vector<std::int64_t> values;
    for (int i = 0; i < 500; ++i) values.push_back((i < 100 ? 5000 - 50 * i : 0) + static_cast<int>(random.below(10)));
    const std::size_t cut = warm_up_by_mser5(values);
    BOOST_TEST(cut >= 95u);
    BOOST_TEST(cut <= 130u);
    BOOST_TEST(warm_up_by_mser5(std::vector<std::int64_t>(9)) == 0u);
    // The three that fill no batch come first, then one of five
    std::vector<std::int64_t> few(63, 7);
    std::fill_n(few.begin(), 8, 100);
    BOOST_TEST(warm_up_by_mser5(few) == 8u);
}

BOOST_AUTO_TEST_CASE(what_rests_or_falls_does_not_rise)
{
    std::vector<std::int64_t> values(500, 7);
    BOOST_TEST(test_for_rise(values)->chance == 1);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1000 - static_cast<std::int64_t>(i);
    BOOST_TEST(test_for_rise(values)->statistic < 0);
    BOOST_TEST(!test_for_rise(std::vector<std::int64_t>(63)).has_value());
}

/// Of a straight rise over n values: sqrt(45) (n^2 - 1)(n - 2) / (24 n^1.5 s), with s^2 the variance of eight means of
/// n / 16 values, times n / 16.
BOOST_AUTO_TEST_CASE(a_straight_rise_has_the_statistic_of_the_formula)
{
    constexpr int kValues = 1600;
    std::vector<std::int64_t> values;
    for (int i = 0; i < kValues; ++i) values.push_back(i);
    const double n = kValues;
    double weighted = 0;
    for (int k = 1; k <= kValues; ++k) weighted += (1 - k / n) * k * (n - k) / 2;
    const double size = n / 16;
    const double variance = size * size * size * 6;  // of 0, 1, ... 7: 6
    BOOST_TEST(test_for_rise(values)->statistic == std::sqrt(45 / (n * n * n * variance)) * weighted,
               boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
