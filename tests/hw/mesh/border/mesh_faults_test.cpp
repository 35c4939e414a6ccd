// SPDX-License-Identifier: Apache-2.0
/// Faults of routers and links, in both details.
#include "hw/mesh/border/mesh_faults.h"

#include <algorithm>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "tests/hw/mesh/mesh_bench.h"
#include "tests/support/cases.h"
#include "tests/support/statistics.h"
#include "tlm/error.h"

namespace ringmesh::hw::mesh_faults_test {
namespace {

using namespace ringmesh::test;

FaultParams fault(const std::string& where, const std::string& what, const std::string& when,
                  const std::string& lasts = "")
{
    return {.where = where, .what = what, .when = when, .lasts = lasts};
}

std::unique_ptr<Simulation> with(const std::vector<FaultParams>& faults)
{
    auto simulation = std::make_unique<Simulation>(1);
    NamedValues<FaultParams> named;
    for (std::size_t i = 0; i < faults.size(); ++i) named.emplace_back("f" + std::to_string(i), faults[i]);
    simulation->faults().set(named, 1);
    return simulation;
}

/// A cycle is a nanosecond; three routers and more in a row.
MeshParams params(MeshDetail detail)
{
    MeshParams params;
    params.columns = 4;
    params.rows = 3;
    params.clock = 1000_MHz;
    params.detail = detail;
    params.flow = "wormhole";
    return params;
}

struct FaultyMesh : MeshBench {
    FaultyMesh(const MeshParams& wanted, const std::vector<FaultParams>& faults)
        : MeshBench(with(faults), nullptr, wanted, {}, "")
    {}
    double counted(const std::string& name) const { return statistic_of(*mesh, name); }
};

/// A mesh with faults, and beside it one whose names none has.
struct Meshes {
    Meshes(const MeshParams& wanted, const std::vector<FaultParams>& faults)
        : struck(wanted, faults), alone(struck, "alone_", wanted)
    {}
    /// So many packets of so many flits from (0,0) to (3,0).
    void send(int packets, std::uint32_t flits)
    {
        for (MeshBench* bench : {static_cast<MeshBench*>(&struck), &alone}) {
            bench->at_cycle(1, [=] {
                for (int i = 0; i < packets; ++i) bench->at(0, 0).offer(MeshBench::tile(3, 0), flits);
            });
        }
        struck.run();
    }
    /// Arrival of one of them, in cycles.
    static double at(MeshBench& bench, std::size_t packet) { return bench.at(3, 0).seen.at(packet).at.ns(); }
    double late(std::size_t packet) { return at(struck, packet) - at(alone, packet); }

    FaultyMesh struck;
    MeshBench alone;
};

const std::vector<MeshDetail> kBoth{MeshDetail::kFlit, MeshDetail::kPath};

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(mesh_faults)

BOOST_DATA_TEST_CASE(a_corrupted_packet_and_those_behind_it_come_later_by_the_retry, data::make(kBoth), detail)
{
    MeshParams wanted = params(detail);
    wanted.recovery.retry = 11_cycles;
    Meshes meshes(wanted, {fault("mesh.r1_0.east", "corrupt", "packet 2")});
    meshes.send(3, 3);
    BOOST_TEST(meshes.late(0) == 0);
    // Flit by flit a body behind it may go before its own
    BOOST_TEST(meshes.late(1) >= 11);
    BOOST_TEST(meshes.late(2) >= 11);
    BOOST_TEST(std::max(meshes.late(1), meshes.late(2)) <= 12);
    BOOST_TEST(meshes.struck.counted("faults") == 1);
    BOOST_TEST(meshes.struck.counted("sent_again") == 1);
    BOOST_TEST(meshes.struck.counted("given_up") == 0);
}

struct Slow {
    const char* where;
    const char* when;
    double by_flit, by_path;
    friend std::ostream& operator<<(std::ostream& out, const Slow& slow) { return out << slow.where << slow.when; }
};

/// Of two slow links in a row the second one has a flit each two cycles already. A head takes a cycle more in a router
/// than the flits behind it, so that flit by flit they catch up.
BOOST_DATA_TEST_CASE(half_the_width_costs_a_cycle_for_each_flit,
                     data::make(kBoth) * data::make(std::vector<Slow>{{"mesh.r1_0.east", "0 ns", 2, 4},
                                                                      {"mesh.r[01]_0.east", "0 ns", 3, 5},
                                                                      {"mesh.r3_0.local", "0 ns", 4, 4},
                                                                      {"mesh.r1_0.east", "1 us", 0, 0}}),
                     detail, slow)
{
    Meshes meshes(params(detail), {fault(slow.where, "half-width", slow.when)});
    meshes.send(1, 4);
    BOOST_TEST(meshes.late(0) == (detail == MeshDetail::kFlit ? slow.by_flit : slow.by_path));
}

/// Also of the last link, to the terminal.
BOOST_DATA_TEST_CASE(half_the_width_halves_what_a_link_carries,
                     data::make(kBoth) * data::make({"mesh.r1_0.east", "mesh.r3_0.local"}), detail, where)
{
    Meshes meshes(params(detail), {fault(where, "half-width", "0 ns")});
    meshes.send(20, 4);
    BOOST_TEST(meshes.late(19) > 20 * 4 - 5);
    BOOST_TEST(meshes.late(19) < 20 * 4 + 5);
}

/// The head goes onto the link at its end, and from there as ever.
BOOST_DATA_TEST_CASE(what_waits_for_a_link_goes_when_it_is_mended,
                     data::make(kBoth) * data::make({"mesh.r1_0.east", "mesh.r3_0.local"}), detail, where)
{
    Meshes meshes(params(detail), {fault(where, "down", "0ns..200ns")});
    meshes.send(2, 2);
    const double routers = std::string(where) == "mesh.r3_0.local" ? 0 : 2;
    BOOST_TEST(Meshes::at(meshes.struck, 0) == 200 + 1 + routers * 4 + 1);
    BOOST_TEST(meshes.late(1) == meshes.late(0));
    BOOST_TEST(meshes.struck.counted("faults") >= 1);
}

/// A router is as its outputs.
BOOST_DATA_TEST_CASE(a_router_that_stops_for_a_time_keeps_what_it_has, data::make(kBoth), detail)
{
    FaultyMesh bench(params(detail), {fault("mesh.r1_0", "stop", "0ns..300ns")});
    bench.at_cycle(1, [&] {
        bench.at(0, 0).offer(FaultyMesh::tile(2, 0), 1);
        bench.at(0, 0).offer(FaultyMesh::tile(1, 0), 1);
        bench.at(2, 2).offer(FaultyMesh::tile(3, 2), 1);
    });
    bench.run();
    BOOST_TEST(bench.at(3, 2).seen.at(0).at < 20_ns);
    BOOST_TEST(bench.at(1, 0).seen.at(0).at > 300_ns);
    BOOST_TEST(bench.at(2, 0).seen.at(0).at > 300_ns);
}

/// Behind a rate: who comes next waits.
BOOST_DATA_TEST_CASE(a_link_goes_down_behind_the_packet_that_is_struck, data::make(kBoth), detail)
{
    Meshes meshes(params(detail), {fault("mesh.r1_0.east", "down", "packet 2", "100 ns")});
    meshes.send(3, 1);
    BOOST_TEST(meshes.late(0) == 0);
    BOOST_TEST(meshes.late(1) == 0);
    BOOST_TEST(meshes.late(2) > 90);
    BOOST_TEST(meshes.late(2) < 110);
}

BOOST_DATA_TEST_CASE(a_link_that_is_down_for_ever_ends_the_run_by_name, data::make(kBoth), detail)
{
    FaultyMesh bench(params(detail), {fault("mesh.r1_0.east", "down", "5 ns")});
    bench.at_cycle(10, [&] {
        bench.at(0, 0).offer(FaultyMesh::tile(3, 0), 2);
        bench.at(0, 2).offer(FaultyMesh::tile(3, 2), 2);
    });
    std::string text;
    try {
        bench.run();
    } catch (const FaultError& error) {
        text = error.what();
    }
    BOOST_TEST(text.find("r1_0.east") != std::string::npos, text);
    BOOST_TEST(text.find("to r3_0") != std::string::npos, text);
    BOOST_TEST(bench.at(3, 2).seen.size() == 1u);
    BOOST_TEST(bench.at(3, 0).seen.size() == 0u);
}

/// Flit by flit the buffers on the way take some; by path the first one shuts the sender's class out.
BOOST_DATA_TEST_CASE(a_sender_behind_a_dead_link_is_held_up, data::make(kBoth), detail)
{
    FaultyMesh bench(params(detail), {fault("mesh.r1_0.east", "down", "0 ns")});
    bench.at_cycle(1, [&] {
        for (int i = 0; i < 200; ++i) bench.at(0, 0).offer(FaultyMesh::tile(3, 0), 4);
    });
    bench.at_cycle(2000, [&] { bench.at(0, 0).offer(FaultyMesh::tile(1, 0), 1); });
    BOOST_CHECK_THROW(bench.run(), FaultError);
    BOOST_TEST(bench.at(0, 0).waiting(ringmesh::mesh::Class::kRequest) > 0u);
    BOOST_TEST(bench.at(1, 0).seen.size() == 0u);
}

BOOST_DATA_TEST_CASE(an_adaptive_route_leads_round_a_link_that_is_down, data::make(kBoth), detail)
{
    MeshParams wanted = params(detail);
    wanted.routing = "west-first";
    FaultyMesh bench(wanted, {fault("mesh.r0_0.east", "down", "0 ns")});
    bench.at_cycle(10, [&] { bench.at(0, 0).offer(FaultyMesh::tile(3, 2), 1); });
    bench.run();
    BOOST_TEST(bench.at(3, 2).seen.size() == 1u);
}

/// The link is down for ever then. Flit by flit also for what is left of the packet.
BOOST_DATA_TEST_CASE(after_the_last_try_a_link_is_given_up, data::make(kBoth), detail)
{
    MeshParams wanted = params(detail);
    wanted.recovery.tries = 3;
    FaultyMesh bench(wanted, {fault("mesh.r1_0.east", "corrupt", "50 ns")});
    bench.at_cycle(1, [&] { bench.at(0, 0).offer(FaultyMesh::tile(3, 0), 2); });
    bench.at_cycle(60, [&] { bench.at(0, 0).offer(FaultyMesh::tile(3, 0), 2); });
    bench.at_cycle(200, [&] { bench.at(0, 0).offer(FaultyMesh::tile(3, 0), 2); });
    BOOST_CHECK_THROW(bench.run(), FaultError);
    BOOST_TEST(bench.counted("given_up") == 1);
    BOOST_TEST(bench.counted("sent_again") == 3);
    BOOST_TEST(bench.at(3, 0).seen.size() == (detail == MeshDetail::kFlit ? 1u : 2u));
}

/// No credit and no channel is lost: packets of both classes and several sizes, under all faults that end.
BOOST_DATA_TEST_CASE(each_packet_comes_once_whatever_happens,
                     data::make(kBoth) * data::make({"wormhole", "cut-through"}), detail, flow)
{
    MeshParams wanted = params(detail);
    wanted.flow = flow;
    wanted.buffer_flits = 4;
    wanted.speculation = true;
    FaultyMesh bench(wanted,
                     {fault("mesh.*", "corrupt", "0.02/packet"), fault("mesh.*", "down", "0.01/packet", "40 ns"),
                      fault("mesh.r1_*", "half-width", "2e6/s", "300 ns"), fault("mesh.r2_1", "stop", "700ns..900ns")});
    std::map<std::uint64_t, int> came;
    for (auto& probe : bench.probes) {
        probe->on_packet = [&](const ringmesh::mesh::Packet& packet) { ++came[packet.id]; };
    }
    std::uint64_t offered = 0;
    bench.load(0.3, 3, 3000, [&](MeshProbe& probe, Random& random) {
        const auto kind = random.below(2) == 0 ? ringmesh::mesh::Class::kRequest : ringmesh::mesh::Class::kResponse;
        ++offered;
        probe.offer(bench.any_tile(random), 1 + static_cast<std::uint32_t>(random.below(4)), kind);
    });
    bench.run();
    BOOST_TEST(offered > 2000u);
    BOOST_TEST(came.size() == offered);
    BOOST_TEST(std::all_of(came.begin(), came.end(), [](const auto& each) { return each.second == 1; }));
    BOOST_TEST(bench.counted("faults") > 100);
    BOOST_TEST(bench.counted("sent_again") > 50);
}

BOOST_DATA_TEST_CASE(faults_that_come_later_do_not_prolong_the_run, data::make(kBoth), detail)
{
    Meshes meshes(params(detail), {fault("mesh.*", "down", "1 s"), fault("mesh.*", "down", "packet 5", "1 s")});
    meshes.send(5, 1);
    BOOST_TEST(meshes.late(4) == 0);
    BOOST_TEST(now() < 1_us);
}

BOOST_AUTO_TEST_CASE(a_state_needs_a_time)
{
    auto simulation = with({fault("mesh.r0_0.east", "down", "0.1/packet")});
    std::string key;
    try {
        hw::MeshFaults::of(
            "mesh", params(MeshDetail::kFlit).grid(), [](hw::OutputIndex) { return true; }, simulation->faults(), {},
            MeshClock(params(MeshDetail::kFlit).clock));
    } catch (const FaultProblem& problem) {
        key = problem.key;
    }
    BOOST_TEST(key == "f0.lasts");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::hw::mesh_faults_test
