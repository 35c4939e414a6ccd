// SPDX-License-Identifier: Apache-2.0
/// The NCUBE as a user meets it: mistakes word for word, and the signals of a waveform.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "tests/lab/program.h"
#include "tests/platforms/temporary_folder.h"

namespace {

namespace data = boost::unit_test::data;
using ringmesh::test::contains;
using ringmesh::test::Ended;
using ringmesh::test::read_file;
using ringmesh::test::TemporaryFolder;
using ringmesh::test::words;

struct Mistake {
    const char* arguments;
    const char* message;
};

std::ostream& operator<<(std::ostream& stream, const Mistake& mistake) { return stream << mistake.arguments; }

#define STREAM "--workload stream:quiet=true,"

const std::vector<Mistake> kMistakes{
    {"--set topology.dimension=11 --workload vertex-timing",
     "--set topology.dimension=11: topology.dimension = 11 is above 10, the largest allowed value; write a value from "
     "0 "
     "to 10"},
    {"--set topology.dimension=-1 --workload vertex-timing",
     "--set topology.dimension=-1: topology.dimension = -1 is below 0, the smallest allowed value; write a value from "
     "0 to 10"},
    {"--set topology.dimension=0 --workload chain", "chain needs two ranks, and 1 is there; take a larger machine"},
    {"--set topology.dimension=1 --workload vertex-timing",
     "vertex-timing: a cube of dimension 1 is too small: node 0 needs two neighbours; set topology.dimension to 2 or "
     "more"},
    {STREAM "to=64", "stream: this machine has no rank to = 64; choose one of 0 to 63"},
    {STREAM "sizes=600000",
     "node 0: 600000 bytes do not fit into the program's memory; use fewer, or raise memory.size"},
    {"--set vertex.buffer_memory=300KiB --workload vertex-timing",
     "--set vertex.buffer_memory=300KiB: vertex.buffer_memory = \"300KiB\": programs need at least half of "
     "memory.size; write 256 KiB or less"},
    {"--set vertex.buffer_memory=1KiB --workload vertex-timing:trials=2",
     "nwrite on node 0 to 1: a message of 1500 bytes is longer than the memory for buffers, 1024 bytes; write a "
     "shorter one, or raise vertex.buffer_memory"},
    {"--set topology.dimension=1 --set vertex.buffer_memory=64B " STREAM "messages=10,sizes=32",
     "receiving on node 1: no system buffer for message 4 of 32 bytes from node 0 to 1 (type 1): 64 of 64 bytes are "
     "taken, 1 message is unread; read sooner, write fewer or smaller messages, raise vertex.buffer_memory, or set "
     "vertex.full_buffers = wait, with which nodes may deadlock"},
    {"--workload vertex-timing:sizes=9000,trials=1",
     "vertex-timing: the computations, 3429 us the short one, do not cover the transfers of messages of 9000 bytes; "
     "raise integer_turn or float_turn, or write smaller sizes"},
    {"--set channel.byte=20cycles --set topology.dimension=3 --workload vertex-timing:trials=1,sizes=2000",
     "vertex-timing: the computations, 3429 us the short one, do not cover the transfers of messages of 2000 bytes; "
     "raise integer_turn or float_turn, or write smaller sizes"},
    {"--set vertex.copy=20 --set topology.dimension=3 --workload vertex-timing:trials=1,sizes=2000",
     "vertex-timing: the computations, 3429 us the short one, do not cover the transfers of messages of 2000 bytes; "
     "raise integer_turn or float_turn, or write smaller sizes"},
    {"--workload vertex-timing:measure=channels,channel_bytes=20000,channel_blocks=1",
     "vertex-timing: no message of 20000 bytes came while node 0 computed; raise channel_blocks, or write smaller "
     "channel_bytes"},
    {"--workload traffic:pattern=tornado",
     "traffic: pattern = tornado: needs rings of 3 nodes or more, and this machine has 2x2x2x2x2x2; choose another "
     "pattern"},
    {"--workload traffic:size=8",
     "traffic: size = 8: not a whole number from 16 to 43690; write size=1024, or leave it out"},
    {"--workload latency-map:between=processors",
     "latency-map: between = processors: needs PCs with SCI cards, and this platform is none; write between=sources"},
    {"--workload latency-map:stores=mmx",
     "latency-map: stores is given, and only latencies between processors have it; leave it out"},
    {"--workload latency-map:flits=2", "latency-map: flits = 2: the packets of this network have size; leave it out"},
    {"--workload traffic:self=true", "traffic: self = true: no node of this network sends to itself; leave it out"},
};

/// One buffer at each node, and every node writes before it reads: requests wait in a circle.
constexpr const char* kDeadlock =
    "run ncube-64 --set topology.dimension=3 --set vertex.buffer_memory=64B --workload "
    "all-to-all:quiet=true,overlap=true,sizes=60";

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(ncube)

// On a square bit-complement gives each channel as many messages as a node sends.
BOOST_AUTO_TEST_CASE(a_search_on_channels_tells_their_load)
{
    const Ended ended =
        ringmesh::test::ringmesh(words("saturate ncube-64 --set topology.dimension=2 --workload "
                                       "traffic:pattern=bit-complement,size=16,duration=200000cycles --json -"));
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
          "wulfkit-torus-2d --workload "
          "latency-map:from=-1,between=sources --set topology.dimensions=2x4",
          "wulfkit-switch --workload "
          "latency-map:from=-1,between=sources,inject=blink"}) {
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

BOOST_DATA_TEST_CASE(a_mistake_is_named_with_its_cure, data::make(kMistakes), mistake)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(words("run ncube-64 " + std::string(mistake.arguments)));
    BOOST_TEST(ended.err == "ringmesh: " + std::string(mistake.message) + "\n");
    BOOST_TEST(ended.out == "");
    BOOST_TEST(ended.status == 2);
}

BOOST_AUTO_TEST_CASE(another_machine_has_no_vertex)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(words("run wulfkit-ring --workload vertex-timing"));
    BOOST_TEST(
        ended.err ==
        "ringmesh: vertex-timing runs over a library for an NCUBE hypercube, and wulfkit-ring offers PCs with SCI "
        "cards and a network with packet sources; run it on ncube-64\n");
    BOOST_TEST(ended.status == 2);
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
