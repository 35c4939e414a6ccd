// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/policies/routing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "hw/route_graph.h"

namespace ringmesh::hw {

using mesh::Port;

namespace {

/// In the order in which a route takes them if several are as good.
using Outputs = std::array<Port, 4>;
constexpr Outputs kRowFirst{Port::kEast, Port::kWest, Port::kNorth, Port::kSouth};
constexpr Outputs kColumnFirst{Port::kNorth, Port::kSouth, Port::kEast, Port::kWest};

void choose_outputs(const MeshGrid& grid, MeshRouteTable& table, RouterIndex target, const Approach& approach,
                    const Outputs& outputs, ParallelWays& ways)
{
    const bool has_terminal = grid.node_of(target) < grid.nodes().size();
    for (const RouterIndex router : grid.here()) {
        RouterIndex chosen = MeshGrid::kNone;
        std::vector<Port> parallel;
        for (const Port port : outputs) {
            const RouterIndex next = grid.neighbour({router, port});
            if (next == MeshGrid::kNone || !approach.leads(router.number, next.number)) continue;
            if (chosen == MeshGrid::kNone) chosen = next;
            if (next == chosen) parallel.push_back(port);
        }
        if (parallel.empty()) continue;
        const auto count = static_cast<unsigned>(parallel.size());
        // Nothing is sent to a router without a terminal: it takes no turn
        const unsigned turn = has_terminal ? ways.next(router.number, chosen.number, count) : 0;
        table.set_port(router, target, parallel[turn]);
    }
}

/// Of the packets of the lower, or upper, class of a ring.
unsigned vertex_of(OutputIndex link, bool upper = false) { return 2 * link.number + (upper ? 1 : 0); }

std::string node_name(const MeshGrid& grid, RouterIndex router)
{
    if (grid.is_graph()) return grid.router_name(router);
    return fmt::format("node {} ({})", grid.node_of(router), grid.router_name(router));
}

}  // namespace

MeshRouteTable MeshRouteTable::shortest(const MeshGrid& grid)
{
    const RouteGraph graph = grid.graph();
    MeshRouteTable table(grid);
    ParallelWays ways;
    for (const RouterIndex target : grid.here()) {
        choose_outputs(grid, table, target, Approach::shortest(graph, target.number), kRowFirst, ways);
    }
    return table;
}

MeshRouteTable MeshRouteTable::up_down(const MeshGrid& grid)
{
    const RouteGraph graph = grid.graph();
    const std::uint32_t first = grid.here().front().number;
    const UpDown order(graph, first);
    const auto levels = graph.distances(first);
    MeshRouteTable table(grid);
    ParallelWays ways;
    for (const RouterIndex target : grid.here()) {
        // In turn: with one order alone the links at two sides of the mesh would carry twice as much as the others. By
        // levels, which a graph has as well
        const bool row_first = levels[target.number] % 2 == 0;
        choose_outputs(grid, table, target, order.to(target.number), row_first ? kRowFirst : kColumnFirst, ways);
    }
    return table;
}

MeshRoutes::MeshRoutes(const MeshRoutingPolicy& routing, const MeshGrid& grid, const RingClassPolicy& ring_classes,
                       EqualWays equal_ways, std::shared_ptr<const MeshRouteTable> table)
    : places_(grid.routers()),
      draws_(equal_ways == EqualWays::kDrawn && table == nullptr),
      row_ring_(grid.row_ring()),
      column_ring_(grid.column_ring()),
      table_(std::move(table)),
      ring_classes_(ring_classes),
      grid_(grid)
{
    for (RouterIndex router; router.number < grid.routers(); ++router.number) {
        Place& place = places_[router];
        place.x = grid.x(router);
        place.y = grid.y(router);
        for (const Port in_row : {Port::kEast, Port::kWest}) {
            for (const Port in_column : {Port::kNorth, Port::kSouth}) {
                place.ways[quarter(in_row, in_column)] = routing.ways(place.x, place.y, in_row, in_column);
            }
        }
    }
}

MeshWays MeshRoutes::by_table(RouterIndex router, mesh::Terminal to) const
{
    const RouterIndex target = grid_.router(to);
    const Port port = router == target ? to.port : table_->port(router, target);
    return {port, port};
}

std::uint32_t MeshRoutes::routers_between(mesh::Terminal from, mesh::Terminal to) const
{
    if (table_ == nullptr) return grid_.routers_between(from, to);
    std::uint32_t routers = 1;
    const RouterIndex target = grid_.router(to);
    for (RouterIndex router = grid_.router(from); router != target; ++routers) {
        router = grid_.neighbour({router, table_->port(router, target)});
    }
    return routers;
}

std::vector<RouterIndex> MeshRoutes::route(mesh::Terminal from, mesh::Terminal to) const
{
    std::vector<RouterIndex> routers{grid_.router(from)};
    while (routers.back() != grid_.router(to)) {
        routers.push_back(grid_.neighbour({routers.back(), ways(routers.back(), to).first}));
    }
    return routers;
}

std::vector<RouterIndex> MeshRoutes::with_nodes(std::vector<RouterIndex> ends) const
{
    ends.insert(ends.end(), grid_.nodes().begin(), grid_.nodes().end());
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
}

void MeshRoutes::check(std::vector<RouterIndex> ends) const
{
    if (table_ == nullptr) {
        for (const RouterIndex target : with_nodes(std::move(ends))) {
            for (const RouterIndex router : grid_.here()) {
                if (router == target) continue;
                for (unsigned lots = 0; lots < different_lots(); ++lots) {
                    const MeshWays to = ways(router, grid_.local_port(target), lots);
                    for (const Port port : {to.first, to.other}) require_link(router, target, port);
                }
            }
        }
        return;
    }
    const auto cycle = waits(std::move(ends), {}).cycle();
    if (cycle.empty()) return;
    std::vector<std::string> names;
    for (const unsigned link : cycle) names.push_back(link_name(link, {}));
    names.push_back(names.front());
    throw GraphProblem{"routes_by",
                       fmt::format("links can wait for each other in a circle: {}", fmt::join(names, " -> ")),
                       "write mesh.routes_by = \"up-down\", or routes that do not close this circle"};
}

void MeshRoutes::require_link(RouterIndex router, RouterIndex target, Port port) const
{
    if (grid_.neighbour({router, port}) != MeshGrid::kNone) return;
    const std::string from = node_name(grid_, router);
    const std::string to = node_name(grid_, target);
    if (port == Port::kLocal) {
        throw GraphProblem{"routes_by", fmt::format("{} has no route to {}", from, to), "add one to mesh.routes"};
    }
    throw GraphProblem{
        "", fmt::format("packets for {} leave {} by its port {}, which no link is at", to, from, mesh::word(port)),
        "write mesh.routes_by = \"up-down\", which goes round what is absent"};
}

/// Channels are the links, each with all of its virtual channels: any packet of a class may take any of them, on a
/// torus any of those of its class there.
WaitGraph MeshRoutes::waits(std::vector<RouterIndex> ends, Classes classes) const
{
    ends = with_nodes(std::move(ends));
    const unsigned of_class = vertices_of_class();
    const unsigned copies = classes.apart ? 2 : 1;
    const unsigned responses = classes.apart ? of_class : 0;
    WaitGraph waits(std::size_t{copies} * of_class + grid_.routers());
    for (const RouterIndex target : ends) {
        const Uses used = uses(ends, target);
        for (unsigned copy = 0; copy < copies; ++copy) {
            for (const auto& [link, behind] : used.next) waits.add(copy * of_class + link, copy * of_class + behind);
        }
        if (!classes.answered) continue;
        // A response to this target leaves from where its request came to
        const unsigned terminal = copies * of_class + target.number;
        for (const unsigned link : used.last) waits.add(link, terminal);
        for (const unsigned link : used.first) {
            const RouterIndex from = OutputIndex(link / 2).router();
            waits.add(copies * of_class + from.number, responses + link);
        }
    }
    return waits;
}

std::string MeshRoutes::link_name(unsigned vertex, Classes classes) const
{
    const unsigned of_class = vertices_of_class();
    const unsigned links = of_class * (classes.apart ? 2 : 1);
    if (vertex >= links) return grid_.router_name(RouterIndex(vertex - links)) + " (terminal)";
    std::vector<std::string_view> notes;
    if (vertex >= of_class) notes.emplace_back("responses");
    if (vertex % 2 != 0) notes.emplace_back("upper class");
    const std::string name = grid_.output_name(OutputIndex(vertex % of_class / 2));
    return notes.empty() ? name : fmt::format("{} ({})", name, fmt::join(notes, ", "));
}

MeshRoutes::Uses MeshRoutes::uses(const std::vector<RouterIndex>& sources, RouterIndex target) const
{
    Uses uses;
    if (table_ != nullptr) {
        follow_table(sources, target, uses);
    } else if (row_ring_ == 0 && column_ring_ == 0) {
        follow_policy(sources, target, uses);
    } else {
        constexpr std::uint32_t kMostOnTorus = 1024;  // each pair is followed by itself
        if (grid_.routers() > kMostOnTorus) {
            throw GraphProblem{"columns", fmt::format("{} routers are too many to follow each pair", grid_.routers()),
                               fmt::format("check a torus of at most {}", kMostOnTorus)};
        }
        for (const RouterIndex source : sources) {
            for (unsigned lots = 0; lots < different_lots(); ++lots) {
                for (const bool lot : {false, true}) follow_rings(source, target, lot, lots, uses);
            }
        }
    }
    return uses;
}

void MeshRoutes::follow_table(const std::vector<RouterIndex>& sources, RouterIndex target, Uses& uses) const
{
    enum class State : std::uint8_t { kNew, kOnTheWay, kComesThere };
    Indexed<RouterIndex, State> states(grid_.routers());
    states[target] = State::kComesThere;
    for (const RouterIndex source : sources) {
        std::vector<RouterIndex> way;
        RouterIndex at = source;
        for (std::optional<OutputIndex> before;; at = grid_.neighbour(*before)) {
            if (at == target) {
                if (before) uses.last.push_back(vertex_of(*before));
                break;
            }
            const Port port = table_->port(at, target);
            require_link(at, target, port);
            const OutputIndex link(at, port);
            if (before) {
                uses.next.emplace_back(vertex_of(*before), vertex_of(link));
            } else {
                uses.first.push_back(vertex_of(link));
            }
            before = link;
            if (states[at] != State::kNew) break;
            states[at] = State::kOnTheWay;
            way.push_back(at);
        }
        if (states[at] == State::kOnTheWay) {
            throw GraphProblem{"routes_by",
                               fmt::format("packets from {} to {} come back to {} and go round for ever",
                                           node_name(grid_, source), node_name(grid_, target), node_name(grid_, at)),
                               "write an output in mesh.routes there that leads nearer to the target"};
        }
        for (const RouterIndex router : way) states[router] = State::kComesThere;
    }
}

/// All ways that the policy leaves open.
void MeshRoutes::follow_policy(const std::vector<RouterIndex>& sources, RouterIndex target, Uses& uses) const
{
    const mesh::Terminal to = grid_.local_port(target);
    const auto links_of = [&](RouterIndex router) {
        const MeshWays out = ways(router, to);
        std::vector<OutputIndex> links{{router, out.first}};
        if (out.other != out.first) links.emplace_back(router, out.other);
        return links;
    };
    Indexed<RouterIndex, char> seen(grid_.routers());
    std::vector<RouterIndex> open;
    for (const RouterIndex source : sources) {
        if (source == target) continue;
        for (const OutputIndex link : links_of(source)) uses.first.push_back(vertex_of(link));
        if (std::exchange(seen[source], 1) == 0) open.push_back(source);
    }
    while (!open.empty()) {
        const RouterIndex router = open.back();
        open.pop_back();
        for (const OutputIndex link : links_of(router)) {
            const RouterIndex next = grid_.neighbour(link);
            if (next == target) {
                uses.last.push_back(vertex_of(link));
                continue;
            }
            for (const OutputIndex behind : links_of(next)) uses.next.emplace_back(vertex_of(link), vertex_of(behind));
            if (std::exchange(seen[next], 1) == 0) open.push_back(next);
        }
    }
}

/// On a torus: with a channel of each class.
void MeshRoutes::follow_rings(RouterIndex source, RouterIndex target, bool lot, unsigned lots, Uses& uses) const
{
    const mesh::Terminal from = grid_.local_port(source);
    const mesh::Terminal to = grid_.local_port(target);
    unsigned before = UINT32_MAX;
    for (RouterIndex at = source; at != target;) {
        const Port port = ways(at, to, lots).first;
        const OutputIndex link(at, port);
        const RouterIndex next = grid_.neighbour(link);
        const bool along_row = port == Port::kEast || port == Port::kWest;
        const auto size = static_cast<std::uint16_t>(along_row ? row_ring_ : column_ring_);
        const RingHop hop{.from = along_row ? from.x : from.y,
                          .to = along_row ? to.x : to.y,
                          .next = along_row ? grid_.x(next) : grid_.y(next),
                          .size = size,
                          .up = port == Port::kEast || port == Port::kNorth,
                          .lot = lot};
        const unsigned vertex = vertex_of(link, size != 0 && ring_classes_.upper(hop));
        if (before == UINT32_MAX) {
            uses.first.push_back(vertex);
        } else {
            uses.next.emplace_back(before, vertex);
        }
        before = vertex;
        at = next;
    }
    if (before != UINT32_MAX) uses.last.push_back(before);
}

}  // namespace ringmesh::hw
