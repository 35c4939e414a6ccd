// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/path_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tlm/kernel_time.h"

namespace ringmesh::hw {

using mesh::Class;
using mesh::Packet;
using mesh::Port;

PathMesh::PathMesh(const sc_core::sc_module_name& module_name, Simulation& simulation, const MeshParams& params,
                   const std::vector<mesh::Terminal>& edges)
    : MeshBorder(module_name, simulation, params, edges),
      sides_(borders_.size()),
      calendars_(grid_.outputs()),
      link_activity_(grid_.outputs())
{
    SC_METHOD(step);
    sensitive << wakeup_.event();
    dont_initialize();
    SC_METHOD(show_due);
    sensitive << show_wakeup_.event();
    dont_initialize();
}

namespace {

constexpr auto kLater = [](const auto& a, const auto& b) {
    return a.edge != b.edge ? a.edge > b.edge : a.terminal_and_job > b.terminal_and_job;
};

constexpr auto kBeginsLater = [](const auto& a, const auto& b) {
    return a.from != b.from ? a.from > b.from : a.output > b.output;
};

}  // namespace

void PathMesh::plan(std::int64_t edge, std::uint32_t terminal, Job job)
{
    due_.push_back({edge, kJobs * terminal + static_cast<std::uint32_t>(job)});
    std::push_heap(due_.begin(), due_.end(), kLater);
    wakeup_.at(clock_.time(due_.front().edge));
}

void PathMesh::step()
{
    const Duration time = now();
    wakeup_.taken(time);
    while (!due_.empty() && clock_.time(due_.front().edge) <= time) {
        std::pop_heap(due_.begin(), due_.end(), kLater);
        const Due due = due_.back();
        due_.pop_back();
        const std::uint32_t terminal = due.terminal_and_job / kJobs;
        switch (static_cast<Job>(due.terminal_and_job % kJobs)) {
            case Job::kArrival: arrive(terminal, due.edge); break;
            case Job::kEnterRequest: let_in(terminal, Class::kRequest, due.edge); break;
            case Job::kEnterResponse: let_in(terminal, Class::kResponse, due.edge); break;
            case Job::kHeldRequest: take_held(terminal, Class::kRequest, due.edge); break;
            case Job::kHeldResponse: take_held(terminal, Class::kResponse, due.edge); break;
        }
    }
    if (!due_.empty()) wakeup_.at(clock_.time(due_.front().edge), time);
}

/// Puts an arrival in its place among those at this terminal, nearly always the last.
void PathMesh::await(std::uint32_t terminal, const Arrival& arrival)
{
    auto& arrivals = sides_[terminal].arrivals;
    arrivals.push_back(arrival);
    std::size_t place = arrivals.size() - 1;
    for (; place > 0 && arrivals[place - 1].edge > arrival.edge; --place) {
        std::swap(arrivals[place - 1], arrivals[place]);
    }
    if (place == 0) plan(arrival.edge, terminal, Job::kArrival);
}

void PathMesh::arrive(std::uint32_t terminal, std::int64_t edge)
{
    auto& arrivals = sides_[terminal].arrivals;
    if (arrivals.empty() || arrivals.front().edge > edge) return;  // another one came before the one that was awaited
    Packet& packet = *arrivals.pop_front().packet;
    if (!arrivals.empty()) plan(arrivals.front().edge, terminal, Job::kArrival);
    deliver(terminal, packet);
}

void PathMesh::room(std::uint32_t terminal, Class kind)
{
    if (borders_[terminal].held[mesh::index(kind)].empty()) return;
    plan(clock_.edge_from(now()), terminal, kind == Class::kRequest ? Job::kHeldRequest : Job::kHeldResponse);
}

void PathMesh::take_held(std::uint32_t terminal, Class kind, std::int64_t edge)
{
    if (!deliver_held(terminal, kind)) return;
    auto& shut_out = sides_[terminal].shut_out[mesh::index(kind)];
    for (const std::uint32_t source : shut_out) {
        plan(edge, source, kind == Class::kRequest ? Job::kEnterRequest : Job::kEnterResponse);
    }
    shut_out.clear();
}

void PathMesh::offered(std::uint32_t terminal, Class kind)
{
    const auto& queue = borders_[terminal].injection[mesh::index(kind)];
    if (!sides_[terminal].expected[mesh::index(kind)]) let_in(terminal, kind, queue.front().edge);
}

/// Lets packets of this class leave their injection queue that may do so at this edge.
void PathMesh::let_in(std::uint32_t terminal, Class kind, std::int64_t edge)
{
    const auto k = mesh::index(kind);
    Side& side = sides_[terminal];
    auto& queue = borders_[terminal].injection[k];
    side.expected[k] = true;
    while (!queue.empty()) {
        const std::int64_t start = std::max({queue.front().edge, side.entry_free, side.class_free[k]});
        if (start > edge) {
            plan(start, terminal, kind == Class::kRequest ? Job::kEnterRequest : Job::kEnterResponse);
            return;
        }
        const std::uint32_t target = terminal_of(queue.front().packet->to);
        if (!borders_[target].held[k].empty()) {
            sides_[target].shut_out[k].push_back(terminal);
            return;
        }
        reserve(take_injection(terminal, kind), terminal, start);
    }
    side.expected[k] = false;
}

/// The output of this router that a packet takes.
std::size_t PathMesh::choose(std::uint32_t router, mesh::Terminal to) const
{
    const MeshWays ways = mesh_ways(params_.routing, grid_.x(router), grid_.y(router), to);
    const std::size_t first = MeshGrid::output(router, ways.port[0]);
    if (ways.count == 1) return first;
    const std::size_t second = MeshGrid::output(router, ways.port[1]);
    return calendars_[second].free_from() < calendars_[first].free_from() ? second : first;
}

void PathMesh::reserve(Packet& packet, std::uint32_t terminal, std::int64_t start)
{
    Side& side = sides_[terminal];
    side.entry_free = start + packet.flits;
    packet.injected_ps = clock_.time(start + entry_).ps();

    std::uint32_t router = grid_.router(packet.from);
    std::int64_t head = start + entry_;
    std::int64_t waited = 0;
    std::int64_t routers = 0;
    const bool observed = simulation_.journey() != nullptr;
    while (router != MeshGrid::kNone) {
        const std::size_t output = choose(router, packet.to);
        const std::int64_t leaves = calendars_[output].reserve(head + pipeline_, packet.flits);
        waited += leaves - head - pipeline_;
        ++routers;
        output_flits_[output] += packet.flits;
        if (link_activity_[output].observed()) show(output, leaves, packet);
        if (observed) report_hop(packet, router, leaves);
        head = leaves + link_;
        router = grid_.neighbour(output);
    }
    const std::int64_t whole = head + packet.flits - 1;
    if (observed) report_arrival(packet, whole);
    const std::int64_t room = routers * params_.virtual_channels * params_.buffer_flits;
    if (waited > room) {
        side.class_free[mesh::index(packet.kind)] = start + packet.flits + waited - room;
        ++sent_back_;
    }
    link_wait_ += static_cast<std::uint64_t>(waited);

    const std::uint32_t target = terminal_of(packet.to);
    await(target, {&packet, whole});
    tell_room(terminal, packet.kind);
}

/// Reservations of a link are not made in the order of their times, and a waveform wants them so: each is told when it begins.
void PathMesh::show(std::size_t output, std::int64_t from, const Packet& packet)
{
    to_show_.push_back({from, static_cast<std::uint32_t>(output), packet.flits, packet.id, packet.kind});
    std::push_heap(to_show_.begin(), to_show_.end(), kBeginsLater);
    show_wakeup_.at(clock_.time(to_show_.front().from));
}

void PathMesh::show_due()
{
    const Duration time = now();
    show_wakeup_.taken(time);
    while (!to_show_.empty() && clock_.time(to_show_.front().from) <= time) {
        std::pop_heap(to_show_.begin(), to_show_.end(), kBeginsLater);
        const Period period = to_show_.back();
        to_show_.pop_back();
        link_activity_[period.output].busy(time, clock_.time(period.from + period.flits), mesh::word(period.kind),
                                           period.id);
    }
    if (!to_show_.empty()) show_wakeup_.at(clock_.time(to_show_.front().from), time);
}

std::string PathMesh::under_way() const
{
    std::size_t sum = 0;
    for (const Side& side : sides_) sum += side.arrivals.size();
    return sum == 0 ? "" : fmt::format("{} packets under way", sum);
}

void PathMesh::statistics(StatisticsVisitor& visitor) const
{
    MeshBorder::statistics(visitor);
    visitor.counter("link_wait", link_wait_, "cycles", "that packets waited for links");
    visitor.counter("sent_back", sent_back_, "packets",
                    "behind which others of their class had to wait, as the buffers on the way were full");
}

void PathMesh::trace(sc_core::sc_trace_file* file) const
{
    for (std::size_t output = 0; output < grid_.outputs(); ++output) {
        if (grid_.neighbour(output) == MeshGrid::kNone && terminal_at(output) == kNoTerminal) continue;
        sc_trace(file, link_activity_[output], fmt::format("{}.{}", name(), grid_.output_name(output)));
    }
    trace_border(file);
}

}  // namespace ringmesh::hw
