// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <sys/stat.h>

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lab/table/writers/csv.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/program.h"

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
    BOOST_TEST(first.out.starts_with("# ringmesh "));
    BOOST_TEST(contains(first.out, "\ntopology_dimensions,link_symbol_time_ns,size_bytes,"));
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

/// With files of each kind, in the current folder, below it, above it, and by whole paths. They are gone when the study
/// runs.
BOOST_DATA_TEST_CASE(
    a_saved_sweep_runs_the_same_without_the_files_that_it_named,
    data::make({"deck-cluster --workload replay:goal=a.goal", "deck-cluster --workload replay:goal=in/b.goal",
                "deck-cluster --workload replay:goal=../far.goal",
                "deck-cluster --workload replay:goal=FOLDER/far.goal",
                "deck-cluster --workload replay --axis options.goal=a.goal,in/b.goal",
                "deck-cluster --workload replay:goal=${f}.goal --axis f=a,in/b",
                "deck-cluster --workload replay:goal=a.goal --variant other=options.goal=in/b.goal",
                "wulfkit-ring --workload replay:packets=a.csv", "mine.toml --workload replay:packets=a.csv",
                "in/theirs.toml --workload replay:packets=a.csv", "../far.toml --workload replay:packets=a.csv",
                "FOLDER/far.toml --workload replay:packets=a.csv --overlay slow.toml",
                "wulfkit-ring --workload replay:packets=a.csv --variant far=slow.toml,platform=mine.toml",
                "deck-cluster --workload chain:sizes=64 --map nodes",
                "deck-cluster --workload chain:sizes=64,map=nodes"}),
    what)
{
    const TemporaryFolder folder;
    const std::string goal =
        "num_ranks 2\nrank 0 {\ncalc 500\nsend 64b to 1 tag 1\n}\nrank 1 {\nrecv 64b from 0 tag 1\n}\n";
    const std::string platform = "machine = \"wulfkit\"\ndescription = \"a ring\"\nbased_on = ";
    const std::string faster = "\n[link]\nsymbol_time = \"3 ns\"\n";
    folder.write("far.goal", goal);
    folder.write("far.toml", platform + "\"wulfkit-ring\"" + faster);
    folder.write("here/a.goal", goal);
    folder.write("here/in/b.goal", goal);
    folder.write("here/a.csv", "# packets\ntime_ns,source,destination,bytes\n0,0,1,64\n10,1,2,64\n");
    folder.write("here/mine.toml", platform + "\"wulfkit-ring\"" + faster);
    folder.write("here/in/theirs.toml", platform + "\"../mine.toml\"" + faster);
    folder.write("here/slow.toml", "description = \"slow\"\n[link]\nsymbol_time = \"9 ns\"\n");
    folder.write("here/nodes", "3\n1\n0\n2\n");
    std::filesystem::current_path("here");
    std::string command = std::string("sweep ") + what;
    if (const auto at = command.find("FOLDER"); at != std::string::npos) command.replace(at, 6, folder.path().string());
    const Ended saved = start(words(command + " --save ../study --store one --csv ../one.csv"));
    BOOST_TEST_REQUIRE(saved.status == 0, saved.err);
    std::filesystem::current_path("..");
    for (const char* gone : {"here", "far.goal", "far.toml"}) std::filesystem::remove_all(gone);
    const Ended ran = start(words("study run study --store two"));
    BOOST_TEST(ran.status == 0, ran.err);
    BOOST_TEST(start({"study", "query", "study", "SELECT * FROM sweep", "--store", "two", "--csv", "two.csv"}).status ==
               0);
    // Each column of results
    const auto one = ::ringmesh::lab::csv_from_text(read_file("one.csv"), "one.csv");
    const auto two = ::ringmesh::lab::csv_from_text(read_file("two.csv"), "two.csv");
    BOOST_TEST_REQUIRE(one.rows.size() == two.rows.size());
    std::size_t compared = 0;
    for (std::size_t column = 0; column < one.columns.size(); ++column) {
        const auto same = std::find(two.columns.begin(), two.columns.end(), one.columns[column]);
        if (same == two.columns.end() || contains(one.columns[column], "options_")) continue;
        ++compared;
        const auto other = static_cast<std::size_t>(same - two.columns.begin());
        for (std::size_t row = 0; row < one.rows.size(); ++row) {
            BOOST_TEST(one.rows[row].cells[column] == two.rows[row].cells[other]);
        }
    }
    BOOST_TEST(compared > 3u);
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
    const Ended statistics =  // which are read only for a question that mentions them, in whatever case
        start({"study", "query", "study", "SELECT count(*) > 20 AS n FROM [Slow_Statistics]", "--store", "store",
               "--csv", "-"});
    BOOST_TEST(statistics.out == "n\n1\n");
    BOOST_TEST(contains(start(words("study status study --store store")).out, "rings"));
    BOOST_TEST(start(words("study export study --store store --sqlite out.sqlite")).status == 0);
    BOOST_TEST(read_file("out.sqlite").starts_with("SQLite format 3"));
    BOOST_TEST(contains(start(words("study clean study --store store")).err, "3 points removed"));
    BOOST_TEST(contains(start(words("study run study --store store")).err, "3 run"));
}

BOOST_AUTO_TEST_CASE(sql_knows_parameters_overlays_and_what_was_published_of_other_machines)
{
    const TemporaryFolder folder;
    folder.write("s/study.toml",
                 "platform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\noptions = { sizes = 8, repetitions = 1 }\n"
                 "[test.t.variants]\nbase = {}\nlc2-fast-fifos = { overlays = [\"lc2-fast-fifos\"] }\n");
    folder.write("s/10.sql",
                 "CREATE VIEW table_fifo AS SELECT variant AS section, value, number / 2 AS \"half (ns)\",\n"
                 "overlay_meaning(variant) IS NULL AS unnamed, published('wulfkit.component.forwarding') AS published\n"
                 "FROM parameters WHERE test = 't' AND key = 'lc2.in_fifo_to_blink';");
    const Ended ended = start(words("study run s --store store"));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    for (const char* row :
         {"\nbase\n106 ns  53.000        1         60\n", "\nlc2-fast-fifos\n53 ns   26.500        0         60\n"}) {
        BOOST_TEST(contains(ended.out, row), ended.out);
    }
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
    BOOST_TEST(!std::filesystem::exists("store"));
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
    const auto points = [] {
        std::size_t number = 0;
        if (!std::filesystem::exists("store/points")) return number;
        for (const auto& name : files_in("store/points")) number += files_in("store/points/" + name).size();
        return number;
    };
    {
        Program program(arguments);
        const auto too_late = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (points() < 3 && std::chrono::steady_clock::now() < too_late) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        program.signal(SIGKILL);
        program.wait();
    }
    const std::size_t finished = points();
    BOOST_TEST(finished >= 3u);
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
                     data::make({"sweep",
                                 "sweep wulfkit-ring",
                                 "sweep wulfkit-ring --workload ping-pong --axis x",
                                 "sweep wulfkit-ring --workload ping-pong --axis seed=1 --axis seed=2",
                                 "sweep wulfkit-ring --workload ping-pong --axis link.symbol_time=4ns,5ns --axis "
                                 "link.symbol_time=3ns",
                                 "sweep wulfkit-ring --workload ping-pong --set link.symbol_time=5ns --axis "
                                 "link.symbol_time=3ns",
                                 "sweep wulfkit-ring --workload ping-pong:series=2 --axis options.series=3",
                                 "sweep wulfkit-ring --workload ping-pong --variant a=half-switching --variant "
                                 "a=cut-through",
                                 "sweep wulfkit-ring --workload ping-pong --variant base=half-switching",
                                 "sweep wulfkit-ring --workload ping-pong --repeat 0",
                                 "study",
                                 "study run",
                                 "study run nowhere",
                                 "study query study",
                                 "study export study",
                                 "study foo",
                                 "study query study 1 --dry-run",
                                 "study status study --jobs 2",
                                 "store status --store nowhere",
                                 "study run /dev/zero",
                                 "study run study --shard 3/2",
                                 "study merge study",
                                 "study merge study --from nowhere",
                                 "study submit study",
                                 "sweep wulfkit-ring --workload ping-pong --axis options.sizes=1,2",
                                 "sweep wulfkit-ring --workload ping-pong --axis options.series=1,1",
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

BOOST_DATA_TEST_CASE(examples_quote_values_with_blanks,
                     data::make({"run", "validate", "whatif", "explain", "saturate", "sweep", "study", "compare"}),
                     command)
{
    const std::string help = start({command, "--help"}).out;
    const std::string examples = help.substr(std::min(help.find("Examples:"), help.size()));
    for (std::size_t at = 0; (at = examples.find(" step ", at)) != std::string::npos; ++at) {
        const std::size_t line = examples.rfind('\n', at);
        const auto marks = std::count(examples.begin() + static_cast<std::ptrdiff_t>(line),
                                      examples.begin() + static_cast<std::ptrdiff_t>(at), '\'');
        BOOST_TEST(marks % 2 == 1, examples.substr(line, at - line));
    }
}

BOOST_AUTO_TEST_CASE(an_empty_name_is_not_all_studies)
{
    const TemporaryFolder folder;
    for (const Program::Arguments& arguments :
         {Program::Arguments{"validate", ""}, {"study", "run", ""}, {"study", "query", "study", ""}}) {
        const Ended ended = start(arguments);
        BOOST_TEST(ended.status == 2);
        BOOST_TEST(contains(ended.err, "its value is empty"), ended.err);
    }
}

BOOST_AUTO_TEST_CASE(a_question_is_one_statement)
{
    const TemporaryFolder folder;
    write_study(folder);
    const auto ask = [](const std::string& sql) {
        return start({"study", "query", "study", sql, "--store", "store", "--csv", "-"});
    };
    start(words("study run study --store store"));
    BOOST_TEST(ask("SELECT 1 AS one;  -- why").out == "one\n1\n");
    BOOST_TEST(ask("SELECT 1; SELECT 2").status == 2);
    BOOST_TEST(ask("SELECT 1; what").status == 2);
}

BOOST_AUTO_TEST_CASE(a_limit_without_a_unit_is_told_with_seconds)
{
    const Ended ended = start(words("sweep wulfkit-ring --workload ping-pong --limit 5"));
    BOOST_TEST(contains(ended.err, "--limit 60s"), ended.err);
}

BOOST_AUTO_TEST_CASE(an_axis_with_the_name_of_a_column_of_the_program_has_both_names_in_a_filter)
{
    const TemporaryFolder folder;
    folder.write("study/study.toml",
                 "[test.rings]\nplatform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\n"
                 "options = { sizes = \"${size_bytes}\", repetitions = 1, series = 1 }\n"
                 "axes = { size_bytes = [4, 64] }\n");
    start(words("study run study --store store"));
    for (const std::string name : {"size_bytes", "axis_size_bytes"}) {
        BOOST_TEST(
            contains(start({"study", "list", "study", "--store", "store", "--where", name + " = 64"}).err, "1 point;"));
    }
    BOOST_TEST(start({"study", "query", "study", "SELECT size_bytes FROM rings WHERE axis_size_bytes = 64", "--store",
                      "store", "--csv", "-"})
                   .out == "size_bytes\n64\n");
}

BOOST_AUTO_TEST_CASE(shares_in_stores_of_their_own_merge_to_the_table_of_one_run)
{
    const TemporaryFolder folder;
    write_study(folder);
    BOOST_TEST(start(words("study run study --store whole")).status == 0);
    for (const std::string number : {"1", "2"}) {
        const Ended share = start(words("study run study --store part" + number + " --shard " + number + "/2"));
        BOOST_TEST(share.status == 0, share.err);
    }
    BOOST_TEST(contains(start(words("study status study --store part1 --shard 1/2 --csv -")).out, ",0,0,0\n"));
    const Ended merged = start(words("study merge study --from part1 --from part2 --store all"));
    BOOST_TEST(merged.status == 0);
    BOOST_TEST(contains(merged.err, "3 points: 3 copied"), merged.err);
    const auto table_of = [](const std::string& store) {
        return start({"study", "query", "study", "SELECT * FROM rings ORDER BY hops", "--store", store, "--csv", "-"});
    };
    BOOST_TEST(table_of("all").out == table_of("whole").out);
    BOOST_TEST(contains(start(words("study run study --store all")).err, "0 run"));
}

BOOST_AUTO_TEST_CASE(what_a_machine_cannot_run_is_told_with_its_line_and_the_others_run)
{
    const TemporaryFolder folder;
    folder.write("study/study.toml",
                 "platform = \"wulfkit-ring\"\n[test.bad]\nprogram = \"ping-pong\"\noptions = { to = 99 }\n"
                 "[test.good]\nprogram = \"ping-pong\"\noptions = { repetitions = 1 }\n");
    const Ended run = start(words("study run study --store store"));
    BOOST_TEST(run.status == 1);
    BOOST_TEST(contains(run.err, "study.toml:4: bad: refused: "), run.err);
    BOOST_TEST(contains(run.err, "2 run"), run.err);
    // It is known afterwards, and not tried again without --retry
    const Ended status = start(words("study status study --store store --csv -"));
    BOOST_TEST(contains(status.out, "bad,1,0,1,0,0\n"), status.out);
    BOOST_TEST(contains(status.err, "study.toml:4: bad: refused: "), status.err);
    BOOST_TEST(contains(start(words("study list study --store store")).out, "refused"));
    BOOST_TEST(contains(start(words("study run study --store store")).err, "0 run"));
    BOOST_TEST(contains(start(words("study run study --store store --retry")).err, "1 run"));
}

BOOST_AUTO_TEST_CASE(points_that_fail_in_the_same_way_are_told_once)
{
    const TemporaryFolder folder;
    folder.write("study/study.toml",
                 "[test.bad]\nplatform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\n"
                 "options = { to = 99 }\naxes = { \"options.repetitions\" = [1, 2, 3] }\n");
    const Ended run = start(words("study run study --store store"));
    BOOST_TEST(contains(run.err, "study.toml:4: bad, options.repetitions=1: refused: "), run.err);
    BOOST_TEST(contains(run.err, "(and 2 points more)"), run.err);
    BOOST_TEST(!contains(run.err, "options.repetitions=2"), run.err);
}

BOOST_AUTO_TEST_CASE(cleaning_says_what_goes_and_how_long_it_took)
{
    const TemporaryFolder folder;
    write_study(folder);
    start(words("study run study --store store"));
    const Ended before = start(words("study clean study --store store --dry-run"));
    BOOST_TEST(before.status == 0);
    BOOST_TEST(contains(before.out, "hops=2"), before.out);
    BOOST_TEST(contains(before.err, "3 points would be removed"), before.err);
    BOOST_TEST(contains(before.err, "running them took "), before.err);
    BOOST_TEST(contains(start(words("study clean study --store store")).err, "3 points removed from store"));
    BOOST_TEST(contains(start(words("study run study --store store")).err, "3 run"));
}

BOOST_AUTO_TEST_CASE(a_study_has_one_name_in_the_index_however_it_is_spelled)
{
    const TemporaryFolder folder;
    write_study(folder);
    start(words("study run study --store store"));
    for (const char* spelling : {"study", "./study/", "study/study.toml", "study/../study"}) {
        BOOST_TEST(start({"store", "index", spelling, "--store", "store"}).status == 0, spelling);
    }
    SQLite::Database index("store/index.sqlite");
    BOOST_TEST(index.execAndGet("SELECT count(DISTINCT study) FROM members").getInt() == 1);
    BOOST_TEST(index.execAndGet("SELECT DISTINCT study FROM members").getString() ==
               std::filesystem::canonical("study").string());
    ::setenv("RINGMESH_STUDIES", folder.path().c_str(), 1);
    start(words("store index ./study --store store"));
    ::unsetenv("RINGMESH_STUDIES");
    BOOST_TEST(index.execAndGet("SELECT count(*) FROM members WHERE study = 'study'").getInt() == 3);
}

BOOST_DATA_TEST_CASE(who_only_reads_makes_no_store,
                     data::make({"study status study", "study list study", "study query study 1", "study clean study",
                                 "study run study --dry-run", "study compare study --model 00", "store status",
                                 "store clean --failed", "store index", "compare 00 01"}),
                     arguments)
{
    const TemporaryFolder folder;
    write_study(folder);
    start(words(std::string(arguments) + " --store none"));
    BOOST_TEST(!std::filesystem::exists("none"));
}

BOOST_DATA_TEST_CASE(the_help_of_an_action_is_about_it,
                     data::make({"run STUDY [OPTIONS]", "status STUDY [OPTIONS]", "list STUDY [OPTIONS]",
                                 "query STUDY SQL [OPTIONS]", "export STUDY [OPTIONS]", "clean STUDY [OPTIONS]",
                                 "merge STUDY [OPTIONS]", "compare STUDY [VARIANT...] [OPTIONS]",
                                 "submit STUDY [OPTIONS]"}),
                     usage)
{
    const std::string line = usage;
    const std::string action = line.substr(0, line.find(' '));
    const Ended help = start({"study", action, "--help"});
    BOOST_TEST(contains(help.out, "Usage: ringmesh study " + line + "\n"), help.out);
    BOOST_TEST(contains(help.out, "  ringmesh study " + action + " my-study"), help.out);
    BOOST_TEST(!contains(help.out, "TEXT"), help.out);
    BOOST_TEST(contains(help.out, "--fresh") == (action == "run"), help.out);
    BOOST_TEST(contains(help.out, "--dry-run") == (action == "run" || action == "clean" || action == "submit"));
}

BOOST_AUTO_TEST_CASE(late_points_are_counted_apart)
{
    const TemporaryFolder folder;
    folder.write("study/study.toml",
                 "platform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\nlimit = \"1 s\"\n"
                 "[test.late]\noptions = { sizes = 64, repetitions = 1000000 }\n");
    const Ended run = start(words("study run study --store store"));
    BOOST_TEST(run.status == 1);
    BOOST_TEST(contains(run.err, "0 failed, 1 late"), run.err);
    BOOST_TEST(contains(start(words("study status study --store store --csv -")).out, "late,1,0,0,1,0\n"));
}

BOOST_AUTO_TEST_CASE(an_interrupted_study_says_how_to_go_on)
{
    const TemporaryFolder folder;
    Program program(words("sweep wulfkit-ring --workload ping-pong:repetitions=1000000,series=5 --store store"));
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    program.signal_group(SIGINT);
    const Ended ended = program.wait();
    BOOST_TEST(ended.status == 130);
    BOOST_TEST(contains(ended.err, "interrupted; what is finished is kept"), ended.err);
}

BOOST_AUTO_TEST_CASE(a_batch_script_runs_a_share_in_each_task)
{
    const TemporaryFolder folder;
    write_study(folder);
    const Ended script = start({"study", "submit", "study", "--slurm", "--tasks", "4", "--sbatch=--partition=long",
                                "--where", "repetition = 1", "--store", "store", "--dry-run"});
    BOOST_TEST(script.status == 0, script.err);
    for (const char* line :
         {"#SBATCH --array=1-4\n", "#SBATCH --requeue\n", "#SBATCH --open-mode=append\n", "#SBATCH --partition=long\n",
          "/study'", "--store '/", "'--where' 'repetition = 1'", "--shard \"$SLURM_ARRAY_TASK_ID/4\""}) {
        BOOST_TEST(contains(script.out, line), line);
    }
    BOOST_TEST(!contains(script.out, "export "), script.out);
}

BOOST_AUTO_TEST_CASE(a_batch_script_names_the_folders_that_the_environment_names)
{
    const TemporaryFolder folder;
    write_study(folder);
    std::filesystem::create_directory("our data");
    std::filesystem::create_directory_symlink(RINGMESH_SOURCE_DIR "/platforms", "our data/platforms");
    ::setenv("RINGMESH_DATA", "our data", 1);
    ::setenv("LD_LIBRARY_PATH", "/our/libraries:/others", 1);
    const Ended script = start(words("study submit study --slurm --store store --dry-run"));
    ::unsetenv("RINGMESH_DATA");
    ::unsetenv("LD_LIBRARY_PATH");
    BOOST_TEST(script.status == 0, script.err);
    BOOST_TEST(contains(script.out, "export LD_LIBRARY_PATH='/our/libraries:/others'\n"), script.out);
    const std::string line = "export RINGMESH_DATA='" + (folder.path() / "our data").string() + "'\n";
    BOOST_TEST(contains(script.out, line), script.out);
}

BOOST_AUTO_TEST_CASE(a_task_whose_program_is_killed_is_put_into_the_queue_again)
{
    const TemporaryFolder folder;
    write_study(folder);
    std::string script = start(words("study submit study --slurm --tasks 4 --store store --dry-run")).out;
    const std::string program = RINGMESH_EXECUTABLE;
    const std::size_t at = script.find(program);
    BOOST_TEST_REQUIRE(at != std::string::npos, script);
    folder.write("scontrol", "#!/bin/sh\necho \"$@\" >>requeued\n");
    std::filesystem::permissions("scontrol", std::filesystem::perms::owner_all);
    const auto task = [&](const std::string& text, const std::string& restarts) {
        folder.write("program", "#!/bin/sh\n" + text + "\n");
        std::filesystem::permissions("program", std::filesystem::perms::owner_all);
        std::string own = script;
        folder.write("script", own.replace(at, program.size(), (folder.path() / "program").string()));
        const std::string command =
            "PATH=.:$PATH SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=2 SLURM_RESTART_COUNT=" + restarts +
            " sh script 2>errors";
        return WEXITSTATUS(std::system(command.c_str()));
    };
    BOOST_TEST(task("exit 1", "0") == 1);
    BOOST_TEST(!std::filesystem::exists("requeued"));
    BOOST_TEST(task("kill -9 $$", "20") == 137);  // not for ever
    BOOST_TEST(!std::filesystem::exists("requeued"));
    BOOST_TEST(task("kill -9 $$", "0") == 137);
    BOOST_TEST(read_file("requeued") == "requeue 7_2\n");
}

/// Programs of these texts stand before all others, as long as it lives.
class OtherPrograms {
public:
    OtherPrograms(const TemporaryFolder& folder, const std::vector<std::pair<std::string, std::string>>& programs)
    {
        std::filesystem::create_directories(folder.path() / "bin");
        for (const auto& [name, text] : programs) {
            folder.write("bin/" + name, "#!/bin/sh\n" + text);
            std::filesystem::permissions(folder.path() / "bin" / name, std::filesystem::perms::owner_all);
        }
        ::setenv("PATH", (folder.path() / "bin").c_str(), 1);
    }
    OtherPrograms(const OtherPrograms&) = delete;
    OtherPrograms& operator=(const OtherPrograms&) = delete;
    ~OtherPrograms() { ::setenv("PATH", before_.c_str(), 1); }

private:
    std::string before_ = std::getenv("PATH");
};

BOOST_AUTO_TEST_CASE(a_submitted_study_tells_the_state_of_its_job)
{
    const TemporaryFolder folder;
    write_study(folder);
    const OtherPrograms programs(
        folder, {{"sbatch", "echo '17;cluster'\n"}, {"squeue", "printf 'RUNNING\\nPENDING\\nRUNNING\\n'\n"}});
    const Ended submitted = start(words("study submit study --slurm --tasks 4 --store store"));
    BOOST_TEST(submitted.status == 0, submitted.err);
    BOOST_TEST(submitted.out == "17\n");
    const Ended status = start(words("study status study --store store"));
    BOOST_TEST(contains(status.out, "Slurm job 17: 4 tasks, 1 pending, 2 running, 1 ended\n"), status.out);
    BOOST_TEST(!contains(start(words("study status study --store other")).out, "Slurm"));
}

BOOST_AUTO_TEST_CASE(a_job_that_cannot_be_submitted_is_told)
{
    const TemporaryFolder folder;
    write_study(folder);
    {
        const OtherPrograms none(folder, {});
        const Ended ended = start(words("study submit study --slurm --store store"));
        BOOST_TEST(ended.status == 2);
        BOOST_TEST(contains(ended.err, "no sbatch"), ended.err);
    }
    const OtherPrograms refusing(folder, {{"sbatch", "echo 'invalid partition'; exit 1\n"}});
    const Ended ended = start(words("study submit study --slurm --store store"));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "invalid partition"), ended.err);
}

/// "12 points: 3 run in 0.5 s, ..."
int run_by(const Ended& ended)
{
    const auto at = ended.err.find(" points: ");
    BOOST_TEST_REQUIRE(at != std::string::npos, ended.err);
    return std::stoi(ended.err.substr(at + 9));
}

BOOST_AUTO_TEST_CASE(processes_that_share_a_store_run_each_point_once)
{
    const TemporaryFolder folder;
    const std::string sweep =
        "sweep wulfkit-ring --workload ping-pong:sizes=64,repetitions=100,series=5 --axis topology.dimensions=2,4,6,8 "
        "--repeat 3 --jobs 2 --store store --csv ";
    std::vector<std::unique_ptr<Program>> all;
    for (int i = 0; i < 4; ++i) all.push_back(std::make_unique<Program>(words(sweep + std::to_string(i) + ".csv")));
    int run = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Ended ended = all[i]->wait();
        BOOST_TEST(ended.status == 0, ended.err);
        run += run_by(ended);
        BOOST_TEST(read_file(std::to_string(i) + ".csv") == read_file("0.csv"));
    }
    BOOST_TEST(run == 12);
    BOOST_TEST(files_in("store/locks").empty());
}

BOOST_AUTO_TEST_CASE(a_point_of_a_killed_process_is_run_by_one_that_waits_for_it)
{
    const TemporaryFolder folder;
    const std::string sweep =
        "sweep wulfkit-ring --workload ping-pong:sizes=64,repetitions=2000,series=5 --axis topology.dimensions=4 "
        "--repeat 1 --store store --csv ";
    Program killed(words(sweep + "one.csv"));
    while (!std::filesystem::exists("store/locks") || files_in("store/locks").empty()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    Program waits(words(sweep + "two.csv"));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    killed.signal(SIGKILL);
    killed.wait();
    const Ended ended = waits.wait();
    BOOST_TEST(ended.status == 0, ended.err);
    BOOST_TEST(contains(ended.err, "1 point: 1 run"), ended.err);
    BOOST_TEST(files_in("store/locks").empty());
}

BOOST_AUTO_TEST_CASE(a_store_that_has_no_room_keeps_what_has_finished)
{
    const TemporaryFolder folder;
    BOOST_TEST(start(words(kSweep + " --csv before.csv")).status == 0);
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{2048, before.rlim_max};  // points are longer
    ::setrlimit(RLIMIT_FSIZE, &small);
    const Ended full = start(words(kSweep + " --fresh"));
    ::setrlimit(RLIMIT_FSIZE, &before);
    BOOST_TEST(full.status == 2);
    BOOST_TEST(contains(full.err, "what has finished is kept"), full.err);
    BOOST_TEST(contains(start(words(kSweep + " --csv after.csv")).err, "0 run"));
    BOOST_TEST(read_file("after.csv") == read_file("before.csv"));
}

BOOST_AUTO_TEST_CASE(the_store_of_a_newer_program_is_left_alone)
{
    const TemporaryFolder folder;
    folder.write("store/store.json", "{\"ringmesh_store\": 99}\n");
    const Ended ended = start(words(kSweep));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "store/store.json:1: ringmesh_store = 99"), ended.err);
    BOOST_TEST(contains(ended.err, "--store"), ended.err);
    BOOST_TEST(read_file("store/store.json") == "{\"ringmesh_store\": 99}\n");
}

BOOST_AUTO_TEST_CASE(an_answer_has_the_names_of_its_columns_as_they_are_written)
{
    const TemporaryFolder folder;
    write_study(folder);
    start(words("study run study --store store"));
    const std::string long_name = "a_long_name_of_a_column_that_is_not_broken_and_fifty_more";
    const Ended ended = start(
        {"study", "query", "study",
         "SELECT hops AS " + long_name + ", 'two words' AS \"two words (ns)\", hops AS " + long_name + "_2 FROM rings",
         "--store", "store"});
    BOOST_TEST(contains(ended.out, long_name + "  two words (ns)  " + long_name + "_2\n"), ended.out);
}

BOOST_DATA_TEST_CASE(only_regular_files_are_read, data::make({"csv", "cells", "sql", "toml"}), what)
{
    const TemporaryFolder folder;
    write_study(folder);
    const std::string sort = what;
    if (sort == "cells") {
        folder.write(
            "study/study.toml",
            "platform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\n[test.rings]\ncells = { csv = \"pipe\" }\n");
        BOOST_TEST_REQUIRE(::mkfifo("study/pipe", 0600) == 0);
    } else if (sort == "toml") {
        std::filesystem::remove("study/study.toml");
        std::filesystem::create_symlink("/dev/zero", "study/study.toml");
    } else {
        BOOST_TEST_REQUIRE(::mkfifo(("study/own." + sort).c_str(), 0600) == 0);
    }
    const Ended ended = start(words("study run study --store store"));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST((contains(ended.err, "not a regular file") || contains(ended.err, ": not a file")), ended.err);
}

/// Of whatever kind, of tables, scripts and what options name.
BOOST_DATA_TEST_CASE(no_link_leads_out_of_a_study, data::make({"own.csv", "own.sql", "load.goal"}), name)
{
    const TemporaryFolder folder;
    write_study(folder);
    folder.write("secret", "a,b\n1,2\n");
    std::filesystem::create_symlink("../secret", std::string("study/") + name);
    const Ended ended = start(words("study run study --store store"));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, std::string("study/") + name), ended.err);
}

/// A script is somebody else's: what it makes has bounds.
BOOST_DATA_TEST_CASE(answers_have_bounds,
                     data::make({"SELECT hex(zeroblob(100000000))",
                                 "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000) SELECT "
                                 "hex(zeroblob(100000)) FROM n"}),
                     sql)
{
    const TemporaryFolder folder;
    write_study(folder);
    start(words("study run study --store store"));
    const Ended ended = start({"study", "query", "study", sql, "--store", "store"});
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "MiB"), ended.err);
}

BOOST_AUTO_TEST_CASE(a_test_without_finished_points_takes_its_views_out_and_no_others)
{
    const TemporaryFolder folder;
    folder.write("study/study.toml",
                 "platform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\n[test.good]\n"
                 "options = { sizes = 64, repetitions = 1, series = 1 }\n[test.slow]\n"
                 "options = { repetitions = 1000000, series = 5 }\nlimit = \"300 ms\"\n");
    folder.write("study/a.sql",
                 "CREATE VIEW table_slow AS SELECT latency_min_ns FROM slow;\n"
                 "CREATE VIEW table_good AS SELECT latency_min_ns FROM good;\n");
    const Ended run = start(words("study run study --store store"));
    BOOST_TEST(run.status == 1);
    BOOST_TEST(contains(run.out, "\ngood\n"), run.out);
    BOOST_TEST(contains(run.err, "table_slow"), run.err);
    const Ended query =
        start({"study", "query", "study", "SELECT count(*) AS n FROM table_good", "--store", "store", "--csv", "-"});
    BOOST_TEST(query.out == "n\n1\n", query.err);
    // validate keeps the limit, and runs what can be run
    std::filesystem::remove_all("store");
    folder.write("study/published.csv", "id,quantity,unit\nx,y,ns\n");
    const Ended validate = start(words("validate study/ --store store"));
    BOOST_TEST(validate.status != 0);
    BOOST_TEST(contains(validate.err, "not finished after 0.3 s"), validate.err);
    BOOST_TEST(contains(start(words("study status study --store store --csv -")).out, "good,1,1,0,0,0\n"));
}

BOOST_AUTO_TEST_CASE(a_condition_of_the_command_line_leaves_out_tests_that_lack_its_names)
{
    const TemporaryFolder folder;
    write_study(folder);  // hops is an axis of rings alone
    const Ended list = start({"study", "list", "study", "--where", "hops = 1", "--store", "store", "--csv", "-"});
    BOOST_TEST(list.status == 0, list.err);
    BOOST_TEST(contains(list.out, ",rings,"), list.out);
    BOOST_TEST(!contains(list.out, ",slow,"), list.out);
    const Ended none = start({"study", "list", "study", "--where", "hps = 1", "--store", "store"});
    BOOST_TEST(none.status == 2);
    BOOST_TEST(contains(none.err, "hps"), none.err);
}

BOOST_DATA_TEST_CASE(mistakes_that_need_no_run_are_told_before_it, data::make({"csv", "sql"}), what)
{
    const TemporaryFolder folder;
    write_study(folder);
    const std::string sort = what;
    if (sort == "csv") folder.write("study/own.csv", "us\n4.07 ms\n");
    if (sort == "sql") folder.write("study/30.sql", "\nCREATE VIEW x AS SELECT 1 FORM rings;\n");
    for (const char* command : {"study run study", "validate study/"}) {
        const Ended ended = start(words(std::string(command) + " --store store"));
        BOOST_TEST(ended.status == 2);
        BOOST_TEST(contains(ended.err, sort == "csv" ? "study/own.csv:2: us = 4.07 ms" : "study/30.sql:2: "),
                   ended.err);
        BOOST_TEST(!std::filesystem::exists("store/points"));
    }
}

BOOST_AUTO_TEST_CASE(a_misspelled_name_in_quotation_marks_is_no_text)
{
    const TemporaryFolder folder;
    const Ended sweep =
        start({"sweep", "wulfkit-ring", "--workload", "ping-pong:sizes=64,repetitions=1,series=1", "--axis",
               "topology.dimensions=2,4", "--where", "\"topology_dimension\" > 2", "--store", "store"});
    BOOST_TEST(sweep.status == 2);
    BOOST_TEST(contains(sweep.err, "topology_dimension"), sweep.err);
}

BOOST_DATA_TEST_CASE(names_that_would_be_columns_or_tables_twice_are_refused,
                     data::make({"axis count", "axis Modules", "csv columns", "csv files", "temp view"}), what)
{
    const TemporaryFolder folder;
    const std::string sort = what;
    const bool axis = sort.starts_with("axis ");
    const std::string name = axis ? sort.substr(5) : "hops";
    folder.write("study/study.toml", "platform = \"wulfkit-ring\"\n[test.one]\nprogram = \"ping-pong\"\naxes = { " +
                                         name + " = [1] }\nset = { \"topology.dimensions\" = \"${2*" + name +
                                         "}\" }\noptions = { sizes = 4, repetitions = 1, series = 1 }\n");
    if (sort == "csv columns") folder.write("study/own.csv", "A,a\n1,2\n");
    if (sort == "csv files") {
        folder.write("study/own.csv", "a\n1\n");
        folder.write("study/OWN.csv", "a\n1\n");
    }
    if (sort == "temp view") folder.write("study/a.sql", "CREATE TEMP VIEW step AS SELECT 1;\n");
    const Ended run = start(words("study run study --store store"));
    BOOST_TEST(run.status == 2, run.err);
    BOOST_TEST(contains(run.err, "study/"), run.err);
}

BOOST_AUTO_TEST_CASE(a_mistake_in_sql_is_told_with_file_line_and_what_there_is)
{
    const TemporaryFolder folder;
    write_study(folder);
    folder.write("study/30.sql", "\n\nCREATE VIEW wrong AS SELECT absent FROM rings;\n");
    const Ended run = start(words("study run study --store store"));
    BOOST_TEST(run.status == 2);
    BOOST_TEST(contains(run.err, "30.sql:3: SQL: no such column: absent"), run.err);
    BOOST_TEST(contains(run.err, "rings: point, variant"), run.err);
    BOOST_TEST(!contains(run.err, "slow: "), run.err);
}

BOOST_AUTO_TEST_CASE(the_largest_seeds_are_the_same_digits_in_every_table)
{
    const TemporaryFolder folder;
    const std::string seed = "18446744073709551615";
    const std::string sweep =
        "sweep wulfkit-ring --workload ping-pong:sizes=64,repetitions=1,series=1 --store store --repeat 2 --seed "
        "18446744073709551614 --json table.json --save saved --report page.html --csv ";
    const std::string csv = start(words(sweep + "-")).out;
    BOOST_TEST(contains(csv, "\n2," + seed + ","), csv);
    BOOST_TEST(contains(read_file("table.json"), "\"seed\": \"" + seed + '"'));
    BOOST_TEST(contains(read_file("page.html"), '"' + seed + '"'));
    BOOST_TEST(start(words("store index --store store")).status == 0);
    SQLite::Database index("store/index.sqlite");
    BOOST_TEST(index.execAndGet("SELECT max(seed) FROM points").getString() == seed);
    const auto record = json_of(
        "run wulfkit-ring --workload ping-pong:sizes=64,repetitions=1,series=1 --store store "
        "--seed " +
        seed);
    BOOST_TEST(record["seed"].get<std::uint64_t>() == UINT64_MAX);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
