// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/path/path_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "tlm/error.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

using mesh::Class;
using mesh::Packet;

namespace {

/// Mean wait for links, in times that the packets take to pass one: beyond, latencies by flit are up to a sixth longer.
constexpr double kMostWaits = 2;
/// Part of the packets.
constexpr double kMostHeldUp = 0.01;

}  // namespace

PathMesh::PathMesh(const sc_core::sc_module_name& module_name, Simulation& simulation, const MeshParams& params,
                   const std::vector<mesh::Terminal>& edges)
    : MeshBorder(module_name, simulation, params, edges),
      sides_(borders_.size()),
      calendars_(grid_.outputs()),
      ways_((params_.routing->adaptive && !routes_.has_table()) || routes_.draws() || borders_.size() > kMostWithWays
                ? 0
                : borders_.size() * borders_.size())
{
    if (faults_ != nullptr) link_faults_ = std::make_unique<PathFaults>(*faults_, clock_);
    if (borders_.size() >> kTerminalBits != 0) throw ModelError(fmt::format("{}: too many terminals", name()));
}

void PathMesh::plan(std::int64_t edge, TerminalIndex terminal, Job job)
{
    due_.push_back(due_at(edge, terminal, job));
    std::push_heap(due_.begin(), due_.end(), std::greater());
    wakeup_.at(clock_.time(edge_of(due_.front())));
}

void PathMesh::step()
{
    const Duration time = now();
    wakeup_.taken(time);
    while (!due_.empty() && clock_.time(edge_of(due_.front())) <= time) {
        const Due due = due_.front();
        const Job job = job_of(due);
        if (job == Job::kArrival) {
            arrive();
            continue;
        }
        std::pop_heap(due_.begin(), due_.end(), std::greater());
        due_.pop_back();
        const TerminalIndex terminal = terminal_of(due);
        if (job != Job::kEntry) {
            offer_refused(terminal, job == Job::kRefusedRequest ? Class::kRequest : Class::kResponse);
        } else if (edge_of(due) == sides_[terminal].entry_planned) {  // not replaced by an earlier one
            sides_[terminal].entry_planned = kNever;
            let_in(terminal);
        }
    }
    if (!due_.empty()) wakeup_.at(clock_.time(edge_of(due_.front())), time);
}

void PathMesh::look_ahead(mesh::Terminal place, mesh::Collector& collector)
{
    const TerminalIndex terminal = terminal_of(place);
    sides_[terminal].collector = &collector;
    collector.collects_from(*this, terminal);
}

/// Inserts an arrival in order of time, nearly always last.
inline void PathMesh::await(TerminalIndex terminal, const Arrival& arrival, bool watched)
{
    Side& side = sides_[terminal];
    auto& arrivals = side.arrivals;
    const bool told = !watched && side.collector != nullptr && !side.stepping;
    if (told && arrival.packet->kind == Class::kResponse) {
        const Duration at = clock_.time(arrival.edge);
        taken_early();
        simulation_.calendar().reach(at);
        side.collector->take_early(*arrival.packet, at);
        return;
    }
    arrivals.push_back(arrival);
    std::size_t place = arrivals.size() - 1;
    for (; place > 0 && arrivals[place - 1].edge > arrival.edge; --place) {
        std::swap(arrivals[place - 1], arrivals[place]);
    }
    if (told && !borders_[terminal].refuses[0] &&
        side.collector->expects(*arrival.packet, clock_.time(arrival.edge), arrivals.size())) {
        return;
    }
    if (side.collector != nullptr && !side.stepping) {
        collect(terminal, now());
        side.stepping = true;
        plan(arrivals.front().edge, terminal, Job::kArrival);
    } else if (place == 0) {
        plan(arrival.edge, terminal, Job::kArrival);
    }
}

mesh::LookAhead::Next PathMesh::collect(TerminalIndex terminal, Duration until)
{
    Side& side = sides_[terminal];
    while (!side.stepping && !side.arrivals.empty()) {
        const Arrival first = side.arrivals.front();
        const Duration at = clock_.time(first.edge);
        if (at > until) return {first.packet, at};
        side.arrivals.pop_front();
        taken_early();
        side.collector->take_collected(*first.packet, at);
    }
    return {};
}

/// What is due first, an arrival.
inline void PathMesh::arrive()
{
    const Due due = due_.front();
    const TerminalIndex terminal = terminal_of(due);
    auto& arrivals = sides_[terminal].arrivals;
    const bool here = !arrivals.empty() && arrivals.front().edge <= edge_of(due);  // else an earlier one was inserted
    Packet* packet = here ? arrivals.pop_front().packet : nullptr;
    if (arrivals.empty()) sides_[terminal].stepping = false;
    if (here && !arrivals.empty()) {
        replace_first_due(due_at(arrivals.front().edge, terminal, Job::kArrival));
        wakeup_.at(clock_.time(edge_of(due_.front())));
    } else {
        std::pop_heap(due_.begin(), due_.end(), std::greater());
        due_.pop_back();
    }
    if (here && !deliver(terminal, *packet)) ++turned_away_;
}

/// A later one takes the place of the first.
inline void PathMesh::replace_first_due(Due due)
{
    const std::size_t size = due_.size();
    std::size_t hole = 0;
    for (std::size_t child = 1; child < size; child = 2 * hole + 1) {
        if (child + 1 < size && due_[child + 1] < due_[child]) ++child;
        if (due_[child] >= due) break;
        due_[hole] = due_[child];
        hole = child;
    }
    due_[hole] = due;
}

void PathMesh::credited(TerminalIndex terminal, Class kind)
{
    if (!borders_[terminal].refuses[mesh::index(kind)]) return;
    plan(clock_.edge_from(now()), terminal, kind == Class::kRequest ? Job::kRefusedRequest : Job::kRefusedResponse);
}

/// To a terminal that has room again.
void PathMesh::offer_refused(TerminalIndex terminal, Class kind)
{
    if (!deliver_refused(terminal, kind)) return;
    // The longest waiting reserve first
    for (const TerminalIndex source : std::exchange(sides_[terminal].shut_out[mesh::index(kind)], {})) {
        sides_[source].shut[mesh::index(kind)] = false;
        sides_[source].admitted[mesh::index(kind)] = true;
        let_in(source);
    }
}

bool PathMesh::pass(TerminalIndex terminal, TerminalIndex target, Packet& packet, std::int64_t edge, Duration since)
{
    return depart(terminal, target, packet, edge, since, now());
}

/// As transport() does with one that is offered.
bool PathMesh::pass(TerminalIndex terminal, Packet& packet, Duration at, Duration now)
{
    if (!may_enter(terminal)) return false;
    const TerminalIndex target = target_of(packet, terminal);
    const Duration since = std::max(at, now);
    return target != kNoTerminal && depart(terminal, target, packet, clock_.edge_from(since), since, now);
}

/// As let_in() does with one that waits alone.
inline bool PathMesh::depart(TerminalIndex terminal, TerminalIndex target, Packet& packet, std::int64_t edge,
                             Duration since, Duration now)
{
    Side& side = sides_[terminal];
    const std::size_t kind = mesh::index(packet.kind);
    if (clock_.time(side.entry_free) > now || borders_[target].refuses[kind] || side.shut[kind]) return false;
    const std::int64_t start = std::max({edge, side.entry_free, side.class_free[kind]});
    side.turn = (kind + 1) % mesh::kClasses;
    enters(terminal, packet, edge, since, start);
    reserve(packet, terminal, target, start);
    return true;
}

void PathMesh::offered(TerminalIndex terminal, Class) { let_in(terminal); }

/// Injects the packets of a terminal that may enter now.
void PathMesh::let_in(TerminalIndex terminal)
{
    Side& side = sides_[terminal];
    auto& queues = borders_[terminal].injection;
    for (;;) {
        std::size_t next = mesh::kClasses;
        std::int64_t start = kNever;
        for (std::size_t i = 0; i < mesh::kClasses; ++i) {
            const std::size_t k = (side.turn + i) % mesh::kClasses;
            if (queues[k].empty() || side.shut[k]) continue;
            const std::int64_t ready = std::max({queues[k].front().edge, side.entry_free, side.class_free[k]});
            if (ready < start) {
                start = ready;
                next = k;
            }
        }
        if (next == mesh::kClasses) return;
        const std::size_t waiting = queues[0].size() + queues[1].size();
        const bool alone = waiting == 1 && clock_.time(side.entry_free) <= now();
        if (!alone && clock_.time(start) > now()) return plan_entry(terminal, start);
        const TerminalIndex target = terminal_of(queues[next].front().packet->to);
        if (!side.admitted[next] && borders_[target].refuses[next]) {
            side.shut[next] = true;
            ++turned_away_;
            sides_[target].shut_out[next].push_back(terminal);
            continue;
        }
        side.admitted[next] = false;
        start = std::max(start, clock_.edge_from(now()));  // later than it could if its target had no room
        side.turn = (next + 1) % mesh::kClasses;
        reserve(take_injection(terminal, static_cast<Class>(next), start), terminal, target, start);
    }
}

void PathMesh::plan_entry(TerminalIndex terminal, std::int64_t edge)
{
    if (edge >= sides_[terminal].entry_planned) return;
    sides_[terminal].entry_planned = edge;
    plan(edge, terminal, Job::kEntry);
}

/// The output of this router for a packet.
inline OutputIndex PathMesh::choose(RouterIndex router, mesh::Terminal to, unsigned lots) const
{
    const MeshWays ways = routes_.ways(router, to, lots);
    const OutputIndex first(router, ways.first);
    if (ways.other == ways.first) return first;
    const OutputIndex second(router, ways.other);
    return free_from(second) < free_from(first) ? second : first;
}

inline std::int64_t PathMesh::free_from(OutputIndex output) const
{
    const std::int64_t free = calendars_[output].free_from();
    return link_faults_ == nullptr ? free : std::max(free, link_faults_->up_from(output, now()));
}

/// A head comes to an output's router at this edge.
void PathMesh::report_passage(const Packet& packet, OutputIndex output, std::int64_t head, const Crossing& crossing)
{
    const RouterIndex router = output.router();
    const std::int64_t leaves = crossing.leaves;
    report_wait(packet, router, "link takes no flits", head, crossing.down, 0);
    head += crossing.down;
    passed_.resize(grid_.outputs());
    Passed& passed = passed_[output];
    std::uint64_t before = 0;
    for (const auto& [free_from, id] : passed.last) {
        if (free_from == leaves) before = id;
    }
    const std::int64_t stages = pipeline(output);
    report_wait(packet, router, "output taken", head, leaves - stages - head, before);
    report_work(packet, router, "router", leaves - stages, stages);
    report_link(packet, output, leaves);
    report_late(packet, output, leaves + link(output), crossing.again, crossing.slow);
    passed.last[passed.next++ % Passed::kLast] = {leaves + packet.flits, packet.id};
}

inline bool PathMesh::cross(const Packet& packet, OutputIndex output, Course& course, bool watched)
{
    LinkCalendar& calendar = calendars_[output];
    const std::int64_t could = course.head + pipeline(output);
    if (link_faults_ != nullptr) [[unlikely]] {
        if (!link_faults_->passes(output, packet, std::max(could, calendar.free_from()))) {
            return cross_with_faults(packet, output, course, watched);
        }
    }
    follow(packet, output, course, {.leaves = calendar.reserve(could, packet.flits), .taken = packet.flits}, watched);
    return true;
}

bool PathMesh::cross_with_faults(const Packet& packet, OutputIndex output, Course& course, bool watched)
{
    const auto crossing =
        link_faults_->cross(output, calendars_[output], packet, course.head + pipeline(output), now());
    if (crossing) follow(packet, output, course, *crossing, watched);
    return crossing.has_value();
}

/// What is known of the packet behind a link.
inline void PathMesh::follow(const Packet& packet, OutputIndex output, Course& course, const Crossing& crossing,
                             bool watched)
{
    const std::int64_t could = course.head + pipeline(output);
    output_flits_[output] += packet.flits;
    if (watched) {
        if (crossing.again_taken != 0) {
            link_busy(output, packet, crossing.again_from, 0, false, 0, crossing.again_taken);
        }
        link_busy(output, packet, crossing.leaves, packet.flits, true, crossing.leaves - could,
                  crossing.taken - packet.flits);
        if (simulation_.journey() != nullptr) report_passage(packet, output, course.head, crossing);
    }
    course.head = crossing.leaves + link(output) + crossing.again + crossing.slow;
    if (crossing.slow != 0) course.slow = packet.flits - 1;
    course.waited += crossing.leaves - could + crossing.again;
    course.buffers += times_.buffer[output.router()];
}

/// Nothing if it is too long.
void PathMesh::find_way(Way& way, TerminalIndex from, TerminalIndex to) const
{
    way.asked = true;
    std::uint8_t length = 0;
    RouterIndex router = router_of(borders_[from].place);
    for (; router != kNoRouter && length < way.outputs.size(); ++length) {
        const OutputIndex output = choose(router, borders_[to].place, 0);
        way.outputs[length] = static_cast<std::uint16_t>(output.number);
        router = router_behind(output);
    }
    way.length = router == kNoRouter ? length : 0;
}

void PathMesh::reserve(Packet& packet, TerminalIndex terminal, TerminalIndex target, std::int64_t start)
{
    Side& side = sides_[terminal];
    side.entry_free = start + packet.flits;

    const bool watched = this->watched();
    Course course{.head = start + entry_};
    const auto outputs = way(terminal, target);
    bool arrives = true;
    if (!outputs.empty()) {
        for (const std::uint16_t output : outputs) {
            if (!(arrives = cross(packet, OutputIndex(output), course, watched))) break;
        }
    } else {
        const unsigned lots = routes_.lots_of(packet.id);
        for (RouterIndex router = router_of(packet.from); router != kNoRouter && arrives;) {
            const OutputIndex output = choose(router, packet.to, lots);
            arrives = cross(packet, output, course, watched);
            router = router_behind(output);
        }
    }
    if (!arrives) [[unlikely]] {
        // Behind it the buffers fill, back to the sender
        side.shut[mesh::index(packet.kind)] = true;
        return;
    }
    const std::int64_t waited = course.waited;
    const std::int64_t whole = course.head + packet.flits - 1 + course.slow;
    if (simulation_.journey() != nullptr) report_arrival(packet, whole);
    const std::int64_t buffers = params_.virtual_channels * course.buffers;
    if (waited > buffers) {
        side.class_free[mesh::index(packet.kind)] = start + packet.flits + waited - buffers;
        ++sent_back_;
    }
    link_wait_ += static_cast<std::uint64_t>(waited);
    flits_ += packet.flits;

    const mesh::Class kind = packet.kind;
    await(target, {&packet, whole}, watched);  // a terminal that takes it early may let it go
    give_credit(terminal, kind);
}

std::vector<std::uint64_t> PathMesh::link_flits() const
{
    const std::int64_t edge = clock_.edge_from(now());
    std::vector<std::uint64_t> flits = MeshBorder::link_flits();
    for (std::size_t i = 0; i < flits.size(); ++i) {
        const auto later = static_cast<std::uint64_t>(calendars_[grid_.links()[i]].taken_from(edge));
        flits[i] -= std::min(flits[i], later);
    }
    return flits;
}

std::string PathMesh::under_way() const
{
    std::size_t sum = 0;
    for (const Side& side : sides_) sum += side.arrivals.size();
    PendingText text;
    if (link_faults_ != nullptr) {
        std::vector<MeshFaults::Waiting> waiting;
        link_faults_->for_each_waiting([&](OutputIndex output, std::size_t packets, const Packet* first) {
            if (packets != 0) waiting.push_back({output, packets, *first});
        });
        text.add(MeshFaults::waits_text(grid_, waiting));
    }
    text.add(sum, "packets in flight");
    return text.text();
}

void PathMesh::statistics(StatisticsVisitor& visitor) const
{
    MeshBorder::statistics(visitor);
    visitor.counter("link_wait", link_wait_, "cycles", "that packets waited for links");
    visitor.counter("sent_back", sent_back_, "packets",
                    "that blocked others of their class, as the buffers on their route were full");
    visitor.counter("turned_away", turned_away_, "packets",
                    "whose target refused their class when they would go or came");
}

std::vector<std::string> PathMesh::doubts() const
{
    std::vector<std::string> doubts;
    const auto doubt = [&](const std::string& fact) {
        doubts.push_back(
            fmt::format("{} by path, beyond what it is good for: {}; flit by flit they would hold up others: "
                        "set mesh.detail=flit",
                        name(), fact));
    };
    const double waited =
        static_cast<double>(link_wait_.count()) / static_cast<double>(std::max<std::uint64_t>(1, flits_));
    if (waited > kMostWaits) {
        doubt(fmt::format("packets waited for links {:.1f} times as long as they take to pass one", waited));
    }
    const auto part = [this](const Counter& packets) {
        return static_cast<double>(packets.count()) / static_cast<double>(std::max<std::uint64_t>(1, injected()));
    };
    if (part(sent_back_) > kMostHeldUp) {
        doubt(fmt::format("{:.1f} % of the packets found the buffers on their route full", 100 * part(sent_back_)));
    }
    if (part(turned_away_) > kMostHeldUp) {
        doubt(fmt::format("the targets of {:.1f} % of the packets refused their class", 100 * part(turned_away_)));
    }
    return doubts;
}

void PathMesh::places(PlaceVisitor& visitor) const { border_places(visitor); }

void PathMesh::trace(sc_core::sc_trace_file* file) const
{
    trace_links(file);
    trace_border(file);
}

}  // namespace ringmesh::hw
