// SPDX-License-Identifier: Apache-2.0
/// Traces in and out, through the command line.
#include <algorithm>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh::test;
namespace data = boost::unit_test::data;
namespace tt = boost::test_tools;

/// 0 calculates, then sends to 1, which answers.
std::string there_and_back(int nanoseconds)
{
    return "num_ranks 2\nrank 0 {\nc: calc " + std::to_string(nanoseconds) +
           "\ns: send 64b to 1 tag 7\nr: recv 32b from 1 tag 8\ns requires c\nr requires s\n}\n"
           "rank 1 {\nr: recv 64b from 0 tag 7\ns: send 32b to 0 tag 8\ns requires r\n}\n";
}

/// The column of a result, of all rows. @param arguments without --json
std::vector<double> column(const std::vector<std::string>& arguments, const std::string& name)
{
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"--json", "-", "--store", "store"});
    const Ended ended = ringmesh::test::ringmesh(all);
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    const auto json = nlohmann::json::parse(ended.out);
    std::vector<double> values;
    for (const auto& row : json["results"]["rows"]) values.push_back(row.at(name).get<double>());
    return values;
}

std::string refusal(const std::vector<std::string>& arguments)
{
    const Ended ended = ringmesh::test::ringmesh(arguments);
    BOOST_TEST(ended.status == 2, ended.out + ended.err);
    BOOST_TEST(ended.out == "");
    return ended.err;
}

/// As an editor of another system saves it: a byte order mark, CR LF, tabs for blanks, and blanks behind.
std::string saved_elsewhere(const std::string& text)
{
    std::string saved = "\xEF\xBB\xBF";
    for (const char c : text) saved += c == '\n' ? "\t \r\n" : c == ' ' ? "\t" : c == ',' ? "\t," : std::string(1, c);
    return saved;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(replay)

BOOST_DATA_TEST_CASE(a_program_as_text_runs_over_each_library_and_calculates_as_long_as_it_says,
                     data::make({"deck-cluster deck", "deck-cluster scampi", "deck-cluster raw", "scc rcce",
                                 "scc ircce", "ncube-64 vertex"}),
                     where)
{
    const TemporaryFolder folder;
    const auto names = words(where);
    folder.write("a.goal", there_and_back(1000));
    const std::vector<std::string> run{"run", names[0], "--workload", "replay:goal=a.goal", "--library", names[1]};
    const auto calculated = column(run, "calc_ns");
    BOOST_TEST_REQUIRE(calculated.size() == 2u);
    BOOST_TEST(calculated[0] == 1000.0, tt::tolerance(1e-3));
    BOOST_TEST(calculated[1] == 0.0);
    // 10 us more of it make the whole 10 us longer; the changed file is not answered from the store
    const auto before = column(run, "end_ns");
    folder.write("a.goal", there_and_back(11'000));
    const auto after = column(run, "end_ns");
    BOOST_TEST(after[0] - before[0] == 10'000.0, tt::tolerance(0.05));
}

BOOST_AUTO_TEST_CASE(a_program_is_judged_by_the_end_of_its_last_rank_on_every_machine)
{
    const TemporaryFolder folder;
    folder.write("a.goal", there_and_back(1000));
    const Ended run = ringmesh::test::ringmesh(words("run scc --workload replay:goal=a.goal --store store --json -"));
    BOOST_TEST_REQUIRE(run.status == 0, run.err);
    const auto json = nlohmann::json::parse(run.out);
    BOOST_TEST_REQUIRE(json["answer"].size() == 1u);
    BOOST_TEST(contains(json["answer"][0], "last rank's end"));
    double last = 0;
    for (const auto& row : json["results"]["rows"]) last = std::max(last, row["end_ns"].get<double>());

    const auto compare =
        words("whatif deck-cluster --workload replay:goal=a.goal --variant scc=platform=scc --store store");
    auto to_json = compare;
    to_json.insert(to_json.end(), {"--json", "-"});
    const auto compared = nlohmann::json::parse(ringmesh::test::ringmesh(to_json).out);
    BOOST_TEST(compared["by"]["name"] == "end_ns");
    BOOST_TEST_REQUIRE(compared["places"].size() == 1u);
    auto by_end = to_json;
    by_end.insert(by_end.end(), {"--by", "end_ns"});
    BOOST_TEST(nlohmann::json::parse(ringmesh::test::ringmesh(by_end).out)["places"] == compared["places"]);
    BOOST_TEST(compared["places"][0]["variants"]["scc"]["mean"] == last);
    // The platform stands for the parameters that only one of them has
    const std::string text = ringmesh::test::ringmesh(compare).out;
    const std::string changes =
        text.substr(text.find("what is changed"), text.find("end_ns in ns") - text.find("what is changed"));
    BOOST_TEST(contains(changes, "\nplatform "), changes);
    BOOST_TEST(std::count(changes.begin(), changes.end(), '\n') < 16, changes);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_in_a_program_is_named_with_file_and_line)
{
    const TemporaryFolder folder;
    const auto said = [&folder](const std::string& text, const std::string& platform = "scc") {
        folder.write("a.goal", text);
        return refusal({"run", platform, "--workload", "replay:goal=a.goal", "--store", "store"});
    };
    const std::string head = "num_ranks 2\nrank 0 {\n";
    const std::string missing = said(head + "r: recv 8b from 1 tag 3\n}\nrank 1 {\nc: calc 1\n}\n");
    BOOST_TEST(contains(missing, "a.goal:3: rank 0 waits for rank 1"), missing);
    const std::string cycle = said(head + "a: calc 1\nb: calc 2\na requires b\nb requires a\n}\nrank 1 {\n}\n");
    BOOST_TEST(contains(cycle, "a cycle of dependencies in rank 0"), cycle);
    BOOST_TEST(contains(cycle, "a.goal:"), cycle);
    BOOST_TEST(contains(said(head + "s: send 8b to 2 tag 0\n}\n"), "a.goal:3: rank 2 does not exist"));
    BOOST_TEST(contains(said(head + "c: calc 1\nc requires d\n}\n"), "a.goal:4: unknown label 'd'"));
    BOOST_TEST(contains(said(head + "c: clac 1\n}\n"), "a.goal:3: unknown operation 'clac'"));
    BOOST_TEST(contains(said(head + "c: calc 1\n"), "rank 0"));
    // Each waits for the other's receive: sends of RCCE do
    const std::string wait = said(head +
                                  "s: send 8b to 1 tag 0\nr: recv 8b from 1 tag 0\nr requires s\n}\nrank 1 {\n"
                                  "s: send 8b to 0 tag 0\nr: recv 8b from 0 tag 0\nr requires s\n}\n");
    BOOST_TEST(contains(wait, "wait for each other"), wait);
    BOOST_TEST(contains(said("num_ranks 65\nrank 64 {\nc: calc 1\n}\n", "ncube-64"), "65 ranks"));
    BOOST_TEST(contains(refusal({"run", "scc", "--workload", "replay:goal=none.goal"}), "goal = none.goal"));
    BOOST_TEST(contains(refusal({"run", "mesh-8x8", "--workload", "replay:packets="}), "packets"));
}

BOOST_AUTO_TEST_CASE(a_recorded_program_takes_the_same_time_again)
{
    const TemporaryFolder folder;
    // A replay has one buffer for all messages: caches hold more of it
    const std::vector<std::string> over{"--library", "deck", "--set", "host.cache=0 B", "--store", "store"};
    std::vector<std::string> recorded{"run",      "deck-cluster", "--workload", "all-to-all:sizes=64,repetitions=1",
                                      "--record", "goal=a.goal",  "--json",     "first.json"};
    recorded.insert(recorded.end(), over.begin(), over.end());
    BOOST_TEST_REQUIRE(ringmesh::test::ringmesh(recorded).status == 0);
    std::vector<std::string> replayed{"run",    "deck-cluster", "--workload", "replay:goal=a.goal",
                                      "--json", "again.json"};
    replayed.insert(replayed.end(), over.begin(), over.end());
    const Ended again = ringmesh::test::ringmesh(replayed);
    BOOST_TEST_REQUIRE(again.status == 0, again.err);
    const auto simulated = [](const std::string& file) {
        return nlohmann::json::parse(read_file(file))["simulated_ns"].get<double>();
    };
    BOOST_TEST(simulated("again.json") == simulated("first.json"));
}

BOOST_DATA_TEST_CASE(recorded_packets_arrive_at_the_same_picosecond_again,
                     data::make({"mesh-8x8", "mesh-8x8 --set mesh.detail=path", "wulfkit-ring",
                                 "wulfkit-torus-2d --set topology.dimensions=3x3", "wulfkit-switch", "ncube-64"}),
                     where)
{
    const TemporaryFolder folder;
    const auto packets_of = [&](const std::string& workload, const std::string& more, const std::string& file) {
        const Ended ended = ringmesh::test::ringmesh(
            words(std::string("run ") + where + " --workload " + workload + more + " --packets " + file));
        BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
        std::vector<std::string> arrivals;
        std::string text = read_file(file);
        for (std::size_t begin = text.find('\n') + 1; begin < text.size();) {
            const std::size_t end = text.find('\n', begin);
            arrivals.push_back(text.substr(begin, end - begin));
            begin = end + 1;
        }
        std::sort(arrivals.begin(), arrivals.end());
        return arrivals;
    };
    // A message of a hypercube takes tens of microseconds
    const std::string duration = where[0] == 'n' ? "5ms" : where[0] == 'm' ? "1us" : "20us";
    const auto first =
        packets_of("traffic:load=0.2,warm_up=0us,duration=" + duration, " --record packets=load.csv", "a.csv");
    const auto again = packets_of("replay:packets=load.csv", "", "b.csv");
    BOOST_TEST(first.size() > 20u);
    BOOST_TEST(first == again, tt::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_wrong_in_a_table_of_packets_is_named_with_file_and_line)
{
    const TemporaryFolder folder;
    const auto said = [&folder](const std::string& lines) {
        folder.write("a.csv", "id,time_ns,source,destination,flits,class,waits_for\n" + lines);
        return refusal({"run", "mesh-8x8", "--workload", "replay:packets=a.csv", "--store", "store"});
    };
    BOOST_TEST(contains(said("1,10,0,9,3,,\n2,5,0,9,3,,\n"), "a.csv:3: time_ns = 5"));
    BOOST_TEST(contains(said("1,10,0,64,3,,\n"), "a.csv:2: destination = 64"));
    BOOST_TEST(contains(said("1,10,0,9,3,,2\n2,10,0,9,3,,\n"), "a.csv:2: waits_for = 2"));
    BOOST_TEST(contains(said("5,10,0,9,3,,\n7,10,0,9,3,,6\n"), "a.csv:3: waits_for = 6"));
    BOOST_TEST(contains(said("1,10,0,9,3\n"), "a.csv:2: 5 cells"));
    BOOST_TEST(contains(said(""), "no packets"));
}

BOOST_AUTO_TEST_CASE(a_packet_is_born_when_what_it_waits_for_is_there)
{
    const TemporaryFolder folder;
    const auto births = [&folder](const std::string& waits_for) {
        folder.write("a.csv", "id,time_ns,source,destination,flits,class,waits_for\n1,0,0,63,3,,\n2,1,63,0,3,," +
                                  waits_for + "\n");
        const Ended ended =
            ringmesh::test::ringmesh(words("run mesh-8x8 --workload replay:packets=a.csv --packets b.csv"));
        BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
        return read_file("b.csv");
    };
    BOOST_TEST(births("") != births("1"));
}

BOOST_AUTO_TEST_CASE(inputs_mean_the_same_however_an_editor_has_saved_them)
{
    const TemporaryFolder folder;
    const std::string packets = "id,time_ns,source,destination,bytes\n# none\n1,0,0,1,64\n2,5,1,2,64\n";
    const auto results = [&](const std::string& arguments, const auto& form) {
        folder.write("a.goal", form(there_and_back(1000)));
        folder.write("a.csv", form(packets));
        folder.write("nodes", form("3\n1 # of two\n"));
        const Ended ended = ringmesh::test::ringmesh(words("run " + arguments + " --json - --store store --fresh"));
        BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
        return nlohmann::json::parse(ended.out)["results"]["rows"];
    };
    const auto as_it_is = [](const std::string& text) { return text; };
    for (const char* const arguments :
         {"deck-cluster --workload replay:goal=a.goal,map=nodes", "wulfkit-ring --workload replay:packets=a.csv"}) {
        BOOST_TEST(results(arguments, as_it_is) == results(arguments, saved_elsewhere));
    }
}

BOOST_AUTO_TEST_CASE(more_packets_at_one_time_than_a_queue_holds_are_refused_with_their_line)
{
    const TemporaryFolder folder;
    std::string lines = "time_ns,source,destination,flits\n";
    for (int i = 0; i < 70'000; ++i) lines += "0,0,1,1\n";
    folder.write("a.csv", lines);
    const std::string said = refusal({"run", "mesh-8x8", "--workload", "replay:packets=a.csv", "--store", "store"});
    const auto line = said.find("a.csv:6");  // 65,536 are held
    BOOST_TEST_REQUIRE(line != std::string::npos, said);
    BOOST_TEST(contains(said, "source 0"));
}

BOOST_AUTO_TEST_CASE(a_program_that_calculates_longer_than_time_can_be_told_is_refused_with_its_line)
{
    const TemporaryFolder folder;
    std::string text = "num_ranks 1\nrank 0 {\n";
    for (int i = 0; i < 12; ++i) text += "calc 1000000000000000\n";
    folder.write("a.goal", text + "}\n");
    BOOST_TEST(contains(refusal(words("run ncube-64 --workload replay:goal=a.goal --store store")), "a.goal:7: "));
}

/// A second message to the same rank before an answer: raw would overwrite the first.
BOOST_AUTO_TEST_CASE(the_first_library_that_can_run_a_program_is_taken)
{
    const TemporaryFolder folder;
    const auto library = [](const char* file) {
        return json_of(std::string("run deck-cluster --workload replay:goal=") + file + " --store store")["library"];
    };
    folder.write("a.goal", there_and_back(10));
    folder.write("b.goal",
                 "num_ranks 2\nrank 0 {\na: send 64b to 1 tag 1\nb: send 64b to 1 tag 1\n}\n"
                 "rank 1 {\na: recv 64b from 0 tag 1\nb: recv 64b from 0 tag 1\n}\n");
    BOOST_TEST(library("a.goal") == "raw");
    BOOST_TEST(library("b.goal") == "deck");
    const std::string said =
        refusal(words("run deck-cluster --workload replay:goal=b.goal --library raw --store store"));
    BOOST_TEST(contains(said, "b.goal:4: "), said);
    BOOST_TEST(contains(said, "deck, scampi"), said);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
