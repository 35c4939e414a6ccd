// SPDX-License-Identifier: Apache-2.0
/// The NCUBE as a user meets it: deadlocks, results, and the signals of a waveform.
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"
#include "tests/traces/read_vcd.h"

namespace {

using namespace ringmesh::literals;
using ringmesh::test::contains;
using ringmesh::test::Ended;
using ringmesh::test::read_file;
using ringmesh::test::TemporaryFolder;
using ringmesh::test::words;

/// One buffer at each node, and every node writes before it reads: requests wait in a circle. With requests of 16 bytes
/// refusals would follow each other so closely that no program gets to its read.
constexpr const char* kDeadlock =
    "run ncube-64 --set topology.dimension=3 --set vertex.buffer_memory=64B --set vertex.request=128B --workload "
    "all-to-all:quiet=true,overlap=true,sizes=60";

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(ncube)

// On a square bit-complement gives each channel as many messages as a node sends.
BOOST_AUTO_TEST_CASE(a_search_on_channels_tells_their_load)
{
    const Ended ended = ringmesh::test::ringmesh(
        words("saturate ncube-64 --set topology.dimension=2 --workload "
              "traffic:pattern=bit-complement,size=16,duration=200000cycles --longest 4 --json -"));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    const auto json = nlohmann::ordered_json::parse(ended.out);
    for (const auto& point : json["points"]) {
        BOOST_TEST(!point.contains("blink_use_highest"));
        if (point["load"] == 0.5) BOOST_TEST(std::abs(point["link_use_highest"].get<double>() - 0.5) < 0.05);
    }
}

BOOST_AUTO_TEST_CASE(latencies_of_sources_are_mapped_on_every_network)
{
    for (const std::string platform :
         {"ncube-64 --set topology.dimension=3", "mesh-8x8 --set mesh.columns=2 --set mesh.rows=4", "scc",
          "wulfkit-ring --workload latency-map:from=-1,between=sources",
          "wulfkit-torus-2d --workload latency-map:from=-1,between=sources --set topology.dimensions=2x4",
          "wulfkit-switch --workload latency-map:from=-1,between=sources,inject=blink"}) {
        const bool workload = contains(platform, "--workload");
        const Ended ended = ringmesh::test::ringmesh(words(
            "run " + platform + (workload ? "" : " --workload latency-map:from=-1") + " --json - --no-wall-time"));
        BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
        const auto row = nlohmann::ordered_json::parse(ended.out)["results"]["rows"][0];
        const std::int64_t nodes = platform == "scc" ? 24 : 8;
        BOOST_TEST(row["pairs"] == nodes * (nodes - 1), platform);
        BOOST_TEST(row["latency_min_ns"] < row["latency_max_ns"], platform);
    }
}

BOOST_DATA_TEST_CASE(a_deadlock_ends_the_run_and_names_each_node_and_its_call, data::make({"wait", "repeat"}), policy)
{
    const TemporaryFolder folder;
    const Ended ended =
        ringmesh::test::ringmesh(words(kDeadlock + std::string(" --set vertex.full_buffers=") + policy));
    for (int node = 0; node < 8; ++node) {
        const std::string line =
            "node" + std::to_string(node) + ".cpu: all-to-all waits in nread: a message of type 1 from any node; ";
        BOOST_TEST((ended.err.find(line) != std::string::npos), ended.err);
    }
    BOOST_TEST(ended.out == "");
    BOOST_TEST(ended.status == 3);
}

/// The last stretch is the end of a longer one.
BOOST_DATA_TEST_CASE(a_deadlocked_run_keeps_its_last_microseconds, data::make({"wait", "repeat"}), policy)
{
    const TemporaryFolder folder;
    const auto stopped = [&](const std::string& span) {
        const Ended ended = ringmesh::test::ringmesh(words(kDeadlock + std::string(" --set vertex.full_buffers=") +
                                                           policy + " --vcd " + span + ".vcd --window last:" + span +
                                                           " --status status.json --packets packets.csv"));
        BOOST_TEST(contains(read_file(span + ".vcd"), "$comment interrupted at "));
        BOOST_TEST(contains(read_file("packets.csv"), "\n# interrupted at "));
        BOOST_TEST(ended.status == 3);
        BOOST_TEST(contains(ended.err, "waveform in " + span + ".vcd; "), ended.err);
        return ringmesh::test::read_vcd(span + ".vcd");
    };
    const auto longer = stopped("5ms");
    const auto last = stopped("200us");
    const auto status = nlohmann::json::parse(read_file("status.json"));
    BOOST_TEST(status["state"] == "stuck");
    const auto end = ringmesh::Duration::picoseconds(std::llround(status["simulated_ns"].get<double>() * 1000));
    const auto begin = end - 200_us;
    BOOST_TEST_REQUIRE(last.size() == longer.size());
    std::size_t before = 0, within = 0;
    for (const auto& [signal, changes] : longer) {
        ringmesh::test::Changes expected;
        for (const auto& change : changes) {
            if (change.first > begin) {
                expected.push_back(change);
                ++within;
            } else {  // the last one is the value at the beginning
                before += expected.size();
                expected.assign(1, {begin, change.second});
            }
        }
        BOOST_TEST((last.at(signal) == expected), signal);
    }
    BOOST_TEST(before > 10u);
    BOOST_TEST(within > 10u);
}

/// Nodes 0 and 1 wait for each other's buffer; 2 has no partner and computes.
BOOST_AUTO_TEST_CASE(computations_on_other_nodes_do_not_hide_a_deadlock)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(
        words("run ncube-64 --set topology.dimension=2 --set vertex.buffer_memory=64B --set vertex.full_buffers=wait "
              "--workload exchange:quiet=true,overlap=true,sizes=60,ranks=3"));
    BOOST_TEST(ended.status == 3);
    BOOST_TEST((ended.err.find("node1.cpu: exchange waits in nread") != std::string::npos), ended.err);
    BOOST_TEST((ended.err.find("node2.cpu") == std::string::npos), ended.err);
}

BOOST_AUTO_TEST_CASE(results_end_with_the_six_lines)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(words("run ncube-64 --workload vertex-timing:trials=5"));
    BOOST_TEST(ended.status == 0, ended.err);
    BOOST_TEST((ended.out.find("least-squares lines over n bytes, in us: E = ") != std::string::npos), ended.out);
}

/// What the model gave before anything was calibrated beyond words and crossings.
BOOST_AUTO_TEST_CASE(counted_costs_are_those_of_words_and_crossings_alone)
{
    const TemporaryFolder folder;
    const auto row = [](const std::string& workload, std::size_t number) {
        const Ended ended = ringmesh::test::ringmesh(
            words("run ncube-64 --overlay counted-costs --set topology.dimension=3 --json - --workload " + workload));
        BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
        return nlohmann::json::parse(ended.out)["results"]["rows"].at(number);
    };
    const auto times = row("vertex-timing:trials=20,sizes=16", 0);
    for (const auto& [time, us] : {std::pair{"E_us", 243.200},
                                   {"R_us", 180.472},
                                   {"S_us", 153.600},
                                   {"F_us", 101.103},
                                   {"U_us", 64.104},
                                   {"A_us", 42.758}}) {
        BOOST_TEST(times[time].get<double>() == us, boost::test_tools::tolerance(1e-4));
    }
    const auto two = row("vertex-timing:measure=channels,channel_blocks=10", 0);
    BOOST_TEST(two["slowdown"].get<double>() == 1.18468, boost::test_tools::tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(a_waveform_changes_nothing)
{
    const TemporaryFolder folder;
    const std::string run =
        "run ncube-64 --set topology.dimension=3 --workload all-to-all:overlap=true,sizes=40 --no-wall-time --json -";
    const Ended plain = ringmesh::test::ringmesh(words(run));
    const Ended watched = ringmesh::test::ringmesh(words(run + " --vcd run.vcd"));
    BOOST_TEST_REQUIRE(watched.status == 0, watched.err);
    BOOST_TEST(plain.out == watched.out);
}

BOOST_AUTO_TEST_CASE(a_waveform_shows_channels_dma_and_interrupt_service_and_its_view_lists_them)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(
        words("run ncube-64 --set topology.dimension=1 --workload chain:sizes=100 --vcd run.vcd"));
    BOOST_TEST(ended.status == 0);
    const std::string wave = read_file("run.vcd");
    const std::string view = read_file("run.gtkw");
    for (const char* word : {"sdata ", "scontrol ", "sinterrupt ", "ssystem "}) {
        BOOST_TEST_CONTEXT(word) { BOOST_TEST((wave.find(word) != std::string::npos)); }
    }
    for (const char* signal : {"node0.channels.out_0", "node1.channels.in_0", "node1.cpu.interrupt_service",
                               "node1.channels.active_dma", "node0.cpu.state"}) {
        BOOST_TEST_CONTEXT(signal) { BOOST_TEST((view.find(signal) != std::string::npos)); }
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
