// SPDX-License-Identifier: Apache-2.0
#include "tlm/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "tests/support/cases.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;

constexpr double kBin = 1.0 / 64;  ///< the widest bin by the samples in it

/// The smallest sample that has at least this part of all samples at or below it.
std::int64_t exact_percentile(std::vector<std::int64_t> samples, double part)
{
    std::sort(samples.begin(), samples.end());
    const auto rank = std::max(1.0, std::ceil(part * static_cast<double>(samples.size())));
    return samples[static_cast<std::size_t>(rank) - 1];
}

const auto kParts = data::make({0.0, 0.01, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0});

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(statistics)

BOOST_DATA_TEST_CASE(a_percentile_is_within_a_bin_of_the_exact_one,
                     kParts* data::make({50, 1'000, 1'000'000, 2'000'000'000}), part, scale)
{
    Random random(5);
    std::vector<std::int64_t> samples;
    Distribution distribution;
    for (std::size_t i = 0; i <= Distribution::kExact; ++i) {
        const auto sample = random.exponential(Duration::picoseconds(scale));
        samples.push_back(sample.ps());
        distribution.add(sample);
    }
    const auto exact = static_cast<double>(exact_percentile(samples, part));
    BOOST_TEST(std::abs(static_cast<double>(distribution.percentile(part).ps()) - exact) <= exact * kBin);
}

BOOST_AUTO_TEST_CASE(a_single_sample_is_every_percentile_exactly)
{
    for (std::int64_t ps : {0L, 1L, 63L, 64L, 65L, 4095L, 4097L, 123'456'789L, 3'000'000'000'000L}) {
        Distribution distribution;
        distribution.add(Duration::picoseconds(ps));
        for (const double part : {0.0, 0.5, 1.0}) BOOST_TEST(distribution.percentile(part).ps() == ps);
    }
}

BOOST_DATA_TEST_CASE(samples_that_are_kept_give_exact_percentiles, kParts* data::make({1, 2, 999, 4096}), part, count)
{
    Random random(6);
    std::vector<std::int64_t> samples;
    Distribution distribution;
    for (int i = 0; i < count; ++i) {
        const auto sample = random.exponential(1_us);
        samples.push_back(sample.ps());
        distribution.add(sample);
    }
    BOOST_TEST(distribution.percentile(part).ps() == exact_percentile(samples, part));
}

BOOST_AUTO_TEST_CASE(count_mean_and_extremes_are_exact)
{
    Random random(9);
    Distribution distribution;
    double sum_ns = 0;
    Duration low = Duration::never();
    Duration high;
    for (int i = 0; i < 1000; ++i) {
        const auto sample = random.exponential(3_us);
        distribution.add(sample);
        sum_ns += sample.ns();
        low = std::min(low, sample);
        high = std::max(high, sample);
    }
    BOOST_TEST(distribution.count() == 1000u);
    BOOST_TEST(distribution.mean_ns() == sum_ns / 1000, boost::test_tools::tolerance(1e-12));
    BOOST_TEST((distribution.minimum() == low));
    BOOST_TEST((distribution.maximum() == high));
}

BOOST_AUTO_TEST_CASE(an_empty_distribution_has_no_samples)
{
    const Distribution distribution;
    BOOST_TEST(distribution.count() == 0u);
    BOOST_TEST(distribution.mean_ns() == 0.0);
    BOOST_TEST((distribution.percentile(0.5) == Duration::zero()));
}

BOOST_AUTO_TEST_CASE(percentiles_of_few_samples_are_those_of_nearest_rank)
{
    Distribution distribution;
    for (int i = 0; i < 1000; ++i) distribution.add(i % 100 == 7 ? 81_ns : 16_ns);
    for (const double part : {0.5, 0.95, 0.99}) BOOST_TEST((distribution.percentile(part) == 16_ns));
    BOOST_TEST((distribution.percentile(0.999) == 81_ns));
}

BOOST_AUTO_TEST_CASE(samples_up_to_a_limit_are_counted_whether_kept_or_in_bins)
{
    for (const std::size_t kept : {std::size_t{10}, Distribution::kExact}) {
        Distribution distribution(kept);
        for (int i = 1; i <= 1000; ++i) distribution.add(1_ns * i);
        BOOST_TEST(static_cast<double>(distribution.at_most(500_ns)) == 500.0, boost::test_tools::tolerance(0.016));
        BOOST_TEST(distribution.at_most(1_us) == 1000u);
        BOOST_TEST(distribution.at_most(Duration::zero()) == 0u);
    }
}

/// As a product of binary fractions the rank is a little above 7.
BOOST_AUTO_TEST_CASE(a_rank_that_is_whole_is_not_rounded_up)
{
    Distribution distribution;
    for (int i = 1; i <= 100; ++i) distribution.add(1_ns * i);
    for (int percent = 1; percent <= 100; ++percent) {
        BOOST_TEST((distribution.percentile(percent * 0.01) == 1_ns * percent));
    }
}

BOOST_AUTO_TEST_CASE(a_negative_sample_is_refused)
{
    Distribution distribution;
    BOOST_CHECK_THROW(distribution.add(Duration::picoseconds(-1)), std::domain_error);
    BOOST_TEST(distribution.count() == 0u);
}

BOOST_AUTO_TEST_CASE(a_time_weighted_level_has_the_area_under_its_steps)
{
    TimeWeighted level;
    BOOST_TEST(level.area(10_us) == 0.0);
    level.set(3, 10_us);
    level.set(1, 14_us);
    level.set(5, 15_us);
    level.set(0, 15_us);  // no time passed at 5
    level.set(2, 20_us);
    const auto close = boost::test_tools::tolerance(1e-12);
    BOOST_TEST(level.area(20_us) == (3 * 4 + 1 * 1) * 1e-6, close);
    BOOST_TEST(level.area(23_us) == (3 * 4 + 1 * 1 + 2 * 3) * 1e-6, close);
    BOOST_TEST(level.level() == 2);
    BOOST_TEST(level.highest() == 5);
}

BOOST_AUTO_TEST_CASE(asking_for_the_area_changes_nothing)
{
    TimeWeighted level;
    level.set(4, 1_us);
    const double half_way = level.area(2_us);
    BOOST_TEST(level.area(3_us) == 2 * half_way, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(level.area(2_us) == half_way);
}

BOOST_AUTO_TEST_CASE(counters_and_busy_times_add_up)
{
    Counter counter;
    ++counter;
    counter += 41;
    BOOST_TEST(counter.count() == 42u);
    BusyTime busy;
    busy.add(30_ns);
    busy.add(12_ns);
    BOOST_TEST((busy.total() == 42_ns));
}

/// Of a long run, more than 64 bits of picoseconds.
BOOST_AUTO_TEST_CASE(a_mean_of_many_long_times_is_exact)
{
    DurationMean mean;
    for (int i = 0; i < 10; ++i) mean.add(Duration::picoseconds(INT64_MAX / 2));
    BOOST_TEST(mean.mean_ns() == static_cast<double>(INT64_MAX / 2) / 1e3, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(mean.sum_ns() == 10 * static_cast<double>(INT64_MAX / 2) / 1e3, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
