// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "hw/mesh/border/mesh_border.h"
#include "hw/mesh/flit/flit_crossing.h"
#include "hw/mesh/flit/flit_fabric.h"
#include "hw/mesh/flit/flit_faults.h"
#include "tlm/time/wakeup.h"

namespace ringmesh::hw {

/// The mesh in the detail `flit`: routers with virtual channels and credits, cycle by cycle (FlitFabric).
///
/// Timing: one clock event for all routers, which is gated while no flit can move. A cycle is computed at its end, when
/// all actions of the terminals are known, independent of the order of the kernel's calls. A terminal injects one flit
/// per cycle; its two classes alternate, and neither blocks the other. Packets refused by a terminal stay in the mesh:
/// no further packet of their class gets a channel towards it. Packets between the same two terminals may overtake each
/// other in different channels.
class FlitMesh final : public MeshBorder, private RouterListener, private FlitWires {
public:
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
        TerminalIndex terminal;
    };
    struct Reopened {
        TerminalIndex terminal;
        mesh::Class kind = mesh::Class::kRequest;
    };

    void offered(TerminalIndex terminal, mesh::Class kind) override;
    void credited(TerminalIndex terminal, mesh::Class kind) override;
    std::string under_way() const override;
    std::int64_t flit_leaves(InputIndex input, OutputIndex output, const mesh::Packet& packet, bool head,
                             std::int64_t cycle) override;
    void gets_channel(OutputChannelIndex channel, const mesh::Packet& packet) override;
    void gets_credit(OutputChannelIndex channel, const mesh::Packet& packet) override;
    void comes_to_front(const mesh::Packet& packet, const mesh::Packet& before, std::int64_t cycle) override;
    void comes_from_outside(const mesh::Packet& packet, std::int64_t cycle) override
    {
        heads_[&packet] = {.at = cycle, .front = cycle};
    }
    void report_passage(const mesh::Packet& packet, InputIndex input, OutputIndex output, std::int64_t leaves);
    /// Of what a head waits for from one cycle to another, the part in which its output was stopped. @return its end
    std::int64_t report_stop(const mesh::Packet& packet, OutputIndex output, std::int64_t from, std::int64_t to) const;
    void report_tail(const mesh::Packet& packet, std::int64_t whole);

    void step();
    void run(std::int64_t cycle);
    void run_entry(TerminalIndex terminal, std::int64_t cycle);
    bool send_flit(TerminalIndex terminal, std::size_t kind, std::int64_t cycle);
    void expect(std::int64_t edge, TerminalIndex terminal);
    void reopen_terminals();
    void resume(std::int64_t last);
    std::int64_t next_cycle() const;

    std::unique_ptr<FlitFabric> network_;
    std::unique_ptr<FlitFaults> link_faults_;  // null if there are none
    std::unique_ptr<FlitCrossing> crossing_;   // null if one process has all routers
    Indexed<TerminalIndex, Entry> entries_;
    std::vector<std::uint64_t> busy_entries_;  // a bit each
    std::vector<Offer> offers_;                // a heap, the earliest first
    std::vector<Reopened> reopened_;
    std::int64_t last_ = -1;  // cycle computed last
    Counter cycles_;
    /// Who looks at the routers.
    struct Watchers {
        bool journeys = false;  // packet journeys are recorded
        bool links = false;     // signals of links
        bool places = false;    // the use of places
        bool operator==(const Watchers&) const = default;
    };
    void attach_watchers();
    void attach(const Watchers& watchers);
    /// What a cycle tells, in the order of these.
    enum class Part : std::uint64_t { kNone, kEntries, kRouters, kArrivals };
    /// From now on this terminal or router tells, where processes share a mesh.
    void tells(Part part, std::uint32_t number)
    {
        if (observations_ == nullptr) [[likely]]
            return;
        observations_->set_part(static_cast<std::uint64_t>(part) << 32U | number);
    }
    Watchers watchers_;
    Observations* observations_ = nullptr;
    /// A head in a router, if journeys are recorded; times are cycles, or the edges at which they begin.
    struct Head {
        std::int64_t at = 0;       // in the buffer since
        std::int64_t front = 0;    // at its front since
        std::int64_t granted = 0;  // in this one it got its virtual channel
        std::int64_t credit = 0;   // the first one with a credit after it had none
        OutputChannelIndex channel = kNone;
        std::uint64_t before = 0;  // the packet before it in the buffer, if it was not empty
        std::uint64_t holder = 0;  // the packet that had the virtual channel before
        static constexpr OutputChannelIndex kNone{UINT32_MAX};
    };
    std::unordered_map<const mesh::Packet*, Head> heads_;
    Indexed<OutputChannelIndex, std::uint64_t> holders_;  // the packet that got it last
    struct Leaver {
        std::uint64_t packet = 0;
        std::int64_t cycle = -1;
    };
    Indexed<OutputIndex, Leaver> leavers_;  // the last flit
    Indexed<InputIndex, Leaver> leavers_of_input_;
    mutable bool traced_ = false;  // links are traced
    Wakeup wakeup_{wakes<&FlitMesh::step>(simulation_.calendar(), *this)};
};

}  // namespace ringmesh::hw
