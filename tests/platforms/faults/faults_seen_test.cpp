// SPDX-License-Identifier: Apache-2.0
/// Each fault that a block knows is seen by its word: in a waveform, a timeline, and in `explain` where it struck a
/// packet.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

/// A fault that strikes in a run.
struct Seen {
    const char* machine;
    const char* run;  ///< workload and library
    const char* block;
    const char* what;
    const char* when;
    bool explained = true;  ///< it strikes a packet, in a run that does not end by it
    friend std::ostream& operator<<(std::ostream& out, const Seen& one)
    {
        return out << one.machine << ' ' << one.what << ' ' << one.run;
    }
    std::vector<std::string> arguments(const char* command) const
    {
        std::vector<std::string> all{command};
        for (const std::string& word : words(std::string(machine) + " --workload " + run)) all.push_back(word);
        all.emplace_back("--fault");
        all.push_back(std::string("where=") + block + ",what=" + what + ",when=" + when);
        return all;
    }
};

constexpr const char* kRing = "traffic:load=0.1,duration=20us --set recovery.echo_timeout=20us";
constexpr const char* kMesh = "traffic:load=0.1,duration=500ns,warm_up=500ns";
constexpr const char* kMeshByPath = "traffic:load=0.1,duration=500ns,warm_up=500ns --set mesh.detail=path";
constexpr const char* kRcce = "ping-pong:ranks=2,repetitions=5,sizes=64 --library rcce";
constexpr const char* kLines = "ping-pong:repetitions=5,sizes=4096 --library rcce";
constexpr const char* kCube = "traffic:duration=200ms,warm_up=10ms --set topology.dimension=3";
constexpr const char* kVertex = "ping-pong:sizes=64,repetitions=5 --set topology.dimension=3";

const std::vector<Seen> kSeen{
    {"wulfkit-ring", kRing, "node2.lc2", "lose-packet", "packet 10"},
    {"wulfkit-ring", kRing, "node2.lc2", "lose-echo", "packet 10"},
    {"wulfkit-ring", kRing, "node2.lc2", "corrupt-header", "packet 10"},
    {"wulfkit-ring", kRing, "node2.lc2", "corrupt-data", "packet 10"},
    {"wulfkit-ring", kRing, "node2.lc2", "corrupt-echo", "packet 10"},
    {"wulfkit-ring", kRing, "node2.lc2", "cut", "10us..11us"},
    {"wulfkit-ring", kRing, "node2.lc2", "stop", "10us..11us"},
    {"wulfkit-ring", kRing, "node2.lc2", "full", "8us..18us"},
    {"wulfkit-ring", kRing, "node2.lc2", "slow", "10us..12us"},
    {"wulfkit-ring", kRing, "node2.lc2", "lost-go", "10us..11us", false},
    {"mesh-8x8", kMesh, "mesh.r3_3.east", "down", "600ns..700ns"},
    {"mesh-8x8", kMesh, "mesh.r3_3.east", "half-width", "600ns..800ns"},
    {"mesh-8x8", kMesh, "mesh.r3_3.east", "corrupt", "packet 10"},
    {"mesh-8x8", kMesh, "mesh.r3_3", "stop", "600ns..700ns"},
    {"mesh-8x8", kMeshByPath, "mesh.r3_3.east", "down", "600ns..700ns"},
    {"mesh-8x8", kMeshByPath, "mesh.r3_3.east", "half-width", "600ns..800ns"},
    {"mesh-8x8", kMeshByPath, "mesh.r3_3.east", "corrupt", "packet 10"},
    {"mesh-8x8", kMeshByPath, "mesh.r3_3", "stop", "600ns..700ns"},
    {"scc", kRcce, "mesh.r0_0.local", "down", "20us..25us"},
    {"scc", kRcce, "mesh.r0_0.local", "half-width", "0ns"},
    {"scc", kRcce, "mesh.r0_0.local", "corrupt", "packet 10"},
    {"scc", kRcce, "mesh.r0_0", "stop", "20us..25us"},
    {"scc", kRcce, "core1", "halt", "20us", false},
    {"scc", kRcce, "mc0", "slow", "0ns"},
    {"scc", kRcce, "mc0", "stop", "20us", false},
    {"scc", kLines, "tile0.mpb", "lose-write", "packet 60", false},
    {"scc", kRcce, "tile0.mpb", "lose-flag", "20us", false},
    {"scc", kRcce, "tile0.registers", "taken", "20us", false},
    {"scc", kRcce, "tile0.registers", "lose-release", "20us", false},
    {"ncube-64", kCube, "node0.channels.out_1", "parity", "packet 2"},
    {"ncube-64", kCube, "node0.channels.out_1", "cut", "50ms..90ms"},
    {"ncube-64", kVertex, "node4.cpu", "lose-interrupt", "packet 2", false},
    {"ncube-64", kCube, "node5", "stop", "50ms"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(platforms)
BOOST_AUTO_TEST_SUITE(faults_seen)

BOOST_DATA_TEST_CASE(by_its_word, data::make(kSeen), seen)
{
    const TemporaryFolder folder;
    auto run = seen.arguments("run");
    for (const char* word :
         {"--trace", seen.block, "--vcd", "run.vcd", "--timeline", "run.pftrace", "--window", "last:1s"}) {
        run.emplace_back(word);
    }
    const Ended ended = ringmesh::test::ringmesh(run);
    BOOST_TEST_REQUIRE(ended.status <= 1, ended.err);
    BOOST_TEST(contains(read_file("run.vcd"), " fault $end"));
    BOOST_TEST(contains(read_file("run.vcd"), std::string("s") + seen.what + ' '));
    BOOST_TEST(contains(read_file("run.pftrace"), seen.what));

    if (!seen.explained) return;
    auto explain = seen.arguments("explain");
    explain.insert(explain.end(), {"--slowest", "3", "--json", "-"});
    const Ended told = ringmesh::test::ringmesh(explain);
    BOOST_TEST_REQUIRE(told.status == 0, told.err);
    const nlohmann::json json = nlohmann::json::parse(told.out);
    const std::string note = std::string("struck by a fault: ") + seen.what + " of " + seen.block + ", ";
    BOOST_TEST(json.contains("notes"));
    BOOST_TEST(contains(json.value("notes", nlohmann::json::array()).dump(), note));
}

BOOST_DATA_TEST_CASE(no_word_is_left_out, data::make({"wulfkit-ring", "mesh-8x8", "scc", "ncube-64"}), machine)
{
    std::set<std::string> tested;
    for (const Seen& seen : kSeen) {
        if (std::string(seen.machine) == machine) tested.insert(seen.what);
    }
    const nlohmann::json listed = nlohmann::json::parse(out_of(std::string("list faults ") + machine + " --json"));
    for (const auto& fault : listed["faults"]) BOOST_TEST(tested.contains(fault["what"].get<std::string>()), fault);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
