// SPDX-License-Identifier: Apache-2.0
/// Traffic beside a workload, in the output of the program.
#include <boost/test/unit_test.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh::test;
using nlohmann::ordered_json;

/// A program, a probe or a replay on each sort of machine, and a latency of it that load raises.
struct LoadedCase {
    std::string machine;
    std::string workload;
    std::string column;
    std::string load;  ///< of the background
};
const std::vector<LoadedCase> kLoadedCases{
    {"wulfkit-ring --set topology.dimensions=4", "ping-pong:sizes=64,repetitions=60", "latency_avg_ns", "load=0.3"},
    {"wulfkit-torus-2d --set topology.dimensions=3x3", "ping-pong:sizes=64,repetitions=60", "latency_avg_ns",
     "load=0.3"},
    {"wulfkit-switch", "ping-pong:sizes=64,repetitions=60", "latency_avg_ns", "load=0.3"},
    {"wulfkit-ring --set topology.dimensions=8", "latency-map:between=processors,from=-1", "latency_mean_ns",
     "load=0.3"},
    {"deck-cluster", "ping-pong:sizes=64,repetitions=20", "latency_avg_ns", "load=0.3"},
    {"scc", "ping-pong:sizes=64,repetitions=60,to=47", "latency_avg_ns", "load=0.4,flits=9"},
    {"scc --set mesh.detail=flit", "ping-pong:sizes=64,repetitions=20,to=47", "latency_avg_ns", "load=0.3,flits=5"},
    {"wulfkit-ring --set topology.dimensions=8", "latency-map:between=sources,from=-1", "latency_mean_ns", "load=0.3"},
    {"mesh-8x8 --set mesh.columns=4 --set mesh.rows=4", "latency-map:from=-1", "latency_mean_ns", "load=0.3"},
    {"mesh-8x8", "traffic:pattern=tornado,load=0.05", "latency_mean_ns", "load=0.3"},
    {"mesh-8x8", "replay:packets=" RINGMESH_SOURCE_DIR "/traces/examples/transpose-8x8.csv", "last_delivery_ns",
     "load=0.3"},
    {"ncube-64 --set topology.dimension=3", "latency-map:from=-1", "latency_mean_ns", "load=0.3"},
};

std::ostream& operator<<(std::ostream& out, const LoadedCase& one)
{
    return out << one.workload << " on " << one.machine;
}

ordered_json loaded_row(const LoadedCase& one, const std::string& options)
{
    return json_of("run " + one.machine + " --workload " + one.workload + options)["results"]["rows"][0];
}

/// Of a run, which also writes on standard error.
std::string text_of_run(const std::string& arguments)
{
    const Ended ended = ringmesh::test::ringmesh(words(arguments));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    return ended.out;
}

double number_in(const ordered_json& row, const std::string& column) { return row.at(column).get<double>(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(background)

BOOST_DATA_TEST_CASE(a_workload_is_slower_under_load_and_hardly_so_under_a_tiny_one, data::make(kLoadedCases), one)
{
    const double alone = number_in(loaded_row(one, ""), one.column);
    const auto tiny = loaded_row(one, " --background traffic:load=0.001");
    const auto loaded = loaded_row(one, " --background traffic:" + one.load);
    BOOST_TEST(number_in(tiny, one.column) == alone, boost::test_tools::tolerance(0.01));
    BOOST_TEST(number_in(loaded, one.column) > 1.02 * alone);
    BOOST_TEST(loaded_row(one, " --fresh --background traffic:" + one.load) == loaded);
}

BOOST_DATA_TEST_CASE(a_network_that_is_not_saturated_accepts_what_the_background_offers,
                     data::make({"wulfkit-ring", "scc", "mesh-8x8"}), machine)
{
    const std::string workload = std::string(machine) == "mesh-8x8" ? "latency-map" : "ping-pong:sizes=64";
    const auto results = json_of(std::string("run ") + machine + " --workload " + workload +
                                 " --background traffic:load=0.1")["results"];
    for (const auto& row : results["rows"]) {
        BOOST_TEST(number_in(row, "background_offered_load") == 0.1);
        BOOST_TEST(number_in(row, "background_accepted_load") == 0.1, boost::test_tools::tolerance(0.1));
        BOOST_TEST(number_in(row, "background_accepted_part") == 1.0, boost::test_tools::tolerance(0.02));
        BOOST_TEST(number_in(row, "background_latency_p999_ns") >= number_in(row, "background_latency_p50_ns"));
    }
    BOOST_TEST(!results.contains("doubt"));
}

BOOST_AUTO_TEST_CASE(a_background_beyond_what_the_network_carries_is_a_doubt_of_the_workload)
{
    const auto results =
        json_of("run scc --workload ping-pong:sizes=64,to=47,repetitions=10 --background traffic:load=0.9")["results"];
    BOOST_TEST(results.at("doubt").get<std::string>() == "background saturated");
}

BOOST_AUTO_TEST_CASE(several_backgrounds_are_classes_with_columns_and_priorities_of_their_own)
{
    const std::string run =
        "run mesh-8x8 --workload traffic:load=0.05 --background traffic:load=0.1,pattern=tornado "
        "--background traffic:load=0.05,flits=4,pattern=transpose --set mesh.arbitration=";
    const auto equal = json_of(run + "round-robin")["results"]["rows"][0];
    const auto ranked = json_of(run + "stream-first")["results"]["rows"][0];
    for (const auto& row : {equal, ranked}) {
        BOOST_TEST(number_in(row, "background_accepted_load") == 0.1, boost::test_tools::tolerance(0.02));
        BOOST_TEST(number_in(row, "background2_accepted_load") == 0.05, boost::test_tools::tolerance(0.05));
    }
    BOOST_TEST(number_in(ranked, "latency_mean_ns") < number_in(equal, "latency_mean_ns"));
    BOOST_TEST(number_in(ranked, "background2_latency_mean_ns") > number_in(equal, "background2_latency_mean_ns"));
}

BOOST_AUTO_TEST_CASE(sweeps_and_studies_have_its_load_as_an_axis)
{
    const TemporaryFolder folder;
    const auto points = [](const std::string& command) {
        std::vector<double> loads;
        const auto table = ordered_json::parse(text_of_run(command + " --json -"));
        for (const auto& row : table["rows"]) loads.push_back(number_in(row, "background_offered_load"));
        return loads;
    };
    const std::vector<double> expected{0.1, 0.2};
    BOOST_TEST(points("sweep wulfkit-ring --workload ping-pong:sizes=64 --background traffic:pattern=uniform --axis "
                      "options.background.load=0.1,0.2") == expected,
               boost::test_tools::per_element());
    folder.write("study.toml",
                 "[test.loaded]\nplatform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\n"
                 "options = { sizes = \"64\" }\nbackground = \"traffic:pattern=uniform\"\n"
                 "axes.options.background.load = [0.1, 0.2]\n");
    const auto study = ordered_json::parse(text_of_run("study run " + folder.path().string() + " --json -"));
    BOOST_TEST(study["rows"][0]["done"] == 2);
}

BOOST_AUTO_TEST_CASE(text_csv_and_report_have_the_columns_of_json_and_the_answer_names_what_is_accepted)
{
    const TemporaryFolder folder;
    const std::string run = "run wulfkit-ring --workload ping-pong:sizes=64 --background traffic:load=0.1 ";
    const std::string csv = text_of_run(run + "--csv - --report page.html");
    const std::string page = read_file("page.html");
    const auto json = json_of(run);
    for (const auto& [name, value] : json["results"]["rows"][0].items()) {
        BOOST_TEST(contains(csv, name), name);
        BOOST_TEST(contains(page, name), name);
    }
    BOOST_TEST(contains(csv, "background_accepted_load"));
    const std::string text = text_of_run(run);
    BOOST_TEST(contains(text, "background latency p999"));
    BOOST_TEST(contains(text.substr(0, text.find("\n\n")), "background offers a load of 0.1"));
}

BOOST_DATA_TEST_CASE(what_cannot_be_is_refused_before_the_run,
                     data::make({"ncube-64 --workload ping-pong --background traffic:load=0.1",
                                 "wulfkit-ring --workload ping-pong --background ping-pong",
                                 "wulfkit-ring --workload ping-pong --background traffic:pattern=all-to-all",
                                 "wulfkit-ring --workload ping-pong --background traffic:inject=link",
                                 "wulfkit-ring --workload ping-pong --background traffic:duration=5us",
                                 "wulfkit-ring --workload ping-pong --background traffic:packets=5",
                                 "wulfkit-ring --workload ping-pong --background traffic:show=pairs",
                                 "wulfkit-ring --workload ping-pong --background traffic:load=30",
                                 "wulfkit-ring --workload ping-pong:background2.load=0.1",
                                 "mesh-8x8 --workload traffic:pattern=all-to-all,show=pairs",
                                 "mesh-8x8 --workload traffic:show=messages"}),
                     arguments)
{
    BOOST_TEST(ringmesh::test::ringmesh(words(std::string("run ") + arguments)).status == 2);
}

/// Of each kind of source, requests and responses.
BOOST_DATA_TEST_CASE(
    packets_and_explain_tell_the_background_from_the_workload,
    data::make({"wulfkit-ring --set topology.dimensions=4 --workload ping-pong:sizes=64,repetitions=30",
                "scc --workload ping-pong:sizes=64,repetitions=5,series=1,to=47",
                "mesh-8x8 --workload traffic:pattern=tornado,load=0.05,duration=2us",
                "ncube-64 --set topology.dimension=3 --workload latency-map:from=-1"}),
    run)
{
    const TemporaryFolder folder;
    const std::string loaded = std::string(run) + " --background traffic:load=0.3";
    text_of_run("run " + loaded + " --packets packets.csv");
    std::map<std::string, int> lines;
    std::istringstream packets(read_file("packets.csv"));
    for (std::string line; std::getline(packets, line);) ++lines[line.substr(line.rfind(',') + 1)];
    lines.erase("stream");
    BOOST_TEST(lines.size() == 2u);
    BOOST_TEST(lines["workload"] > 10);
    BOOST_TEST(lines["background"] > 10);
    const auto json = ordered_json::parse(out_of("explain " + loaded + " --slowest 1000 --json -"));
    std::map<bool, int> legs;
    for (const auto& leg : json["legs"]) ++legs[contains(leg["name"].get<std::string>(), " of background")];
    BOOST_TEST(legs[true] > 0);
    BOOST_TEST(legs[true] <= lines["background"]);
    BOOST_TEST(legs[false] <= lines["workload"]);
    const std::string said = ' ' + std::to_string(legs[true]) + " are of the background.";
    BOOST_TEST(contains(json["answer"].dump(), said), json["answer"].dump());
}

/// It says how long loading takes.
BOOST_AUTO_TEST_CASE(a_workload_that_ends_before_the_network_is_loaded_is_told_when_it_would_be)
{
    const auto json = json_of(
        "run scc --workload ping-pong:sizes=64,repetitions=1,series=1 --background traffic:load=0.1,warm_up=1ms");
    bool found = false;
    for (const auto& note : json["results"]["notes"]) {
        const std::string text = note;
        found = found || (contains(text, "background.warm_up") && contains(text, "1 ms"));
    }
    BOOST_TEST(found, json["results"]["notes"].dump());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
