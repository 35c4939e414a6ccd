// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "hw/route_graph.h"
#include "tlm/parameter_list.h"

namespace ringmesh::hw {
namespace {

constexpr NameTable<MeshRoutesBy, 4> kRoutesByNames{{{{"routing", MeshRoutesBy::kRouting},
                                                      {"shortest", MeshRoutesBy::kShortest},
                                                      {"up-down", MeshRoutesBy::kUpDown},
                                                      {"table", MeshRoutesBy::kTable}}}};
/// Of a router to others.
constexpr NameTable<mesh::Port, 4> kLinkNames{{{{"north", mesh::Port::kNorth},
                                                {"east", mesh::Port::kEast},
                                                {"south", mesh::Port::kSouth},
                                                {"west", mesh::Port::kWest}}}};

struct RoutesByName {
    std::vector<std::pair<std::string, std::string>>& all;
    void visit(ParameterVisitor& visitor)
    {
        for (std::string& name : visitor.names_here(false)) {
            const auto same = [&name](const auto& each) { return each.first == name; };
            if (std::none_of(all.begin(), all.end(), same)) all.emplace_back(std::move(name), "");
        }
        for (auto& [name, port] : all) {
            visitor.text({name, "the output for packets to these nodes: north, east, south or west"}, port);
        }
    }
};

/// "r2_3", of the whole grid.
std::uint32_t router_named(const MeshGrid& whole, std::string_view name, const std::string& key)
{
    for (std::uint32_t router = 0; router < whole.routers(); ++router) {
        if (whole.router_name(router) == name) return router;
    }
    throw GraphProblem{key, fmt::format("there is no router '{}'", name),
                       fmt::format("write one from r0_0 to {}, such as r2_0 in column 2 of row 0",
                                   whole.router_name(whole.routers() - 1))};
}

}  // namespace

void MeshParams::visit(ParameterVisitor& visitor, bool bare)
{
    visitor.field({"columns", "routers from west to east"}, columns, {1, 64});
    visitor.field({"rows", "routers from south to north"}, rows, {1, 64});
    if (bare) {
        visitor.only_if(columns > 2 || rows > 2, "rows and columns of two routers have both links; set more", [&] {
            visitor.field({"wrap",
                           "a torus: links from the last router of each row and column to the first; half of the "
                           "virtual channels are for packets that have crossed one"},
                          wrap);
        });
    }
    visitor.field({"clock", "clock of routers and links"}, clock, {1_MHz, 10'000_MHz});
    visitor.field({"pipeline", "stages of a router; with the link four cycles for each hop"}, pipeline,
                  {1_cycles, 64_cycles});
    visitor.field({"link", "cycles from a router's output to the next input"}, link, {1_cycles, 64_cycles});
    visitor.field({"terminal", "cycles from a terminal into its router; the way out is a link"}, terminal,
                  {0_cycles, 64_cycles});
    visitor.field({"virtual_channels", "virtual channels of each link"}, virtual_channels, {1, kMostChannels});
    const auto flit_by_flit = [&visitor](const auto& walk) { visitor.when("detail", {"flit"}, walk); };
    flit_by_flit([&] {
        visitor.field({"reserved_channels",
                       "virtual channels that requests alone may use, and as many for responses alone; 0 lets the "
                       "classes block each other"},
                      reserved_channels, {0, kMostChannels / 2});
    });
    flit_by_flit([&] {
        visitor.only_if(pipeline >= kFewestToSpeculate,
                        "a router of less than three stages gives out channel and switch in one cycle; set "
                        "mesh.pipeline to more",
                        [&] {
                            visitor.field({"speculation",
                                           "a head asks for the switch in the cycle in which it asks for a channel: "
                                           "a stage less if it gets both"},
                                          speculation);
                        });
    });
    visitor.field({"buffer_flits", "flits that each virtual channel holds at each input"}, buffer_flits, {1, 256});
    visitor.field({"injection_slots", "packets of each class that wait at each terminal for the first router"},
                  injection_slots, {1, 65536});
    visitor.choice({"detail", "flit by flit, or links reserved along the path"}, detail, kMeshDetails);
    if (bare) visitor.text({"holes", "routers that are absent, such as \"r2_3 r4_0\""}, holes);
    visitor.text({"cut_links", "links that are absent, in both directions, such as \"r1_1.east r0_2.north\""},
                 cut_links);
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
        RoutesByName table{routes};
        visitor.group("routes", "For each router: the output by which packets leave, by node or range", table);
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
        return "packets that have crossed a wrap link need virtual channels of their own, also among the reserved "
               "ones; set two channels at least, and reserve none or two, or set no wrap links";
    }
    return "";
}

MeshGrid MeshParams::grid() const
{
    const auto width = static_cast<std::uint32_t>(columns);
    const auto height = static_cast<std::uint32_t>(rows);
    if (holes.empty() && cut_links.empty()) return {width, height, wrap};
    const MeshGrid whole(width, height, wrap);
    MeshGrid::Absent absent;
    const auto words_of = [](std::string list) {
        std::replace(list.begin(), list.end(), ',', ' ');
        return std::istringstream(list);
    };
    std::istringstream routers = words_of(holes);
    for (std::string word; routers >> word;) absent.routers.push_back(router_named(whole, word, "holes"));
    std::istringstream links = words_of(cut_links);
    for (std::string word; links >> word;) {
        const std::size_t dot = std::min(word.find('.'), word.size());
        const std::uint32_t router = router_named(whole, word.substr(0, dot), "cut_links");
        const mesh::Port* port = kLinkNames.find(word.substr(std::min(dot + 1, word.size())));
        if (port == nullptr || whole.neighbour(MeshGrid::output(router, *port)) == MeshGrid::kNone) {
            throw GraphProblem{"cut_links", fmt::format("there is no link '{}'", word),
                               "write a router and its side towards another, such as r0_0.east"};
        }
        absent.links.push_back(MeshGrid::output(router, *port));
    }
    return {width, height, wrap, absent};
}

MeshRouteTable MeshParams::read_routes(const MeshGrid& grid) const
{
    MeshRouteTable table(grid);
    for (const auto& [name, text] : routes) {
        const std::string key = "routes." + name;
        const std::size_t dot = std::min(name.find('.'), name.size());
        const std::uint32_t router = router_named(grid, std::string_view(name).substr(0, dot), key);
        const auto range = range_of(std::string_view(name).substr(std::min(dot + 1, name.size())));
        if (!range || range->second >= grid.nodes().size()) {
            throw GraphProblem{key, "no node of this mesh stands behind the point",
                               fmt::format("write such as r0_0.0 or r0_0.\"0..{}\"", grid.nodes().size() - 1)};
        }
        const mesh::Port* port = kLinkNames.find(text);
        if (port == nullptr) {
            throw GraphProblem{key, fmt::format("'{}' is no output", text), "write north, east, south or west"};
        }
        for (unsigned node = range->first; node <= range->second; ++node) {
            if (grid.nodes()[node] != router) table.set_port(router, grid.nodes()[node], *port);
        }
    }
    return table;
}

MeshRoutes MeshParams::routes_on(const MeshGrid& grid) const
{
    const auto by = [&](MeshRouteTable table) {
        return MeshRoutes(*routing, grid, std::make_shared<const MeshRouteTable>(std::move(table)));
    };
    switch (routes_by) {
        case MeshRoutesBy::kRouting: break;
        case MeshRoutesBy::kShortest: return by(MeshRouteTable::shortest(grid));
        case MeshRoutesBy::kUpDown: return by(MeshRouteTable::up_down(grid));
        case MeshRoutesBy::kTable: return by(read_routes(grid));
    }
    return {*routing, grid};
}

void MeshParams::check_routes() const
{
    const MeshGrid grid = this->grid();
    if (grid.nodes().empty()) throw GraphProblem{"holes", "no router is left", "leave out some"};
    if (grid.has_gaps() || routes_by != MeshRoutesBy::kRouting) routes_on(grid).check();
}

}  // namespace ringmesh::hw
