// SPDX-License-Identifier: Apache-2.0
#include "traces/changes/busy_periods.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/support/cases.h"

using namespace ringmesh;

namespace {

constexpr std::uint32_t kLink = 0;
constexpr std::uint32_t kBus = 1;

struct Bench {
    BusyPeriods periods;
    Bench() { periods.resize(2); }

    std::string_view busy(std::uint32_t slot, Duration from, Duration to, std::uint64_t id)
    {
        return periods.report(slot, from, to, {1, id});
    }
    /// The changes before `end`: "10 link 1, 40 link -"
    std::string take(Duration end)
    {
        std::string text;
        periods.take_before(end, [&](Duration time, std::uint32_t slot, const BusyPeriods::State& state) {
            text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", time.ps(), slot == kLink ? "link" : "bus",
                                state.word == 0 ? "-" : std::to_string(state.id));
        });
        return text;
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(busy_periods)

BOOST_AUTO_TEST_CASE(periods_of_several_slots_are_merged_by_time)
{
    Bench bench;
    bench.busy(kLink, 10_ps, 40_ps, 1);
    bench.busy(kBus, 5_ps, 20_ps, 2);
    BOOST_TEST(bench.take(50_ps) == "5 bus 2, 10 link 1, 20 bus -, 40 link -");
}

BOOST_DATA_TEST_CASE(a_change_is_taken_before_its_time_is_over_and_not_earlier, data::make({0, 1}), late)
{
    Bench bench;
    bench.busy(kLink, 10_ps, 40_ps, 1);
    BOOST_TEST(bench.take(Duration::picoseconds(10 + late)) == (late == 1 ? "10 link 1" : ""));
}

BOOST_AUTO_TEST_CASE(a_period_without_length_is_not_shown)
{
    Bench bench;
    BOOST_TEST(bench.busy(kLink, 10_ps, 10_ps, 1) == "");
    BOOST_TEST(bench.take(50_ps) == "");
}

BOOST_AUTO_TEST_CASE(a_period_without_end_lasts)
{
    Bench bench;
    bench.busy(kLink, 10_ps, Duration::never(), 1);
    BOOST_TEST(bench.take(Duration::never()) == "10 link 1");
}

BOOST_AUTO_TEST_CASE(between_periods_that_touch_there_is_no_idle_and_with_one_number_no_change)
{
    Bench bench;
    bench.busy(kLink, 10_ps, 20_ps, 1);
    bench.busy(kLink, 20_ps, 30_ps, 1);
    bench.busy(kLink, 30_ps, 40_ps, 2);
    BOOST_TEST(bench.take(50_ps) == "10 link 1, 30 link 2, 40 link -");
}

BOOST_DATA_TEST_CASE(a_period_may_begin_where_the_one_before_ends_and_not_earlier, data::make({19, 20}), from)
{
    Bench bench;
    bench.busy(kLink, 10_ps, 20_ps, 1);
    BOOST_TEST(bench.busy(kLink, Duration::picoseconds(from), 30_ps, 7).empty() == (from == 20));
}

BOOST_AUTO_TEST_CASE(periods_of_one_slot_may_be_reported_in_any_order)
{
    Bench bench;
    bench.busy(kLink, 20_ps, 30_ps, 2);
    bench.busy(kLink, 10_ps, 20_ps, 1);
    bench.busy(kLink, 2_ps, 5_ps, 3);
    BOOST_TEST(bench.take(40_ps) == "2 link 3, 5 link -, 10 link 1, 20 link 2, 30 link -");
}

BOOST_DATA_TEST_CASE(a_period_reported_later_fits_between_others_or_is_refused, data::make({20, 21}), to)
{
    Bench bench;
    bench.busy(kLink, 20_ps, 30_ps, 1);
    BOOST_TEST(bench.busy(kLink, 5_ps, Duration::picoseconds(to), 7).empty() == (to == 20));
}

BOOST_DATA_TEST_CASE(a_period_may_begin_at_what_has_been_taken_and_not_earlier, data::make({24, 25}), from)
{
    Bench bench;
    bench.take(25_ps);
    BOOST_TEST(bench.busy(kLink, Duration::picoseconds(from), 30_ps, 7).empty() == (from == 25));
}

BOOST_AUTO_TEST_CASE(a_period_that_ends_before_it_begins_is_refused)
{
    Bench bench;
    BOOST_TEST(!bench.busy(kLink, 30_ps, 29_ps, 7).empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
