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
      node_of_(routers()),
      has_gaps_(!absent.routers.empty() || !absent.links.empty())
{
    for (std::uint32_t r = 0; r < routers(); ++r) {
        x_.push_back(static_cast<std::uint16_t>(r % columns_));
        y_.push_back(static_cast<std::uint16_t>(r / columns_));
    }
    for (std::uint32_t r = 0; r < routers(); ++r) {
        if (y(r) + 1u < rows_) neighbours_[output(r, Port::kNorth)] = r + columns_;
        if (x(r) + 1u < columns_) neighbours_[output(r, Port::kEast)] = r + 1;
        if (y(r) > 0) neighbours_[output(r, Port::kSouth)] = r - columns_;
        if (x(r) > 0) neighbours_[output(r, Port::kWest)] = r - 1;
        if (row_ring_ != 0 && x(r) == 0) {
            neighbours_[output(r, Port::kWest)] = r + columns_ - 1;
            neighbours_[output(r + columns_ - 1, Port::kEast)] = r;
        }
        if (column_ring_ != 0 && y(r) == 0) {
            const std::uint32_t last = r + columns_ * (rows_ - 1);
            neighbours_[output(r, Port::kSouth)] = last;
            neighbours_[output(last, Port::kNorth)] = r;
        }
    }
    for (const std::uint32_t router : absent.routers) {
        node_of_[router] = kNone;
        for (std::size_t port = 0; port < mesh::kPorts; ++port) cut(output(router, static_cast<Port>(port)));
    }
    for (const std::size_t link : absent.links) cut(link);
    for (std::uint32_t router = 0; router < routers(); ++router) {
        if (node_of_[router] == kNone) continue;
        node_of_[router] = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back(router);
    }
    for (std::size_t i = 0; i < outputs(); ++i) {
        if (neighbours_[i] != kNone) links_.push_back(i);
    }
}

void MeshGrid::cut(std::size_t output)
{
    const std::uint32_t there = neighbours_[output];
    if (there == kNone) return;
    neighbours_[output] = kNone;
    neighbours_[MeshGrid::output(there, opposite(static_cast<Port>(output % mesh::kPorts)))] = kNone;
}

std::uint32_t MeshGrid::routers_between(mesh::Terminal from, mesh::Terminal to) const
{
    return 1 + shorter_way(from.x - to.x, row_ring_) + shorter_way(from.y - to.y, column_ring_);
}

std::string MeshGrid::router_name(std::uint32_t router) const { return fmt::format("r{}_{}", x(router), y(router)); }

std::string MeshGrid::output_name(std::size_t output) const
{
    const auto router = static_cast<std::uint32_t>(output / mesh::kPorts);
    return fmt::format("{}.{}", router_name(router), mesh::word(static_cast<Port>(output % mesh::kPorts)));
}

}  // namespace ringmesh::hw
