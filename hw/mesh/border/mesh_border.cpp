// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/border/mesh_border.h"

#include <fmt/format.h>

#include <utility>

#include "tlm/error.h"
#include "tlm/mesh/journey.h"
#include "tlm/time/kernel_time.h"
#include "tlm/time/require_now.h"

namespace ringmesh::hw {

using mesh::Class;
using mesh::Packet;
using mesh::Port;
using mesh::PortPhase;
using mesh::Terminal;

namespace {

std::string name_of(const MeshGrid& grid, Terminal place)
{
    if (grid.contains(place)) return grid.output_name(grid.output(place));
    return fmt::format("r{}_{}.{} (outside the mesh)", place.x, place.y, mesh::word(place.port));
}

}  // namespace

MeshBorder::MeshBorder(const sc_core::sc_module_name& module_name, Simulation& simulation, const MeshParams& params,
                       const std::vector<Terminal>& edges)
    : Mesh(module_name),
      simulation_(simulation),
      params_(params),
      grid_(params.grid()),
      routes_(params.routes_on(grid_)),
      times_(params.times_on(grid_)),
      clock_(params.clock),
      pipeline_(params_.head_pipeline().count()),
      link_(params.link.count()),
      entry_(params.terminal.count()),
      borders_(grid_.nodes().size() + edges.size()),
      output_flits_(grid_.outputs()),
      terminal_at_(grid_.outputs(), kNoTerminal),
      link_activity_(grid_.outputs())
{
    if (const auto wrong = params.problem(); !wrong.empty()) throw ModelError(fmt::format("{}: {}", name(), wrong));
    auto add = [this, number = std::size_t{0}](Terminal place) mutable {
        const TerminalIndex terminal(number++);
        Border& border = borders_[terminal];
        border.place = place;
        const std::string socket_name =
            fmt::format("{}_{}", grid_.router_name(grid_.router(place)), mesh::word(place.port));
        border.socket = std::make_unique<mesh::MeshSocket<Mesh>>(socket_name.c_str());
        listen(*border.socket, static_cast<int>(terminal.number));
        terminal_at_[grid_.output(place)] = terminal;
    };
    for (const RouterIndex router : grid_.nodes()) add(grid_.local_port(router));
    for (const Terminal& place : edges) {
        if (!grid_.contains(place) || grid_.neighbour(grid_.output(place)) != MeshGrid::kNone ||
            terminal_of(place) != kNoTerminal) {
            throw ModelError(fmt::format("{}: {} is no free outer port", name(), name_of(grid_, place)));
        }
        add(place);
    }
    faults_ = MeshFaults::of(
        this->name(), grid_, [this](OutputIndex output) { return leads(output); }, simulation.faults(), params.recovery,
        clock_);
    routers_.reserve(grid_.routers());
    for (std::size_t router = 0; router < grid_.routers(); ++router) routers_.emplace_back(*this, RouterIndex(router));
    simulation.add(*this);
}

std::string MeshBorder::RouterPlace::component_name() const
{
    return fmt::format("{}.{}", mesh_.name(), mesh_.router_name(router_));
}

mesh::MeshSocket<Mesh>& MeshBorder::port(Terminal place)
{
    const TerminalIndex terminal = grid_.contains(place) ? terminal_of(place) : kNoTerminal;
    if (terminal == kNoTerminal) throw ModelError(fmt::format("{}: no terminal at {}", name(), name_of(grid_, place)));
    return *borders_[terminal].socket;
}

Duration MeshBorder::zero_load_latency(Terminal from, Terminal to, std::uint32_t flits) const
{
    if (times_.uniform) return latency_through(routers_between(from, to), flits);
    std::vector<Passage> way;
    for (const RouterIndex router : routes_.route(from, to)) {
        const OutputIndex output(router, routes_.ways(router, to).first);
        way.push_back({times_.pipeline[router], times_.link[output], times_.buffer[router]});
    }
    return latency_along(way, flits);
}

Duration MeshBorder::latency_through(std::uint32_t routers, std::uint32_t flits) const
{
    const Passage each{pipeline_, link_, static_cast<std::uint32_t>(params_.buffer_flits)};
    return latency_along(std::vector<Passage>(routers, each), flits);
}

Duration MeshBorder::latency_along(const std::vector<Passage>& way, std::uint32_t flits) const
{
    std::int64_t cycles = entry_ + flits - 1;
    for (const Passage& each : way) cycles += each.pipeline + each.link;
    return clock_.span(cycles);
}

std::uint64_t MeshBorder::flit_hops() const
{
    std::uint64_t sum = 0;
    for (const OutputIndex link : grid_.links()) sum += output_flits_[link];
    return sum;
}

std::vector<std::uint64_t> MeshBorder::link_flits() const
{
    std::vector<std::uint64_t> flits;
    flits.reserve(grid_.links().size());
    for (const OutputIndex link : grid_.links()) flits.push_back(output_flits_[link]);
    return flits;
}

void MeshBorder::throw_unsound(const Packet& packet, TerminalIndex terminal) const
{
    if (packet.flits == 0 || packet.flits > mesh::kMostFlits) {
        throw ModelError(fmt::format("{}: a packet of {} flits", name(), packet.flits));
    }
    if (!grid_.contains(packet.to) || terminal_of(packet.to) == kNoTerminal) {
        throw ModelError(fmt::format("{}: {} sends a packet to {}, which has no terminal", name(),
                                     name_of(grid_, borders_[terminal].place), name_of(grid_, packet.to)));
    }
    throw ModelError(fmt::format("{}: {} sends a packet in the name of {}", name(),
                                 name_of(grid_, borders_[terminal].place), name_of(grid_, packet.from)));
}

::tlm::tlm_sync_enum MeshBorder::transport(int number, Packet& packet, PortPhase& phase, sc_core::sc_time& delay)
{
    const TerminalIndex terminal(static_cast<std::size_t>(number));
    const Class kind = packet.kind;
    if (phase == PortPhase::kCredit) {
        require_now(delay);
        credited(terminal, kind);
        return ::tlm::TLM_ACCEPTED;
    }
    const TerminalIndex target = target_of(packet, terminal);
    if (target == kNoTerminal) throw_unsound(packet, terminal);
    Border& border = borders_[terminal];
    const Duration since = now() + from_kernel(delay);
    const std::int64_t edge = clock_.edge_from(since);
    if (may_enter(terminal) && pass(terminal, target, packet, edge, since)) return ::tlm::TLM_ACCEPTED;
    auto& queue = border.injection[mesh::index(kind)];
    if (queue.size() >= static_cast<std::size_t>(params_.injection_slots)) {
        ++refused_by_us_;
        border.fill[mesh::index(kind)].refuse();
        border.credit_owed[mesh::index(kind)] = true;
        phase = PortPhase::kFull;
        return ::tlm::TLM_UPDATED;
    }
    queue.push_back({&packet, edge, since});
    ++border.fill[mesh::index(kind)];
    offered(terminal, kind);
    return ::tlm::TLM_ACCEPTED;
}

Packet& MeshBorder::take_injection(TerminalIndex terminal, Class kind, std::int64_t start)
{
    Border& border = borders_[terminal];
    --border.fill[mesh::index(kind)];
    const Waiting first = border.injection[mesh::index(kind)].pop_front();
    enters(terminal, *first.packet, first.edge, first.since, start);
    return *first.packet;
}

void MeshBorder::report_entry(const Packet& packet, std::int64_t edge, Duration since, std::int64_t start) const
{
    const Component& where = place(router_of(packet.from));
    const Duration could = clock_.time(edge);
    const Duration entered = clock_.time(start + entry_);
    mesh::report_wait(simulation_, where, "edge of the clock", packet, since, could);
    mesh::report_wait(simulation_, where, "to enter", packet, could, clock_.time(start),
                      borders_[terminal_of(packet.from)].entered);
    simulation_.report_injection(packet.id, mesh::leg_of(packet), entered);
    mesh::report(simulation_, where, "into the mesh", packet, entered - clock_.span(entry_), entered);
}

void MeshBorder::do_give_credit(TerminalIndex terminal, Class kind)
{
    Border& border = borders_[terminal];
    border.credit_owed[mesh::index(kind)] = false;
    PortPhase phase = PortPhase::kCredit;
    sc_core::sc_time delay;
    (*border.socket)->nb_transport_bw(mesh::credit_for(kind), phase, delay);
}

bool MeshBorder::deliver(TerminalIndex terminal, Packet& packet)
{
    auto& refused = borders_[terminal].refused[mesh::index(packet.kind)];
    if (refused.empty() && hand_over(terminal, packet)) return true;
    refused.push_back({&packet, now()});
    borders_[terminal].refuses[mesh::index(packet.kind)] = true;
    return false;
}

bool MeshBorder::deliver_refused(TerminalIndex terminal, Class kind)
{
    auto& refused = borders_[terminal].refused[mesh::index(kind)];
    while (!refused.empty()) {
        auto& [packet, since] = refused.front();
        mesh::report_wait(simulation_, place(router_of(packet->to)), "no room in the receiver", *packet,
                          std::exchange(since, now()), now());
        if (!hand_over(terminal, *packet)) break;
        refused.pop_front();
    }
    borders_[terminal].refuses[mesh::index(kind)] = !refused.empty();
    return refused.empty();
}

/// @return false if the terminal has no place for it
bool MeshBorder::hand_over(TerminalIndex terminal, Packet& packet)
{
    Border& border = borders_[terminal];
    if (border.terminal == nullptr) border.terminal = border.socket->operator->();
    PortPhase phase = PortPhase::kPacket;
    sc_core::sc_time delay;
    if (border.terminal->nb_transport_bw(packet, phase, delay) == ::tlm::TLM_UPDATED) {
        ++refused_by_terminals_;
        return false;
    }
    ++delivered_;
    return true;
}

std::string MeshBorder::pending() const
{
    PendingText text;
    text.add(under_way());
    text.begin_list("queues of terminals");
    std::vector<std::size_t> queued;
    for (const Border& border : borders_) {
        for (const Class kind : {Class::kRequest, Class::kResponse}) {
            queued.push_back(border.injection[mesh::index(kind)].size());
            queued.push_back(border.refused[mesh::index(kind)].size());
        }
    }
    if (Division* const division = simulation_.all_ask()) {
        division->add_up([&queued](Totals& totals) { totals.sum_each(queued); });
        if (!division->gives_results()) return {};
    }
    auto count = queued.begin();
    const auto add = [&](std::string_view what, Class kind, Terminal place) {
        const auto plural = *count == 1 ? "" : "s";
        text.add(*count++, fmt::format("{}{} {} {}", mesh::word(kind), plural, what, name_of(grid_, place)));
    };
    for (const Border& border : borders_) {
        for (const Class kind : {Class::kRequest, Class::kResponse}) {
            add("wait to enter at", kind, border.place);
            add("refused at", kind, border.place);
        }
    }
    return text.text();
}

void MeshBorder::report_wait(const Packet& packet, RouterIndex router, std::string_view what, std::int64_t at,
                             std::int64_t cycles, std::uint64_t other) const
{
    mesh::report_wait(simulation_, place(router), what, packet, clock_.time(at), clock_.time(at + cycles), other);
}

void MeshBorder::report_work(const Packet& packet, RouterIndex router, std::string_view what, std::int64_t at,
                             std::int64_t cycles) const
{
    if (cycles <= 0) return;
    mesh::report(simulation_, place(router), what, packet, clock_.time(at), clock_.time(at + cycles));
}

void MeshBorder::report_link(const Packet& packet, OutputIndex output, std::int64_t leaves) const
{
    mesh::report(simulation_, place(output.router()), "link", packet, clock_.time(leaves),
                 clock_.time(leaves + link(output)), StageKind::kPropagation);
}

void MeshBorder::report_arrival(const Packet& packet, std::int64_t whole) const
{
    mesh::report(simulation_, place(router_of(packet.to)), "rest of the packet", packet,
                 clock_.time(whole - packet.flits + 1), clock_.time(whole));
}

void MeshBorder::note_link_busy(const Activity& link, const Packet& packet, std::int64_t from, std::uint32_t flits,
                                bool head, std::int64_t waited, std::int64_t late) const
{
    const Duration begin = clock_.time(from);
    if (waited > 0) link.wait(begin - clock_.time(from - waited));
    link.busy(begin, clock_.time(from + flits + late), mesh::word(packet.kind), packet.id,
              {.bytes = flits * std::uint32_t{mesh::kFlitBytes}, .packets = head ? 1U : 0U});
}

void MeshBorder::report_late(const Packet& packet, OutputIndex output, std::int64_t since, std::int64_t again,
                             std::int64_t slow) const
{
    report_wait(packet, output.router(), "corrupted, sent again", since, again, 0);
    report_wait(packet, output.router(), "half the width", since + again, slow, 0);
}

bool MeshBorder::trace_links(sc_core::sc_trace_file* file) const
{
    bool observed = false;
    for (OutputIndex output; output.number < grid_.outputs(); ++output.number) {
        if (!leads(output)) continue;
        trace_signal(file, link_activity_[output], fmt::format("{}.{}", name(), output_name(output)),
                     {"the class of the packet whose flit is on the link from this router to the next one or to its "
                      "terminal",
                      "request, response", SignalPlace::kLink});
        observed = observed || link_activity_[output].observed();
    }
    return observed;
}

void MeshBorder::trace_border(sc_core::sc_trace_file* file) const
{
    for (const Border& border : borders_) {
        const std::string prefix = fmt::format("{}.{}", name(), grid_.output_name(grid_.output(border.place)));
        trace_signal(file, border.fill[0], prefix + "_requests_fill",
                     {"requests of this terminal that wait for the first router", "packets", SignalPlace::kWayOut});
        trace_signal(file, border.fill[1], prefix + "_responses_fill",
                     {"responses of this terminal that wait for the first router", "packets", SignalPlace::kWayOut});
    }
}

void MeshBorder::border_places(PlaceVisitor& visitor) const
{
    for (OutputIndex output; output.number < grid_.outputs(); ++output.number) {
        if (!leads(output)) continue;
        visitor.busy(output_name(output), leads_to_router(output) ? "link" : "ejection link", link_activity_[output]);
    }
    for (const Border& border : borders_) {
        const std::string prefix = grid_.output_name(grid_.output(border.place));
        const auto slots = static_cast<std::uint64_t>(params_.injection_slots);
        visitor.level(prefix + "_requests_fill", "queue", border.fill[0], slots);
        visitor.level(prefix + "_responses_fill", "queue", border.fill[1], slots);
    }
}

void MeshBorder::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("injected", injected_, "packets", "that have entered their first router");
    visitor.counter("delivered", delivered_, "packets", "taken by their terminals");
    visitor.value("flit_hops", static_cast<double>(flit_hops()), "flits", "over links between routers");
    visitor.counter("injection_full", refused_by_us_, "packets", "offered while the injection queue was full");
    visitor.counter("ejection_refused", refused_by_terminals_, "packets", "refused by the terminal they were for");
    if (faults_ != nullptr) faults_->statistics(visitor);
}

}  // namespace ringmesh::hw
