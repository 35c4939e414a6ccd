// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/measurements/batch_means.h"

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace {

using ringmesh::workloads::BatchMeans;
const auto kClose = boost::test_tools::tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(batch_means)

BOOST_AUTO_TEST_CASE(fewer_than_20_samples_give_a_mean_but_no_interval)
{
    BatchMeans series;
    for (int i = 1; i <= 19; ++i) series.add(i);
    BOOST_TEST(series.mean() == 10.0);
    BOOST_TEST(!series.half_width_95().has_value());
    series.add(20);
    BOOST_TEST(series.half_width_95().has_value());
}

// 10 times 1 and 10 times 3: mean 2, sum of squares 20, variance 20/19, of the mean 1/19; t with 19 degrees is 2.093.
BOOST_AUTO_TEST_CASE(the_interval_of_20_batches_follows_students_t)
{
    BatchMeans series;
    for (int i = 0; i < 20; ++i) series.add(i % 2 == 0 ? 1 : 3);
    BOOST_TEST(series.mean() == 2.0);
    BOOST_TEST(series.half_width_95().value() == 2.093 / std::sqrt(19.0), boost::test_tools::tolerance(3e-4));
}

// 13 times 1 and 13 times 3: variance of the mean 26 / 25 / 26; t with 25 degrees is 2.060.
BOOST_AUTO_TEST_CASE(each_number_of_batches_has_its_own_t)
{
    BatchMeans series;
    for (int i = 0; i < 26; ++i) series.add(i % 2 == 0 ? 1 : 3);
    BOOST_TEST(series.half_width_95().value() == 2.060 / 5, boost::test_tools::tolerance(3e-4));
}

// Alternating samples: at the 40th, pairs are merged into 20 equal batches.
BOOST_AUTO_TEST_CASE(the_fortieth_batch_merges_each_two)
{
    BatchMeans series;
    for (int i = 0; i < 39; ++i) series.add(i % 2 == 0 ? 1 : 3);
    BOOST_TEST(series.batches() == 39u);
    BOOST_TEST(series.half_width_95().value() > 0.3);
    series.add(3);
    BOOST_TEST(series.batches() == 20u);
    BOOST_TEST(series.batch_size() == 2u);
    BOOST_TEST(series.half_width_95().value() == 0.0);
}

BOOST_AUTO_TEST_CASE(batches_stay_between_20_and_39_and_the_mean_is_that_of_all)
{
    BatchMeans series;
    double sum = 0;
    for (int i = 1; i <= 10'000; ++i) {
        series.add(i % 17);
        sum += i % 17;
        if (i < 20) continue;
        BOOST_REQUIRE(series.batches() >= 20u);
        BOOST_REQUIRE(series.batches() < 40u);
        BOOST_REQUIRE(series.batches() * series.batch_size() <= series.count());
    }
    BOOST_TEST(series.count() == 10'000u);
    BOOST_TEST(series.mean() == sum / 10'000, kClose);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
