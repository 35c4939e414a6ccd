// SPDX-License-Identifier: Apache-2.0
#include "tlm/simulation/random.h"

#include <cmath>
#include <vector>

#include "tests/support/cases.h"

namespace {

using namespace ringmesh;

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(random)

// The first outputs of the generator's reference implementation (Vigna, splitmix64.c) for the seed 0.
BOOST_AUTO_TEST_CASE(it_is_splitmix64)
{
    Random random(0);
    for (const std::uint64_t expected : {0xe220a8397b1dcdafULL, 0x6e789e6aa1b965f4ULL, 0x06c45d188009454fULL,
                                         0xf88bb8a8724c81ecULL, 0x1b39896a51a8749bULL}) {
        BOOST_TEST(random.next() == expected);
    }
}

// Offset basis and the hash of "a" as published with the function.
BOOST_AUTO_TEST_CASE(names_are_hashed_by_fnv_1a)
{
    BOOST_TEST(seed_for(0, "") == 0xcbf29ce484222325ULL);
    BOOST_TEST(seed_for(0, "a") == 0xaf63dc4c8601ec8cULL);
    BOOST_TEST(seed_for(0, "foobar") == 0x85944171f73967e8ULL);
}

BOOST_AUTO_TEST_CASE(other_seeds_and_other_names_give_other_numbers)
{
    BOOST_TEST(seed_for(1, "traffic.0") != seed_for(2, "traffic.0"));
    BOOST_TEST(seed_for(1, "traffic.0") != seed_for(1, "traffic.1"));
}

BOOST_DATA_TEST_CASE(numbers_below_a_bound_are_all_as_likely, data::make({1, 2, 3, 7, 64}), bound)
{
    constexpr int kSamples = 100'000;
    Random random(42);
    std::vector<int> seen(static_cast<std::size_t>(bound));
    for (int i = 0; i < kSamples; ++i) ++seen.at(random.below(static_cast<std::uint64_t>(bound)));
    const double expected = static_cast<double>(kSamples) / bound;
    for (const int count : seen) BOOST_TEST(std::abs(count - expected) <= 4 * std::sqrt(expected));
}

BOOST_AUTO_TEST_CASE(unit_numbers_fill_the_interval_from_0_to_below_1)
{
    constexpr int kSamples = 1'000'000;
    Random random(7);
    double sum = 0;
    double low = 1;
    double high = 0;
    for (int i = 0; i < kSamples; ++i) {
        const double sample = random.unit();
        sum += sample;
        low = std::min(low, sample);
        high = std::max(high, sample);
    }
    BOOST_TEST(low >= 0.0);
    BOOST_TEST(low < 1e-4);
    BOOST_TEST(high < 1.0);
    BOOST_TEST(high > 1 - 1e-4);
    // Deviation of a mean of n: 1 / sqrt(12 n).
    BOOST_TEST(std::abs(sum / kSamples - 0.5) < 4 / std::sqrt(12.0 * kSamples));
}

// An exponential distribution has the same mean and deviation, and a part of e^-x of it lies above x means.
BOOST_DATA_TEST_CASE(exponential_gaps_have_their_mean_deviation_and_tail, data::make({1'000, 1'000'000, 50'000'000}),
                     mean_ps)
{
    constexpr int kSamples = 400'000;
    const double mean = mean_ps;
    Random random(2024);
    double sum = 0;
    double squares = 0;
    int above_two = 0;
    for (int i = 0; i < kSamples; ++i) {
        const auto gap = random.exponential(Duration::picoseconds(mean_ps));
        BOOST_REQUIRE((gap >= Duration::picoseconds(1)));
        const auto ps = static_cast<double>(gap.ps());
        sum += ps;
        squares += (ps - mean) * (ps - mean);
        if (ps > 2 * mean) ++above_two;
    }
    BOOST_TEST(std::abs(sum / kSamples / mean - 1) < 4 / std::sqrt(kSamples));
    BOOST_TEST(std::abs(std::sqrt(squares / kSamples) / mean - 1) < 0.01);
    const double tail = std::exp(-2.0);
    BOOST_TEST(std::abs(static_cast<double>(above_two) / kSamples - tail) < 4 * std::sqrt(tail / kSamples));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
