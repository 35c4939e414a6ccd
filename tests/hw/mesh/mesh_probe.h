// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <ostream>
#include <systemc>
#include <vector>

#include "hw/mesh/params.h"
#include "tests/hw/printing.h"
#include "tests/support/policies.h"
#include "tlm/mesh/mesh_port.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/simulation/simulation.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {
inline std::ostream& operator<<(std::ostream& out, MeshDetail value) { return out << kMeshDetails.name(value); }
inline std::ostream& operator<<(std::ostream& out, RouterIndex router) { return out << "router " << router.number; }
template <PortSide side>
std::ostream& operator<<(std::ostream& out, PortIndex<side> port)
{
    return out << (side == PortSide::kInput ? "input " : "output ") << port.number;
}
}  // namespace ringmesh::hw

namespace ringmesh::mesh {
inline std::ostream& operator<<(std::ostream& out, Class value) { return out << word(value); }
inline std::ostream& operator<<(std::ostream& out, Port value) { return out << word(value); }
inline std::ostream& operator<<(std::ostream& out, const Terminal& value)
{
    return out << '(' << value.x << ',' << value.y << ' ' << word(value.port) << ')';
}
}  // namespace ringmesh::mesh

namespace ringmesh::test {

/// Nothing if packets come everywhere, and without deadlock.
inline hw::GraphProblem problem_of(const hw::MeshParams& params)
{
    try {
        params.check_routes();
    } catch (const hw::GraphProblem& problem) {
        return problem;
    }
    return {};
}

/// A terminal that offers the given packets when there is room, and accepts packets within its limits.
class MeshProbe final : public sc_core::sc_module {
public:
    mesh::TerminalSocket<MeshProbe> out{"out"};

    struct Seen {
        mesh::Packet packet;
        Duration at;
    };

    MeshProbe(const sc_core::sc_module_name& module_name, Simulation& simulation, mesh::Terminal where)
        : sc_module(module_name), place(where), simulation_(simulation)
    {
        out.register_nb_transport_bw(this, &MeshProbe::receive);
    }

    /// Offers a packet now; if it is refused, again when there is room. @return whether it was accepted at once
    bool offer(mesh::Terminal to, std::uint32_t flits, mesh::Class kind = mesh::Class::kRequest,
               Duration delay = Duration::zero())
    {
        mesh::Packet& packet = simulation_.pool<mesh::PacketPool>().acquire();
        packet = mesh::Packet{};
        packet.id = ids_.next();
        packet.from = place;
        packet.to = to;
        packet.kind = kind;
        packet.flits = flits;
        packet.born_ps = now().ps();
        auto& queue = waiting_[mesh::index(kind)];
        queue.push_back(&packet);
        ++offered;
        return queue.size() == 1 && offer_front(kind, delay);
    }
    /// Accepts this many more packets of a class. Without a call all are accepted.
    void take_only(mesh::Class kind, std::uint64_t more)
    {
        const auto k = mesh::index(kind);
        bool& refused = refused_[k];
        places_[k] = more;
        if (more != 0 && std::exchange(refused, false)) {
            mesh::PortPhase phase = mesh::PortPhase::kCredit;
            sc_core::sc_time delay;
            out->nb_transport_fw(mesh::credit_for(kind), phase, delay);
        }
    }
    std::size_t waiting(mesh::Class kind) const { return waiting_[mesh::index(kind)].size(); }

    mesh::Terminal place;
    std::vector<Seen> seen;
    std::uint64_t offered = 0;
    std::uint64_t refusals = 0;                          ///< by the mesh
    std::function<void(const mesh::Packet&)> on_packet;  ///< called for each packet taken
    bool keep = true;                                    ///< what was seen

private:
    bool offer_front(mesh::Class kind, Duration after)
    {
        auto& queue = waiting_[mesh::index(kind)];
        mesh::PortPhase phase = mesh::PortPhase::kPacket;
        sc_core::sc_time delay = to_kernel(after);
        if (out->nb_transport_fw(*queue.front(), phase, delay) == ::tlm::TLM_UPDATED) {
            ++refusals;
            return false;
        }
        queue.pop_front();
        return true;
    }
    ::tlm::tlm_sync_enum receive(mesh::Packet& packet, mesh::PortPhase& phase, sc_core::sc_time&)
    {
        const auto k = mesh::index(packet.kind);
        if (phase == mesh::PortPhase::kCredit) {
            while (!waiting_[k].empty() && offer_front(packet.kind, Duration::zero())) {
            }
            return ::tlm::TLM_ACCEPTED;
        }
        if (places_[k] == 0) {
            refused_[k] = true;
            phase = mesh::PortPhase::kFull;
            return ::tlm::TLM_UPDATED;
        }
        if (places_[k] != UINT64_MAX) --places_[k];
        const mesh::Packet copy = packet;
        if (keep) seen.push_back({copy, now()});
        simulation_.pool<mesh::PacketPool>().release(packet);
        if (on_packet) on_packet(copy);
        return ::tlm::TLM_ACCEPTED;
    }

    Simulation& simulation_;
    PacketNumbers ids_{simulation_.packet_numbers()};
    std::array<RingBuffer<mesh::Packet*>, mesh::kClasses> waiting_;
    std::array<std::uint64_t, mesh::kClasses> places_{UINT64_MAX, UINT64_MAX};
    std::array<bool, mesh::kClasses> refused_{};
};

}  // namespace ringmesh::test
