// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/routing.h"

namespace ringmesh::hw {

MeshRoutes::MeshRoutes(const MeshRoutingPolicy& routing, const MeshGrid& grid)
    : places_(grid.routers()), row_ring_(grid.row_ring()), column_ring_(grid.column_ring())
{
    for (std::uint32_t router = 0; router < grid.routers(); ++router) {
        Place& place = places_[router];
        place.x = grid.x(router);
        place.y = grid.y(router);
        for (const mesh::Port in_row : {mesh::Port::kEast, mesh::Port::kWest}) {
            for (const mesh::Port in_column : {mesh::Port::kNorth, mesh::Port::kSouth}) {
                place.ways[quarter(in_row, in_column)] = routing.ways(place.x, place.y, in_row, in_column);
            }
        }
    }
}

}  // namespace ringmesh::hw
