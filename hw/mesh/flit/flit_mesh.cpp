// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/flit/flit_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "hw/mesh/topology/place_graph.h"
#include "tlm/statistics/activity.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

using mesh::Class;
using mesh::Packet;

namespace {

std::vector<mesh::Terminal> terminals_of(const auto& borders)
{
    std::vector<mesh::Terminal> all;
    all.reserve(borders.size());
    for (const auto& border : borders) all.push_back(border.place);
    return all;
}

std::unique_ptr<FlitFabric> make_network(const FlitWiring& wiring)
{
    const ArbitrationPolicy& arbitration = *wiring.params.arbitration;
    return arbitration.network(wiring, arbitration.own == nullptr ? nullptr : arbitration.own());
}

/// Cycles from a switch to the link behind it.
std::int64_t to_wires(const MeshParams& params) { return std::min<std::int64_t>(2, params.pipeline.count()); }

constexpr auto kLaterEdge = [](const auto& a, const auto& b) { return a.edge > b.edge; };

}  // namespace

FlitMesh::FlitMesh(const sc_core::sc_module_name& module_name, Simulation& simulation, const MeshParams& params,
                   const std::vector<mesh::Terminal>& edges)
    : MeshBorder(module_name, simulation, params, edges),
      network_(
          make_network({params_, grid_, routes_, times_, terminals_of(borders_), output_flits_, faults_ != nullptr})),
      entries_(borders_.size()),
      busy_entries_((borders_.size() + 63) / 64)
{
    if (faults_ != nullptr) {
        link_faults_ = std::make_unique<FlitFaults>(*faults_, *network_, clock_, to_wires(params_));
    }
    attach({});
    if (Division* const division = simulation.division(); division != nullptr) {
        division->cut(place_graph(params_, grid_, routes_, times_));
        if (faults_ != nullptr) {
            faults_->keep_begins([division](OutputIndex output) { return division->owns(output.router().number); });
        }
        observations_ = &division->observations();
        crossing_ = std::make_unique<FlitCrossing>(*division, *network_, clock_, simulation.pool<mesh::PacketPool>(),
                                                   cycles_, [this](std::int64_t last) { resume(last); });
    }
}

/// Each flit waits for the one before it, and for the credit of the one that its buffer has room for before it.
Duration FlitMesh::latency_along(const std::vector<Passage>& way, std::uint32_t flits) const
{
    const std::size_t routers = way.size();
    const std::int64_t wires = to_wires(params_);
    // Of each flit: when it enters, then when each router's switch takes it; the last buffer is the terminal's
    std::vector<std::vector<std::int64_t>> taken(flits, std::vector<std::int64_t>(routers + 1));
    for (std::size_t flit = 0; flit < flits; ++flit) {
        for (std::size_t stage = 0; stage <= routers; ++stage) {
            std::int64_t& at = taken[flit][stage];
            if (stage > 0) at = taken[flit][stage - 1] + (stage == 1 ? entry_ : wires + way[stage - 2].link);
            if (flit > 0) {
                at = std::max(at, taken[flit - 1][stage] + 1);
            } else if (stage > 0) {
                at += way[stage - 1].pipeline - wires;
            }
            if (stage == routers) continue;
            const std::uint32_t buffer = way[stage].buffer;
            const std::int64_t credit = 1 + (stage == 0 ? link_ : way[stage - 1].link);
            if (flit >= buffer) at = std::max(at, taken[flit - buffer][stage + 1] + credit);
        }
    }
    return clock_.span(taken.back().back() + wires + way.back().link);
}

void FlitMesh::offered(TerminalIndex terminal, Class kind)
{
    const auto& queue = borders_[terminal].injection[mesh::index(kind)];
    if (queue.size() == 1) expect(queue.front().edge, terminal);  // otherwise the first one is already scheduled
}

/// The first packet of a queue may enter from this edge on.
void FlitMesh::expect(std::int64_t edge, TerminalIndex terminal)
{
    offers_.push_back({edge, terminal});
    std::push_heap(offers_.begin(), offers_.end(), kLaterEdge);
    wakeup_.at(clock_.time(edge + 1));
}

void FlitMesh::credited(TerminalIndex terminal, Class kind)
{
    if (borders_[terminal].refused[mesh::index(kind)].empty()) return;
    reopened_.push_back({terminal, kind});
    wakeup_.at(clock_.time(clock_.edge_from(now())));
}

void FlitMesh::step()
{
    const Duration time = now();
    wakeup_.taken(time);
    attach_watchers();
    for (std::int64_t cycle = next_cycle(); cycle != INT64_MAX && clock_.time(cycle + 1) <= time;
         cycle = next_cycle()) {
        run(cycle);
        if (watchers_.places) network_->tell_levels(clock_.time(cycle + 1));
    }
    tells(Part::kNone, 0);
    if (!reopened_.empty()) reopen_terminals();
    if (const std::int64_t cycle = next_cycle(); cycle != INT64_MAX) wakeup_.at(clock_.time(cycle + 1), time);
}

void FlitMesh::attach_watchers()
{
    const Watchers watchers{simulation_.journey() != nullptr, traced_, links_measured()};
    if (watchers != watchers_) attach(watchers);
}

/// Once, and when those who look change.
void FlitMesh::attach(const Watchers& watchers)
{
    watchers_ = watchers;
    if (watchers.places) network_->measure();
    if (watchers.journeys && leavers_.empty()) {
        leavers_.resize(grid_.outputs());
        leavers_of_input_.resize(grid_.outputs());
        holders_.resize(grid_.outputs() * kStride);
    }
    const bool any = watchers != Watchers{};
    network_->attach(watchers.journeys ? this : nullptr, any ? this : static_cast<FlitWires*>(link_faults_.get()));
}

/// The next cycle to compute; INT64_MAX if there is no work.
std::int64_t FlitMesh::next_cycle() const
{
    std::int64_t next = network_->next_work(last_);
    for (const std::uint64_t word : busy_entries_) {
        if (word != 0) next = last_ + 1;
    }
    if (!offers_.empty()) next = std::min(next, std::max(offers_.front().edge, last_ + 1));
    if (link_faults_ != nullptr) next = std::min(next, std::max(link_faults_->next_wanted_start(), last_ + 1));
    return next;
}

/// Terminals that have refused packets have room again.
void FlitMesh::reopen_terminals()
{
    // If the routers were idle, there was no work up to here.
    last_ = std::max(last_, clock_.edge_from(now()) - 1);
    const std::vector<Reopened> work = std::exchange(reopened_, {});
    for (const auto& [terminal, kind] : work) {
        if (deliver_refused(terminal, kind)) network_->set_open(terminal, kind, true);
    }
}

/// Something may have come from another process.
void FlitMesh::resume(std::int64_t last)
{
    attach_watchers();  // before the first head comes
    last_ = std::max(last_, last);
    if (link_faults_ != nullptr) link_faults_->count_begins(crossing_->last_computed());
    if (const std::int64_t cycle = next_cycle(); cycle != INT64_MAX) wakeup_.at(clock_.time(cycle + 1));
}

void FlitMesh::run(std::int64_t cycle)
{
    last_ = cycle;
    if (crossing_ == nullptr) {
        ++cycles_;
    } else {
        crossing_->computed(cycle);
    }
    if (link_faults_ != nullptr) [[unlikely]]
        link_faults_->begin_cycle(cycle);
    network_->take_credits(cycle);
    auto& news = network_->entries_with_news();
    for (std::size_t word = 0; word < news.size(); ++word) busy_entries_[word] |= std::exchange(news[word], 0);
    while (!offers_.empty() && offers_.front().edge <= cycle) {
        const TerminalIndex terminal = offers_.front().terminal;
        std::pop_heap(offers_.begin(), offers_.end(), kLaterEdge);
        offers_.pop_back();
        busy_entries_[terminal.number / 64] |= 1ULL << terminal.number % 64;
    }
    for (std::size_t word = 0; word < busy_entries_.size(); ++word) {
        for (std::uint64_t rest = busy_entries_[word]; rest != 0; rest &= rest - 1) {
            run_entry(TerminalIndex(64 * word + static_cast<std::size_t>(std::countr_zero(rest))), cycle);
        }
    }
    network_->write_buffers(cycle);
    network_->run_routers(cycle);

    // The next edge is now.
    auto& arrived = network_->ejections(cycle + 1);
    if (!times_.uniform || link_faults_ != nullptr) {
        std::sort(arrived.begin(), arrived.end(), [](const auto& a, const auto& b) { return a.terminal < b.terminal; });
    }
    for (const FlitFabric::Ejection& ejection : arrived) {
        tells(Part::kArrivals, ejection.terminal.number);
        if (watchers_.journeys) report_tail(*ejection.packet, cycle + 1);
        const Class kind = ejection.packet->kind;
        if (!deliver(ejection.terminal, *ejection.packet)) network_->set_open(ejection.terminal, kind, false);
    }
    arrived.clear();
}

/// Injects one flit of one class, if possible.
void FlitMesh::run_entry(TerminalIndex terminal, std::int64_t cycle)
{
    tells(Part::kEntries, terminal.number);
    Entry& entry = entries_[terminal];
    for (std::size_t i = 0; i < mesh::kClasses; ++i) {
        const std::size_t kind = (entry.turn + i) % mesh::kClasses;
        if (!send_flit(terminal, kind, cycle)) continue;
        entry.turn = static_cast<std::uint8_t>((kind + 1) % mesh::kClasses);
        return;
    }
    busy_entries_[terminal.number / 64] &= ~(1ULL << terminal.number % 64);  // until an offer or a credit arrives
}

bool FlitMesh::send_flit(TerminalIndex terminal, std::size_t kind, std::int64_t cycle)
{
    Entering& entering = entries_[terminal].entering[kind];
    bool head = false;
    if (entering.packet == nullptr) {
        const auto& queue = borders_[terminal].injection[kind];
        if (queue.empty()) return false;
        if (queue.front().edge > cycle) {
            expect(queue.front().edge, terminal);
            return false;
        }
        const std::uint8_t channel = network_->open_entry(terminal, *queue.front().packet);
        if (channel == kNothing) return false;
        Packet& packet = take_injection(terminal, static_cast<Class>(kind), cycle);
        packet.head_edge = static_cast<std::uint32_t>(cycle + entry_);
        if (watchers_.journeys) heads_[&packet] = {.at = cycle + entry_, .front = cycle + entry_};
        entering = {&packet, packet.flits, channel};
        head = true;
    }
    const bool tail = entering.left == 1;
    Packet& packet = *entering.packet;
    if (!network_->enter(terminal, packet, entering.channel, head, tail, cycle)) return false;
    --entering.left;
    if (tail) entering.packet = nullptr;
    if (head) give_credit(terminal, static_cast<Class>(kind));
    return true;
}

std::int64_t FlitMesh::flit_leaves(InputIndex input, OutputIndex output, const Packet& packet, bool head,
                                   std::int64_t cycle)
{
    tells(Part::kRouters, output.router().number);
    FlitFaults::Late late;
    if (link_faults_ != nullptr) late = link_faults_->suffer(output, packet, head, cycle);
    std::int64_t waited = 0;
    if (head) {
        const auto present = static_cast<std::uint32_t>(cycle - pipeline(output));
        waited = static_cast<std::int32_t>(present - packet.head_edge);
        packet.head_edge = static_cast<std::uint32_t>(cycle + link(output) + late.sum());
    }
    link_busy(output, packet, cycle, 1, head, waited, late.sum());
    if (!watchers_.journeys) return late.sum();
    if (head) {
        report_passage(packet, input, output, cycle);
        report_late(packet, output, cycle + link(output), late.again, late.slow);
        Head& next = heads_[&packet];
        next.at = next.front = cycle + link(output) + late.sum();
    }
    leavers_[output] = leavers_of_input_[input] = {packet.id, cycle};
    return late.sum();
}

std::int64_t FlitMesh::report_stop(const Packet& packet, OutputIndex output, std::int64_t from, std::int64_t to) const
{
    if (link_faults_ == nullptr) return from;
    const std::int64_t until = link_faults_->stopped_until(output, from, to);
    report_wait(packet, output.router(), "link takes no flits", from, until - from, 0);
    if (until > from) link_faults_->tell_stopped(output, packet, until);
    return until;
}

void FlitMesh::gets_channel(OutputChannelIndex channel, const Packet& packet)
{
    Head& head = heads_[&packet];
    head.channel = channel;
    head.granted = head.credit = last_;
    head.holder = std::exchange(holders_[channel], packet.id);
}

void FlitMesh::gets_credit(OutputChannelIndex channel, const Packet& packet)
{
    const auto head = heads_.find(&packet);
    // Its head may have left through this channel long ago
    if (head != heads_.end() && head->second.channel == channel) head->second.credit = last_;
}

void FlitMesh::comes_to_front(const Packet& packet, const Packet& before, std::int64_t cycle)
{
    Head& head = heads_[&packet];
    head.front = cycle;
    head.before = before.id;
}

/// The stages of the pipeline (FlitFabric), and before each of them what a lone head would not have waited for.
void FlitMesh::report_passage(const Packet& packet, InputIndex input, OutputIndex output, std::int64_t leaves)
{
    Head& head = heads_[&packet];
    const RouterIndex router = output.router();
    const std::int64_t stages = params_.pipeline.count() + pipeline(output) - pipeline_;
    const std::int64_t routing = std::max<std::int64_t>(0, stages - 3);
    const std::int64_t bids = head.front + routing;
    const std::int64_t switched = leaves - std::min<std::int64_t>(stages, 2);
    // The virtual channel in a cycle of its own, unless speculation has saved it
    const bool apart = stages >= MeshParams::kFewestToSpeculate.count() && switched != head.granted;
    const std::int64_t got = head.granted + (apart ? 1 : 0);
    const std::int64_t credit = std::max(got, head.credit);
    report_wait(packet, router, "behind others", head.at, head.front - head.at, head.before);
    report_work(packet, router, "routing", head.front, routing);
    const std::int64_t offered = report_stop(packet, output, bids, head.granted);
    report_wait(packet, router, "no virtual channel", offered, head.granted - offered, head.holder);
    if (apart) report_work(packet, router, "VC allocation", head.granted, 1);
    const std::int64_t mended = report_stop(packet, output, got, credit);
    report_wait(packet, router, "no credit", mended, credit - mended, head.holder);
    // The output or the input port was another packet's in the cycle before
    const Leaver& winner =
        leavers_[output].cycle >= leavers_of_input_[input].cycle ? leavers_[output] : leavers_of_input_[input];
    const std::int64_t could = report_stop(packet, output, credit, switched);
    report_wait(packet, router, "switch", could, switched - could, winner.packet);
    if (stages == 1) {
        report_work(packet, router, "router", switched, 1);
    } else {
        report_work(packet, router, apart ? "switch allocation" : "VC and switch allocation", switched,
                    leaves - 1 - switched);
        report_work(packet, router, "switch traversal", leaves - 1, 1);
    }
    report_link(packet, output, leaves);
    head = {.at = leaves + link(output), .front = leaves + link(output)};
}

/// The head has been at the terminal since; the flits behind it may have waited in routers that it had left.
void FlitMesh::report_tail(const Packet& packet, std::int64_t whole)
{
    const auto head = heads_.find(&packet);
    if (head != heads_.end()) {
        const std::int64_t since = head->second.at;
        report_wait(packet, router_of(packet.to), "flits held up", since, whole - packet.flits + 1 - since, 0);
        heads_.erase(head);
    }
    report_arrival(packet, whole);
}

std::string FlitMesh::under_way() const
{
    std::vector<MeshFaults::Waiting> waiting;
    if (link_faults_ != nullptr) {
        link_faults_->for_each_waiting([&](OutputIndex output, std::size_t packets, const Packet* first) {
            if (packets != 0) waiting.push_back({output, packets, *first});
        });
    }
    std::vector<std::size_t> fill;
    for (const RouterIndex router : grid_.here()) fill.push_back(network_->fill(router));
    if (Division* const division = simulation_.all_ask()) {
        division->add_up([&](Totals& totals) { totals.sum_each(fill); });
        Parcel own;
        own.put(waiting.size());
        for (const auto& each : waiting) own.put(each);
        for (Parcel& parcel : division->gather(own)) {
            for (auto left = parcel.take<std::size_t>(); left > 0; --left) {
                waiting.push_back(parcel.take<MeshFaults::Waiting>());
            }
        }
        std::sort(waiting.begin(), waiting.end(), [](const auto& a, const auto& b) { return a.output < b.output; });
    }
    PendingText text;
    text.add(MeshFaults::waits_text(grid_, waiting));
    text.begin_list("routers");
    auto flits = fill.begin();
    for (const RouterIndex router : grid_.here()) {
        text.add(*flits++, fmt::format("flits in {}", grid_.router_name(router)));
    }
    return text.text();
}

void FlitMesh::statistics(StatisticsVisitor& visitor) const
{
    MeshBorder::statistics(visitor);
    visitor.counter("cycles", cycles_, "cycles", "cycles with work in routers");
    visitor.value("channel_conflicts", static_cast<double>(network_->channel_conflicts()), "cycles",
                  "in which a head requested a virtual channel and got none");
    visitor.value("switch_conflicts", static_cast<double>(network_->switch_conflicts()), "cycles",
                  "in which an input requested the switch and did not get it");
    if (!params_.speculates()) return;
    visitor.value("lost_speculations", static_cast<double>(network_->lost_speculations()), "cycles",
                  "in which the switch was given to a head that got no channel, or that a flit with one needed");
}

void FlitMesh::places(PlaceVisitor& visitor) const
{
    border_places(visitor);
    for (const RouterIndex router : grid_.here()) {
        std::uint64_t ports = 0;
        for (unsigned port = 0; port < mesh::kPorts; ++port) {
            if (leads(OutputIndex(router, port))) ++ports;
        }
        const std::uint64_t of_port = static_cast<std::uint64_t>(params_.virtual_channels) * times_.buffer[router];
        visitor.level(grid_.router_name(router) + ".fill", "buffer", network_->level(router), ports * of_port);
    }
}

void FlitMesh::trace(sc_core::sc_trace_file* file) const
{
    if (trace_links(file)) traced_ = true;
    for (const RouterIndex router : grid_.here()) {
        trace_signal(file, network_->fill(router), fmt::format("{}.{}.fill", name(), grid_.router_name(router)),
                     {"flits in the router's input buffers", "flits", SignalPlace::kNetwork});
    }
    trace_border(file);
}

}  // namespace ringmesh::hw
