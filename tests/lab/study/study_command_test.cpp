// SPDX-License-Identifier: Apache-2.0
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "tests/lab/program.h"
#include "tests/platforms/temporary_folder.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh::test;

Ended start(const Program::Arguments& arguments) { return ::ringmesh::test::ringmesh(arguments); }

const std::string kSweep =
    "sweep wulfkit-ring --workload ping-pong:sizes=64,repetitions=1,series=1 --axis topology.dimensions=2,4 "
    "--axis link.symbol_time=4ns,2.5ns --store store";

/// A study of two tests with a script and a view to print.
void write_study(const TemporaryFolder& folder)
{
    folder.write("study/study.toml",
                 "title = \"two rings\"\nplatform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\n"
                 "options = { sizes = 64, repetitions = 1, series = 1 }\n"
                 "[test.rings]\naxes = { hops = [1, 2] }\nset = { \"topology.dimensions\" = \"${2*hops}\" }\n"
                 "[test.slow]\nset = { \"link.symbol_time\" = \"8 ns\" }\n");
    folder.write("study/10.sql",
                 "CREATE VIEW hop AS SELECT max(latency_min_ns) - min(latency_min_ns) AS ns FROM rings;\n");
    folder.write("study/20.sql", "-- what a hop costs\nCREATE VIEW table_hop AS SELECT round(ns) AS ns FROM hop;\n");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(studies)

BOOST_AUTO_TEST_CASE(a_sweep_gives_a_table_with_a_column_for_each_axis_and_takes_it_from_the_store_the_next_time)
{
    const TemporaryFolder folder;
    const Ended first = start(words(kSweep + " --csv -"));
    BOOST_TEST(first.status == 0);
    BOOST_TEST(contains(first.out, "topology_dimensions,link_symbol_time_ns,size_bytes,"));
    BOOST_TEST(contains(first.out, "\n4,2.5,64,"));
    BOOST_TEST(contains(first.err, "4 run"));
    const Ended second = start(words(kSweep + " --csv -"));
    BOOST_TEST(second.out == first.out);
    BOOST_TEST(contains(second.err, "0 run"));
    BOOST_TEST(contains(start(words(kSweep + " --fresh --csv -")).err, "4 run"));
}

BOOST_AUTO_TEST_CASE(a_dry_run_lists_the_points_and_runs_nothing)
{
    const TemporaryFolder folder;
    const Ended listed = start(words(kSweep + " --dry-run"));
    BOOST_TEST(listed.status == 0);
    BOOST_TEST(contains(listed.out, "topology.dimensions=4, link.symbol_time=2.5ns"));
    BOOST_TEST(contains(start(words(kSweep + " --csv out.csv")).err, "4 run"));
}

BOOST_AUTO_TEST_CASE(a_saved_sweep_is_a_study_of_the_same_points)
{
    const TemporaryFolder folder;
    start(words(kSweep + " --save study --csv sweep.csv"));
    BOOST_TEST(contains(start(words("study run study --store store")).err, "0 run"));
    BOOST_TEST(start(words(kSweep + " --save study")).status == 2);  // nothing is written over
}

BOOST_AUTO_TEST_CASE(a_study_runs_its_scripts_in_order_and_prints_its_tables)
{
    const TemporaryFolder folder;
    write_study(folder);
    const Ended run = start(words("study run study --store store"));
    BOOST_TEST(run.status == 0, run.err);
    BOOST_TEST(contains(run.out, "two rings"));
    BOOST_TEST(contains(run.out, "\nhop\n"));
    const Ended hop = start({"study", "query", "study", "SELECT ns BETWEEN 60 AND 75 AS is_a_hop FROM table_hop",
                             "--store", "store", "--csv", "-"});
    BOOST_TEST(hop.out == "is_a_hop\n1\n");
    const Ended query =
        start({"study", "query", "study", "SELECT count(*) AS n FROM slow", "--store", "store", "--csv", "-"});
    BOOST_TEST(query.out == "n\n1\n");
    BOOST_TEST(contains(start(words("study status study --store store")).out, "rings"));
    BOOST_TEST(start(words("study export study --store store --sqlite out.sqlite")).status == 0);
    BOOST_TEST(read_file("out.sqlite").starts_with("SQLite format 3"));
    BOOST_TEST(contains(start(words("study clean study --store store")).err, "3 points removed"));
    BOOST_TEST(contains(start(words("study run study --store store")).err, "3 run"));
}

BOOST_AUTO_TEST_CASE(a_point_that_is_late_is_told_and_the_others_are_there)
{
    const TemporaryFolder folder;
    const Ended run =
        start(words("sweep wulfkit-ring --workload ping-pong:sizes=64,series=1 --axis options.repetitions=1,1000000 "
                    "--limit 1s --store store --csv -"));
    BOOST_TEST(run.status == 1);
    BOOST_TEST(contains(run.err, "options.repetitions=1000000: late: not finished after 1 s"), run.err);
    BOOST_TEST(contains(run.out, "\n1,64,"));
}

BOOST_AUTO_TEST_CASE(an_option_that_does_not_exist_is_told_before_anything_runs)
{
    const TemporaryFolder folder;
    const Ended run = start(words(kSweep + " --axis options.rounds=1"));
    BOOST_TEST(run.status == 2);
    BOOST_TEST(contains(run.err, "rounds"), run.err);
    BOOST_TEST(files_in("store/points").empty());
}

BOOST_AUTO_TEST_CASE(what_was_finished_when_the_program_is_killed_is_not_run_again)
{
    const TemporaryFolder folder;
    const std::string sweep =
        "sweep wulfkit-ring --workload ping-pong:sizes=64,repetitions=200,series=5 --axis topology.dimensions=2..40 "
        "--jobs 1 --store store --csv -";
    auto arguments = words(sweep);
    for (auto& argument : arguments) {
        if (argument == "topology.dimensions=2..40") argument = "topology.dimensions=2..40 step 2";
    }
    std::size_t finished = 0;
    {
        Program program(arguments);
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
        program.signal(SIGKILL);
        program.wait();
    }
    for (const auto& name : files_in("store/points")) finished += files_in("store/points/" + name).size();
    const Ended rest = start(arguments);
    BOOST_TEST(rest.status == 0);
    BOOST_TEST(contains(rest.err, std::to_string(finished) + " from the store"), rest.err);
    auto elsewhere = arguments;
    for (auto& argument : elsewhere) {
        if (argument == "store") argument = "other";
    }
    BOOST_TEST(start(elsewhere).out == rest.out);
}

BOOST_DATA_TEST_CASE(mistakes_end_with_status_2,
                     data::make({"sweep", "sweep wulfkit-ring", "sweep wulfkit-ring --workload ping-pong --axis x",
                                 "sweep wulfkit-ring --workload ping-pong --axis seed=1 --axis seed=2",
                                 "sweep wulfkit-ring --workload ping-pong --axis link.symbol_time=4ns,5ns --axis "
                                 "link.symbol_time=3ns",
                                 "sweep wulfkit-ring --workload ping-pong --set link.symbol_time=5ns --axis "
                                 "link.symbol_time=3ns",
                                 "sweep wulfkit-ring --workload ping-pong:series=2 --axis options.series=3",
                                 "sweep wulfkit-ring --workload ping-pong --variant a=half-switching --variant "
                                 "a=cut-through",
                                 "sweep wulfkit-ring --workload ping-pong --variant base=half-switching",
                                 "sweep wulfkit-ring --workload ping-pong --repeat 0", "study", "study run",
                                 "study run nowhere", "study query study", "study export study",
                                 "sweep wulfkit-ring --workload ping-pong --axis x=1 --limit 5",
                                 "sweep wulfkit-ring --workload ping-pong --variant fast=nothing"}),
                     arguments)
{
    const TemporaryFolder folder;
    write_study(folder);
    const Ended ended = start(words(std::string(arguments)));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(ended.out.empty());
    BOOST_TEST(ended.err.starts_with("ringmesh: "));
}

BOOST_AUTO_TEST_CASE(a_mistake_in_sql_is_told_with_file_line_and_what_there_is)
{
    const TemporaryFolder folder;
    write_study(folder);
    folder.write("study/30.sql", "\n\nCREATE VIEW wrong AS SELECT absent FROM rings;\n");
    const Ended run = start(words("study run study --store store"));
    BOOST_TEST(run.status == 2);
    BOOST_TEST(contains(run.err, "30.sql:3: SQL: no such column: absent"), run.err);
    BOOST_TEST(contains(run.err, "rings(point, variant"), run.err);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
