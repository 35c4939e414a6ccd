// SPDX-License-Identifier: Apache-2.0
#include "lab/saturation/search.h"
#include "tests/support/cases.h"

#include <cmath>
#include <random>

namespace {

using namespace ringmesh::lab;

const auto kClose = boost::test_tools::tolerance(1e-9);

Crossings crossings(int times, std::array<double, kSeeds> loads)
{
    Crossings result;
    result.times = times;
    result.load = loads;
    return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(saturation_estimate)

// 2.7764 * sqrt(variance 0.00025 * (1/5 + 1/1)) from the horizon on
BOOST_AUTO_TEST_CASE(past_the_horizon_it_is_the_seeds_prediction_interval)
{
    const auto one = crossings(128, {0.48, 0.49, 0.5, 0.51, 0.52});
    const auto interval = interval_of(one, one);
    const double half = 2.776445105197799 * std::sqrt(0.00025 * 1.2);
    BOOST_TEST(interval.low == 0.5 - half, kClose);
    BOOST_TEST(interval.high == 0.5 + half, kClose);
}

// From 25 times the duration to 100 times there are two doublings.
BOOST_AUTO_TEST_CASE(each_doubling_to_the_horizon_may_move_it_as_the_last_one_did)
{
    const auto fell =
        interval_of(crossings(12, {0.51, 0.51, 0.51, 0.51, 0.51}), crossings(25, {0.5, 0.5, 0.5, 0.5, 0.5}));
    BOOST_TEST(fell.low == 0.48, kClose);
    BOOST_TEST(fell.high == 0.5, kClose);
    const auto rose =
        interval_of(crossings(12, {0.5, 0.5, 0.5, 0.5, 0.5}), crossings(25, {0.51, 0.51, 0.51, 0.51, 0.51}));
    BOOST_TEST(rose.low == 0.51, kClose);
    BOOST_TEST(rose.high == 0.53, kClose);
}

BOOST_AUTO_TEST_CASE(it_stays_within_the_loads_that_are_tried)
{
    const auto interval = interval_of(crossings(1, {0.5, 0.9, 0.5, 0.9, 0.5}), crossings(2, {0.9, 0.1, 0.9, 0.1, 0.9}));
    BOOST_TEST(interval.low == kLowestStep * kLoadStep);
    BOOST_TEST(interval.high == 1.0);
}

/// Seeds whose crossings are normally distributed, with a variance in inverse proportion to the duration.
BOOST_AUTO_TEST_CASE(nineteen_of_twenty_further_runs_lie_in_it)
{
    std::mt19937 random(1);
    std::normal_distribution<double> noise;
    constexpr int kTries = 2000;
    for (const int times : {4, 32, 128}) {
        int covered = 0;
        for (int i = 0; i < kTries; ++i) {
            Crossings last = crossings(times, {});
            for (double& load : last.load) load = 0.5 + 0.05 * noise(random) / std::sqrt(times);
            const auto interval = interval_of(last, last);
            const double further = 0.5 + 0.05 * noise(random) / std::sqrt(std::max(times, kHorizon));
            if (interval.low <= further && further <= interval.high) ++covered;
        }
        BOOST_TEST(covered >= 0.94 * kTries);
        BOOST_TEST(covered <= (times < kHorizon ? 0.965 : 0.98) * kTries);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
