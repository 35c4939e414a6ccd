// SPDX-License-Identifier: Apache-2.0

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

/// The SCC, in the output of the program.
namespace {

using namespace ringmesh::test;
using nlohmann::ordered_json;

constexpr const char* kProbe = "run scc --workload memory-probe:accesses=8";

/// A column of the results of `run scc ...`.
std::vector<double> column_of(const std::string& arguments, const char* column)
{
    const auto json = json_of("run scc " + arguments);
    std::vector<double> numbers;
    for (const auto& row : json["results"]["rows"]) numbers.push_back(row[column]);
    return numbers;
}

/// Means over the memory controllers; statistics not shown are 0.
std::map<std::string, double> memory_statistics(const std::string& arguments)
{
    const auto json = json_of("run scc " + arguments);
    std::map<std::string, double> means{{"row_conflicts", 0}, {"row_hits", 0}, {"waited", 0}};
    for (const auto& each : json["statistics"]) {
        if (each["blocks"] == "mc*") means[each["name"]] = each["mean"];
    }
    return means;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(scc)

BOOST_DATA_TEST_CASE(results_say_which_mesh_made_them, data::make({"path", "flit"}), detail)
{
    const auto json = json_of(std::string(kProbe) + " --set mesh.detail=" + detail);
    for (const auto& row : json["results"]["rows"]) BOOST_TEST(row["mesh"] == detail);
}

BOOST_DATA_TEST_CASE(broadcasts_take_as_long_by_path_as_flit_by_flit, data::make({"cube", "dopl"}), algorithm)
{
    const std::string run = std::string("--library ircce --workload broadcast:algorithm=") + algorithm +
                            ",size=12000,repetitions=1,warm_up=false";
    const double path = column_of(run, "min_cycles").at(0);
    const double flit = column_of("--overlay mesh-flit " + run, "min_cycles").at(0);
    BOOST_TEST(path == flit, boost::test_tools::tolerance(0.01));
    BOOST_TEST(path != flit);  // or it was the same mesh
}

// The defaults before the costs of calls and copies were calibrated anew
BOOST_AUTO_TEST_CASE(counted_costs_give_the_times_of_a_count_of_instructions)
{
    const auto counted = [](const std::string& run, const char* column) {
        return column_of("--overlay rcce-counted-costs " + run, column).at(0);
    };
    const std::string broadcast =
        ":preset=pichler-2012,costs=counted --workload broadcast:size=12000,repetitions=1,"
        "warm_up=false,algorithm=";
    BOOST_TEST(counted("--library rcce" + broadcast + "cube", "min_cycles") == 550518);
    BOOST_TEST(counted("--library ircce" + broadcast + "dopl", "min_cycles") == 309920);
    BOOST_TEST(counted("--library rcce:costs=counted --workload ping-pong:to=1,sizes=32", "round_trip_min_cycles") ==
               1534);
}

BOOST_AUTO_TEST_CASE(on_a_free_mesh_distance_costs_next_to_nothing)
{
    const auto by_distance = [](const std::string& overlay) {
        const auto cycles = column_of(overlay + "--workload memory-probe:target=mpb,accesses=8", "mean_cycles");
        return cycles.back() - cycles.front();
    };
    const double usual = by_distance("");
    BOOST_TEST(usual > 40);
    BOOST_TEST(by_distance("--overlay free-mesh ") < usual / 10);
}

BOOST_AUTO_TEST_CASE(with_free_memory_rows_are_open_and_no_request_queues)
{
    const std::string run =
        "--library ircce --workload broadcast:algorithm=dopl,size=12000,repetitions=1,warm_up=false";
    const auto usual = memory_statistics(run);
    const auto free = memory_statistics("--overlay free-memory-bus " + run);
    BOOST_TEST(usual.at("reads") == free.at("reads"));
    BOOST_TEST(usual.at("row_conflicts") > usual.at("row_hits"));
    BOOST_TEST(10 * free.at("row_conflicts") < free.at("row_hits"));
    BOOST_TEST(3 * free.at("waited") < usual.at("waited"));
}

BOOST_DATA_TEST_CASE(a_waveform_of_a_busy_chip_changes_nothing, data::make({"path", "flit"}) * data::make({"3", "20"}),
                     detail, contenders)
{
    const TemporaryFolder folder;
    const std::string run =
        std::string(kProbe) + ",contenders=" + contenders + " --set mesh.detail=" + detail + " --no-wall-time --json -";
    const Ended plain = ringmesh::test::ringmesh(words(run));
    const Ended watched = ringmesh::test::ringmesh(words(run + " --vcd run.vcd"));
    BOOST_TEST_REQUIRE(watched.status == 0, watched.err);
    BOOST_TEST(plain.out == watched.out);
}

BOOST_AUTO_TEST_CASE(a_waveform_shows_queues_links_the_buffers_port_and_flags)
{
    const TemporaryFolder folder;
    const Ended watched =
        ringmesh::test::ringmesh(words(std::string(kProbe) + ",contenders=5 --vcd run.vcd --window 0us..5us"));
    BOOST_TEST_REQUIRE(watched.status == 0, watched.err);
    const std::string vcd = read_file("run.vcd");
    for (const std::string scope : {"mesh", "r0_0", "tile0", "core0", "mc0"}) {
        BOOST_TEST(contains(vcd, "$scope module " + scope + " $end"), scope);
    }
    BOOST_TEST(contains(read_file("run.gtkw"), "tile0"));
}

BOOST_AUTO_TEST_CASE(validate_finds_five_measured_points_within_their_tolerance_and_misses_two)
{
    const Ended ended = ringmesh::test::ringmesh(words("validate scc --part latency --json -"));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    const auto json = ordered_json::parse(ended.out);
    std::map<std::string, std::string> measured;  // by [BF], on silicon
    for (const auto& row : json["rows"]) {
        if (row["kind"] == "measured") measured[row["id"]] = row["within_tolerance"];
    }
    const std::map<std::string, std::string> expected{
        {"scc.mpb_read.own_bypass", "yes"}, {"scc.mpb_read.hops1", "yes"},
        {"scc.mpb_read.hops8", "no"},       {"scc.mpb_write_line.own_bypass", "yes"},
        {"scc.mpb_write_line.hops1", "no"}, {"scc.mpb_write_line.hops8", "yes"},
        {"scc.memory_read.hops0", "yes"}};
    BOOST_TEST((measured == expected));
}

BOOST_AUTO_TEST_CASE(validate_finds_that_ping_pong_grows_with_distance_and_steps_at_the_payload)
{
    const TemporaryFolder folder;
    // Tables go to standard output alone, and --full changes nothing where nothing is long
    const Ended ended =
        ringmesh::test::ringmesh(words("validate scc --part ping-pong --full --json rows.json --tables -"));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    const auto json = ordered_json::parse(read_file("rows.json"));
    unsigned judged = 0;
    for (const auto& row : json["rows"]) judged += row["within_tolerance"] == "yes" ? 1U : 0U;
    BOOST_TEST(judged == 5u);
    BOOST_TEST(json["left_out"].empty());
    BOOST_TEST(ended.out.starts_with(
                   "# RCCE: shortest round trips of core 0, 533/800/800 MHz\nmessage (bytes),0 hops (cycles),"),
               ended.out);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
