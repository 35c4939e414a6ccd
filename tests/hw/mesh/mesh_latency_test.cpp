// SPDX-License-Identifier: Apache-2.0
/// What one packet alone takes through the mesh, in either detail.
#include <algorithm>

#include "tests/hw/mesh/mesh_bench.h"
#include "tests/support/cases.h"
#include "tests/support/policies.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::MeshDetail;
using hw::MeshRouting;
using mesh::Port;

struct Shape {
    std::int64_t columns, rows, pipeline, link, terminal;

    friend std::ostream& operator<<(std::ostream& out, const Shape& s)
    {
        return out << s.columns << 'x' << s.rows << " pipeline " << s.pipeline << " link " << s.link << " terminal "
                   << s.terminal;
    }
    hw::MeshParams params(MeshDetail detail) const
    {
        hw::MeshParams params;
        params.columns = columns;
        params.rows = rows;
        params.pipeline = Cycles(pipeline);
        params.link = Cycles(link);
        params.terminal = Cycles(terminal);
        params.detail = detail;
        params.buffer_flits = mesh::kMostFlits;  // so that no packet waits for credits
        return params;
    }
};

const std::vector<Shape> kShapes{{1, 1, 1, 1, 0}, {6, 4, 3, 1, 0}, {4, 3, 1, 1, 0}, {3, 5, 2, 1, 1},
                                 {8, 8, 4, 1, 2}, {2, 7, 7, 3, 5}, {5, 1, 1, 4, 0}};
const auto kDetails = data::make({MeshDetail::kPath, MeshDetail::kFlit});
const auto kRoutings = data::make(all_policies<hw::MeshRoutingPolicy>());

std::int64_t distance(mesh::Terminal a, mesh::Terminal b) { return std::abs(a.x - b.x) + std::abs(a.y - b.y); }

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(mesh_latency)

/// One packet after the other between pairs of all distances and directions.
BOOST_DATA_TEST_CASE(of_a_lone_packet_is_its_routers_times_their_depth_and_its_length,
                     data::make(kShapes) * kDetails * kRoutings, shape, detail, routing)
{
    hw::MeshParams params = shape.params(detail);
    params.routing = routing;
    MeshBench bench(params);
    struct Expected {
        std::uint64_t id;
        Duration latency;
    };
    Random random(7);
    std::int64_t cycle = 1;
    std::size_t sent = 0;
    const std::size_t pairs = bench.probes.size() * bench.probes.size();
    for (std::size_t i = 0; i < std::min<std::size_t>(pairs, 300); ++i) {
        const std::size_t pair = pairs <= 300 ? i : random.below(pairs);
        MeshProbe& from = *bench.probes[pair % bench.probes.size()];
        MeshProbe& to = *bench.probes[pair / bench.probes.size()];
        for (const std::uint32_t flits : {1u, 3u, 5u, 64u}) {
            bench.at_cycle(cycle, [&from, &to, flits] { from.offer(to.place, flits); });
            cycle += 1000;
            ++sent;
        }
    }
    bench.run();
    BOOST_TEST(bench.taken() == sent);
    for (const auto& probe : bench.probes) {
        for (const auto& seen : probe->seen) {
            const mesh::Packet& packet = seen.packet;
            const std::int64_t routers = 1 + distance(packet.from, packet.to);
            const Duration expected =
                bench.cycles(routers * (shape.pipeline + shape.link) + shape.terminal + packet.flits - 1);
            BOOST_TEST(seen.at - Duration::picoseconds(packet.born_ps) == expected);
            BOOST_TEST(bench.mesh->zero_load_latency(packet.from, packet.to, packet.flits) == expected);
        }
    }
}

BOOST_DATA_TEST_CASE(counts_from_the_clock_edge_at_which_it_may_leave, kDetails* data::make({0, 1, 1249, 1250, 1251}),
                     detail, after_ps)
{
    const hw::MeshParams params = Shape{4, 1, 3, 1, 0}.params(detail);
    MeshBench bench(params);
    const Duration offered = bench.cycles(10) + 7_ps;
    const Duration delay = Duration::picoseconds(after_ps);
    bench.timetable.at(offered, [&] { bench.at(0, 0).offer(bench.tile(3, 0), 2, mesh::Class::kRequest, delay); });
    bench.run();
    BOOST_TEST_REQUIRE(bench.at(3, 0).seen.size() == 1u);
    const Duration edge = bench.cycles(after_ps <= 1243 ? 11 : 12);
    const Duration latency = bench.mesh->zero_load_latency(bench.tile(0, 0), bench.tile(3, 0), 2);
    BOOST_TEST(bench.at(3, 0).seen[0].at == edge + latency);
    BOOST_TEST(bench.at(3, 0).seen[0].packet.injected_ps == edge.ps());
}

/// 700 MHz: the period is no whole number of picoseconds.
BOOST_DATA_TEST_CASE(of_a_clock_with_a_fractional_period_does_not_drift, kDetails, detail)
{
    hw::MeshParams params = Shape{3, 3, 3, 1, 0}.params(detail);
    params.clock = 700_MHz;
    MeshBench bench(params);
    constexpr std::int64_t kLate = 7'000'001;
    bench.at_cycle(kLate, [&] { bench.at(0, 0).offer(bench.tile(2, 2), 3); });
    bench.run();
    BOOST_TEST_REQUIRE(bench.at(2, 2).seen.size() == 1u);
    BOOST_TEST(bench.at(2, 2).seen[0].at == bench.cycles(kLate + 5 * 4 + 2));
}

BOOST_DATA_TEST_CASE(to_and_from_an_outer_port_is_that_of_its_router, kDetails, detail)
{
    const hw::MeshParams params = Shape{6, 4, 3, 1, 0}.params(detail);
    const mesh::Terminal west{0, 2, Port::kWest};
    const mesh::Terminal east{5, 0, Port::kEast};
    MeshBench bench(params, {west, east});
    MeshProbe& memory = *bench.probes[24];
    bench.at_cycle(10, [&] { bench.at(3, 1).offer(west, 1); });
    memory.on_packet = [&](const mesh::Packet&) { memory.offer(bench.tile(3, 1), 3, mesh::Class::kResponse); };
    bench.at_cycle(1000, [&] { memory.offer(east, 1); });
    bench.run();
    BOOST_TEST_REQUIRE(memory.seen.size() == 1u);
    BOOST_TEST(memory.seen[0].at == bench.cycles(10 + 5 * 4));
    BOOST_TEST_REQUIRE(bench.at(3, 1).seen.size() == 1u);
    BOOST_TEST(bench.at(3, 1).seen[0].at == bench.cycles(10 + 5 * 4 + 5 * 4 + 2));
    BOOST_TEST_REQUIRE(bench.probes[25]->seen.size() == 1u);
    BOOST_TEST(bench.probes[25]->seen[0].at == bench.cycles(1000 + 8 * 4));
}

namespace {

using mesh::Class;

struct Pair {
    double load;   ///< flits per node and cycle
    double bound;  ///< of the difference of mean latencies

    friend std::ostream& operator<<(std::ostream& out, const Pair& pair) { return out << "load " << pair.load; }
};

}  // namespace

/// Requests of one or three flits between all tiles of the SCC's mesh, answered by three or one. Both details see the
/// same packets.
BOOST_DATA_TEST_CASE(path_and_flit_agree_on_the_traffic_of_the_scc,
                     data::make(std::vector<Pair>{{0.02, 0.01}, {0.1, 0.02}, {0.2, 0.02}}), pair)
{
    double mean[2] = {};
    std::uint64_t count[2] = {};
    MeshBench path(hw::MeshParams{.detail = MeshDetail::kPath});
    MeshBench flit(path, "flit_", hw::MeshParams{.detail = MeshDetail::kFlit});
    for (MeshBench* bench : {&path, &flit}) {
        const std::size_t i = bench == &flit ? 1 : 0;
        for (const auto& probe : bench->probes) {
            MeshProbe* here = probe.get();
            probe->keep = false;
            probe->on_packet = [bench, here, i, &mean, &count](const mesh::Packet& packet) {
                mean[i] += (now() - Duration::picoseconds(packet.born_ps)) / bench->cycles(1);
                ++count[i];
                if (packet.kind == Class::kRequest) here->offer(packet.from, 4 - packet.flits, Class::kResponse);
            };
        }
        bench->load(pair.load, 4, 20'000, [bench](MeshProbe& probe, Random& random) {
            probe.offer(bench->any_tile(random), random.below(2) == 0 ? 1 : 3);
        });
    }
    path.simulation.run();
    BOOST_TEST(count[0] == count[1]);
    BOOST_TEST(count[0] > 1000u);
    BOOST_TEST(mean[0] / static_cast<double>(count[0]) == mean[1] / static_cast<double>(count[1]),
               boost::test_tools::tolerance(pair.bound));
}

/// At low load nearly every speculation wins; flits with a channel go first, so none is lost where the mesh is full.
/// Both see the same packets.
BOOST_DATA_TEST_CASE(speculation_saves_a_cycle_of_each_router_and_no_throughput, data::make({0.05, 2.0}), load)
{
    double mean[2] = {};
    std::uint64_t count[2] = {};
    Duration last[2];
    hw::MeshParams params{.columns = 4, .rows = 4, .pipeline = 4_cycles, .detail = MeshDetail::kFlit};
    MeshBench plain(params);
    params.speculation = true;
    MeshBench speculative(plain, "speculative_", params);
    for (MeshBench* bench : {&plain, &speculative}) {
        const std::size_t i = bench == &plain ? 0 : 1;
        for (const auto& probe : bench->probes) {
            probe->keep = false;
            probe->on_packet = [bench, i, &mean, &count, &last](const mesh::Packet& packet) {
                mean[i] += (now() - Duration::picoseconds(packet.born_ps)) / bench->cycles(1);
                last[i] = now();
                ++count[i];
            };
        }
        bench->load(load, 3, load < 1 ? 20'000 : 2000,
                    [bench](MeshProbe& probe, Random& random) { probe.offer(bench->any_tile(random), 3); });
    }
    plain.simulation.run();
    BOOST_TEST_REQUIRE(count[0] == count[1]);
    if (load < 1) {
        // 2 * 5/4 links lie between two nodes of 4 by 4, itself included
        const double saved = (mean[0] - mean[1]) / static_cast<double>(count[0]);
        BOOST_TEST(saved > 0.95 * 3.5);
        BOOST_TEST(saved < 1.05 * 3.5);
    } else {
        BOOST_TEST(last[1] * 100 < last[0] * 102);
    }
}

/// A buffer smaller than the credit round trip passes one buffer per round trip.
BOOST_DATA_TEST_CASE(a_long_packet_goes_at_the_rate_of_its_credits, data::make({1, 2, 4, 8}) * data::make({1, 3}),
                     buffer, link)
{
    hw::MeshParams params;
    params.detail = MeshDetail::kFlit;
    params.buffer_flits = buffer;
    params.link = Cycles(link);
    MeshBench bench(params);
    MeshProbe& to = bench.at(3, 2);
    bench.at_cycle(10, [&] { bench.at(0, 0).offer(to.place, 32); });
    bench.at_cycle(1010, [&] { bench.at(0, 0).offer(to.place, 64); });
    bench.run();
    BOOST_TEST_REQUIRE(to.seen.size() == 2u);
    const std::int64_t round_trip = 2 + link + 1 + link;  // switch and wires, next switch, credit
    const std::int64_t longer = 32 * std::max<std::int64_t>(round_trip, buffer) / buffer;
    BOOST_TEST(to.seen[1].at - to.seen[0].at == bench.cycles(1000 + longer));
}

/// Whatever the buffers, the stages and the wires: the formula says when the last flit comes.
BOOST_DATA_TEST_CASE(of_a_lone_packet_counts_buffers_that_are_short,
                     data::make({1, 2, 3, 5, 16}) * data::make({1, 2, 3, 4, 6}) * data::make({1, 3}) *
                         data::make({0, 2}) * data::make({false, true}),
                     buffer, pipeline, link, terminal, speculation)
{
    hw::MeshParams params = Shape{4, 3, pipeline, link, terminal}.params(MeshDetail::kFlit);
    params.buffer_flits = buffer;
    params.speculation = speculation;
    MeshBench bench(params);
    std::int64_t cycle = 1;
    for (const auto& to : {bench.tile(0, 0), bench.tile(1, 0), bench.tile(3, 2)}) {
        for (const std::uint32_t flits : {1u, 2u, 5u, 6u, 33u}) {
            bench.at_cycle(cycle, [&bench, to, flits] { bench.at(0, 0).offer(to, flits); });
            cycle += 2000;
        }
    }
    bench.run();
    BOOST_TEST(bench.taken() == 15u);
    for (const auto& probe : bench.probes) {
        for (const auto& [packet, at] : probe->seen) {
            BOOST_TEST(at - Duration::picoseconds(packet.born_ps) ==
                       bench.mesh->zero_load_latency(packet.from, packet.to, packet.flits));
        }
    }
}

/// Channel and switch in one cycle, if there is no other packet; routers of one or two stages do that anyway.
BOOST_DATA_TEST_CASE(of_a_lone_packet_is_a_cycle_less_for_each_router_that_speculates,
                     data::make({1, 2, 3, 4, 7}) * data::make({false, true}), pipeline, speculation)
{
    hw::MeshParams params = Shape{5, 4, pipeline, 1, 0}.params(MeshDetail::kFlit);
    params.speculation = speculation;
    MeshBench bench(params);
    bench.at_cycle(10, [&] { bench.at(0, 0).offer(bench.tile(3, 2), 3); });
    bench.run();
    BOOST_TEST_REQUIRE(bench.at(3, 2).seen.size() == 1u);
    const int stages = speculation && pipeline >= 3 ? pipeline - 1 : pipeline;
    BOOST_TEST(bench.at(3, 2).seen[0].at == bench.cycles(10 + 6 * (stages + 1) + 3 - 1));
}

/// North-east traffic that exceeds a row's last link.
BOOST_DATA_TEST_CASE(west_first_uses_both_ways_where_xy_uses_one,
                     data::make({MeshDetail::kPath, MeshDetail::kFlit}) *
                         data::make(all_policies<hw::MeshRoutingPolicy>()),
                     detail, routing)
{
    hw::MeshParams params;
    params.detail = detail;
    params.routing = routing;
    MeshBench bench(params, {{0, 0, mesh::Port::kSouth}});
    for (int i = 0; i < 50; ++i) {
        bench.at(0, 0).offer(bench.tile(3, 3), 4);
        bench.probes.back()->offer(bench.tile(3, 3), 4);
    }
    bench.run();
    std::uint64_t east = 0, north = 0;
    for (std::size_t i = 0; i < bench.mesh->link_flits().size(); ++i) {
        if (bench.mesh->link_name(i) == "r0_0.east") east = bench.mesh->link_flits()[i];
        if (bench.mesh->link_name(i) == "r0_0.north") north = bench.mesh->link_flits()[i];
    }
    BOOST_TEST(east + north == 2u * 50 * 4);
    BOOST_TEST((east != 0) == (routing != "yx"));
    BOOST_TEST((north != 0) == (routing != "xy"));
    if (routing == "west-first") BOOST_TEST(std::min(east, north) > 2u * 50 * 4 / 4);
    BOOST_TEST(bench.mesh->flit_hops() == 2u * 50 * 4 * 6);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
