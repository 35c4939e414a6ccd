// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/routing.h"

namespace ringmesh::hw {

using mesh::Port;

MeshWays mesh_ways(MeshRouting routing, std::uint32_t x, std::uint32_t y, mesh::Terminal to)
{
    const bool along_row = x != to.x;
    const bool along_column = y != to.y;
    const Port in_row = x < to.x ? Port::kEast : Port::kWest;
    const Port in_column = y < to.y ? Port::kNorth : Port::kSouth;
    if (!along_row && !along_column) return {{to.port}, 1};
    if (!along_column) return {{in_row}, 1};
    if (!along_row) return {{in_column}, 1};
    switch (routing) {
        case MeshRouting::kXy: break;
        case MeshRouting::kYx: return {{in_column}, 1};
        case MeshRouting::kWestFirst:
            if (in_row == Port::kWest) break;
            return {{in_row, in_column}, 2};
    }
    return {{in_row}, 1};
}

}  // namespace ringmesh::hw
