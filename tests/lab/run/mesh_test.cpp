// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/program.h"

/// A mesh under traffic, in the output of the program.
namespace {

using namespace ringmesh::test;
using nlohmann::ordered_json;

constexpr const char* kSmall = "mesh-8x8 --set mesh.columns=3 --set mesh.rows=2 --workload traffic:duration=300cycles,";

/// Progress goes to standard error.
std::string output_of(const std::string& arguments)
{
    const Ended ended = ringmesh::test::ringmesh(words(arguments));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    return ended.out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(mesh)

BOOST_AUTO_TEST_CASE(results_as_json_say_which_detail_made_them)
{
    for (const std::string detail : {"flit", "path"}) {
        const auto json = ordered_json::parse(output_of(
            std::string("run ") + kSmall + "load=0.5 --set mesh.detail=" + detail + " --no-wall-time --json -"));
        const auto& row = json["results"]["rows"][0];
        for (const auto& [name, value] : row.items()) {
            BOOST_TEST(value.is_null() == (name == "transaction_mean_ns"), name);  // packets of a mesh have no response
        }
        bool said = false;
        for (const auto& note : json["results"]["notes"]) {
            said = said || note.get<std::string>().starts_with("detail " + detail + ": ");
        }
        BOOST_TEST(said);
    }
}

BOOST_AUTO_TEST_CASE(a_record_says_when_the_load_is_too_high_for_its_detail)
{
    const auto doubted = [](const std::string& changes) {
        const auto json = ordered_json::parse(output_of(std::string("run ") + kSmall + changes + " --json -"));
        const auto& notes = json["results"]["notes"];
        return std::any_of(notes.begin(), notes.end(), [](const ordered_json& note) {
            return note.get<std::string>().starts_with("mesh by path, beyond what it is good for: ");
        });
    };
    BOOST_TEST(!doubted("load=0.1 --set mesh.detail=path"));
    BOOST_TEST(doubted("pattern=hot-spot,load=1 --set mesh.detail=path"));
    BOOST_TEST(!doubted("pattern=hot-spot,load=1"));
}

BOOST_AUTO_TEST_CASE(a_waveform_has_links_and_fills_and_a_view)
{
    const TemporaryFolder folder;
    const std::string plain = output_of(std::string("run ") + kSmall + "load=0.5 --no-wall-time --json -");
    const std::string watched =
        output_of(std::string("run ") + kSmall + "load=0.5 --no-wall-time --json - --vcd run.vcd");
    BOOST_TEST(plain == watched);
    const std::string vcd = read_file("run.vcd");
    const std::string view = read_file("run.gtkw");
    BOOST_TEST(contains(vcd, "$scope module r1_0 $end"));
    BOOST_TEST(contains(vcd, " east $end\n"));
    BOOST_TEST(contains(vcd, " local_requests_fill $end\n"));
    BOOST_TEST(contains(vcd, "srequest "));
    for (const std::string name :
         {"mesh.r1_0.east", "mesh.r0_0.fill", "mesh.r2_1.local_requests_fill", "source0_1.requests_fill"}) {
        BOOST_TEST(contains(view, name + "[31:0]\n") != contains(view, name + '\n'), name);
    }
    BOOST_TEST(!contains(vcd, "r2_0.east"));  // the edge of the mesh: no link
}

BOOST_AUTO_TEST_CASE(a_search_without_a_workload_takes_that_of_the_machine)
{
    const auto json = ordered_json::parse(output_of(
        "saturate mesh-8x8 --set mesh.columns=2 --set mesh.rows=2 --set mesh.detail=path --longest 4 --json -"));
    BOOST_TEST(json["workload"] == "traffic");
    for (const auto& point : json["points"]) {
        BOOST_TEST(point.contains("accepted_load"));
        BOOST_TEST(!point.contains("blink_use_highest"));
    }
}

// Two nodes and a link each way: a load of 1 is what the links carry, and all of it is accepted.
BOOST_AUTO_TEST_CASE(two_nodes_never_saturate)
{
    const std::string text = output_of(
        "saturate mesh-8x8 --set mesh.columns=2 --set mesh.rows=1 --workload "
        "traffic:arrivals=periodic,duration=500cycles");
    BOOST_TEST(text.starts_with("The network is not saturated up to load 1"));
    BOOST_TEST(contains(text, "load: flits per sending"));
}

// A packet of 5 flits of 16 bytes in 25 cycles: 80 bytes * 9.95 GHz / 25.
BOOST_AUTO_TEST_CASE(traffic_on_a_clock_of_no_whole_picoseconds_has_its_load_and_its_cycles)
{
    const auto row_of = [](const std::string& clock, const std::string& options) {
        const auto json = ordered_json::parse(output_of(
            "run mesh-8x8 --set mesh.clock=" + clock + " --workload traffic:load=0.2,flits=5" + options + " --json -"));
        return json["results"]["rows"][0];
    };
    const auto row = row_of("9.95GHz", "");
    BOOST_TEST(row["offered_mb_per_s"].get<double>() == 31'840, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(std::abs(row["latency_mean_cycles"].get<double>() - 42.52) <= 0.01);
    const auto periodic = row_of("9.95GHz", ",arrivals=periodic,duration=100000cycles");
    // 4000 packets of each of 64 sources, and what is on its way at both ends
    BOOST_TEST(periodic["accepted_load"].get<double>() == 0.2, boost::test_tools::tolerance(1e-3));
    // In cycles as at a clock of whole picoseconds
    const auto whole = row_of("10GHz", "");
    BOOST_TEST(row["latency_mean_cycles"].get<double>() == whole["latency_mean_cycles"].get<double>(),
               boost::test_tools::tolerance(5e-3));
}

// Order, writing, and a value that is the default's do not matter.
BOOST_AUTO_TEST_CASE(what_a_run_prints_does_not_depend_on_how_it_was_asked)
{
    const std::vector<std::vector<std::string>> alike{
        {"mesh-8x8 --set mesh.columns=3 --set mesh.rows=2 --workload traffic:load=0.05,duration=300cycles",
         "mesh-8x8 --set mesh.rows=2 --set mesh.columns=3 --workload traffic:duration=300cycles,load=0.050",
         "mesh-8x8 --set mesh.clock=1.0GHz --set mesh.rows=2 --set mesh.columns=3 --workload "
         "traffic:load=5e-2,pattern=uniform,duration=0300cycles,packets=0,rate=auto"},
        {"wulfkit-ring --set topology.dimensions=2x2 --workload ping-pong:sizes=64..128/64,repetitions=2 --set "
         "lc2.bypass=24cycles",
         "wulfkit-ring --set lc2.bypass=24cycles --set topology.dimensions=[2,2] --set node1.lc2.bypass=24cycles "
         "--workload ping-pong:repetitions=2,sizes=64..128step64,series=5 --library raw"},
    };
    for (const auto& questions : alike) {
        for (const std::string format : {"", " --json - --no-wall-time", " --csv - "}) {
            const std::string first = output_of("run " + questions.front() + format);
            for (const std::string& question : questions) BOOST_TEST(output_of("run " + question + format) == first);
        }
    }
    const std::string title =
        "traffic:load=0.05,duration=300 cycles on mesh-8x8, mesh.columns=3, mesh.rows=2, seed 1\n";
    BOOST_TEST(contains(output_of("run " + alike[0][2]), "\n" + title));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
