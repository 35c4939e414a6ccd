// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "hw/traffic_source.h"
#include "tlm/mesh/mesh_port.h"
#include "tlm/pools/ring_buffer.h"

namespace ringmesh::hw {

/// A packet source at a router's local port, in place of a tile, where it loads only the mesh, or beside it. It offers
/// the packets that a traffic model creates, and takes those that arrive.
///
///     TrafficModel --> queue of each class --> port          port --> TrafficModel
///
/// Timing: takes no time itself, and one event per packet, at its birth. A packet waits in its queue until the
/// mesh has room for its class; the classes do not wait for each other. A request that finds kSourceQueue others is
/// dropped and counted; responses are bounded by what arrived. What arrives is taken at once.
class MeshPacketSource final : public TrafficSource {
public:
    mesh::TerminalSocket<MeshPacketSource> port{"port"};

    /// @param number of the source @param places of all sources, by number; outlive this
    MeshPacketSource(const sc_core::sc_module_name& name, Simulation& simulation, std::uint32_t number,
                     const std::vector<mesh::Terminal>& places);

    void trace(sc_core::sc_trace_file* file) const override;
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;
    std::string pending() const override;
    bool only_waits() const override { return true; }

private:
    struct Born {
        Injection injection;
        std::uint64_t id = 0;  // the packet's number
        Duration since;        // it waits: its birth, or the last time that it found no room
    };
    /// Packets of one class that were born and have not been taken yet.
    struct Queue {
        RingBuffer<Born> waiting;
        Level fill;
        std::uint64_t sent = 0;  // the last one that was taken
    };

    ::tlm::tlm_sync_enum from_mesh(mesh::Packet& packet, mesh::PortPhase& phase, sc_core::sc_time& delay);
    void send_waiting(mesh::Class kind);
    void offer(const Injection& injection) override;
    bool send(Born& born);

    mesh::PacketPool& packets_;
    const std::vector<mesh::Terminal>& places_;
    std::array<Queue, mesh::kClasses> queues_;

    Counter waited_, taken_;
};

}  // namespace ringmesh::hw
