// SPDX-License-Identifier: Apache-2.0
/// The flit detail beside a flit-level peer (BookSim2): 8x8 mesh, XY, 8 virtual channels of 8 flits, four-stage
/// routers, links of one cycle, uniform traffic with self. Latencies count from a packet's birth, waiting at its source
/// included.

#include "platforms/mesh/bare_mesh.h"
#include "tests/hw/mesh/mesh_bench.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

/// The mesh of platforms/machines/mesh-8x8.toml.
hw::MeshParams peer_mesh()
{
    return platforms::mesh_of(platforms::Configuration::load(RINGMESH_SOURCE_DIR "/platforms/machines/mesh-8x8.toml"));
}

struct Point {
    std::uint32_t flits;
    double load;       ///< flits per node and cycle
    double latency;    ///< cycles
    double tolerance;  ///< of the latency

    friend std::ostream& operator<<(std::ostream& out, const Point& point)
    {
        return out << point.flits << " flits at " << point.load;
    }
};

const std::vector<Point> kPeer{{1, 0.1, 33.8, 0.02}, {1, 0.3, 36.9, 0.02}, {5, 0.1, 38.8, 0.05}, {5, 0.3, 49.7, 0.05}};

struct Load {
    double mean_latency;  ///< cycles, of packets that were born after the warm-up
    double accepted;      ///< flits per node and cycle
};

/// Uniform traffic over a window behind a warm-up; the load continues until the last of the window's packets has most
/// likely arrived.
Load measure(const hw::MeshParams& params, std::uint32_t flits, double load, std::int64_t window,
             std::int64_t warm_up = 1000)
{
    MeshBench bench(params);
    Duration sum;
    std::int64_t packets = 0;
    std::uint64_t arrived = 0;
    const Duration from = bench.cycles(warm_up);
    const Duration until = bench.cycles(warm_up + window);
    for (const auto& probe : bench.probes) {
        probe->keep = false;
        probe->on_packet = [&](const mesh::Packet& packet) {
            const Duration born = Duration::picoseconds(packet.born_ps);
            if (now() >= from && now() < until) arrived += packet.flits;
            if (born < from || born >= until) return;
            sum += now() - born;
            ++packets;
        };
    }
    bench.load(load, flits, warm_up + window + 300,
               [&bench, flits](MeshProbe& probe, Random& random) { probe.offer(bench.any_tile(random), flits); });
    bench.run();
    return {
        sum / bench.cycles(packets),
        static_cast<double>(arrived) / static_cast<double>(window * static_cast<std::int64_t>(bench.probes.size()))};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(published)
BOOST_AUTO_TEST_SUITE(mesh)

BOOST_DATA_TEST_CASE(latency_under_load_is_that_of_a_flit_level_peer, data::make(kPeer), point)
{
    const Load load = measure(peer_mesh(), point.flits, point.load, 6000);
    BOOST_TEST(load.mean_latency == point.latency, boost::test_tools::tolerance(point.tolerance));
    BOOST_TEST(load.accepted == point.load, boost::test_tools::tolerance(0.02));
}

/// The peer saturates between 0.42 and 0.44: below that all is accepted, above it not.
BOOST_AUTO_TEST_CASE(it_saturates_where_the_peer_does)
{
    const Load above = measure(peer_mesh(), 1, 0.5, 3000);
    BOOST_TEST(above.accepted > 0.41);
    BOOST_TEST(above.accepted < 0.45);
}

/// Mean over uniform traffic with self on n x n: 2 (n - 1/n) / 3 links and one router more than links.
BOOST_DATA_TEST_CASE(the_mean_zero_load_latency_is_that_of_the_peer, data::make({1, 5}), flits)
{
    const hw::MeshParams params = peer_mesh();
    MeshBench bench(params);
    Duration sum;
    for (const auto& from : bench.probes) {
        for (const auto& to : bench.probes) {
            sum += bench.mesh->zero_load_latency(from->place, to->place, static_cast<std::uint32_t>(flits));
        }
    }
    const double mean = sum / bench.cycles(64 * 64);
    BOOST_TEST(mean == 33.25 + flits - 1, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
