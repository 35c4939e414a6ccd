// SPDX-License-Identifier: Apache-2.0
//
// Uniform traffic (self included) between the local ports of a mesh: each node makes packets at random, so many that it offers
// LOAD flits per cycle. Prints one JSON line: flit-hops (flits over links between routers) per second of wall time, mean
// latency in cycles, cycles computed per second.
//
//     mesh_load COLUMNS ROWS FLITS LOAD DETAIL [CYCLES]        such as 8 8 5 0.3 flit

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "hw/mesh/mesh.h"
#include "tlm/kernel_time.h"
#include "tlm/random.h"
#include "tlm/ring_buffer.h"
#include "tlm/wakeup.h"

namespace {

using namespace ringmesh;
using WallClock = std::chrono::steady_clock;

/// Makes packets at one node, and takes those that arrive there.
class Source final : public sc_core::sc_module {
public:
    mesh::TerminalSocket<Source> out{"out"};

    struct Account {
        std::int64_t from_ps = INT64_MAX;  // packets born from then on count
        std::uint64_t packets = 0;
        double latency_ps = 0;
    };

    SC_HAS_PROCESS(Source);
    Source(const sc_core::sc_module_name& module_name, Simulation& simulation, const hw::MeshParams& params,
           std::uint32_t node, std::uint32_t flits, double load, Account& account)
        : sc_module(module_name),
          simulation_(simulation),
          columns_(static_cast<std::uint32_t>(params.columns)),
          nodes_(columns_ * static_cast<std::uint32_t>(params.rows)),
          node_(node),
          flits_(flits),
          per_cycle_(load / flits),
          clock_(params.clock),
          random_(simulation.random_for(name())),
          account_(account)
    {
        out.register_nb_transport_bw(this, &Source::receive);
        SC_METHOD(make);
        sensitive << wakeup_.event();
        dont_initialize();
    }

    void start() { plan(); }

private:
    mesh::Terminal place(std::uint32_t node) const
    {
        return {static_cast<std::uint16_t>(node % columns_), static_cast<std::uint16_t>(node / columns_),
                mesh::Port::kLocal};
    }
    void plan()
    {
        cycle_ += 1 + static_cast<std::int64_t>(std::log1p(-random_.unit()) / std::log1p(-per_cycle_));
        wakeup_.at(Cycles(cycle_) * clock_);
    }
    void make()
    {
        wakeup_.taken(now());
        mesh::Packet& packet = simulation_.mesh_packets.acquire();
        packet.id = simulation_.next_packet_id();
        packet.from = place(node_);
        packet.to = place(static_cast<std::uint32_t>(random_.below(nodes_)));
        packet.kind = mesh::Class::kRequest;
        packet.flits = flits_;
        packet.born_ps = now().ps();
        queue_.push_back(&packet);
        if (queue_.size() == 1) offer();
        plan();
    }
    void offer()
    {
        while (!queue_.empty()) {
            mesh::PortPhase phase = mesh::PortPhase::kPacket;
            sc_core::sc_time delay;
            if (out->nb_transport_fw(*queue_.front(), phase, delay) == ::tlm::TLM_UPDATED) return;
            queue_.pop_front();
        }
    }
    ::tlm::tlm_sync_enum receive(mesh::Packet& packet, mesh::PortPhase& phase, sc_core::sc_time&)
    {
        if (phase == mesh::PortPhase::kRoom) {
            offer();
            return ::tlm::TLM_ACCEPTED;
        }
        if (packet.born_ps >= account_.from_ps) {
            ++account_.packets;
            account_.latency_ps += static_cast<double>(now().ps() - packet.born_ps);
        }
        simulation_.mesh_packets.release(packet);
        return ::tlm::TLM_ACCEPTED;
    }

    Simulation& simulation_;
    const std::uint32_t columns_, nodes_, node_, flits_;
    const double per_cycle_;
    const Clock clock_;
    Random random_;
    Account& account_;
    std::int64_t cycle_ = 0;
    RingBuffer<mesh::Packet*> queue_;
    Wakeup wakeup_{"wakeup"};
};

/// The router that the flit-level figures of docs/performance.md and docs/validation.md are for.
hw::MeshParams params_of(char** argv)
{
    hw::MeshParams params;
    params.columns = std::atoi(argv[1]);
    params.rows = std::atoi(argv[2]);
    params.pipeline = 4_cycles;
    params.terminal = 2_cycles;
    params.reserved_channels = 0;
    params.buffer_flits = 8;
    params.flow = hw::MeshFlow::kWormhole;
    params.switch_hold = hw::SwitchHold::kFlit;
    params.channel_choice = hw::ChannelChoice::kPerOutput;
    if (const hw::MeshDetail* detail = hw::kMeshDetails.find(argv[5])) params.detail = *detail;
    return params;
}

int run(const hw::MeshParams& params, std::uint32_t flits, double load, std::int64_t cycles)
{
    Simulation simulation(1);
    const Clock clock(params.clock);
    const auto mesh = hw::make_mesh("mesh", simulation, params, {});
    Source::Account account;
    std::vector<std::unique_ptr<Source>> sources;
    for (std::uint32_t node = 0; node < params.columns * params.rows; ++node) {
        const std::string name = "source" + std::to_string(node);
        sources.push_back(std::make_unique<Source>(name.c_str(), simulation, params, node, flits, load, account));
        const auto columns = static_cast<std::uint32_t>(params.columns);
        sources.back()->out.bind(mesh->port({static_cast<std::uint16_t>(node % columns),
                                             static_cast<std::uint16_t>(node / columns), mesh::Port::kLocal}));
    }
    simulation.run_until(Duration::zero());
    for (auto& source : sources) source->start();
    const Duration warm_up = Cycles(2000) * clock;
    simulation.run_until(warm_up);
    account.from_ps = warm_up.ps();

    const std::uint64_t before = mesh->flit_hops();
    const auto start = WallClock::now();
    simulation.run_until(warm_up + Cycles(cycles) * clock);
    const double wall = std::chrono::duration<double>(WallClock::now() - start).count();
    const auto hops = static_cast<double>(mesh->flit_hops() - before);
    std::printf(
        "{\"columns\": %d, \"rows\": %d, \"flits\": %u, \"load\": %g, \"detail\": \"%s\", \"flit_hops\": %.0f, "
        "\"wall_seconds\": %.4f, \"flit_hops_per_second\": %.0f, \"packets_per_second\": %.0f, "
        "\"cycles_per_second\": %.0f, \"latency_cycles\": %.2f, \"accepted\": %.4f}\n",
        static_cast<int>(params.columns), static_cast<int>(params.rows), flits, load,
        std::string(mesh->detail()).c_str(), hops, wall, hops / wall, static_cast<double>(account.packets) / wall,
        static_cast<double>(cycles) / wall,
        account.latency_ps / static_cast<double>(account.packets) / static_cast<double>(clock.period().ps()),
        static_cast<double>(account.packets * flits) / static_cast<double>(cycles) /
            static_cast<double>(sources.size()));
    std::fflush(stdout);
    std::_Exit(0);  // the kernel's teardown is quadratic in the number of objects
}

}  // namespace

int sc_main(int argc, char** argv)
{
    if (argc < 6 || hw::kMeshDetails.find(argv[5]) == nullptr || std::atoi(argv[3]) < 1) {
        std::fputs("usage: mesh_load COLUMNS ROWS FLITS LOAD DETAIL [CYCLES]\n", stderr);
        return 2;
    }
    const std::int64_t cycles = argc > 6 ? std::atoll(argv[6]) : 100'000;
    return run(params_of(argv), static_cast<std::uint32_t>(std::atoi(argv[3])), std::atof(argv[4]), cycles);
}

int main(int argc, char** argv)
{
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    return sc_core::sc_elab_and_sim(argc, argv);
}
