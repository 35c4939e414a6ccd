// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/topology/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace ringmesh::hw {

using mesh::Port;

namespace {

std::uint32_t shorter_way(int distance, std::uint32_t ring)
{
    const auto direct = static_cast<std::uint32_t>(std::abs(distance));
    return ring == 0 ? direct : std::min(direct, ring - direct);
}

}  // namespace

MeshGrid::MeshGrid(std::uint32_t columns, std::uint32_t rows, bool wrap, const Absent& absent)
    : columns_(columns),
      rows_(rows),
      row_ring_(wrap && columns > 2 ? columns : 0),
      column_ring_(wrap && rows > 2 ? rows : 0),
      x_(routers()),
      y_(routers()),
      neighbours_(outputs(), kNone),
      inputs_behind_(outputs()),
      node_of_(routers()),
      is_graph_(false),
      is_irregular_(!absent.routers.empty() || !absent.links.empty())
{
    const auto at = [this](std::uint32_t x, std::uint32_t y) { return RouterIndex(x + columns_ * y); };
    for (std::uint32_t y = 0; y < rows_; ++y) {
        for (std::uint32_t x = 0; x < columns_; ++x) {
            const RouterIndex router = at(x, y);
            x_[router] = static_cast<std::uint16_t>(x);
            y_[router] = static_cast<std::uint16_t>(y);
            if (x + 1 < columns_) join({router, Port::kEast}, {at(x + 1, y), Port::kWest});
            if (y + 1 < rows_) join({router, Port::kNorth}, {at(x, y + 1), Port::kSouth});
            if (row_ring_ != 0 && x == 0) join({at(columns_ - 1, y), Port::kEast}, {router, Port::kWest});
            if (column_ring_ != 0 && y == 0) join({at(x, rows_ - 1), Port::kNorth}, {router, Port::kSouth});
        }
    }
    for (const RouterIndex router : absent.routers) {
        node_of_[router] = kNoNode;
        for (unsigned port = 0; port < mesh::kPorts; ++port) cut({router, port});
    }
    for (const OutputIndex link : absent.links) cut(link);
    number_links();
    nodes_ = here_.size();
}

MeshGrid::MeshGrid(const Graph& graph)
    : columns_(graph.routers),
      rows_(1),
      row_ring_(0),
      column_ring_(0),
      x_(graph.routers),
      y_(graph.routers),
      neighbours_(outputs(), kNone),
      inputs_behind_(outputs()),
      nodes_(graph.terminals),
      node_of_(routers()),
      is_graph_(true),
      is_irregular_(true)
{
    for (std::uint32_t router = 0; router < routers(); ++router) {
        x_[RouterIndex(router)] = static_cast<std::uint16_t>(router);
    }
    for (const auto& [output, other] : graph.links) join(output, other);
    number_links();
}

void MeshGrid::number_links()
{
    for (RouterIndex router; router.number < routers(); ++router.number) {
        if (node_of_[router] == kNoNode) continue;
        node_of_[router] = static_cast<std::uint32_t>(here_.size());
        here_.push_back(router);
    }
    for (OutputIndex output; output.number < outputs(); ++output.number) {
        if (neighbours_[output] != kNone) links_.push_back(output);
    }
}

void MeshGrid::join(OutputIndex output, OutputIndex other)
{
    neighbours_[output] = other.router();
    neighbours_[other] = output.router();
    inputs_behind_[output] = InputIndex(other.number);
    inputs_behind_[other] = InputIndex(output.number);
}

void MeshGrid::cut(OutputIndex output)
{
    if (neighbours_[output] == kNone) return;
    neighbours_[OutputIndex(inputs_behind_[output].number)] = kNone;
    neighbours_[output] = kNone;
}

RouteGraph MeshGrid::graph() const
{
    RouteGraph graph(routers());
    for (const OutputIndex link : links_) {
        if (link.number < inputs_behind_[link].number) graph.join(link.router().number, neighbours_[link].number);
    }
    return graph;
}

std::uint32_t MeshGrid::routers_between(mesh::Terminal from, mesh::Terminal to) const
{
    return 1 + shorter_way(from.x - to.x, row_ring_) + shorter_way(from.y - to.y, column_ring_);
}

std::string MeshGrid::router_name(RouterIndex router) const
{
    return is_graph_ ? fmt::format("r{}", router.number) : fmt::format("r{}_{}", x(router), y(router));
}

std::string MeshGrid::output_name(OutputIndex output) const
{
    return fmt::format("{}.{}", router_name(output.router()), mesh::word(output.direction()));
}

}  // namespace ringmesh::hw
