// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh::test;
using nlohmann::ordered_json;

/// A study of a ring of its own, with a published number and a table.
void write_study(const TemporaryFolder& folder, const std::string& platform = "ring.toml")
{
    folder.write("mine/ring.toml",
                 "machine = \"wulfkit\"\ndescription = \"a ring\"\nbased_on = \"wulfkit-ring\"\n"
                 "[link]\nsymbol_time = \"4 ns\"\n");
    folder.write("mine/study.toml",
                 "[test.rings]\nplatform = \"" + platform +
                     "\"\nprogram = \"ping-pong\"\n"
                     "options = { sizes = 64, repetitions = 2, series = 1 }\naxes = { hops = [1, 2] }\n"
                     "set = { \"topology.dimensions\" = \"${2*hops}\" }\n[tables]\nhops = \"By hops\"\n");
    folder.write("mine/published.csv", "id,quantity,unit,tolerance\nring.h*,half a round trip; * hops,ns,10 %\n");
    folder.write("mine/findings.sql",
                 "CREATE VIEW finding_rings AS SELECT printf('ring.h%d', hops) AS id, latency_min_ns AS simulated, "
                 "4177 AS published FROM rings; "
                 "CREATE VIEW table_hops AS SELECT hops, latency_min_ns FROM rings;\n");
}

Ended reproduce(const std::string& what, const std::string& into)
{
    return ringmesh::test::ringmesh({"reproduce", what, "-o", into});
}

ordered_json manifest_of(const std::string& folder)
{
    return ordered_json::parse(read_file(folder + "/reproduction.json"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(reproduce_command)

BOOST_AUTO_TEST_CASE(a_reproduction_holds_inputs_results_hashes_and_times)
{
    const TemporaryFolder folder;
    write_study(folder);
    const Ended ended = reproduce("mine/", "again");
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    BOOST_TEST(contains(ended.out, "By hops"));
    const auto manifest = manifest_of("again");
    for (const char* input : {"mine/study.toml", "mine/ring.toml", "mine/findings.sql", "mine/published.csv",
                              "machines/wulfkit-ring.toml"}) {
        BOOST_TEST(manifest["inputs"].contains(input), input);
    }
    for (const char* output : {"tests/rings.csv", "tables.csv", "ledger.json", "ledger.md"}) {
        BOOST_TEST(manifest["outputs"].contains(output), output);
        BOOST_TEST(std::filesystem::is_regular_file(std::string("again/") + output), output);
    }
    BOOST_TEST(manifest["tests"]["rings"]["points"] == 2);
    BOOST_TEST(manifest["tests"]["rings"]["seconds"].get<double>() > 0);
    BOOST_TEST(ordered_json::parse(read_file("again/ledger.json"))["rows"].size() == 2u);
    BOOST_TEST(contains(read_file("again/report.html"), "<!DOCTYPE html>"));
    BOOST_TEST(files_in("again/points").size() > 1);
}

BOOST_AUTO_TEST_CASE(a_folder_that_went_elsewhere_gives_the_same_numbers)
{
    const TemporaryFolder folder;
    write_study(folder);
    BOOST_TEST_REQUIRE(reproduce("mine", "first").status == 0);
    std::filesystem::create_directory("elsewhere");
    std::filesystem::rename("first", "elsewhere/first");
    std::filesystem::remove_all("mine");
    const Ended again = reproduce("elsewhere/first", "second");
    BOOST_TEST(again.status == 0, again.err);
    BOOST_TEST((manifest_of("second")["outputs"] == manifest_of("elsewhere/first")["outputs"]));
}

BOOST_AUTO_TEST_CASE(other_inputs_that_give_other_numbers_are_named_and_the_status_is_1)
{
    const TemporaryFolder folder;
    write_study(folder);
    BOOST_TEST_REQUIRE(reproduce("mine", "first").status == 0);
    folder.write("first/mine/ring.toml",
                 "machine = \"wulfkit\"\ndescription = \"a ring\"\nbased_on = \"wulfkit-ring\"\n"
                 "[link]\nsymbol_time = \"4.1 ns\"\n");
    const Ended again = reproduce("first", "second");
    BOOST_TEST(again.status == 1);
    BOOST_TEST(contains(again.err, "mine/ring.toml"), again.err);
    BOOST_TEST(contains(again.err, "tests/rings.csv"), again.err);
    BOOST_TEST(std::filesystem::exists("second/reproduction.json"));
}

BOOST_AUTO_TEST_CASE(an_earlier_folder_whose_results_were_touched_is_told)
{
    const TemporaryFolder folder;
    write_study(folder);
    BOOST_TEST_REQUIRE(reproduce("mine", "first").status == 0);
    folder.write("first/tests/rings.csv", "touched\n");
    std::filesystem::remove("first/tables.csv");
    const Ended again = reproduce("first", "second");
    BOOST_TEST(again.status == 1);
    BOOST_TEST(contains(again.err, "first/tests/rings.csv"), again.err);
    BOOST_TEST(contains(again.err, "first/tables.csv"), again.err);
}

BOOST_AUTO_TEST_CASE(rows_that_fail_are_named_and_decide_the_status_of_the_first_run_alone)
{
    const TemporaryFolder folder;
    write_study(folder);
    folder.write("mine/published.csv", "id,quantity,unit,tolerance\nring.h*,half a round trip; * hops,ns,0.01 %\n");
    const Ended first = reproduce("mine", "first");
    BOOST_TEST(first.status == 1);
    BOOST_TEST(contains(first.out, "ring.h2"), first.out);
    BOOST_TEST(reproduce("first", "second").status == 0);
}

BOOST_AUTO_TEST_CASE(a_folder_of_something_else_is_left_alone)
{
    const TemporaryFolder folder;
    write_study(folder);
    folder.write("alien/points/store.json", "{}");
    BOOST_TEST(reproduce("mine", "alien").status == 2);
    BOOST_TEST(!std::filesystem::exists("alien/mine"));
    BOOST_TEST(reproduce("mine", "mine/again").status == 2);
    BOOST_TEST(!std::filesystem::exists("mine/again"));
}

/// From the study's folder, and so from its copy, wherever the program runs; with one that lies elsewhere it is
/// refused.
BOOST_AUTO_TEST_CASE(a_trace_is_named_from_the_study_s_folder)
{
    const TemporaryFolder folder;
    const std::string begin = "[test.a]\nplatform = \"scc\"\nprogram = \"replay\"\n";
    folder.write("mine/study.toml", begin + "[test.a.axes]\n\"options.goal\" = [\"traces/a.goal\", \"b.goal\"]\n");
    const std::string text =
        "num_ranks 2\nrank 0 {\nl1: send 64b to 1 tag 0\n}\nrank 1 {\nl1: recv 64b from 0 tag 0\n}\n";
    folder.write("mine/traces/a.goal", text);
    folder.write("mine/b.goal", text);
    const Ended first = reproduce("mine", "again");
    BOOST_TEST_REQUIRE(first.status == 0, first.err);
    const Ended second = reproduce("again", "once-more");
    BOOST_TEST(second.status == 0, second.err);
    std::filesystem::rename("mine/b.goal", "b.goal");
    folder.write("mine/study.toml", begin + "[test.a.axes]\n\"options.goal\" = [\"traces/a.goal\", \"../b.goal\"]\n");
    const Ended outside = reproduce("mine", "outside");
    BOOST_TEST(outside.status == 2);
    BOOST_TEST(contains(outside.err, "study.toml:5"), outside.err);
    folder.write("mine/study.toml", begin + "options = { goal = \"/etc/passwd\" }\n");
    const Ended absolute = reproduce("mine", "absolute");
    BOOST_TEST(absolute.status == 2);
    BOOST_TEST(contains(absolute.err, "study.toml:4"), absolute.err);
}

BOOST_AUTO_TEST_CASE(nothing_is_replaced_and_what_was_interrupted_goes_on)
{
    const TemporaryFolder folder;
    write_study(folder);
    BOOST_TEST_REQUIRE(reproduce("mine", "first").status == 0);
    const std::string before = read_file("first/reproduction.json");
    BOOST_TEST(reproduce("mine", "first").status == 2);
    BOOST_TEST(read_file("first/reproduction.json") == before);
    BOOST_TEST(reproduce("mine", "mine").status == 2);
    std::filesystem::remove("first/reproduction.json");
    BOOST_TEST(reproduce("mine", "first").status == 0);
    BOOST_TEST((manifest_of("first")["outputs"] == ordered_json::parse(before)["outputs"]));
}

BOOST_AUTO_TEST_CASE(a_study_that_needs_what_is_outside_of_it_is_refused_before_anything_runs)
{
    const TemporaryFolder folder;
    write_study(folder, "../outside.toml");
    std::filesystem::rename("mine/ring.toml", "outside.toml");
    const Ended ended = reproduce("mine", "again");
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "study.toml:2"), ended.err);
    BOOST_TEST(!std::filesystem::exists("again"));
}

BOOST_AUTO_TEST_CASE(a_damaged_manifest_is_named)
{
    const TemporaryFolder folder;
    folder.write("first/reproduction.json", "{}");
    const Ended ended = reproduce("first", "again");
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "first/reproduction.json"), ended.err);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
