// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "hw/mesh/flit_fabric.h"
#include "hw/mesh/mesh_border.h"
#include "tlm/wakeup.h"

namespace ringmesh::hw {

/// The mesh in the detail `flit`: routers with virtual channels and credits, cycle by cycle (FlitFabric).
///
/// Timing: one clock event for all routers, which is gated while no flit can move. A cycle is computed at its end, when
/// all actions of the terminals are known, independent of the order of the kernel's calls. A terminal injects one flit
/// per cycle; its two classes alternate, and neither blocks the other. Packets refused by a terminal stay in the mesh:
/// no further packet of their class gets a channel towards it. Packets between the same two terminals may overtake each
/// other in different channels.
class FlitMesh final : public MeshBorder, private FlitListener {
public:
    SC_HAS_PROCESS(FlitMesh);
    FlitMesh(const sc_core::sc_module_name& name, Simulation& simulation, const MeshParams& params,
             const std::vector<mesh::Terminal>& edges);

    std::string_view detail() const override { return "flit"; }
    void trace(sc_core::sc_trace_file* file) const override;
    void statistics(StatisticsVisitor& visitor) const override;
    void places(PlaceVisitor& visitor) const override;

private:
    Duration latency_along(const std::vector<Passage>& way, std::uint32_t flits) const override;
    /// The packet of a class being injected.
    struct Entering {
        mesh::Packet* packet = nullptr;
        std::uint32_t left = 0;  // flits
        std::uint8_t channel = kNothing;
    };
    struct Entry {
        std::array<Entering, mesh::kClasses> entering;
        std::uint8_t turn = 0;  // class with priority
    };
    struct Offer {
        std::int64_t edge = 0;
        std::uint32_t terminal = 0;
    };
    struct Held {
        std::uint32_t terminal = 0;
        mesh::Class kind = mesh::Class::kRequest;
    };

    void offered(std::uint32_t terminal, mesh::Class kind) override;
    void room(std::uint32_t terminal, mesh::Class kind) override;
    std::string under_way() const override;
    std::int64_t flit_leaves(std::size_t input, std::size_t output, const mesh::Packet& packet, bool head,
                             std::int64_t cycle) override;
    void gets_channel(std::size_t channel, const mesh::Packet& packet) override;
    void gets_credit(std::size_t channel, const mesh::Packet& packet) override;
    void comes_to_front(const mesh::Packet& packet, const mesh::Packet& before, std::int64_t cycle) override;
    void report_passage(const mesh::Packet& packet, std::size_t input, std::size_t output, std::int64_t leaves);
    struct Late {
        std::int64_t again = 0;  // cycles, as it is sent again
        std::int64_t slow = 0;   // as the link is slow
        std::int64_t sum() const { return again + slow; }
    };
    [[gnu::cold]] Late suffer(std::size_t output, const mesh::Packet& packet, bool head, std::int64_t cycle);
    [[gnu::cold]] void run_faults(std::int64_t cycle);
    void look(std::size_t output, std::int64_t cycle);
    /// Of what a head waits for from one cycle to another, the part until its link took flits again.
    std::int64_t report_fault(const mesh::Packet& packet, std::size_t output, std::int64_t from, std::int64_t to) const;
    void report_tail(const mesh::Packet& packet, std::int64_t whole);

    void step();
    void run(std::int64_t cycle);
    void run_entry(std::uint32_t terminal, std::int64_t cycle);
    bool send_flit(std::uint32_t terminal, std::size_t kind, std::int64_t cycle);
    void expect(std::int64_t edge, std::uint32_t terminal);
    void take_held();
    std::int64_t next_cycle() const;

    std::unique_ptr<FlitFabric> network_;
    const std::int64_t to_wires_;  // cycles from a switch to the link behind it
    std::vector<Entry> entries_;
    std::vector<std::uint64_t> busy_entries_;  // a bit each
    std::vector<Offer> offers_;                // a heap, the earliest first
    std::vector<Held> held_work_;
    std::int64_t last_ = -1;  // cycle computed last
    Counter cycles_;
    bool journeys_ = false;  // packet journeys are recorded
    /// A head in a router, if journeys are recorded; times are cycles, or the edges at which they begin.
    struct Head {
        std::int64_t at = 0;          // in the buffer since
        std::int64_t front = 0;       // at its front since
        std::int64_t granted = 0;     // in this one it got its virtual channel
        std::int64_t credit = 0;      // the first one with a credit after it had none
        std::size_t channel = kNone;  // the virtual channel
        std::uint64_t before = 0;     // the packet before it in the buffer, if it was not empty
        std::uint64_t holder = 0;     // the packet that had the virtual channel before
        static constexpr std::size_t kNone = SIZE_MAX;
    };
    std::unordered_map<const mesh::Packet*, Head> heads_;
    std::vector<std::uint64_t> holders_;  // of each channel: the packet that got it last
    struct Leaver {
        std::uint64_t packet = 0;
        std::int64_t cycle = -1;
    };
    std::vector<Leaver> leavers_;          // of each output: the last flit
    std::vector<Leaver> leavers_of_port_;  // of each input
    mutable bool traced_ = false;          // links are traced
    /// A link with faults.
    struct FaultyLink {
        bool held = false;          // the routers are told that it takes no flits
        std::int64_t blocked = 0;   // it takes none before this cycle, because of the last one
        std::int64_t released = 0;  // the cycle from which on it takes flits
    };
    std::vector<FaultyLink> faulty_;             // of each output, if the mesh has faults
    std::vector<std::size_t> to_look_, looked_;  // outputs, in the next cycle
    std::vector<Offer> releases_;                // a heap: cycle and output
    std::size_t begun_ = 0;                      // of the states that begin at known times
    std::int64_t next_fault_ = INT64_MAX;  // the cycle in which an output has to be looked at next, but for to_look_
    Wakeup wakeup_{"wakeup"};
};

}  // namespace ringmesh::hw
