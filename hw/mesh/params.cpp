// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "hw/route_graph.h"
#include "tlm/parameters/parameter_list.h"

namespace ringmesh::hw {
namespace {

constexpr NameTable<MeshRoutesBy, 4> kRoutesByNames{{{{"routing", MeshRoutesBy::kRouting},
                                                      {"shortest", MeshRoutesBy::kShortest},
                                                      {"up-down", MeshRoutesBy::kUpDown},
                                                      {"table", MeshRoutesBy::kTable}}}};
constexpr NameTable<EqualWays, 2> kEqualWaysNames{{{{"fixed", EqualWays::kFixed}, {"drawn", EqualWays::kDrawn}}}};
constexpr NameTable<MeshShape, 2> kShapeNames{{{{"grid", MeshShape::kGrid}, {"graph", MeshShape::kGraph}}}};
/// Of a router to others.
constexpr NameTable<mesh::Port, 4> kLinkNames{{{{"north", mesh::Port::kNorth},
                                                {"east", mesh::Port::kEast},
                                                {"south", mesh::Port::kSouth},
                                                {"west", mesh::Port::kWest}}}};

/// "r2_3", of the whole grid.
RouterIndex router_named(const MeshGrid& whole, std::string_view name, const std::string& key)
{
    for (RouterIndex router; router.number < whole.routers(); ++router.number) {
        if (whole.router_name(router) == name) return router;
    }
    throw GraphProblem{key, fmt::format("there is no router '{}'", name),
                       fmt::format("write one from {} to {}{}", whole.router_name({}),
                                   whole.router_name(RouterIndex(whole.routers() - 1)),
                                   whole.is_graph() ? "" : ", such as r2_0 in column 2 of row 0")};
}

/// What several entries must not name twice.
class NamedOnce {
public:
    /// @param place of what is named @throws GraphProblem if it was named before
    void add(std::size_t place, const std::string& what, const std::string& key)
    {
        if (const auto [at, is_new] = keys_.try_emplace(place, key); !is_new) {
            throw GraphProblem{key,
                               at->second == key ? fmt::format("{} is named twice", what)
                                                 : fmt::format("{} is named by {}, too", what, at->second),
                               "name it once"};
        }
    }

private:
    std::map<std::size_t, std::string> keys_;
};

/// The same whichever of its two outputs names a link.
std::size_t link_number(const MeshGrid& grid, OutputIndex output)
{
    return std::min(output.number, grid.input_behind(output).number);
}

/// "r2_3", or "3..5" by number.
std::vector<RouterIndex> routers_named(const MeshGrid& grid, const std::string& name, const std::string& key)
{
    const auto range = range_of(name);
    if (!range) return {router_named(grid, name, key)};
    if (range->second >= grid.here().size()) {
        throw GraphProblem{
            key, fmt::format("there are {} routers", grid.here().size()),
            fmt::format("write a name such as {}, or numbers up to {}", grid.router_name({}), grid.here().size() - 1)};
    }
    const auto first = grid.here().begin();
    return {first + range->first, first + range->second + 1};
}

std::istringstream words_of(std::string list)
{
    std::replace(list.begin(), list.end(), ',', ' ');
    return std::istringstream(std::move(list));
}

/// Of a link, by one of its two.
OutputIndex link_named(const MeshGrid& grid, std::string_view text, const std::string& key)
{
    const OutputIndex output = output_named(grid, text, key);
    if (grid.neighbour(output) != MeshGrid::kNone) return output;
    throw GraphProblem{
        key, fmt::format("there is no link '{}'", text),
        fmt::format("write a router and its side towards another, such as {}.east", grid.router_name({}))};
}

}  // namespace

OutputIndex output_named(const MeshGrid& grid, std::string_view text, const std::string& key)
{
    const std::size_t dot = std::min(text.find('.'), text.size());
    const RouterIndex router = router_named(grid, text.substr(0, dot), key);
    const std::string_view side = text.substr(std::min(dot + 1, text.size()));
    if (const mesh::Port* port = kLinkNames.find(side)) return {router, *port};
    throw GraphProblem{
        key,
        side.empty() ? fmt::format("'{}' names no port", text) : fmt::format("'{}' is no port of '{}'", side, text),
        fmt::format("write a router and north, east, south or west, such as {}.east", grid.router_name({}))};
}

void MeshRecoveryParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"retry", "cycles of a mesh link from a flit that arrives corrupted until it is sent again"}, retry,
                  {1_cycles, 1000_cycles});
    visitor.field({"tries", "times that a flit is sent again over a mesh link before that is down for ever"}, tries,
                  {1, 1000});
}

void MeshParams::visit(ParameterVisitor& visitor, bool bare)
{
    visitor.choice({"shape", "grid: rows and columns of routers; graph: as the tables nodes and links say"}, shape,
                   kShapeNames);
    const auto on_grid = [&visitor](const auto& walk) { visitor.when("shape", {"grid"}, walk); };
    on_grid([&] {
        visitor.field({"columns", "routers from west to east"}, columns, {1, 64});
        visitor.field({"rows", "routers from south to north"}, rows, {1, 64});
        if (!bare) return;
        visitor.only_if(columns > 2 || rows > 2, "rows and columns of two routers have both links; set more", [&] {
            visitor.field({"wrap",
                           "a torus: links from the last router of each row and column to the first; half of the "
                           "virtual channels are for packets that have crossed one"},
                          wrap);
        });
    });
    visitor.when("shape", {"graph"}, [&] {
        TextsByName kinds{"terminal: a router with something at its local port; router: one that only passes on",
                          nodes};
        TextsByName ends{"its two ends, each a router and one of its sides", links};
        visitor.group("nodes", "Routers, by number or range", kinds);
        visitor.group("links", "Links between routers, in both directions, under any names", ends);
    });
    visitor.field({"clock", "clock of routers and links"}, clock, {1_MHz, 10'000_MHz});
    visitor.field({"pipeline", "stages of a router; with the link four cycles for each hop"}, pipeline,
                  {1_cycles, 64_cycles});
    visitor.field({"link", "cycles from a router's output to the next input"}, link, {1_cycles, 64_cycles});
    visitor.field(
        {"terminal", "cycles from a terminal into its router; the way from the router to the terminal is a link"},
        terminal, {0_cycles, 64_cycles});
    visitor.field({"virtual_channels", "virtual channels of each link"}, virtual_channels, {1, kMostChannels});
    const auto flit_by_flit = [&visitor](const auto& walk) { visitor.when("detail", {"flit"}, walk); };
    flit_by_flit([&] {
        visitor.field({"reserved_channels",
                       "virtual channels that requests alone may use, and as many for responses alone; 0 lets the "
                       "classes block each other"},
                      reserved_channels, {0, kMostChannels / 2});
    });
    flit_by_flit([&] {
        visitor.only_if(
            pipeline >= kFewestToSpeculate,
            "a router of less than three stages gives out channel and switch in one cycle; set "
            "mesh.pipeline to more",
            [&] {
                visitor.field(
                    {"speculation",
                     "a head asks for channel and switch in the same cycle, and saves a stage if it gets both"},
                    speculation);
            });
    });
    visitor.field({"buffer_flits", "flits that each virtual channel holds at each input"}, buffer_flits, {1, 256});
    visitor.field({"injection_slots", "packets of each class that wait at each terminal for the first router"},
                  injection_slots, {1, 65536});
    visitor.choice({"detail", "level of detail: flit by flit, or by path: links are reserved along the way"}, detail,
                   kMeshDetails);
    on_grid([&] {
        visitor.text({"holes", "routers that are absent, such as \"r2_3 r4_0\""}, holes);
        visitor.text({"cut_links", "links that are absent, in both directions, such as \"r1_1.east r0_2.north\""},
                     cut_links);
    });
    visitor.only_if(pipeline >= kFewestToSpeculate, "routers of less than three stages are alike; set more", [&] {
        ValuesByName<Cycles> own{"stages of these routers alone", {kFewestToSpeculate, 64_cycles}, pipeline, pipelines};
        visitor.group("pipelines", "Routers whose pipeline differs, by name or numbers", own);
    });
    ValuesByName<std::int64_t> own_buffers{
        "flits that each virtual channel of these routers holds", {1, 256}, buffer_flits, buffers};
    visitor.group("buffers", "Routers whose buffers differ, by name or numbers", own_buffers);
    ValuesByName<Cycles> own_links{
        "cycles of this link alone, in both directions", {1_cycles, 64_cycles}, link, link_cycles};
    visitor.group("link_cycles", "Links whose length differs, by one of their ends", own_links);
    visitor.choice(
        {"routes_by",
         "routing: as mesh.routing says; shortest: the fewest links; up-down: never up after down, so without "
         "deadlock round any holes; table: as the table mesh.routes says"},
        routes_by, kRoutesByNames);
    visitor.when("routes_by", {"routing"}, [&] {
        visitor.only_if(columns > 1 && rows > 1, "the mesh is a line; set more rows and columns", [&] {
            visitor.choice({"routing", "the route of a packet"}, routing);
        });
    });
    visitor.when("routes_by", {"table"}, [&] {
        TextsByName table{"the output for packets to these nodes: north, east, south or west", routes};
        visitor.group("routes", "For each router: the output by which packets leave, by node or range", table);
    });
    const auto on_rings = [&](const auto& walk) {
        if (!bare) return;
        visitor.only_if(wrap, "there are no rings; set mesh.wrap",
                        [&] { visitor.when("routes_by", {"routing"}, walk); });
    };
    on_rings([&] {
        visitor.choice({"equal_ways",
                        "of two equal ways around a ring of a torus, fixed: every second router takes each; drawn: by "
                        "a lot of the packet"},
                       equal_ways, kEqualWaysNames);
    });
    flit_by_flit([&] {
        visitor.choice({"flow", "room required downstream before a packet's head leaves"}, flow);
        visitor.choice({"arbitration", "which of several packets an output serves first"}, arbitration);
        visitor.choice({"switch_hold", "how long a packet holds the switch"}, switch_hold);
        visitor.only_if(virtual_channels > 1, "there is one virtual channel; set mesh.virtual_channels to more", [&] {
            visitor.choice(
                {"channel_choice", "whether packets pick among free virtual channels, or channels among packets"},
                channel_choice);
        });
        on_rings([&] {
            visitor.choice({"ring_classes", "the half of its channels that a packet may take on a ring of a torus"},
                           ring_classes);
        });
    });
}

std::string MeshParams::problem() const
{
    if (detail == MeshDetail::kFlit && 2 * reserved_channels > virtual_channels) {
        return fmt::format(
            "two classes of packets cannot reserve {} of {} virtual channels each; reserve at most half of them, or "
            "set "
            "more",
            reserved_channels, virtual_channels);
    }
    if (!wrap || routes_by != MeshRoutesBy::kRouting) return "";
    if (routing->adaptive) {
        return fmt::format("routing {} can deadlock on a torus; choose xy or yx, or no wrap links", routing->name);
    }
    if (detail == MeshDetail::kFlit && (virtual_channels < 2 || reserved_channels == 1)) {
        return "the virtual channels of a ring form two classes, also the reserved ones; set two channels at least, "
               "and reserve none or two, or set no wrap links";
    }
    return "";
}

MeshGrid MeshParams::grid() const
{
    if (is_graph()) return read_graph();
    if (!nodes.empty() || !links.empty()) {
        throw GraphProblem{"shape", "the file has nodes and links, which only a graph may have",
                           "write \"graph\", or take them out"};
    }
    return grid_with_gaps();
}

MeshGrid MeshParams::grid_with_gaps() const
{
    const auto width = static_cast<std::uint32_t>(columns);
    const auto height = static_cast<std::uint32_t>(rows);
    if (holes.empty() && cut_links.empty()) return {width, height, wrap};
    const MeshGrid whole(width, height, wrap);
    MeshGrid::Absent absent;
    std::istringstream routers = words_of(holes);
    NamedOnce absent_routers, absent_links;
    for (std::string word; routers >> word;) {
        absent_routers.add(absent.routers.emplace_back(router_named(whole, word, "holes")).number, word, "holes");
    }
    std::istringstream cut = words_of(cut_links);
    for (std::string word; cut >> word;) {
        const OutputIndex output = absent.links.emplace_back(link_named(whole, word, "cut_links"));
        absent_links.add(link_number(whole, output), "the link " + word, "cut_links");
    }
    return {width, height, wrap, absent};
}

MeshGrid MeshParams::read_graph() const
{
    if (nodes.empty()) {
        throw GraphProblem{"shape", "no nodes are written, which a graph consists of",
                           "write the tables mesh.nodes and mesh.links, or \"grid\""};
    }
    MeshGrid::Graph graph;
    std::vector<std::pair<bool, std::string>> kinds;  // of each router: whether it has a terminal, and the key
    for (const auto& [name, kind] : nodes) {
        const std::string key = "nodes." + name;
        const auto range = range_of(name);
        if (!range || range->second >= kMostRouters) {
            throw GraphProblem{key, fmt::format("'{}' are no numbers of routers", name),
                               fmt::format("write such as 0 or \"0..3\", up to {}", kMostRouters - 1)};
        }
        if (kind != "terminal" && kind != "router") {
            throw GraphProblem{key, fmt::format("'{}' is no kind of node", kind), "write \"terminal\" or \"router\""};
        }
        if (kinds.size() <= range->second) kinds.resize(range->second + 1);
        for (unsigned router = range->first; router <= range->second; ++router) {
            if (!kinds[router].second.empty()) {
                throw GraphProblem{key, fmt::format("router {} is there already, by {}", router, kinds[router].second),
                                   "write each number once"};
            }
            kinds[router] = {kind == "terminal", key};
        }
    }
    graph.routers = static_cast<std::uint32_t>(kinds.size());
    for (std::uint32_t router = 0; router < graph.routers; ++router) {
        const auto& [has_terminal, key] = kinds[router];
        if (key.empty()) {
            throw GraphProblem{"nodes", fmt::format("there is no router {}, but higher ones", router),
                               "number them without gaps"};
        }
        if (has_terminal && graph.terminals < router) {
            throw GraphProblem{
                key, fmt::format("router {} has a terminal, and {}, before it, has none", router, graph.terminals),
                "number those with a terminal first: nodes of traffic are numbered like them"};
        }
        if (has_terminal) ++graph.terminals;
    }
    if (graph.terminals == 0) {
        throw GraphProblem{"nodes", "no router has a terminal", "write such as \"0..3\" = \"terminal\""};
    }
    const MeshGrid alone(graph);
    Indexed<OutputIndex, std::string> taken(alone.outputs());  // by which link
    for (const auto& [name, text] : links) {
        const std::string key = "links." + name;
        std::istringstream words = words_of(text);
        std::vector<OutputIndex> ends;
        for (std::string word; words >> word;) {
            const OutputIndex end = ends.emplace_back(output_named(alone, word, key));
            if (!taken[end].empty()) {
                throw GraphProblem{key, fmt::format("{} is an end of {} already", word, taken[end]),
                                   "write another side"};
            }
            taken[end] = key;
        }
        if (ends.size() != 2) {
            throw GraphProblem{key, fmt::format("a link has two ends, and here are {}", ends.size()),
                               "write such as [\"r0.east\", \"r1.west\"]"};
        }
        if (ends[0].router() == ends[1].router()) {
            throw GraphProblem{key, "both ends are at one router", "join it to another one"};
        }
        graph.links.emplace_back(ends[0], ends[1]);
    }
    return MeshGrid(graph);
}

MeshTimes MeshParams::times_on(const MeshGrid& grid) const
{
    MeshTimes times{
        .uniform = pipelines.empty() && buffers.empty() && link_cycles.empty(),
        .pipeline = Indexed<RouterIndex, std::int64_t>(grid.routers(), head_pipeline().count()),
        .link = Indexed<OutputIndex, std::int64_t>(grid.outputs(), link.count()),
        .buffer = Indexed<RouterIndex, std::uint32_t>(grid.routers(), static_cast<std::uint32_t>(buffer_flits))};
    if (!pipelines.empty() && pipeline < kFewestToSpeculate) {
        throw GraphProblem{"pipelines." + pipelines.front().first,
                           fmt::format("routers of {} stages are alike", pipeline.count()),
                           "leave it out, or write mesh.pipeline = \"3 cycles\" or more"};
    }
    NamedOnce stages, depths, lengths;
    for (const auto& [name, own] : pipelines) {
        for (const RouterIndex router : routers_named(grid, name, "pipelines." + name)) {
            stages.add(router.number, grid.router_name(router), "pipelines." + name);
            times.pipeline[router] = own.count() - (speculates() ? 1 : 0);
        }
    }
    for (const auto& [name, own] : buffers) {
        for (const RouterIndex router : routers_named(grid, name, "buffers." + name)) {
            depths.add(router.number, grid.router_name(router), "buffers." + name);
            times.buffer[router] = static_cast<std::uint32_t>(own);
        }
    }
    for (const auto& [name, own] : link_cycles) {
        const OutputIndex output = link_named(grid, name, "link_cycles." + name);
        lengths.add(link_number(grid, output), "this link", "link_cycles." + name);
        times.link[output] = times.link[OutputIndex(grid.input_behind(output).number)] = own.count();
    }
    return times;
}

MeshRouteTable MeshParams::read_routes(const MeshGrid& grid) const
{
    MeshRouteTable table(grid);
    for (const auto& [name, text] : routes) {
        const std::string key = "routes." + name;
        const std::size_t dot = std::min(name.find('.'), name.size());
        const RouterIndex router = router_named(grid, std::string_view(name).substr(0, dot), key);
        const auto range = range_of(std::string_view(name).substr(std::min(dot + 1, name.size())));
        if (!range || range->second >= grid.here().size()) {
            const std::string example = grid.router_name({});
            throw GraphProblem{
                key, "no node of this mesh stands behind the point",
                fmt::format("write such as {}.0 or {}.\"0..{}\"", example, example, grid.here().size() - 1)};
        }
        const mesh::Port* port = kLinkNames.find(text);
        if (port == nullptr) {
            throw GraphProblem{key, fmt::format("'{}' is no output", text), "write north, east, south or west"};
        }
        for (unsigned node = range->first; node <= range->second; ++node) {
            if (grid.here()[node] != router) table.set_port(router, grid.here()[node], *port);
        }
    }
    return table;
}

MeshRoutes MeshParams::routes_on(const MeshGrid& grid) const
{
    const auto by = [&](MeshRouteTable table) {
        return MeshRoutes(*routing, grid, *ring_classes, equal_ways,
                          std::make_shared<const MeshRouteTable>(std::move(table)));
    };
    switch (routes_by) {
        case MeshRoutesBy::kRouting: break;
        case MeshRoutesBy::kShortest: return by(MeshRouteTable::shortest(grid));
        case MeshRoutesBy::kUpDown: return by(MeshRouteTable::up_down(grid));
        case MeshRoutesBy::kTable: return by(read_routes(grid));
    }
    return {*routing, grid, *ring_classes, equal_ways};
}

void MeshParams::require_joined(const MeshGrid& grid) const
{
    const RouterIndex first = grid.here().front();
    const auto far = grid.graph().distances(first.number);
    for (const RouterIndex router : grid.here()) {
        if (far[router.number] < RouteGraph::kFar) continue;
        std::string key;
        for (const auto& [name, kind] : nodes) {
            const auto range = range_of(name);
            if (is_graph() && range && range->first <= router.number && router.number <= range->second)
                key = "nodes." + name;
        }
        throw GraphProblem{
            key, fmt::format("no links lead from {} to {}", grid.router_name(first), grid.router_name(router)),
            is_graph() ? "add a link to it, or take it out" : "make it a hole as well, or leave a link to it"};
    }
}

void MeshParams::check_routes(const std::vector<mesh::Terminal>& ends) const
{
    const MeshGrid grid = this->grid();
    if (grid.here().empty()) throw GraphProblem{"holes", "no router is left", "leave out some"};
    times_on(grid);
    require_joined(grid);
    if (is_graph() && routes_by == MeshRoutesBy::kRouting) {
        throw GraphProblem{"routes_by", "a graph has no rows and columns",
                           "write \"up-down\", \"shortest\" or \"table\""};
    }
    if (!grid.is_irregular() && routes_by == MeshRoutesBy::kRouting) return;
    std::vector<RouterIndex> routers;
    for (const mesh::Terminal& end : ends) routers.push_back(grid.router(end));
    routes_on(grid).check(std::move(routers));
}

}  // namespace ringmesh::hw
