// SPDX-License-Identifier: Apache-2.0
//
// Uniform traffic (self included) between the routers of a mesh: each node makes packets at random, so many that it
// offers LOAD flits per cycle. Prints one JSON line: flit-hops (flits over links between routers) per second of wall
// time, packets and cycles per second, mean latency in cycles.
//
//     mesh_load COLUMNS ROWS FLITS LOAD DETAIL [CYCLES [ARBITRATION]]        such as 8 8 5 0.3 flit
//
// ARBITRATION is a name of `ringmesh list policies mesh-arbitration`, or `virtual`: round-robin by virtual calls

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/speed/measure.h"
#include "hw/mesh/policies/arbiters/round_robin.h"
#include "platforms/files/catalog.h"
#include "platforms/mesh/bare_mesh.h"
#include "tlm/mesh/packet.h"
#include "workloads/traffic/sources/arrivals.h"

namespace {

using namespace ringmesh;

class UniformTraffic final : public TrafficModel {
public:
    UniformTraffic(const Simulation& simulation, const platforms::BareMesh& machine, std::uint32_t flits, double load)
        : flits_(flits),
          arrivals_(Arrivals::kBernoulli, MeanTime::picoseconds(machine.clock().period_ps() * flits / load),
                    machine.clock()),
          births_(machine.nodes())
    {
        for (unsigned node = 0; node < machine.nodes(); ++node) {
            random_.push_back(simulation.random_for("node" + std::to_string(node)));
        }
    }
    Injection next(unsigned source) override
    {
        Random& random = random_[source];
        const Duration birth = arrivals_.next(births_[source], random);
        return mesh::injection(birth, static_cast<std::uint32_t>(random.below(random_.size())), flits_,
                               mesh::Class::kRequest);
    }
    void delivered(const OfferedPacket& packet, Duration at) override
    {
        if (packet.born < measured_from) return;
        ++packets;
        latency += at - packet.born;
    }
    void answered(const OfferedPacket&, Duration) override {}
    void dropped(unsigned, Duration) override {}

    Duration measured_from = Duration::never();
    std::int64_t packets = 0;
    Duration latency;

private:
    const std::uint32_t flits_;
    const workloads::ArrivalProcess arrivals_;
    std::vector<workloads::Births> births_;
    std::vector<Random> random_;
};

/// Round-robin as a user-defined arbiter outside of hw/mesh.
class OwnRoundRobin final : public hw::MeshArbiter {
public:
    static constexpr PolicyName kPolicy{"virtual", "round-robin, by virtual calls"};

    bool before(const hw::ArbitrationRequest& a, const hw::ArbitrationRequest& b,
                const hw::Contest& contest) const override
    {
        return hw::arbiters::RoundRobin::before(a, b, contest);
    }
};

constexpr hw::ArbitrationPolicy kVirtual = hw::ArbitrationPolicy::of_own<OwnRoundRobin>();

/// As in platforms/machines/mesh-8x8.toml, changed by the arguments.
hw::MeshParams params_of(int argc, char** argv)
{
    hw::MeshParams params = platforms::mesh_of(platforms::Configuration::load(platforms::find_platform("mesh-8x8")));
    params.columns = std::atoi(argv[1]);
    params.rows = std::atoi(argv[2]);
    if (const hw::MeshDetail* detail = hw::kMeshDetails.find(argv[5])) params.detail = *detail;
    if (argc > 7) params.arbitration = argv[7] == kVirtual.name ? kVirtual : hw::Arbitration(argv[7]);
    return params;
}

/// Fills the mesh, then measures at a steady load; nothing drains.
int run(const hw::MeshParams& params, std::uint32_t flits, double load, std::int64_t cycles)
{
    Simulation simulation(1);
    platforms::BareMesh machine(simulation, params);
    UniformTraffic traffic(simulation, machine, flits, load);
    const Clock clock = machine.clock();
    simulation.run_until(Duration::zero());
    machine.start_traffic(traffic, {.size = flits});
    traffic.measured_from = 2000_cycles * clock;
    simulation.run_until(traffic.measured_from);

    const std::uint64_t before = machine.link_crossings();
    const bench::Stopwatch watch;
    simulation.run_until(traffic.measured_from + Cycles(cycles) * clock);
    const double wall = watch.seconds();
    const auto hops = static_cast<double>(machine.link_crossings() - before);
    const auto packets = static_cast<double>(traffic.packets);
    const double expected = load * machine.nodes() / flits * static_cast<double>(cycles);
    if (packets < 0.9 * expected) {
        std::fprintf(stderr, "mesh_load: only %.0f packets arrived; the mesh does not carry this load\n", packets);
        return 1;
    }
    std::printf(
        "{\"nodes\": %u, \"flits\": %u, \"load\": %g, \"detail\": \"%s\", \"flit_hops\": %.0f, \"wall_seconds\": %.4f, "
        "\"flit_hops_per_second\": %.0f, \"packets_per_second\": %.0f, \"cycles_per_second\": %.0f, "
        "\"latency_cycles\": %.2f}\n",
        machine.nodes(), flits, load, std::string(machine.detail()).c_str(), hops, wall, hops / wall, packets / wall,
        static_cast<double>(cycles) / wall, traffic.latency.ns() / clock.period_ns() / packets);
    std::fflush(stdout);
    std::_Exit(0);  // the kernel's teardown is quadratic in the number of objects
}

}  // namespace

int sc_main(int argc, char** argv)
{
    if (argc < 6 || std::atoi(argv[1]) < 1 || std::atoi(argv[2]) < 1 || std::atoi(argv[3]) < 1 ||
        !(std::atof(argv[4]) > 0 && std::atof(argv[4]) < 1) || hw::kMeshDetails.find(argv[5]) == nullptr) {
        std::fputs("usage: mesh_load COLUMNS ROWS FLITS LOAD DETAIL [CYCLES [ARBITRATION]]\n", stderr);
        return 2;
    }
    const std::int64_t cycles = argc > 6 ? std::atoll(argv[6]) : 100'000;
    return run(params_of(argc, argv), static_cast<std::uint32_t>(std::atoi(argv[3])), std::atof(argv[4]), cycles);
}

int main(int argc, char** argv)
{
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    return sc_core::sc_elab_and_sim(argc, argv);
}
