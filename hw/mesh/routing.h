// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw/mesh/params.h"
#include "tlm/mesh/packet.h"

/// Which way a packet takes in the mesh: decisions, without time and kernel.
namespace ringmesh::hw {

/// The outputs that a packet may take, all on a shortest way: one, or two of which the router takes the better one.
struct MeshWays {
    std::array<mesh::Port, 2> port{};
    std::uint8_t count = 0;
};

/// At router (x, y), for a packet to `to`. Where it has arrived that is the port of its terminal. None of the policies
/// ever lets packets wait for each other in a circle: xy and yx take no turn back into the first dimension, west-first
/// (Glass and Ni) takes none into the west.
inline MeshWays mesh_ways(MeshRouting routing, std::uint32_t x, std::uint32_t y, mesh::Terminal to)
{
    using mesh::Port;
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
