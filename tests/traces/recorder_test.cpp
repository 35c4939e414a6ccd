// SPDX-License-Identifier: Apache-2.0
#include "traces/recorder.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "tests/support/cases.h"
#include "tests/traces/read_vcd.h"
#include "tests/traces/recorder_bench.h"
#include "tlm/error.h"

using namespace ringmesh;
using namespace ringmesh::test;

using Bench = RecorderBench;

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(recorder)

BOOST_AUTO_TEST_CASE(a_whole_file_is_as_written_here)
{
    Bench bench;
    bench.block.at(5_ns, [&] {
        bench.block.fill = 10;
        bench.block.phase = "sending";
        bench.block.link.busy(6_ns, 9_ns, "request", 5);
    });
    bench.block.at(7_ns, [&] { bench.block.busy = true; });
    bench.block.at(20_ns, [&] { bench.block.fill = 0; });
    bench.record();
    BOOST_TEST(text_of("run.vcd") ==
               "$date\n    left out: the same run gives the same file\n$end\n"
               "$version\n    Ringmesh\n$end\n"
               "$timescale\n    1 ps\n$end\n"
               "$scope module block $end\n"
               "$var string 1 ! link $end\n"
               "$var integer 64 \" link_id $end\n"
               "$var wire 1 # busy $end\n"
               "$var integer 32 $ fill $end\n"
               "$var string 1 % phase $end\n"
               "$upscope $end\n"
               "$enddefinitions $end\n"
               "#0\n"
               "$dumpvars\nsidle !\nbz \"\n0#\nb0 $\nswaiting %\n$end\n"
               "#5000\nb1010 $\nssending %\n"
               "#6000\nsrequest !\nb101 \"\n"
               "#7000\n1#\n"
               "#9000\nsidle !\nbz \"\n"
               "#20000\nb0 $\n");
}

BOOST_AUTO_TEST_CASE(two_files_of_one_run_are_the_same)
{
    Bench bench;
    bench.block.at(5_ns, [&] { bench.block.fill = 10; });
    Recorder one(to_vcd("one.vcd"));
    Recorder other(to_vcd("other.vcd"));
    for (Recorder* file : {&one, &other}) sc_core::sc_trace(file, bench.block.fill, "fill");
    sc_core::sc_start();
    one.close();
    other.close();
    BOOST_TEST(changes_of("one.vcd") == "#0\n$dumpvars\nb0 !\n$end\n#5000\nb1010 !\n");
    BOOST_TEST(text_of("one.vcd") == text_of("other.vcd"));
}

BOOST_AUTO_TEST_CASE(the_end_of_a_period_after_the_last_event_is_written)
{
    Bench bench;
    bench.block.at(10_ns, [&] { bench.block.link.busy(10_ns, 35_ns, "echo", 1); });
    BOOST_TEST(bench.record() == "#0\n" + kAtRest + "#10000\nsecho !\nb1 \"\n#35000\nsidle !\nbz \"\n");
}

BOOST_AUTO_TEST_CASE(periods_that_touch_show_no_idle_even_if_the_second_is_reported_as_the_first_ends)
{
    Bench bench;
    bench.block.at(10_ns, [&] { bench.block.link.busy(10_ns, 20_ns, "request", 1); });
    bench.block.at(20_ns, [&] { bench.block.link.busy(20_ns, 30_ns, "request", 2); });
    BOOST_TEST(bench.record() == "#0\n" + kAtRest + "#10000\nsrequest !\nb1 \"\n#20000\nsrequest !\nb10 \"\n" +
                                     "#30000\nsidle !\nbz \"\n");
}

BOOST_AUTO_TEST_CASE(changes_come_in_order_of_time_across_activities_and_members)
{
    Bench bench;
    bench.block.at(1_ns, [&] {
        bench.block.link.busy(4_ns, 6_ns, "request", 1);
        bench.block.link.busy(8_ns, 9_ns, "echo", 2);
    });
    bench.block.at(5_ns, [&] { bench.block.fill = 1; });
    bench.block.at(7_ns, [&] { bench.block.fill = 2; });
    BOOST_TEST(bench.record() == "#0\n" + kAtRest +
                                     "#4000\nsrequest !\nb1 \"\n#5000\nb1 $\n#6000\nsidle !\nbz \"\n#7000\nb10 $\n"
                                     "#8000\nsecho !\nb10 \"\n#9000\nsidle !\nbz \"\n");
}

BOOST_AUTO_TEST_CASE(the_last_time_stamp_is_the_end_of_the_run)
{
    Bench bench;
    bench.block.at(5_ns, [&] { bench.block.fill = 1; });
    BOOST_TEST(bench.record({}, 100_ns) == "#0\n" + kAtRest + "#5000\nb1 $\n#100000\n");
}

BOOST_AUTO_TEST_CASE(values_of_time_0_are_those_after_its_last_delta_cycle)
{
    Bench bench;
    bench.block.at(0_ns, [&] { bench.block.fill = 3; });
    bench.block.at(1_ns, [&] { bench.block.fill = 4; });
    BOOST_TEST(bench.record() == "#0\n$dumpvars\nsidle !\nbz \"\n0#\nb11 $\nswaiting %\n$end\n#1000\nb100 $\n");
}

BOOST_AUTO_TEST_CASE(a_value_that_comes_back_within_a_time_step_has_not_changed)
{
    Bench bench;
    Actor other("other");
    bench.block.at(5_ns, [&] {
        bench.block.fill = 1;
        other.at(5_ns, [&] { bench.block.fill = 0; });  // a delta cycle later
    });
    bench.block.at(6_ns, [&] { bench.block.busy = true; });
    BOOST_TEST(bench.record() == "#0\n" + kAtRest + "#6000\n1#\n");
}

BOOST_AUTO_TEST_CASE(levels_and_states_tell_of_their_changes_by_all_their_names_until_the_file_is_closed)
{
    Bench bench;
    Level level;
    StateWord state;
    Shown<bool> taken;
    bench.block.at(5_ns, [&] {
        ++level;
        state = "busy";
    });
    bench.block.at(6_ns, [&] { taken = true; });
    Recorder file(to_vcd("run.vcd"));
    sc_trace(&file, level, "level");
    sc_trace(&file, state, "state");
    sc_trace(&file, taken, "taken");
    sc_trace(&file, level, "fill");
    sc_core::sc_start();
    file.close();
    level = 7;  // nobody is told
    BOOST_TEST(changes_of("run.vcd") ==
               "#0\n$dumpvars\nb0 !\nsidle \"\n0#\nb0 $\n$end\n#5000\nb1 !\nb1 $\nsbusy \"\n#6000\n1#\n");
}

BOOST_AUTO_TEST_CASE(a_word_is_compared_by_its_text)
{
    Bench bench;
    std::string text = "sending";
    bench.block.at(5_ns, [&] { bench.block.phase = text; });
    bench.block.at(6_ns, [&] { bench.block.phase = "sending"; });
    bench.block.at(7_ns, [&] {
        text = "retired";
        bench.block.phase = text;
    });
    BOOST_TEST(bench.record() == "#0\n" + kAtRest + "#5000\nssending %\n#7000\nsretired %\n");
}

BOOST_AUTO_TEST_CASE(a_word_is_never_empty_nor_in_pieces)
{
    RecorderBench bench;
    bench.block.at(5_ns, [&] { bench.block.phase = "two words"; });
    bench.block.at(6_ns, [&] { bench.block.phase = ""; });
    BOOST_TEST(bench.record() == "#0\n" + kAtRest + "#5000\nstwo_words %\n#6000\ns- %\n");
}

BOOST_AUTO_TEST_CASE(periods_that_overlap_are_told_at_the_end)
{
    RecorderBench bench;
    bench.block.at(5_ns, [&] {
        bench.block.link.busy(10_ns, 20_ns, "request", 1);
        bench.block.link.busy(19_ns, 30_ns, "request", 2);
    });
    BOOST_CHECK_EXCEPTION(bench.record(), ModelError, [](const ModelError& error) {
        return std::string(error.what()).find("'block.link'") != std::string::npos;
    });
    BOOST_TEST(!std::filesystem::exists("run.vcd"));
}

/// Of more blocks than wait at a time: the second thread works, and this one waits for it.
BOOST_AUTO_TEST_CASE(a_long_recording_is_as_whole_and_ordered_as_a_short_one)
{
    RecorderBench bench;
    constexpr std::uint64_t kPeriods = 120'000;
    std::uint64_t id = 0;
    std::function<void()> toggle = [&] {
        bench.block.link.busy(now() + 1_ns, now() + 2_ns, "request", ++id);
        bench.block.fill = static_cast<std::uint32_t>(id % 2);
        if (id < kPeriods) bench.block.at(now() + 2_ns, toggle);
    };
    bench.block.at(0_ns, toggle);
    bench.record();
    const auto changes = read_vcd("run.vcd");
    BOOST_TEST(changes.at("block.fill").size() == kPeriods);
    const Changes& numbers = changes.at("block.link_id");
    BOOST_REQUIRE(numbers.size() == 2 * kPeriods + 1);
    for (std::size_t i = 0; i + 1 < numbers.size(); ++i)
        BOOST_REQUIRE((numbers[i].first < numbers[i + 1].first || i == 0));
    BOOST_TEST((numbers.back().first == Duration::picoseconds(2000 * static_cast<std::int64_t>(kPeriods))));
}

BOOST_AUTO_TEST_CASE(without_close_no_file_remains_and_no_activity_is_observed)
{
    Bench bench;
    {
        Recorder file(to_vcd("run.vcd"));
        bench.block.trace(&file);
        BOOST_TEST(bench.block.link.observed());
        BOOST_TEST(files_in(".") == 1u);
    }
    BOOST_TEST(!bench.block.link.observed());
    BOOST_TEST(files_in(".") == 0u);
    bench.block.at(5_ns, [&] { bench.block.link.busy(5_ns, 6_ns, "request", 1); });
    sc_core::sc_start();
}

BOOST_AUTO_TEST_CASE(a_file_that_closes_leaves_the_activities_of_a_later_one_alone)
{
    Bench bench;
    Recorder later(to_vcd("later.vcd"));
    {
        Recorder earlier(to_vcd("earlier.vcd"));
        bench.block.trace(&earlier);
        bench.block.trace(&later);
    }
    BOOST_TEST(bench.block.link.observed());
}

BOOST_AUTO_TEST_CASE(what_happens_after_close_is_not_recorded)
{
    Bench bench;
    bench.block.at(5_ns, [&] { bench.block.fill = 1; });
    bench.record({}, 2_ns);
    const std::string before = text_of("run.vcd");
    sc_core::sc_start();
    BOOST_TEST(!bench.block.link.observed());
    BOOST_TEST(text_of("run.vcd") == before);
}

BOOST_AUTO_TEST_CASE(a_full_disk_ends_the_run_with_a_plain_message)
{
    Bench bench;
    Recorder file(to_vcd("/dev/full"));
    bench.block.trace(&file);
    std::uint64_t id = 0;
    std::function<void()> toggle = [&] {
        bench.block.link.busy(now(), now() + 1_ns, "request", ++id);
        bench.block.at(now() + 1_ns, toggle);
    };
    bench.block.at(0_ns, toggle);
    BOOST_CHECK_EXCEPTION(sc_core::sc_start(to_kernel(1_ms)), UserError, [](const UserError& error) {
        return error.what() == std::string("cannot write '/dev/full': No space left on device");
    });
}

BOOST_AUTO_TEST_CASE(a_disk_too_full_for_the_last_lines_is_noticed_at_close)
{
    Bench bench;
    Recorder file(to_vcd("/dev/full"));
    bench.block.trace(&file);
    sc_core::sc_start(to_kernel(1_ns));
    BOOST_CHECK_THROW(file.close(), UserError);
}

BOOST_AUTO_TEST_CASE(an_object_traced_twice_under_one_name_is_declared_once)
{
    Bench bench;
    Recorder file(to_vcd("run.vcd"));
    bench.block.trace(&file);
    bench.block.trace(&file);
    BOOST_TEST(file.signals().size() == 5u);
}

BOOST_AUTO_TEST_CASE(two_objects_of_one_name_are_refused)
{
    Bench bench;
    Recorder file(to_vcd("run.vcd"));
    bench.block.trace(&file);
    BOOST_CHECK_EXCEPTION(sc_core::sc_trace(&file, bench.block.busy, "block.fill"), ModelError,
                          [](const ModelError& error) {
                              return error.what() == std::string("two different things are traced as 'block.fill'");
                          });
}

BOOST_AUTO_TEST_CASE(the_number_of_an_activity_has_its_name_for_itself)
{
    Bench bench;
    Recorder file(to_vcd("run.vcd"));
    bench.block.trace(&file);
    BOOST_CHECK_THROW(sc_core::sc_trace(&file, bench.block.busy, "block.link_id"), ModelError);
}

BOOST_AUTO_TEST_CASE(a_declaration_that_comes_too_late_is_refused)
{
    Bench bench;
    Recorder file(to_vcd("run.vcd"));
    bench.block.trace(&file);
    sc_core::sc_start(to_kernel(5_ns));
    sc_core::sc_start(to_kernel(5_ns));
    bool late = false;
    BOOST_CHECK_THROW(sc_core::sc_trace(&file, late, "late"), ModelError);
}

BOOST_AUTO_TEST_CASE(only_selected_signals_are_declared_and_observed)
{
    Bench bench;
    Recorder file(to_vcd("run.vcd"));
    file.select([](std::string_view name) { return name == "block.fill"; });
    bench.block.trace(&file);
    BOOST_TEST(file.signals().size() == 1u);
    BOOST_TEST(!bench.block.link.observed());
}

BOOST_AUTO_TEST_CASE(another_kind_of_trace_file_gets_the_plain_members)
{
    Bench bench;
    sc_core::sc_trace_file* plain = sc_core::sc_create_vcd_trace_file("plain");
    bench.block.trace(plain);
    BOOST_TEST(!bench.block.link.observed());
    sc_core::sc_start(to_kernel(1_ns));
    sc_core::sc_close_vcd_trace_file(plain);
}

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
               "#10000\n$dumpvars\nsrequest !\nb10 \"\n0#\nb10 $\nswaiting %\n$end\n"
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
               "#10000\n$dumpvars\nsidle !\nbz \"\n0#\nb1 $\nswaiting %\n$end\n#20000\nb10 $\nsecho !\nb1 \"\n");
}

BOOST_AUTO_TEST_CASE(periods_that_touch_at_the_start_of_the_window_show_the_later_one)
{
    Bench bench;
    bench.block.at(1_ns, [&] {
        bench.block.link.busy(2_ns, 10_ns, "request", 1);
        bench.block.link.busy(10_ns, 12_ns, "echo", 2);
    });
    BOOST_TEST(bench.record({10_ns, 20_ns}, 30_ns) ==
               "#10000\n$dumpvars\nsecho !\nb10 \"\n0#\nb0 $\nswaiting %\n$end\n#12000\nsidle !\nbz \"\n#20000\n");
}

BOOST_AUTO_TEST_CASE(a_window_that_opens_after_the_last_event_shows_the_last_state)
{
    Bench bench;
    bench.block.at(2_ns, [&] { bench.block.fill = 2; });
    BOOST_TEST(bench.record({10_ns, 20_ns}, 15_ns) ==
               "#10000\n$dumpvars\nsidle !\nbz \"\n0#\nb10 $\nswaiting %\n$end\n#15000\n");
}

BOOST_DATA_TEST_CASE(a_run_that_ends_before_the_window_leaves_a_file_only_if_it_was_stopped, data::make({false, true}),
                     was_stopped)
{
    std::filesystem::remove("run.vcd");
    Bench bench;
    bench.block.at(2_ns, [&] { bench.block.fill = 2; });
    Recorder file(to_vcd("run.vcd"), {10_ns, 20_ns});
    bench.block.trace(&file);
    sc_core::sc_start();
    file.close(was_stopped ? "interrupted at 2 ns" : "");
    BOOST_TEST(!file.recorded());
    BOOST_TEST(!file.missed().empty());
    BOOST_TEST(std::filesystem::exists("run.vcd") == was_stopped);
    if (was_stopped) BOOST_TEST(changes_of("run.vcd").find('#') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_has_been_recorded_is_known_afterwards)
{
    Bench bench;
    Recorder file(to_vcd("run.vcd"), {10_ns, 20_ns});
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
    BOOST_TEST(bench.record() == "#5000\n$dumpvars\nsidle !\nbz \"\n0#\nb10 $\nswaiting %\n$end\n#8000\nb11 $\n");
}

BOOST_AUTO_TEST_CASE(a_run_in_pieces_gives_the_same_file_as_in_one)
{
    Bench bench;
    bench.block.at(10_ns, [&] { bench.block.link.busy(10_ns, 20_ns, "request", 1); });
    bench.block.at(20_ns, [&] { bench.block.link.busy(20_ns, 30_ns, "request", 2); });
    Recorder file(to_vcd("run.vcd"));
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
    Recorder file(to_vcd("run.vcd"));
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
    BOOST_TEST(bench.record({10_ns, 20_ns}) == "#10000\n$dumpvars\nsidle !\nbz \"\n0#\nb1 $\nswaiting %\n$end\n");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
