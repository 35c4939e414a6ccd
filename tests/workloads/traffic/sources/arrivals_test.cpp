// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/sources/arrivals.h"

#include <cmath>

#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;

/// A clock whose period is no whole number of picoseconds.
constexpr Clock kOddClock(300_MHz);

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(arrivals)

BOOST_AUTO_TEST_CASE(bernoulli_births_are_on_edges_of_the_clock_however_late)
{
    const ArrivalProcess process(Arrivals::kBernoulli, 1_us, kOddClock);
    Births births;
    Random random{3};
    std::int64_t edge = -1;
    for (int i = 0; i < 100'000; ++i) {
        const Duration birth = process.next(births, random);
        BOOST_REQUIRE(births.edge > edge);
        edge = births.edge;
        BOOST_REQUIRE((birth == Cycles(edge) * kOddClock));
    }
}

// Bernoulli process of chance p at each of n edges: np births, deviation sqrt(np(1 - p)); also at the first edge and at
// the edge after a birth.
BOOST_DATA_TEST_CASE(each_edge_has_the_same_chance_of_a_birth, data::make({0.02, 0.3, 0.9}), chance)
{
    constexpr int kSources = 2'000;
    constexpr std::int64_t kEdges = 200;
    const ArrivalProcess process(Arrivals::kBernoulli, MeanTime::picoseconds(kOddClock.period_ps() / chance),
                                 kOddClock);
    Random random{7};
    int first = 0;
    int again = 0;
    int all = 0;
    for (int source = 0; source < kSources; ++source) {
        Births births;
        process.next(births, random);
        if (births.edge == 0) ++first;
        while (births.edge < kEdges) {
            ++all;
            const std::int64_t before = births.edge;
            process.next(births, random);
            if (births.edge == before + 1) ++again;
        }
    }
    const auto is_near = [chance](int count, double trials) {
        return std::abs(count - chance * trials) <=
               4 * std::sqrt(trials * chance * (1 - chance)) + 1e-3 * chance * trials;
    };
    BOOST_TEST(is_near(first, kSources));
    BOOST_TEST(is_near(all, double(kSources) * kEdges));
    BOOST_TEST(is_near(again, all));
}

BOOST_AUTO_TEST_CASE(a_full_load_has_a_birth_at_every_edge)
{
    const ArrivalProcess process(Arrivals::kBernoulli, MeanTime::picoseconds(kOddClock.period_ps()), kOddClock);
    Births births;
    Random random{1};
    for (std::int64_t edge = 0; edge < 10'000; ++edge) {
        process.next(births, random);
        BOOST_REQUIRE(births.edge == edge);
    }
}

BOOST_AUTO_TEST_CASE(periodic_births_do_not_drift_from_a_gap_between_two_picoseconds)
{
    constexpr double kGap = 25 * 20'000.0 / 199;  // a flit in 25 cycles of 9.95 GHz
    const ArrivalProcess process(Arrivals::kPeriodic, MeanTime::picoseconds(kGap));
    Births births;
    Random random{1};
    const Duration first = process.next(births, random);
    BOOST_TEST(first.ps() < kGap);
    for (int i = 1; i <= 1'000'000; ++i) {
        const double apart = static_cast<double>((process.next(births, random) - first).ps());
        BOOST_REQUIRE(std::abs(apart - i * kGap) <= 0.51);
    }
}

// A burst and the time to the next one have `packets` births on average, however bursty: the rate is kept. Births of
// one source are correlated over bursts; many sources are not.
BOOST_DATA_TEST_CASE(on_off_sources_keep_the_mean_rate, data::make({1.0, 8.0, 50.0}) * data::make({0.05, 0.25, 0.9}),
                     packets, on)
{
    constexpr int kSources = 4'000;
    constexpr double kGaps = 400;
    const ArrivalProcess process(Arrivals::kOnOff, 1_us, kOddClock, {.packets = packets, .on = on});
    Random random{5};
    double births_of_all = 0;
    double squares = 0;
    for (int source = 0; source < kSources; ++source) {
        Births births;
        double count = 0;
        while (process.next(births, random) < 1_us * static_cast<std::int64_t>(kGaps)) ++count;
        births_of_all += count;
        squares += count * count;
    }
    const double mean = births_of_all / kSources;
    const double variance = squares / kSources - mean * mean;
    BOOST_TEST(std::abs(mean - kGaps) <= 4 * std::sqrt(variance / kSources));
    // Of a Poisson process the variance is the mean; here, in the long run, 1 + 2 packets (1 - on)^2 times as much
    const double ratio = 1 + 2 * packets * (1 - on) * (1 - on);
    if (packets < 10) BOOST_TEST(variance / mean == ratio, boost::test_tools::tolerance(0.15));
}

// While on, gaps are exponentially distributed with `on` times the mean gap: of those shorter than it, most are.
BOOST_AUTO_TEST_CASE(on_off_births_of_a_burst_follow_at_the_higher_rate)
{
    const ArrivalProcess process(Arrivals::kOnOff, 1_us, kOddClock, {.packets = 1000, .on = 0.1});
    Births births;
    Random random{9};
    Duration before = process.next(births, random);
    double in_bursts_ns = 0;
    int gaps = 0;
    for (int i = 0; i < 100'000; ++i) {
        const Duration birth = process.next(births, random);
        if (birth - before < 5_us) {
            in_bursts_ns += (birth - before).ns();
            ++gaps;
        }
        before = birth;
    }
    BOOST_TEST(in_bursts_ns / gaps == 100, boost::test_tools::tolerance(0.02));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
