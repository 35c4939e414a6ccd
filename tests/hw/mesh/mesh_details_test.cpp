// SPDX-License-Identifier: Apache-2.0
/// The two details beside each other, and what policies and buffers change.
#include <algorithm>
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
using mesh::Class;

struct Pair {
    double load;   ///< flits per node and cycle
    double bound;  ///< of the difference of mean latencies

    friend std::ostream& operator<<(std::ostream& out, const Pair& pair) { return out << "load " << pair.load; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(mesh_details)

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

/// The result does not depend on the order in which the kernel calls the terminals within a cycle.
BOOST_AUTO_TEST_CASE(two_meshes_with_the_same_traffic_do_the_same)
{
    MeshBench one(hw::MeshParams{.detail = MeshDetail::kFlit});
    MeshBench two(one, "second_", one.params);
    for (MeshBench* bench : {&two, &one}) {
        bench->load(0.6, 3, 2000, [bench](MeshProbe& probe, Random& random) {
            probe.offer(bench->any_tile(random), 1 + static_cast<std::uint32_t>(random.below(5)),
                        random.below(2) == 0 ? Class::kRequest : Class::kResponse);
        });
    }
    one.simulation.run();
    BOOST_TEST(one.taken() > 5000u);
    for (std::size_t i = 0; i < one.probes.size(); ++i) {
        const auto& a = one.probes[i]->seen;
        const auto& b = two.probes[i]->seen;
        BOOST_TEST_REQUIRE(a.size() == b.size());
        for (std::size_t n = 0; n < a.size(); ++n) {
            BOOST_TEST(a[n].at == b[n].at);
            BOOST_TEST(a[n].packet.from == b[n].packet.from);
        }
    }
    BOOST_TEST(one.mesh->link_flits() == two.mesh->link_flits());
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
