// SPDX-License-Identifier: Apache-2.0
#include "tlm/units/units.h"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/support/cases.h"

using namespace ringmesh;
using namespace ringmesh::literals;

namespace {

const Duration kLongest = Duration::picoseconds(INT64_MAX);
const Duration kShortest = Duration::picoseconds(INT64_MIN);

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(units)

BOOST_AUTO_TEST_CASE(each_time_literal_is_a_thousand_of_the_one_before)
{
    BOOST_TEST((1_ps).ps() == 1);
    BOOST_TEST((1_ns).ps() == 1'000);
    BOOST_TEST((1_us).ps() == 1'000'000);
    BOOST_TEST((1_ms).ps() == 1'000'000'000);
    BOOST_TEST((1_s).ps() == 1'000'000'000'000);
}

BOOST_AUTO_TEST_CASE(other_literals_carry_their_factor)
{
    BOOST_TEST((7_Hz).hz() == 7);
    BOOST_TEST((50_MHz).hz() == 50'000'000);
    BOOST_TEST((7_B).count() == 7);
    BOOST_TEST((2_KiB).count() == 2 * 1024);
    BOOST_TEST((2_MiB).count() == 2 * 1024 * 1024);
    BOOST_TEST((3_m).um() == 3'000'000);
    BOOST_TEST((9_cycles).count() == 9);
}

BOOST_AUTO_TEST_CASE(a_duration_counts_in_other_units_by_division)
{
    BOOST_TEST((1'500_ps).ns() == 1.5);
    BOOST_TEST((1'500_ns).us() == 1.5);
    BOOST_TEST((1'500_ms).seconds() == 1.5);
}

BOOST_AUTO_TEST_CASE(durations_add_subtract_scale_and_compare_like_their_picoseconds)
{
    BOOST_TEST((3_ns + 4_ps).ps() == 3'004);
    BOOST_TEST((3_ns - 4_ns).ps() == -1'000);
    BOOST_TEST((-(3_ns)).ps() == -3'000);
    BOOST_TEST((3_ns * 4).ps() == 12'000);
    BOOST_TEST((4 * 3_ns).ps() == 12'000);
    BOOST_TEST((3_ns / 2_ns) == 1.5);
    BOOST_TEST((3_ns < 4_ns));
    BOOST_TEST((Duration::zero() > -(1_ps)));
    BOOST_TEST((Duration::never() > 1'000'000_s));
    Duration sum = 1_ns;
    sum += 2_ns;
    sum -= 5_ns;
    BOOST_TEST(sum.ps() == -2'000);
}

BOOST_DATA_TEST_CASE(a_quotient_of_a_duration_rounds_towards_zero,
                     data::make({7, -7, 8, -8}) ^ data::make({2, -2, 2, -2}), picoseconds, third)
{
    BOOST_TEST((Duration::picoseconds(picoseconds) / 3).ps() == third);
}

BOOST_AUTO_TEST_CASE(values_outside_64_bits_throw_and_the_last_value_inside_does_not)
{
    BOOST_TEST((kLongest - 1_ps + 1_ps).ps() == INT64_MAX);
    BOOST_CHECK_THROW(kLongest + 1_ps, std::overflow_error);
    BOOST_TEST((kShortest + 1_ps - 1_ps).ps() == INT64_MIN);
    BOOST_CHECK_THROW(kShortest - 1_ps, std::overflow_error);
    BOOST_CHECK_THROW(-kShortest, std::overflow_error);
    BOOST_TEST((Duration::picoseconds(INT64_MAX / 2) * 2).ps() == INT64_MAX - 1);
    BOOST_CHECK_THROW(Duration::picoseconds(INT64_MAX / 2 + 1) * 2, std::overflow_error);
    BOOST_CHECK_THROW(Cycles(INT64_MAX) + 1_cycles, std::overflow_error);
    BOOST_CHECK_THROW(Cycles(INT64_MAX) * 2, std::overflow_error);
}

BOOST_AUTO_TEST_CASE(a_division_that_has_no_result_throws)
{
    BOOST_CHECK_THROW(1_ns / 0, std::domain_error);
    BOOST_CHECK_THROW(kShortest / -1, std::overflow_error);
    BOOST_TEST((kShortest / 1).ps() == INT64_MIN);
}

BOOST_AUTO_TEST_CASE(a_literal_that_leaves_the_64_bits_throws)
{
    BOOST_TEST((9'223'372'036'854'775'807_ps).ps() == INT64_MAX);
    BOOST_CHECK_THROW(9'223'372'036'854'775'808_ps, std::overflow_error);
    BOOST_CHECK_THROW(9'223'373_s, std::overflow_error);
    BOOST_CHECK_THROW(18'446'744'073'709'551'615_MHz, std::overflow_error);
}

BOOST_DATA_TEST_CASE(computed_nanoseconds_round_to_the_nearest_picosecond,
                     data::make({0.0, 0.0004, 0.0006, -0.0006, 66.7}) ^ data::make({0, 0, 1, -1, 66'700}), ns, ps)
{
    BOOST_TEST(nanoseconds(ns).ps() == ps);
}

BOOST_DATA_TEST_CASE(computed_nanoseconds_beyond_the_range_throw,
                     data::make({1e16, -1e16, std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()}),
                     ns)
{
    BOOST_CHECK_THROW(nanoseconds(ns), std::overflow_error);
}

BOOST_DATA_TEST_CASE(cycles_of_a_clock_are_rounded_once_and_do_not_drift,
                     data::make({33'333'333, 33'000'000, 50'000'000, 800'000'000, 7}) *
                         data::make({1, 2, 3, 1'000, 1'000'003}),
                     hertz, count)
{
    const Duration time = Cycles(count) * Clock(Frequency::hertz(hertz));
    // |time * hertz - count * 10^12| is at most half a picosecond's worth of hertz, in 128 bits
    const auto error = static_cast<detail::Wide>(time.ps()) * hertz - static_cast<detail::Wide>(count) * (1_s).ps();
    BOOST_TEST((2 * (error < 0 ? -error : error) <= hertz));
}

BOOST_AUTO_TEST_CASE(a_long_burst_is_not_a_multiple_of_the_rounded_period)
{
    const Clock pci(Frequency::hertz(33'000'000));
    BOOST_TEST((Cycles(33'000'000) * pci == 1_s));
    BOOST_TEST((33'000'000 * (1_cycles * pci) < 1_s));
}

BOOST_DATA_TEST_CASE(edges_of_a_clock_are_found_by_their_times,
                     data::make(std::vector<std::int64_t>{9'950'000'000, 3'000'000'000, 533'000'000, 7'000'000}) *
                         data::make({0, 1, 2, 199, 1'000'003, 900'000'000}),
                     hertz, edge)
{
    const Clock clock(Frequency::hertz(hertz));
    const Duration time = Cycles(edge) * clock;
    BOOST_TEST(clock.edge_from(time).count() == edge);
    BOOST_TEST(clock.edge_until(time).count() == edge);
    BOOST_TEST(clock.edge_from(time + 1_ps).count() == edge + 1);
    if (edge > 0) BOOST_TEST(clock.edge_until(time - 1_ps).count() == edge - 1);
}

BOOST_AUTO_TEST_CASE(a_period_is_exact_however_it_is_given)
{
    BOOST_TEST(Clock(Frequency::hertz(9'950'000'000)).period_ps() == 20'000.0 / 199);
    BOOST_TEST(Clock(800_MHz).period_ns() == 1.25);
    BOOST_TEST(Clock(800_MHz).is_whole());
    BOOST_TEST(!Clock(Frequency::hertz(9'950'000'000)).is_whole());
    const Clock thirds = Clock::of_period(3_ns);  // no whole number of hertz
    BOOST_TEST((1'000'000'000_cycles * thirds == 3_s));
    BOOST_TEST(thirds.edge_from(3_s + 1_ps).count() == 1'000'000'001);
    BOOST_CHECK_THROW(Clock::of_period(0_ns), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(negative_cycles_mirror_positive_ones)
{
    const Clock clock(Frequency::hertz(33'000'000));
    for (const std::int64_t count : {1, 2, 7, 1'000}) {
        BOOST_TEST((Cycles(-count) * clock == -(Cycles(count) * clock)));
    }
}

BOOST_DATA_TEST_CASE(a_clock_without_a_positive_frequency_throws, data::make({0, -1}), hertz)
{
    BOOST_CHECK_THROW(Clock(Frequency::hertz(hertz)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(cycles_that_take_longer_than_64_bits_hold_throw)
{
    const Clock slowest(1_Hz);
    BOOST_TEST((9'223'372_cycles * slowest == 9'223'372_s));
    BOOST_CHECK_THROW(9'223'373_cycles * slowest, std::overflow_error);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
