// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/grid.h"

#include <fmt/format.h>

#include <cstdlib>

namespace ringmesh::hw {

using mesh::Port;

MeshGrid::MeshGrid(std::uint32_t columns, std::uint32_t rows)
    : columns_(columns), rows_(rows), neighbours_(outputs(), kNone)
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
    }
    for (std::size_t i = 0; i < outputs(); ++i) {
        if (neighbours_[i] != kNone) links_.push_back(i);
    }
}

std::uint32_t MeshGrid::routers_between(mesh::Terminal from, mesh::Terminal to) const
{
    return 1u + static_cast<std::uint32_t>(std::abs(from.x - to.x) + std::abs(from.y - to.y));
}

std::string MeshGrid::router_name(std::uint32_t router) const { return fmt::format("r{}_{}", x(router), y(router)); }

std::string MeshGrid::output_name(std::size_t output) const
{
    const auto router = static_cast<std::uint32_t>(output / mesh::kPorts);
    return fmt::format("{}.{}", router_name(router), mesh::word(static_cast<Port>(output % mesh::kPorts)));
}

}  // namespace ringmesh::hw
