// SPDX-License-Identifier: Apache-2.0
#include "platforms/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "hw/mesh/topology/grid.h"
#include "platforms/mesh/bare_mesh.h"
#include "platforms/ncube/machine.h"
#include "platforms/scc/layout.h"
#include "platforms/scc/machine.h"
#include "platforms/wulfkit/network.h"
#include "tlm/error.h"

namespace ringmesh::platforms {
namespace {

std::string node_id(unsigned node) { return fmt::format("node{}", node); }

}  // namespace

DrawnNode node_at(unsigned node, double x, double y)
{
    return {.id = node_id(node), .label = std::to_string(node), .kind = "node", .x = x, .y = y};
}

std::pair<double, double> on_circle(unsigned i, unsigned count, double gap)
{
    const double radius = std::max(1.0, gap * count / (2 * std::numbers::pi));
    const double angle = 2 * std::numbers::pi * i / count - std::numbers::pi / 2;
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

std::vector<std::pair<double, double>> on_springs(unsigned count,
                                                  const std::vector<std::pair<unsigned, unsigned>>& links)
{
    std::vector<std::pair<double, double>> at;
    for (unsigned box = 0; box < count; ++box) at.push_back(on_circle(box, count, 1.2));
    constexpr unsigned kMostMoved = 512;  // the work is quadratic
    constexpr unsigned kRounds = 300;
    constexpr double kLength = 1.6;
    for (unsigned round = 0; round < kRounds && count <= kMostMoved; ++round) {
        std::vector<std::pair<double, double>> force(count);
        const auto push = [&](unsigned a, unsigned b, double strength) {
            const double dx = at[b].first - at[a].first;
            const double dy = at[b].second - at[a].second;
            force[a].first -= strength * dx;
            force[a].second -= strength * dy;
            force[b].first += strength * dx;
            force[b].second += strength * dy;
        };
        for (unsigned a = 0; a < count; ++a) {
            for (unsigned b = a + 1; b < count; ++b) {
                const double d = std::hypot(at[b].first - at[a].first, at[b].second - at[a].second) + 0.01;
                push(a, b, kLength * kLength / (d * d));
            }
        }
        for (const auto& [a, b] : links) {
            const double d = std::hypot(at[b].first - at[a].first, at[b].second - at[a].second);
            push(a, b, -0.5 * d / kLength);
        }
        const double heat = 0.5 * (1.0 - static_cast<double>(round) / kRounds);
        for (unsigned box = 0; box < count; ++box) {
            const double size = std::hypot(force[box].first, force[box].second) + 1e-9;
            at[box].first += force[box].first / size * std::min(size, heat);
            at[box].second += force[box].second / size * std::min(size, heat);
        }
    }
    double nearest = kLength;
    for (unsigned a = 0; a < count && count <= kMostMoved; ++a) {
        for (unsigned b = a + 1; b < count; ++b) {
            nearest = std::min(nearest, std::hypot(at[b].first - at[a].first, at[b].second - at[a].second));
        }
    }
    for (auto& [x, y] : at) {  // neighbours at least one unit apart
        x /= std::min(1.0, std::max(nearest, 0.05));
        y /= std::min(1.0, std::max(nearest, 0.05));
    }
    return at;
}

namespace {

Drawing wulfkit_drawing(const Configuration& configuration)
{
    WulfkitParams params;
    configuration.read_into(params);
    const WulfkitNetwork network(params);
    const SciGraph& graph = network.graph();
    if (network.nodes() > kMostDrawnNodes) return {};
    Drawing drawing = network.shape().drawing();
    for (const SciGraph::Box& box : graph.boxes()) drawing.blocks.push_back({box.path, box.name});
    for (unsigned chip = 0; chip < graph.chips(); ++chip) {
        const bool of_switch = graph.box_of(chip) >= network.nodes();
        const unsigned dimension = of_switch ? 0 : network.shape().dimension_of(graph.port_of(chip));
        drawing.links.push_back({.place = graph.chip_name(chip) + ".link_out",
                                 .from = graph.boxes()[graph.box_of(chip)].name,
                                 .to = graph.boxes()[graph.box_of(graph.next(chip))].name,
                                 .dimension = dimension,
                                 .stub = dimension > 1});
        if (dimension > 1 && network.nodes() > kMostDrawnInSpace) return {};
    }
    return drawing;
}

/// Of each router; row 0 is the lowest.
std::vector<std::pair<double, double>> positions_of(const hw::MeshGrid& grid)
{
    std::vector<std::pair<double, double>> at;
    if (!grid.is_graph()) {
        for (hw::RouterIndex router; router.number < grid.routers(); ++router.number) {
            at.emplace_back(grid.x(router), grid.rows() - 1 - grid.y(router));
        }
        return at;
    }
    std::vector<std::pair<unsigned, unsigned>> links;
    for (const hw::OutputIndex link : grid.links()) {
        links.emplace_back(link.router().number, grid.neighbour(link).number);
    }
    return on_springs(grid.routers(), links);
}

/// Links of a mesh's routers.
void add_links(Drawing& drawing, const hw::MeshGrid& grid)
{
    for (const hw::OutputIndex output : grid.links()) {
        const hw::RouterIndex from = output.router();
        const hw::RouterIndex to = grid.neighbour(output);
        const bool wraps =
            !grid.is_graph() && (std::abs(grid.x(from) - grid.x(to)) > 1 || std::abs(grid.y(from) - grid.y(to)) > 1);
        drawing.links.push_back({.place = fmt::format("mesh.{}", grid.output_name(output)),
                                 .from = grid.router_name(from),
                                 .to = grid.router_name(to),
                                 .stub = wraps});
    }
}

Drawing mesh_drawing(const Configuration& configuration)
{
    const hw::MeshParams params = mesh_of(configuration);
    const hw::MeshGrid grid = params.grid();
    if (grid.routers() > kMostDrawnNodes) return {};
    Drawing drawing{
        .kind = grid.is_graph() ? DrawingKind::kGraph : DrawingKind::kMesh, .nodes = {}, .links = {}, .blocks = {}};
    const auto at = positions_of(grid);
    for (const hw::RouterIndex router : grid.here()) {
        const std::string id = grid.router_name(router);
        const bool has_source = grid.node_of(router) < grid.nodes().size();
        drawing.nodes.push_back({.id = id,
                                 .label = std::to_string(grid.node_of(router)),
                                 .kind = has_source ? "router" : "switch",
                                 .x = at[router.number].first,
                                 .y = at[router.number].second});
        drawing.blocks.push_back({"mesh." + id, id});
        if (has_source) drawing.blocks.push_back({mesh_source_name(grid, router), id});
    }
    add_links(drawing, grid);
    return drawing;
}

Drawing scc_drawing(const Configuration& configuration)
{
    SccParams params;
    configuration.read_into(params);
    const SccLayout layout(params.mesh.grid(), params.layout);
    const hw::MeshGrid& grid = layout.grid();
    const auto at = positions_of(grid);
    Drawing drawing{.kind = DrawingKind::kSccChip, .nodes = {}, .links = {}, .blocks = {}};
    for (unsigned tile = 0; tile < layout.tiles(); ++tile) {
        const hw::RouterIndex router = grid.router(layout.terminal(tile));
        const std::string id = grid.router_name(router);
        const unsigned core = tile * SccLayout::kCoresPerTile;
        drawing.nodes.push_back({.id = id,
                                 .label = fmt::format("tile {}: {} {}", tile, core, core + 1),
                                 .kind = "tile",
                                 .x = at[router.number].first,
                                 .y = at[router.number].second});
        for (const std::string& block :
             {fmt::format("tile{}", tile), fmt::format("core{}", core), fmt::format("core{}", core + 1), "mesh." + id,
              mesh_source_name(grid, router)}) {
            drawing.blocks.push_back({block, id});
        }
    }
    for (hw::RouterIndex router(layout.tiles()); grid.is_graph() && router.number < grid.routers(); ++router.number) {
        const std::string id = grid.router_name(router);
        drawing.nodes.push_back(
            {.id = id, .label = id, .kind = "switch", .x = at[router.number].first, .y = at[router.number].second});
        drawing.blocks.push_back({"mesh." + id, id});
    }
    add_links(drawing, grid);
    const auto add_edge = [&](std::string id, std::string label, std::string kind, const mesh::Terminal& edge) {
        using enum mesh::Port;
        const hw::RouterIndex router = grid.router(edge);
        const double x = at[router.number].first + (edge.port == kEast ? 1.0 : edge.port == kWest ? -1.0 : 0.0);
        const double y = at[router.number].second + (edge.port == kSouth ? 1.0 : edge.port == kNorth ? -1.0 : 0.0);
        drawing.links.push_back({.place = fmt::format("mesh.{}", grid.output_name(grid.output(edge))),
                                 .from = grid.router_name(router),
                                 .to = id});
        drawing.blocks.push_back({id, id});
        drawing.nodes.push_back(
            {.id = std::move(id), .label = std::move(label), .kind = std::move(kind), .x = x, .y = y});
    };
    for (unsigned i = 0; i < layout.controllers(); ++i) {
        add_edge(fmt::format("mc{}", i), fmt::format("memory {}", i), "memory", layout.controller_terminal(i));
    }
    add_edge("system_interface", "system interface", "system", layout.system_interface());
    return drawing;
}

/// The lower half of the dimensions along x, the others along y: nodes in rows and columns, by their numbers.
Drawing ncube_drawing(const Configuration& configuration)
{
    NcubeParams params;
    configuration.read_into(params);
    const auto dimension = static_cast<unsigned>(params.topology.dimension);
    const unsigned nodes = 1U << dimension;
    const unsigned along_x = (dimension + 1) / 2;
    const unsigned columns = 1U << along_x;
    Drawing drawing{.kind = DrawingKind::kHypercube, .nodes = {}, .links = {}, .blocks = {{"host", "host"}}};
    for (unsigned node = 0; node < nodes; ++node) {
        const unsigned row = node / columns;
        drawing.nodes.push_back(node_at(node, static_cast<double>(node % columns), static_cast<double>(row)));
        drawing.blocks.push_back({node_id(node), node_id(node)});
        for (unsigned channel = 0; channel < dimension; ++channel) {
            drawing.links.push_back({.place = fmt::format("node{}.channels.out_{}", node, channel),
                                     .from = node_id(node),
                                     .to = node_id(node ^ (1U << channel)),
                                     .dimension = channel});
        }
        drawing.links.push_back({.place = fmt::format("node{}.channels.out_{}", node, dimension),
                                 .from = node_id(node),
                                 .to = "host",
                                 .dimension = dimension,
                                 .stub = true});
        drawing.links.push_back({.place = fmt::format("host.channels.out_{}", node),
                                 .from = "host",
                                 .to = node_id(node),
                                 .dimension = dimension,
                                 .stub = true});
    }
    const unsigned rows = nodes / columns;
    drawing.nodes.push_back({.id = "host", .label = "host", .kind = "host", .x = columns + 0.2, .y = (rows - 1) / 2.0});
    return drawing;
}

}  // namespace

Drawing drawing_of(const Configuration& configuration)
{
    const std::string& machine = configuration.machine();
    if (machine == "wulfkit") return wulfkit_drawing(configuration);
    if (machine == "mesh") return mesh_drawing(configuration);
    if (machine == "scc") return scc_drawing(configuration);
    if (machine == "ncube") return ncube_drawing(configuration);
    throw UserError(fmt::format("no drawing of machine '{}'", machine));
}

}  // namespace ringmesh::platforms
