// SPDX-License-Identifier: Apache-2.0
#include "traces/busy_periods.h"

#include <string>

#include "tests/cases.h"
#include "tests/platforms/temporary_folder.h"
#include "tests/traces/waveform_bench.h"
#include "tlm/error.h"

using namespace ringmesh;
using namespace ringmesh::test;

namespace {

struct Bench {
    TemporaryFolder folder;
    VcdWriter writer{"run.vcd"};
    BusyPeriods periods;
    std::uint32_t link = periods.add(writer, "link");
    std::uint32_t bus = periods.add(writer, "bus");

    void begin(Duration start)
    {
        periods.begin_at(start);
        writer.begin(start);
        periods.write_all(writer);
        writer.end_of_initial_values();
    }
    void busy(std::uint32_t slot, Duration from, Duration to, std::uint64_t id)
    {
        periods.report(writer, slot, from, to, "request", id);
    }
    std::string finish(Duration end)
    {
        periods.write_before(writer, end);
        writer.finish({});
        const std::string text = changes_of("run.vcd");
        return text.substr(text.find("$end\n") + 5);
    }
};

std::string shown_problem(Bench& bench, Duration from, Duration to)
{
    try {
        bench.busy(bench.link, from, to, 7);
    } catch (const ModelError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(busy_periods)

BOOST_AUTO_TEST_CASE(periods_of_several_slots_are_merged_by_time)
{
    Bench bench;
    bench.begin(0_ps);
    bench.busy(bench.link, 10_ps, 40_ps, 1);
    bench.busy(bench.bus, 5_ps, 20_ps, 2);
    BOOST_TEST(bench.finish(50_ps) ==
               "#5\nsrequest #\nb10 $\n#10\nsrequest !\nb1 \"\n#20\nsidle #\nbz $\n#40\nsidle !\nbz \"\n");
}

BOOST_DATA_TEST_CASE(a_change_is_written_before_its_time_is_over_and_not_earlier, data::make({0, 1}), late)
{
    Bench bench;
    bench.begin(0_ps);
    bench.busy(bench.link, 10_ps, 40_ps, 1);
    BOOST_TEST(bench.finish(Duration::picoseconds(10 + late)) == (late == 1 ? "#10\nsrequest !\nb1 \"\n" : ""));
}

BOOST_AUTO_TEST_CASE(a_period_without_length_is_not_shown)
{
    Bench bench;
    bench.begin(0_ps);
    bench.busy(bench.link, 10_ps, 10_ps, 1);
    BOOST_TEST(bench.finish(50_ps) == "");
}

BOOST_AUTO_TEST_CASE(a_period_without_end_lasts)
{
    Bench bench;
    bench.begin(0_ps);
    bench.busy(bench.link, 10_ps, Duration::never(), 1);
    BOOST_TEST(bench.finish(Duration::never()) == "#10\nsrequest !\nb1 \"\n");
}

BOOST_DATA_TEST_CASE(a_period_may_begin_where_the_one_before_ends_and_not_earlier, data::make({19, 20}), from)
{
    Bench bench;
    bench.begin(0_ps);
    bench.busy(bench.link, 10_ps, 20_ps, 1);
    BOOST_TEST(
        shown_problem(bench, Duration::picoseconds(from), 30_ps) ==
        (from == 20
             ? ""
             : "activity 'link', busy from 19 ps to 30 ps with request 7: another period goes from 10 ps to 20 ps"));
}

BOOST_AUTO_TEST_CASE(periods_of_one_slot_may_be_reported_in_any_order)
{
    Bench bench;
    bench.begin(0_ps);
    bench.busy(bench.link, 20_ps, 30_ps, 2);
    bench.busy(bench.link, 10_ps, 20_ps, 1);
    bench.busy(bench.link, 2_ps, 5_ps, 3);
    BOOST_TEST(bench.finish(40_ps) ==
               "#2\nsrequest !\nb11 \"\n#5\nsidle !\nbz \"\n#10\nsrequest !\nb1 \"\n"
               "#20\nsrequest !\nb10 \"\n#30\nsidle !\nbz \"\n");
}

BOOST_DATA_TEST_CASE(a_period_reported_later_fits_between_others_or_is_refused, data::make({20, 21}), to)
{
    Bench bench;
    bench.begin(0_ps);
    bench.busy(bench.link, 20_ps, 30_ps, 1);
    const std::string problem = shown_problem(bench, 5_ps, Duration::picoseconds(to));
    BOOST_TEST(problem.empty() == (to == 20));
}

BOOST_DATA_TEST_CASE(a_period_may_begin_at_what_has_been_written_and_not_earlier, data::make({24, 25}), from)
{
    Bench bench;
    bench.begin(0_ps);
    bench.periods.write_before(bench.writer, 25_ps);
    BOOST_TEST(
        shown_problem(bench, Duration::picoseconds(from), 30_ps) ==
        (from == 25 ? "" : "activity 'link', busy from 24 ps to 30 ps with request 7: that was reported after 25 ps"));
}

BOOST_AUTO_TEST_CASE(a_period_that_ends_before_it_begins_is_refused)
{
    Bench bench;
    BOOST_TEST(shown_problem(bench, 30_ps, 29_ps) ==
               "activity 'link', busy from 30 ps to 29 ps with request 7: it ends before it begins");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
