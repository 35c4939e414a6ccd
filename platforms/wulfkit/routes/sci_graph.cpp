// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit/routes/sci_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tlm/sci/sci_machine.h"

namespace ringmesh::platforms {
namespace {

unsigned ring_vertex(const SciGraph& graph, unsigned chip)
{
    return static_cast<unsigned>(graph.boxes().size()) + graph.ring_of(chip);
}

/// Boxes, then rings, are the vertices; each chip is the edge between its box and its ring.
hw::RouteGraph vertices_of(const SciGraph& graph)
{
    hw::RouteGraph vertices(graph.boxes().size() + graph.rings().size());
    for (unsigned chip = 0; chip < graph.chips(); ++chip) vertices.join(graph.box_of(chip), ring_vertex(graph, chip));
    return vertices;
}

/// Links from a chip to the first that takes packets for the target off the ring; 0 if none does.
unsigned hops_to_exit(const SciGraph& graph, const hw::RouteTable& table, unsigned chip, unsigned target,
                      unsigned& exit)
{
    unsigned hops = 1;
    for (exit = graph.next(chip); exit != chip; exit = graph.next(exit), ++hops) {
        if (table.strips(exit, target)) return hops;
    }
    return 0;
}

/// Which of several ports that lead on is taken.
enum class Preference : std::uint8_t { kFewestLinks, kPortOrder };

/// The routes to one target: who takes packets off a ring, and by which chip a box sends them on.
void choose_routes(const SciGraph& graph, hw::RouteTable& table, unsigned target, const hw::Approach& approach,
                   hw::ParallelWays& ways, Preference preference = Preference::kFewestLinks)
{
    const bool in_order = preference == Preference::kPortOrder;
    for (unsigned chip = 0; chip < graph.chips(); ++chip) {
        if (approach.leads(ring_vertex(graph, chip), graph.box_of(chip))) table.set_strips(chip, target);
    }
    for (unsigned box = 0; box < graph.boxes().size(); ++box) {
        unsigned best = UINT32_MAX;
        unsigned next = UINT32_MAX;  // the box at the end of the ring
        std::vector<unsigned> parallel;
        for (unsigned port = 0; port < graph.boxes()[box].ports.size() && box != target; ++port) {
            const unsigned chip = graph.chip(box, port);
            if (!approach.leads(box, ring_vertex(graph, chip))) continue;
            unsigned exit = 0;
            const unsigned hops = hops_to_exit(graph, table, chip, target, exit);
            if (hops == 0) continue;
            if (in_order) table.set_port(box, target, port, sci::Class::kResponse);
            if (!in_order && hops == best && graph.box_of(exit) == next) parallel.push_back(port);
            if (in_order ? best != UINT32_MAX : hops >= best) continue;
            best = hops;
            next = graph.box_of(exit);
            parallel = {port};
        }
        if (parallel.empty()) continue;
        // Between switches alone: an echo to a node comes by the ring by which the node sends
        const bool switches = box >= graph.nodes() && next >= graph.nodes();
        const auto count = static_cast<unsigned>(switches ? parallel.size() : 1);
        table.set_port(box, target, parallel[ways.next(box, next, count)]);
    }
}

/// The vertices of waits_of().
class Queues {
public:
    Queues(const SciGraph& graph, sci::Class kind)
        : first_(kind == sci::Class::kRequest ? 0 : 2 * graph.chips()), hosts_(4 * graph.chips())
    {}
    unsigned send(unsigned chip) const { return first_ + 2 * chip; }
    unsigned receive(unsigned chip) const { return first_ + 2 * chip + 1; }
    unsigned host(unsigned node) const { return hosts_ + node; }

private:
    unsigned first_;
    unsigned hosts_;
};

/// Follows the packets of all sources to one target, and notes what waits for what.
class Follower {
public:
    Follower(const SciGraph& graph, const hw::RouteTable& table, sci::Class kind, const KeyOfRoute& key_of,
             hw::WaitGraph& dependencies)
        : graph_(graph),
          table_(table),
          kind_(kind),
          queues_(graph, kind),
          key_of_(key_of),
          dependencies_(dependencies),
          networks_(graph.networks())
    {}

    void follow_all(unsigned target)
    {
        rings_to_end_.assign(graph_.boxes().size(), 0);
        state_.assign(graph_.boxes().size(), 0);
        state_[target] = 2;
        for (unsigned source = 0; source < graph_.nodes(); ++source) {
            if (networks_[source] == networks_[target]) follow(source, target);
        }
    }

private:
    std::string name(unsigned box) const { return graph_.boxes()[box].name; }

    void follow(unsigned source, unsigned target)
    {
        std::vector<unsigned> way;
        unsigned box = source;
        for (unsigned came = SciGraph::kNoRing; state_[box] == 0 || came != SciGraph::kNoRing;) {
            const unsigned port = box == target ? hw::RouteTable::kNone : table_.port(box, target, kind_);
            if (came != SciGraph::kNoRing && box == target && kind_ == sci::Class::kRequest) {
                dependencies_.add(queues_.receive(came), queues_.host(target));
            }
            if (came != SciGraph::kNoRing && box != target && port != hw::RouteTable::kNone) {
                dependencies_.add(queues_.receive(came), queues_.send(graph_.chip(box, port)));
            }
            if (state_[box] == 2) break;
            if (state_[box] == 1) {
                throw GraphProblem{key_of_(box, target),
                                   fmt::format("packets from {} to {} come back to {} and go round for ever",
                                               name(source), name(target), name(box)),
                                   "write a port that leads nearer to the target there"};
            }
            if (port >= graph_.boxes()[box].ports.size()) {
                throw GraphProblem{key_of_(box, target),
                                   fmt::format("{} has no route to {}, to which packets of {} go", name(box),
                                               name(target), name(source)),
                                   "add one"};
            }
            state_[box] = 1;
            way.push_back(box);
            const unsigned chip = graph_.chip(box, port);
            unsigned exit = 0;
            if (hops_to_exit(graph_, table_, chip, target, exit) == 0) refuse_endless(chip, target);
            dependencies_.add(queues_.send(chip), queues_.receive(exit));
            came = exit;
            box = graph_.box_of(exit);
        }
        unsigned rings = rings_to_end_[box];
        for (; !way.empty(); way.pop_back()) {
            state_[way.back()] = 2;
            rings_to_end_[way.back()] = ++rings;
            if (rings <= Route::kMost) continue;
            throw GraphProblem{key_of_(way.back(), target),
                               fmt::format("packets from {} to {} take more than {} rings", name(way.back()),
                                           name(target), Route::kMost),
                               "join the rings by fewer steps"};
        }
    }

    /// Of a packet that this chip sends onto a ring which it never leaves: a box there with another port lacks a route.
    [[noreturn]] void refuse_endless(unsigned chip, unsigned target) const
    {
        const SciGraph::Ring& ring = graph_.rings()[graph_.ring_of(chip)];
        const unsigned box = graph_.box_of(chip);
        unsigned lacks = box;
        for (const unsigned other : ring.chips) {
            const unsigned passed = graph_.box_of(other);
            if (passed != box && graph_.boxes()[passed].ports.size() > 1) lacks = passed;
        }
        const std::string what = fmt::format("no one on ring {} takes packets for {} off it, which {} sends there",
                                             ring.name, name(target), name(box));
        if (lacks == box) throw GraphProblem{key_of_(box, target), what, "write another port there"};
        throw GraphProblem{
            key_of_(lacks, target), what,
            fmt::format("write a port for {} that leads from {} to another ring", name(target), name(lacks))};
    }

    const SciGraph& graph_;
    const hw::RouteTable& table_;
    const sci::Class kind_;
    const Queues queues_;
    const KeyOfRoute& key_of_;
    hw::WaitGraph& dependencies_;
    const std::vector<unsigned> networks_;
    std::vector<std::uint8_t> state_;  // of boxes: 0 new, 1 on the way, 2 reaches the target
    std::vector<unsigned> rings_to_end_;
};

/// An echo goes to the node that sent the packet on this ring, by the same tables.
void check_echoes(const SciGraph& graph, const hw::RouteTable& table, const KeyOfRoute& key_of)
{
    for (const SciGraph::Ring& ring : graph.rings()) {
        for (const unsigned sender : ring.chips) {
            const unsigned node = graph.box_of(sender);
            if (node >= graph.nodes()) continue;
            for (const unsigned chip : ring.chips) {
                if (chip == sender || !table.strips(chip, node)) continue;
                throw GraphProblem{
                    key_of(graph.box_of(chip), node),
                    fmt::format(
                        "{} sends packets for {} away from ring {}, on which both are, and so would take off it "
                        "the echoes that are for {}",
                        graph.boxes()[graph.box_of(chip)].name, graph.boxes()[node].name, ring.name,
                        graph.boxes()[node].name),
                    fmt::format("let {} send to {} by that ring", graph.boxes()[graph.box_of(chip)].name,
                                graph.boxes()[node].name)};
            }
        }
    }
}

}  // namespace

void SciGraph::add_box(std::string name, std::vector<std::string> ports, bool is_switch)
{
    if (!is_switch) ++nodes_;
    const auto box = static_cast<unsigned>(boxes_.size());
    const unsigned first = chips();
    box_of_.resize(first + ports.size(), box);
    ring_of_.resize(box_of_.size(), kNoRing);
    place_.resize(box_of_.size());
    std::string path = name;
    boxes_.push_back({std::move(name), std::move(path), std::move(ports), first});
}

void SciGraph::add_ring(std::string name, std::vector<unsigned> chips)
{
    for (unsigned place = 0; place < chips.size(); ++place) {
        ring_of_[chips[place]] = static_cast<unsigned>(rings_.size());
        place_[chips[place]] = place;
    }
    rings_.push_back({std::move(name), std::move(chips)});
}

void SciGraph::put_into(unsigned node, unsigned pc)
{
    further_.push_back(pc);
    boxes_[node].path = boxes_[pc].path + '.' + boxes_[node].name;
}

std::vector<unsigned> SciGraph::cards_of(unsigned pc) const
{
    std::vector<unsigned> cards{pc};
    for (unsigned node = pcs(); node < nodes_; ++node) {
        if (pc_of(node) == pc) cards.push_back(node);
    }
    return cards;
}

unsigned SciGraph::next(unsigned chip) const
{
    const std::vector<unsigned>& ring = rings_[ring_of_[chip]].chips;
    return ring[(place_[chip] + 1) % ring.size()];
}

std::vector<unsigned> SciGraph::networks() const
{
    const hw::RouteGraph vertices = vertices_of(*this);
    std::vector<unsigned> network(boxes_.size(), UINT32_MAX);
    for (unsigned box = 0; box < boxes_.size(); ++box) {
        if (network[box] != UINT32_MAX) continue;
        const auto far = vertices.distances(box);
        for (unsigned other = box; other < boxes_.size(); ++other) {
            if (far[other] < hw::RouteGraph::kFar) network[other] = box;
        }
    }
    return network;
}

std::string SciGraph::chip_name(unsigned chip) const
{
    const Box& box = boxes_[box_of_[chip]];
    return box.path + "." + box.ports[port_of(chip)];
}

hw::RouteTable shortest_routes(const SciGraph& graph)
{
    const hw::RouteGraph vertices = vertices_of(graph);
    hw::RouteTable table(static_cast<unsigned>(graph.boxes().size()), graph.chips(), graph.nodes());
    hw::ParallelWays ways;
    for (unsigned target = 0; target < graph.nodes(); ++target) {
        choose_routes(graph, table, target, hw::Approach::shortest(vertices, target), ways);
    }
    return table;
}

hw::RouteTable port_order_routes(const SciGraph& graph)
{
    const hw::RouteGraph vertices = vertices_of(graph);
    hw::RouteTable table(static_cast<unsigned>(graph.boxes().size()), graph.chips(), graph.nodes());
    table.split_classes();
    hw::ParallelWays ways;
    for (unsigned target = 0; target < graph.nodes(); ++target) {
        choose_routes(graph, table, target, hw::Approach::shortest(vertices, target), ways, Preference::kPortOrder);
    }
    return table;
}

hw::RouteTable up_down_routes(const SciGraph& graph, unsigned root)
{
    const hw::RouteGraph vertices = vertices_of(graph);
    const hw::UpDown order(vertices, root);
    hw::RouteTable table(static_cast<unsigned>(graph.boxes().size()), graph.chips(), graph.nodes());
    hw::ParallelWays ways;
    for (unsigned target = 0; target < graph.nodes(); ++target) {
        choose_routes(graph, table, target, order.to(target), ways);
    }
    return table;
}

void strip_by_ports(const SciGraph& graph, hw::RouteTable& table)
{
    for (unsigned chip = 0; chip < graph.chips(); ++chip) {
        const unsigned box = graph.box_of(chip);
        for (unsigned target = 0; target < graph.nodes(); ++target) {
            const std::uint8_t port = table.port(box, target);
            const bool elsewhere =
                port != hw::RouteTable::kNone && graph.ring_of(graph.chip(box, port)) != graph.ring_of(chip);
            if (box == target || elsewhere) table.set_strips(chip, target);
        }
    }
}

std::vector<Crossing> crossings(const SciGraph& graph, const hw::RouteTable& table, unsigned from, unsigned to,
                                sci::Class kind)
{
    std::vector<Crossing> way;
    for (unsigned box = from; box != to; box = graph.box_of(way.back().to)) {
        Crossing& crossing = way.emplace_back();
        crossing.from = graph.chip(box, table.port(box, to, kind));
        crossing.hops = hops_to_exit(graph, table, crossing.from, to, crossing.to);
    }
    return way;
}

hw::WaitGraph waits_of(const SciGraph& graph, const hw::RouteTable& table, const KeyOfRoute& key_of)
{
    hw::WaitGraph waits(4 * std::size_t{graph.chips()} + graph.nodes());
    const auto follow = [&](sci::Class kind) {
        Follower follower(graph, table, kind, key_of, waits);
        for (unsigned target = 0; target < graph.nodes(); ++target) follower.follow_all(target);
    };
    follow(sci::Class::kRequest);
    const Queues responses(graph, sci::Class::kResponse);
    const unsigned of_class = responses.send(0);
    if (table.classes_differ()) {
        follow(sci::Class::kResponse);
    } else {
        // The same ways, but for their ends: requesters take their responses at once
        for (unsigned queue = 0; queue < of_class; ++queue) {
            for (const unsigned other : waits.waits_of(queue)) {
                if (other < of_class) waits.add(of_class + queue, of_class + other);
            }
        }
    }
    const std::vector<unsigned> networks = graph.networks();
    for (unsigned node = 0; node < graph.nodes(); ++node) {
        for (unsigned requester = 0; requester < graph.nodes(); ++requester) {
            if (node == requester || networks[node] != networks[requester]) continue;
            const unsigned port = table.port(node, requester, sci::Class::kResponse);
            waits.add(responses.host(node), responses.send(graph.chip(node, port)));
        }
    }
    return waits;
}

std::string queue_name(const SciGraph& graph, unsigned queue)
{
    const unsigned of_class = 2 * graph.chips();
    if (queue >= 2 * of_class) return graph.boxes()[queue - 2 * of_class].name + " (host's side)";
    return fmt::format("{} ({}{})", graph.chip_name(queue % of_class / 2), queue % 2 == 0 ? "send" : "receive",
                       queue < of_class ? "" : ", responses");
}

void check_routes(const SciGraph& graph, const hw::RouteTable& table, const KeyOfRoute& key_of)
{
    check_echoes(graph, table, key_of);
    const auto cycle = waits_of(graph, table, key_of).cycle();
    if (cycle.empty()) return;
    std::vector<std::string> names;
    for (const unsigned queue : cycle) names.push_back(queue_name(graph, queue));
    names.push_back(names.front());
    throw GraphProblem{"topology.routing",
                       fmt::format("queues can wait for each other in a circle: {}", fmt::join(names, " -> ")),
                       "write routing = \"up-down\", or routes that do not close this circle"};
}

}  // namespace ringmesh::platforms
