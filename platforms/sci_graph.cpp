// SPDX-License-Identifier: Apache-2.0
#include "platforms/sci_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "tlm/sci/sci_machine.h"

namespace ringmesh::platforms {
namespace {

constexpr unsigned kFar = std::numeric_limits<unsigned>::max() / 2;

/// Boxes, then rings, are the vertices; each chip is the edge between its box and its ring.
struct Vertices {
    explicit Vertices(const SciGraph& graph) : boxes(static_cast<unsigned>(graph.boxes().size()))
    {
        edges.resize(boxes + graph.rings().size());
        for (unsigned chip = 0; chip < graph.chips(); ++chip) {
            const unsigned ring = boxes + graph.ring_of(chip);
            edges[graph.box_of(chip)].emplace_back(ring, chip);
            edges[ring].emplace_back(graph.box_of(chip), chip);
        }
    }
    unsigned boxes;
    std::vector<std::vector<std::pair<unsigned, unsigned>>> edges;  ///< of each vertex: the other one, the chip

    std::vector<unsigned> distances(unsigned from) const
    {
        std::vector<unsigned> far(edges.size(), kFar);
        std::vector<unsigned> queue{from};
        far[from] = 0;
        for (std::size_t i = 0; i < queue.size(); ++i) {
            for (const auto& [other, chip] : edges[queue[i]]) {
                if (far[other] != kFar) continue;
                far[other] = far[queue[i]] + 1;
                queue.push_back(other);
            }
        }
        return far;
    }
};

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

/// Of the chips of a box that lead to vertices which are near enough, the one with the fewest links.
template <class Leads>
void choose_port(const SciGraph& graph, hw::RouteTable& table, unsigned box, unsigned target, const Leads& leads)
{
    unsigned best = kFar;
    for (unsigned port = 0; port < graph.boxes()[box].ports.size(); ++port) {
        const unsigned chip = graph.chip(box, port);
        if (!leads(chip)) continue;
        unsigned exit = 0;
        const unsigned hops = hops_to_exit(graph, table, chip, target, exit);
        if (hops == 0 || hops >= best) continue;
        best = hops;
        table.set_port(box, target, port);
    }
}

/// Edges between queues: of chip c, 2c is the send queue and 2c + 1 the receive queue.
class Dependencies {
public:
    explicit Dependencies(unsigned chips) : after_(2 * std::size_t{chips}) {}
    void add(unsigned queue, unsigned waits_for) { after_[queue].insert(waits_for); }
    /// Queues each of which waits for the next, the last for the first; empty if there is no such cycle.
    std::vector<unsigned> cycle() const
    {
        std::vector<std::uint8_t> state(after_.size());
        for (unsigned start = 0; start < after_.size(); ++start) {
            if (state[start] != 0) continue;
            // Depth first without recursion: chains are as long as the network
            std::vector<std::pair<unsigned, std::set<unsigned>::const_iterator>> way{{start, after_[start].begin()}};
            state[start] = 1;
            while (!way.empty()) {
                auto& [queue, next] = way.back();
                if (next == after_[queue].end()) {
                    state[queue] = 2;
                    way.pop_back();
                    continue;
                }
                const unsigned other = *next++;
                if (state[other] == 2) continue;
                if (state[other] == 0) {
                    state[other] = 1;
                    way.emplace_back(other, after_[other].begin());
                    continue;
                }
                std::vector<unsigned> found;
                for (const auto& [each, unused] : way) {
                    if (!found.empty() || each == other) found.push_back(each);
                }
                return found;
            }
        }
        return {};
    }

private:
    std::vector<std::set<unsigned>> after_;
};

/// Follows the packets of all sources to one target, and notes what waits for what.
class Follower {
public:
    Follower(const SciGraph& graph, const hw::RouteTable& table, const std::string& key, Dependencies& dependencies)
        : graph_(graph), table_(table), key_(key), dependencies_(dependencies)
    {}

    void follow_all(unsigned target)
    {
        rings_to_end_.assign(graph_.boxes().size(), 0);
        state_.assign(graph_.boxes().size(), 0);
        state_[target] = 2;
        for (unsigned source = 0; source < graph_.nodes(); ++source) follow(source, target);
    }

private:
    std::string name(unsigned box) const { return graph_.boxes()[box].name; }

    void follow(unsigned source, unsigned target)
    {
        std::vector<unsigned> way;
        unsigned box = source;
        for (unsigned came = SciGraph::kNoRing; state_[box] == 0 || came != SciGraph::kNoRing;) {
            const unsigned port = box == target ? hw::RouteTable::kNone : table_.port(box, target);
            if (came != SciGraph::kNoRing && box != target && port != hw::RouteTable::kNone) {
                dependencies_.add(2 * came + 1, 2 * graph_.chip(box, port));
            }
            if (state_[box] == 2) break;
            if (state_[box] == 1) {
                throw GraphProblem{key_,
                                   fmt::format("packets from {} to {} come back to {} and go round for ever",
                                               name(source), name(target), name(box)),
                                   "write a port that leads nearer to the target there"};
            }
            if (port >= graph_.boxes()[box].ports.size()) {
                throw GraphProblem{key_,
                                   fmt::format("{} has no route to {}, to which packets of {} go", name(box),
                                               name(target), name(source)),
                                   "add one"};
            }
            state_[box] = 1;
            way.push_back(box);
            const unsigned chip = graph_.chip(box, port);
            unsigned exit = 0;
            if (hops_to_exit(graph_, table_, chip, target, exit) == 0) {
                throw GraphProblem{key_,
                                   fmt::format("no one on ring {} takes packets for {} off it, which {} sends there",
                                               graph_.rings()[graph_.ring_of(chip)].name, name(target), name(box)),
                                   "write another port there"};
            }
            dependencies_.add(2 * chip, 2 * exit + 1);
            came = exit;
            box = graph_.box_of(exit);
        }
        unsigned rings = rings_to_end_[box];
        for (; !way.empty(); way.pop_back()) {
            state_[way.back()] = 2;
            rings_to_end_[way.back()] = ++rings;
            if (rings <= Route::kMost) continue;
            throw GraphProblem{key_,
                               fmt::format("packets from {} to {} take more than {} rings", name(way.back()),
                                           name(target), Route::kMost),
                               "join the rings by fewer steps"};
        }
    }

    const SciGraph& graph_;
    const hw::RouteTable& table_;
    const std::string& key_;
    Dependencies& dependencies_;
    std::vector<std::uint8_t> state_;  // of boxes: 0 new, 1 on the way, 2 reaches the target
    std::vector<unsigned> rings_to_end_;
};

/// An echo goes to the node that sent the packet on this ring, by the same tables.
void check_echoes(const SciGraph& graph, const hw::RouteTable& table, const std::string& key)
{
    for (const SciGraph::Ring& ring : graph.rings()) {
        for (const unsigned sender : ring.chips) {
            const unsigned node = graph.box_of(sender);
            if (node >= graph.nodes()) continue;
            for (const unsigned chip : ring.chips) {
                if (chip == sender || !table.strips(chip, node)) continue;
                throw GraphProblem{
                    key,
                    fmt::format("{} would take echoes to {} off ring {}, on which both are",
                                graph.boxes()[graph.box_of(chip)].name, graph.boxes()[node].name, ring.name),
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
    boxes_.push_back({std::move(name), std::move(ports), first});
}

void SciGraph::add_ring(std::string name, std::vector<unsigned> chips)
{
    for (unsigned place = 0; place < chips.size(); ++place) {
        ring_of_[chips[place]] = static_cast<unsigned>(rings_.size());
        place_[chips[place]] = place;
    }
    rings_.push_back({std::move(name), std::move(chips)});
}

unsigned SciGraph::next(unsigned chip) const
{
    const std::vector<unsigned>& ring = rings_[ring_of_[chip]].chips;
    return ring[(place_[chip] + 1) % ring.size()];
}

std::vector<bool> SciGraph::reached_from(unsigned box) const
{
    const auto far = Vertices(*this).distances(box);
    std::vector<bool> reached;
    for (std::size_t i = 0; i < boxes_.size(); ++i) reached.push_back(far[i] < kFar);
    return reached;
}

std::string SciGraph::chip_name(unsigned chip) const
{
    const Box& box = boxes_[box_of_[chip]];
    return box.name + "." + box.ports[port_of(chip)];
}

hw::RouteTable shortest_routes(const SciGraph& graph)
{
    const Vertices vertices(graph);
    hw::RouteTable table(vertices.boxes, graph.chips(), graph.nodes());
    for (unsigned target = 0; target < graph.nodes(); ++target) {
        const auto far = vertices.distances(target);
        for (unsigned chip = 0; chip < graph.chips(); ++chip) {
            const unsigned ring = far[vertices.boxes + graph.ring_of(chip)];
            if (ring < kFar && far[graph.box_of(chip)] + 1 == ring) table.set_strips(chip, target);
        }
        for (unsigned box = 0; box < vertices.boxes; ++box) {
            if (box == target) continue;
            choose_port(graph, table, box, target,
                        [&](unsigned chip) { return far[vertices.boxes + graph.ring_of(chip)] + 1 == far[box]; });
        }
    }
    return table;
}

hw::RouteTable up_down_routes(const SciGraph& graph, unsigned root)
{
    const Vertices vertices(graph);
    const auto count = static_cast<unsigned>(vertices.edges.size());
    const auto level = vertices.distances(root);
    const auto above = [&level](unsigned a, unsigned b) { return std::pair(level[a], a) < std::pair(level[b], b); };
    std::vector<unsigned> downwards(count);
    for (unsigned i = 0; i < count; ++i) downwards[i] = i;
    std::sort(downwards.begin(), downwards.end(), above);

    hw::RouteTable table(vertices.boxes, graph.chips(), graph.nodes());
    for (unsigned target = 0; target < graph.nodes(); ++target) {
        std::vector<unsigned> down(count, kFar);
        down[target] = 0;
        for (auto at = downwards.rbegin(); at != downwards.rend(); ++at) {
            for (const auto& [other, chip] : vertices.edges[*at]) {
                if (above(*at, other)) down[*at] = std::min(down[*at], down[other] + 1);
            }
        }
        std::vector<unsigned> far = down;  // down if possible, else up
        for (const unsigned at : downwards) {
            if (down[at] < kFar) continue;
            far[at] = kFar;
            for (const auto& [other, chip] : vertices.edges[at]) {
                if (above(other, at)) far[at] = std::min(far[at], far[other] + 1);
            }
        }
        const auto leads = [&](unsigned from, unsigned to) {
            return far[from] < kFar && far[to] + 1 == far[from] && above(from, to) == (down[from] < kFar);
        };
        for (unsigned chip = 0; chip < graph.chips(); ++chip) {
            if (leads(vertices.boxes + graph.ring_of(chip), graph.box_of(chip))) table.set_strips(chip, target);
        }
        for (unsigned box = 0; box < vertices.boxes; ++box) {
            if (box == target) continue;
            choose_port(graph, table, box, target,
                        [&](unsigned chip) { return leads(box, vertices.boxes + graph.ring_of(chip)); });
        }
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

std::vector<Crossing> crossings(const SciGraph& graph, const hw::RouteTable& table, unsigned from, unsigned to)
{
    std::vector<Crossing> way;
    for (unsigned box = from; box != to; box = graph.box_of(way.back().to)) {
        Crossing& crossing = way.emplace_back();
        crossing.from = graph.chip(box, table.port(box, to));
        crossing.hops = hops_to_exit(graph, table, crossing.from, to, crossing.to);
    }
    return way;
}

void check_routes(const SciGraph& graph, const hw::RouteTable& table, const std::string& key)
{
    check_echoes(graph, table, key);
    Dependencies dependencies(graph.chips());
    Follower follower(graph, table, key, dependencies);
    for (unsigned target = 0; target < graph.nodes(); ++target) follower.follow_all(target);
    const auto cycle = dependencies.cycle();
    if (cycle.empty()) return;
    std::vector<std::string> names;
    for (const unsigned queue : cycle) {
        names.push_back(graph.chip_name(queue / 2) + (queue % 2 == 0 ? " (send)" : " (receive)"));
    }
    names.push_back(names.front());
    throw GraphProblem{key, fmt::format("queues can wait for each other in a circle: {}", fmt::join(names, " -> ")),
                       "write routing = \"up-down\", or routes that do not close this circle"};
}

}  // namespace ringmesh::platforms
