// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/mesh/border/mesh_clock.h"
#include "hw/mesh/border/mesh_faults.h"
#include "hw/mesh/mesh.h"
#include "hw/mesh/topology/grid.h"
#include "hw/mesh/topology/router_index.h"
#include "tlm/pools/ring_buffer.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/activity.h"

namespace ringmesh::hw {

/// The part of a mesh that is the same in both levels of detail: its sockets, and at each of them the queues of packets
/// that wait for the first router or that their terminal refuses.
///
///     terminal --> injection queues, one of each class --> routers --> (refused packets, of each class) --> terminal
///
/// Who offers more than `injection_slots` packets of a class gets kFull, and kCredit as soon as one has left.
class MeshBorder : public Mesh {
public:
    mesh::MeshSocket<Mesh>& port(mesh::Terminal terminal) override;
    std::uint32_t routers_between(mesh::Terminal from, mesh::Terminal to) const override
    {
        return routes_.routers_between(from, to);
    }
    Duration zero_load_latency(mesh::Terminal from, mesh::Terminal to, std::uint32_t flits) const final;
    Duration latency_through(std::uint32_t routers, std::uint32_t flits) const final;
    std::uint64_t flit_hops() const override;
    std::vector<std::uint64_t> link_flits() const override;
    std::string link_name(std::size_t i) const override { return grid_.output_name(grid_.links().at(i)); }
    void statistics(StatisticsVisitor& visitor) const override;
    std::string pending() const override;

protected:
    static constexpr TerminalIndex kNoTerminal{UINT32_MAX};
    static constexpr RouterIndex kNoRouter = MeshGrid::kNone;

    struct Waiting {
        mesh::Packet* packet = nullptr;
        std::int64_t edge = 0;  // the first one at which it may leave
        Duration since;
    };
    struct Refused {
        mesh::Packet* packet = nullptr;
        Duration since;  // it was offered last
    };
    struct alignas(64) Border {
        // What each packet looks at lies together, for the cache
        mesh::Terminal place;
        std::array<bool, mesh::kClasses> credit_owed{};  // we refused a packet
        std::array<bool, mesh::kClasses> refuses{};      // the terminal has refused one, which waits
        std::array<Level, mesh::kClasses> fill;          // of the injection queues
        std::uint64_t entered = 0;                       // the packet that entered last

        std::unique_ptr<mesh::MeshSocket<Mesh>> socket;
        ::tlm::tlm_bw_transport_if<mesh::PortProtocol>* terminal = nullptr;  // behind it, once it has been called
        std::array<RingBuffer<Waiting>, mesh::kClasses> injection;
        std::array<RingBuffer<Refused>, mesh::kClasses> refused;  // whole packets, by the terminal
    };
    /// A router as the place where something happens to a packet.
    class RouterPlace final : public Component {
    public:
        RouterPlace(const MeshBorder& mesh, RouterIndex router) : mesh_(mesh), router_(router) {}
        std::string component_name() const override;
        void statistics(StatisticsVisitor&) const override {}
        std::string pending() const override { return ""; }

    private:
        const MeshBorder& mesh_;
        RouterIndex router_;
    };

    /// Of a router and the link behind it.
    struct Passage {
        std::int64_t pipeline = 0;
        std::int64_t link = 0;
        std::uint32_t buffer = 0;
    };

    MeshBorder(const sc_core::sc_module_name& name, Simulation& simulation, const MeshParams& params,
               const std::vector<mesh::Terminal>& edges);

    /// On an empty mesh.
    virtual Duration latency_along(const std::vector<Passage>& way, std::uint32_t flits) const;
    /// Stages of a router that a lone head takes, and cycles of the link behind an output.
    std::int64_t pipeline(OutputIndex output) const
    {
        return times_.uniform ? pipeline_ : times_.pipeline[output.router()];
    }
    std::int64_t link(OutputIndex output) const { return times_.uniform ? link_ : times_.link[output]; }

    /// A packet is offered at a terminal where none waits. @param edge the first one after `since`, when it may leave
    /// @return whether it has gone its way at once; else it waits
    virtual bool pass(TerminalIndex, TerminalIndex /*target*/, mesh::Packet&, std::int64_t /*edge*/, Duration /*since*/)
    {
        return false;
    }
    /// A packet waits at this terminal that did not before.
    virtual void offered(TerminalIndex terminal, mesh::Class kind) = 0;
    /// The terminal takes packets of this class again.
    virtual void credited(TerminalIndex terminal, mesh::Class kind) = 0;
    /// Where those are that have entered and not arrived, for pending().
    virtual std::string under_way() const = 0;

    /// A head is in a router from the edge `at` on and waits there for `cycles`.
    void report_wait(const mesh::Packet& packet, RouterIndex router, std::string_view what, std::int64_t at,
                     std::int64_t cycles, std::uint64_t other) const;
    /// A head is in a router from the edge `at` on and works there for `cycles`; nothing if that is none.
    void report_work(const mesh::Packet& packet, RouterIndex router, std::string_view what, std::int64_t at,
                     std::int64_t cycles) const;
    /// A head leaves a router at an edge of the clock, the others behind it.
    void report_link(const mesh::Packet& packet, OutputIndex output, std::int64_t leaves) const;
    void report_arrival(const mesh::Packet& packet, std::int64_t whole) const;

    /// Takes the first packet out of an injection queue. @param start the edge at which its head goes
    mesh::Packet& take_injection(TerminalIndex terminal, mesh::Class kind, std::int64_t start);
    /// The same of one that did not come to the queue. @param since, edge as of one that waits
    void enters(TerminalIndex terminal, mesh::Packet& packet, std::int64_t edge, Duration since, std::int64_t start)
    {
        ++injected_;
        packet.injected_ps = clock_.time(start + entry_).ps();
        if (simulation_.journey() != nullptr) [[unlikely]]
            report_entry(packet, edge, since, start);
        borders_[terminal].entered = packet.id;
    }
    /// The terminal has taken a packet without hand-over, before or after it arrived.
    void taken_early() { ++delivered_; }
    std::uint64_t injected() const { return injected_.count(); }
    /// Packets that have entered and that no terminal has taken.
    std::uint64_t under_way_now() const { return injected_.count() - delivered_.count(); }
    /// To be called after take_injection, when all is as it should be for the next packet: a terminal that was refused
    /// may offer one at once.
    void give_credit(TerminalIndex terminal, mesh::Class kind)
    {
        if (borders_[terminal].credit_owed[mesh::index(kind)]) do_give_credit(terminal, kind);
    }
    /// The terminal that a packet is for; kNoTerminal if this one may not send it.
    TerminalIndex target_of(const mesh::Packet& packet, TerminalIndex terminal) const
    {
        const bool sound =
            packet.flits - 1 < mesh::kMostFlits && grid_.contains(packet.to) && packet.from == borders_[terminal].place;
        return sound ? terminal_of(packet.to) : kNoTerminal;
    }
    /// Whether none waits to enter at this terminal.
    bool may_enter(TerminalIndex terminal) const
    {
        const Border& border = borders_[terminal];
        return border.fill[0] == 0 && border.fill[1] == 0;
    }
    /// The packet's last flit is here. Behind others that were refused it waits with them. @return whether it was taken
    bool deliver(TerminalIndex terminal, mesh::Packet& packet);
    /// Offers the refused ones again. @return true if none is left
    bool deliver_refused(TerminalIndex terminal, mesh::Class kind);

    /// The terminal behind an output; kNoTerminal if it leads to another router or to a stub.
    TerminalIndex terminal_at(OutputIndex output) const { return terminal_at_[output]; }
    TerminalIndex terminal_of(mesh::Terminal place) const { return terminal_at_[grid_.output(place)]; }
    /// Whether there is a router or a terminal behind an output, and which router.
    bool leads(OutputIndex output) const { return leads_to_router(output) || terminal_at(output) != kNoTerminal; }
    bool leads_to_router(OutputIndex output) const { return router_behind(output) != kNoRouter; }
    RouterIndex router_behind(OutputIndex output) const { return grid_.neighbour(output); }
    RouterIndex router_of(mesh::Terminal place) const { return grid_.router(place); }
    const Component& place(RouterIndex router) const { return routers_[router.number]; }
    std::string router_name(RouterIndex router) const { return grid_.router_name(router); }
    std::string output_name(OutputIndex output) const { return grid_.output_name(output); }
    /// An output's wires carry flits of this packet from an edge of the clock on, its head's perhaps among them, which
    /// has waited in its router for so many cycles.
    /// @param late cycles more by which a fault has them take it
    void link_busy(OutputIndex output, const mesh::Packet& packet, std::int64_t from, std::uint32_t flits, bool head,
                   std::int64_t waited, std::int64_t late = 0) const
    {
        const Activity& link = link_activity_[output];
        if (link.observed() || link.measured()) note_link_busy(link, packet, from, flits, head, waited, late);
    }
    void note_link_busy(const Activity& link, const mesh::Packet& packet, std::int64_t from, std::uint32_t flits,
                        bool head, std::int64_t waited, std::int64_t late) const;
    /// Cycles by which a head comes late, as it is sent again or slowly.
    void report_late(const mesh::Packet& packet, OutputIndex output, std::int64_t since, std::int64_t again,
                     std::int64_t slow) const;
    bool links_measured() const { return link_activity_[OutputIndex()].measured(); }
    void border_places(PlaceVisitor& visitor) const;
    /// @return whether one of them is traced
    bool trace_links(sc_core::sc_trace_file* file) const;
    void trace_border(sc_core::sc_trace_file* file) const;

    Simulation& simulation_;
    const MeshParams params_;
    const MeshGrid grid_;
    const MeshRoutes routes_;
    const MeshTimes times_;
    const MeshClock clock_;
    const std::int64_t pipeline_, link_, entry_;  // cycles; of routers and links that do not differ
    std::unique_ptr<MeshFaults> faults_;          // null if there are none
    Indexed<TerminalIndex, Border> borders_;
    Indexed<OutputIndex, std::uint64_t> output_flits_;  // those to terminals included

private:
    ::tlm::tlm_sync_enum transport(int terminal, mesh::Packet& packet, mesh::PortPhase& phase,
                                   sc_core::sc_time& delay) final;
    void do_give_credit(TerminalIndex terminal, mesh::Class kind);
    bool hand_over(TerminalIndex terminal, mesh::Packet& packet);
    [[gnu::cold]] void report_entry(const mesh::Packet& packet, std::int64_t edge, Duration since,
                                    std::int64_t start) const;
    [[gnu::cold]] void throw_unsound(const mesh::Packet& packet, TerminalIndex terminal) const;

    Indexed<OutputIndex, TerminalIndex> terminal_at_;
    Indexed<OutputIndex, Activity> link_activity_;
    std::vector<RouterPlace> routers_;
    Counter injected_, delivered_, refused_by_us_, refused_by_terminals_;
};

}  // namespace ringmesh::hw
