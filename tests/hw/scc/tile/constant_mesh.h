// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "tests/hw/timetable.h"
#include "tlm/mesh/mesh_port.h"

namespace ringmesh::test {

/// A mesh without routers: each packet arrives a constant time after it may leave. A terminal may have so many packets
/// of a class in flight, refused ones included, before it gets kFull.
class ConstantMesh final : public sc_core::sc_module {
public:
    struct Passage {
        mesh::Packet packet;
        Duration entered;
        Duration arrived = Duration::never();
    };

    Duration latency = 100_ns;
    std::size_t capacity = 1000;
    std::vector<Passage> passages;            ///< in the order in which packets entered
    std::array<unsigned, 2> refused_by_us{};  ///< offers, of each class
    std::array<unsigned, 2> refused_by_terminals{};

    ConstantMesh(const sc_core::sc_module_name& name, const std::vector<mesh::Terminal>& terminals)
        : sc_module(name), timetable_("timetable")
    {
        for (const mesh::Terminal& where : terminals) {
            const auto number = static_cast<int>(ends_.size());
            ends_.push_back(std::make_unique<End>(("port" + std::to_string(number)).c_str()));
            ends_.back()->socket.register_nb_transport_fw(this, &ConstantMesh::transport, number);
            numbers_[where] = number;
        }
    }

    mesh::MeshSocket<ConstantMesh>& port(mesh::Terminal where)
    {
        return ends_[static_cast<std::size_t>(numbers_.at(where))]->socket;
    }

private:
    struct End {
        explicit End(const char* name) : socket(name) {}
        mesh::MeshSocket<ConstantMesh> socket;
        std::array<std::size_t, 2> inside{};  // packets from here that have not been taken
        std::array<bool, 2> owed{};
        std::array<std::deque<std::size_t>, 2> held;  // passages that this terminal refused
    };

    ::tlm::tlm_sync_enum transport(int number, mesh::Packet& packet, mesh::PortPhase& phase, sc_core::sc_time& delay)
    {
        End& end = *ends_[static_cast<std::size_t>(number)];
        const std::size_t kind = mesh::index(packet.kind);
        if (phase == mesh::PortPhase::kCredit) {
            while (!end.held[kind].empty() && hand_over(end, end.held[kind].front())) end.held[kind].pop_front();
            return ::tlm::TLM_ACCEPTED;
        }
        if (end.inside[kind] >= capacity) {
            ++refused_by_us[kind];
            end.owed[kind] = true;
            phase = mesh::PortPhase::kFull;
            return ::tlm::TLM_UPDATED;
        }
        ++end.inside[kind];
        const Duration leaves = now() + from_kernel(delay);
        const std::size_t i = passages.size();
        passages.push_back({packet, leaves});
        packets_.push_back(&packet);
        timetable_.at(leaves + latency, [this, i] { arrive(i); });
        return ::tlm::TLM_ACCEPTED;
    }

    void arrive(std::size_t i)
    {
        End& to = *ends_[static_cast<std::size_t>(numbers_.at(passages[i].packet.to))];
        auto& held = to.held[mesh::index(passages[i].packet.kind)];
        if (!held.empty() || !hand_over(to, i)) held.push_back(i);
    }

    bool hand_over(End& to, std::size_t i)
    {
        mesh::Packet packet = passages[i].packet;  // it may be gone afterwards
        const std::size_t kind = mesh::index(packet.kind);
        mesh::PortPhase phase = mesh::PortPhase::kPacket;
        sc_core::sc_time delay;
        if (to.socket->nb_transport_bw(*packets_[i], phase, delay) == ::tlm::TLM_UPDATED) {
            ++refused_by_terminals[kind];
            return false;
        }
        passages[i].arrived = now();
        End& from = *ends_[static_cast<std::size_t>(numbers_.at(packet.from))];
        --from.inside[kind];
        if (std::exchange(from.owed[kind], false)) {
            phase = mesh::PortPhase::kCredit;
            from.socket->nb_transport_bw(packet, phase, delay);
        }
        return true;
    }

    Timetable timetable_;
    std::vector<std::unique_ptr<End>> ends_;
    std::map<mesh::Terminal, int> numbers_;
    std::vector<mesh::Packet*> packets_;
};

}  // namespace ringmesh::test
