// SPDX-License-Identifier: Apache-2.0
/// What one packet alone takes through the mesh, in either detail.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/hw/mesh/mesh_bench.h"
#include "tests/policies.h"

namespace {

namespace data = boost::unit_test::data;
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

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
