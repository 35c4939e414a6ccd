// SPDX-License-Identifier: Apache-2.0
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/traces/vcd_bench.h"
#include "tlm/error.h"

using namespace ringmesh;
using namespace ringmesh::test;
using Bench = VcdBench;

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(vcd_window)

BOOST_AUTO_TEST_CASE(a_window_shows_the_state_at_its_start_and_nothing_outside)
{
    Bench bench;
    bench.block.at(1_ns, [&] {
        bench.block.fill = 1;
        bench.block.link.busy(1_ns, 3_ns, "request", 1);
        bench.block.link.busy(4_ns, 12_ns, "request", 2);
    });
    bench.block.at(2_ns, [&] { bench.block.fill = 2; });
    // No step falls on the start of the window, 10 ns; the next one changes what holds there
    bench.block.at(15_ns, [&] {
        bench.block.fill = 3;
        bench.block.link.busy(18_ns, 25_ns, "echo", 3);
    });
    bench.block.at(21_ns, [&] { bench.block.fill = 4; });
    BOOST_TEST(bench.record({10_ns, 20_ns}) ==
               "#10000\n$dumpvars\n0#\nb10 $\nswaiting %\nsrequest !\nb10 \"\n$end\n"
               "#12000\nsidle !\nbz \"\n#15000\nb11 $\n#18000\nsecho !\nb11 \"\n#20000\n");
}

BOOST_AUTO_TEST_CASE(both_ends_belong_to_the_window)
{
    Bench bench;
    bench.block.at(10_ns, [&] { bench.block.fill = 1; });
    bench.block.at(20_ns, [&] {
        bench.block.fill = 2;
        bench.block.link.busy(20_ns, 30_ns, "echo", 1);
    });
    bench.block.at(20_ns + 1_ps, [&] { bench.block.fill = 3; });
    BOOST_TEST(bench.record({10_ns, 20_ns}) ==
               "#10000\n$dumpvars\n0#\nb1 $\nswaiting %\nsidle !\nbz \"\n$end\n#20000\nb10 $\nsecho !\nb1 \"\n");
}

BOOST_AUTO_TEST_CASE(periods_that_touch_at_the_start_of_the_window_show_the_later_one)
{
    Bench bench;
    bench.block.at(1_ns, [&] {
        bench.block.link.busy(2_ns, 10_ns, "request", 1);
        bench.block.link.busy(10_ns, 12_ns, "echo", 2);
    });
    BOOST_TEST(bench.record({10_ns, 20_ns}, 30_ns) ==
               "#10000\n$dumpvars\n0#\nb0 $\nswaiting %\nsecho !\nb10 \"\n$end\n#12000\nsidle !\nbz \"\n#20000\n");
}

BOOST_AUTO_TEST_CASE(a_window_that_opens_after_the_last_event_shows_the_last_state)
{
    Bench bench;
    bench.block.at(2_ns, [&] { bench.block.fill = 2; });
    BOOST_TEST(bench.record({10_ns, 20_ns}, 15_ns) ==
               "#10000\n$dumpvars\n0#\nb10 $\nswaiting %\nsidle !\nbz \"\n$end\n#15000\n");
}

BOOST_AUTO_TEST_CASE(a_run_that_ends_before_the_window_leaves_declarations_without_values)
{
    Bench bench;
    bench.block.at(2_ns, [&] { bench.block.fill = 2; });
    VcdFile file("run.vcd", {10_ns, 20_ns});
    bench.block.trace(&file);
    sc_core::sc_start();
    file.close();
    BOOST_TEST(!file.recorded());
    BOOST_TEST(changes_of("run.vcd") == "");
}

BOOST_AUTO_TEST_CASE(what_has_been_recorded_is_known_afterwards)
{
    Bench bench;
    VcdFile file("run.vcd", {10_ns, 20_ns});
    bench.block.trace(&file);
    sc_core::sc_start(to_kernel(15_ns));
    file.close();
    BOOST_REQUIRE(file.recorded());
    BOOST_TEST((*file.recorded() == Window{10_ns, 15_ns}));
}

BOOST_AUTO_TEST_CASE(a_file_opened_in_the_middle_begins_there)
{
    Bench bench;
    bench.block.at(2_ns, [&] { bench.block.fill = 2; });
    bench.block.at(8_ns, [&] { bench.block.fill = 3; });
    sc_core::sc_start(to_kernel(5_ns));
    BOOST_TEST(bench.record() == "#5000\n$dumpvars\n0#\nb10 $\nswaiting %\nsidle !\nbz \"\n$end\n#8000\nb11 $\n");
}

BOOST_AUTO_TEST_CASE(a_run_in_pieces_gives_the_same_file_as_in_one)
{
    Bench bench;
    bench.block.at(10_ns, [&] { bench.block.link.busy(10_ns, 20_ns, "request", 1); });
    bench.block.at(20_ns, [&] { bench.block.link.busy(20_ns, 30_ns, "request", 2); });
    VcdFile file("run.vcd");
    bench.block.trace(&file);
    sc_core::sc_start(to_kernel(10_ns));
    sc_core::sc_start(to_kernel(10_ns));
    sc_core::sc_start();
    file.close();
    BOOST_TEST(changes_of("run.vcd") ==
               "#0\n" + kAtRest + "#10000\nsrequest !\nb1 \"\n#20000\nsrequest !\nb10 \"\n#30000\nsidle !\nbz \"\n");
}

BOOST_AUTO_TEST_CASE(a_run_in_delta_cycles_shows_no_idle_between_them)
{
    Bench bench;
    Actor other("other");
    bench.block.at(10_ns, [&] { bench.block.link.busy(10_ns, 20_ns, "request", 1); });
    bench.block.at(20_ns, [&] {
        other.at(20_ns, [&] { bench.block.link.busy(20_ns, 30_ns, "request", 2); });  // a delta cycle later
    });
    VcdFile file("run.vcd");
    bench.block.trace(&file);
    sc_core::sc_start(to_kernel(20_ns));
    for (int delta = 0; delta < 2; ++delta) sc_core::sc_start(sc_core::SC_ZERO_TIME);
    sc_core::sc_start(to_kernel(15_ns));
    file.close();
    BOOST_TEST(changes_of("run.vcd") ==
               "#0\n" + kAtRest +
                   "#10000\nsrequest !\nb1 \"\n#20000\nsrequest !\nb10 \"\n#30000\nsidle !\nbz \"\n#35000\n");
}

BOOST_AUTO_TEST_CASE(a_run_stopped_at_the_start_of_the_window_shows_its_values)
{
    Bench bench;
    Actor other("other");
    bench.block.at(10_ns, [&] {
        bench.block.fill = 1;
        other.at(10_ns, [] {});  // remains pending
        sc_core::sc_stop();
    });
    BOOST_TEST(bench.record({10_ns, 20_ns}) == "#10000\n$dumpvars\n0#\nb1 $\nswaiting %\nsidle !\nbz \"\n$end\n");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
