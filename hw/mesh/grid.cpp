// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/grid.h"

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
      neighbours_(outputs(), kNone),
      inputs_behind_(outputs(), kNone),
      node_of_(routers()),
      is_graph_(false),
      is_irregular_(!absent.routers.empty() || !absent.links.empty())
{
    for (std::uint32_t r = 0; r < routers(); ++r) {
        x_.push_back(static_cast<std::uint16_t>(r % columns_));
        y_.push_back(static_cast<std::uint16_t>(r / columns_));
    }
    for (std::uint32_t r = 0; r < routers(); ++r) {
        if (x(r) + 1u < columns_) join(output(r, Port::kEast), output(r + 1, Port::kWest));
        if (y(r) + 1u < rows_) join(output(r, Port::kNorth), output(r + columns_, Port::kSouth));
        if (row_ring_ != 0 && x(r) == 0) join(output(r + columns_ - 1, Port::kEast), output(r, Port::kWest));
        if (column_ring_ != 0 && y(r) == 0) {
            join(output(r + columns_ * (rows_ - 1), Port::kNorth), output(r, Port::kSouth));
        }
    }
    for (const std::uint32_t router : absent.routers) {
        node_of_[router] = kNone;
        for (std::size_t port = 0; port < mesh::kPorts; ++port) cut(output(router, static_cast<Port>(port)));
    }
    for (const std::size_t link : absent.links) cut(link);
    number_links();
    nodes_ = here_.size();
}

MeshGrid::MeshGrid(const Graph& graph)
    : columns_(graph.routers),
      rows_(1),
      row_ring_(0),
      column_ring_(0),
      y_(graph.routers),
      neighbours_(outputs(), kNone),
      inputs_behind_(outputs(), kNone),
      nodes_(graph.terminals),
      node_of_(routers()),
      is_graph_(true),
      is_irregular_(true)
{
    for (std::uint32_t r = 0; r < routers(); ++r) x_.push_back(static_cast<std::uint16_t>(r));
    for (const auto& [output, other] : graph.links) join(output, other);
    number_links();
}

void MeshGrid::number_links()
{
    for (std::uint32_t router = 0; router < routers(); ++router) {
        if (node_of_[router] == kNone) continue;
        node_of_[router] = static_cast<std::uint32_t>(here_.size());
        here_.push_back(router);
    }
    for (std::size_t i = 0; i < outputs(); ++i) {
        if (neighbours_[i] != kNone) links_.push_back(i);
    }
}

void MeshGrid::join(std::size_t output, std::size_t other)
{
    neighbours_[output] = static_cast<std::uint32_t>(other / mesh::kPorts);
    neighbours_[other] = static_cast<std::uint32_t>(output / mesh::kPorts);
    inputs_behind_[output] = static_cast<std::uint32_t>(other);
    inputs_behind_[other] = static_cast<std::uint32_t>(output);
}

void MeshGrid::cut(std::size_t output)
{
    if (neighbours_[output] == kNone) return;
    neighbours_[inputs_behind_[output]] = kNone;
    neighbours_[output] = kNone;
}

RouteGraph MeshGrid::graph() const
{
    RouteGraph graph(routers());
    for (const std::size_t link : links_) {
        if (link < inputs_behind_[link]) graph.join(static_cast<unsigned>(link / mesh::kPorts), neighbours_[link]);
    }
    return graph;
}

std::uint32_t MeshGrid::routers_between(mesh::Terminal from, mesh::Terminal to) const
{
    return 1 + shorter_way(from.x - to.x, row_ring_) + shorter_way(from.y - to.y, column_ring_);
}

std::string MeshGrid::router_name(std::uint32_t router) const
{
    return is_graph_ ? fmt::format("r{}", router) : fmt::format("r{}_{}", x(router), y(router));
}

std::string MeshGrid::output_name(std::size_t output) const
{
    const auto router = static_cast<std::uint32_t>(output / mesh::kPorts);
    return fmt::format("{}.{}", router_name(router), mesh::word(static_cast<Port>(output % mesh::kPorts)));
}

}  // namespace ringmesh::hw
