// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/params.h"
#include "hw/mesh/policies/routing.h"
#include "hw/mesh/topology/grid.h"
#include "tlm/division/processes.h"

namespace ringmesh::hw {

/// A mesh as what a simulation is cut by: routers and their links, weighted by the packets that pass if each router
/// sends to some others at random.
PlaceGraph place_graph(const MeshParams& params, const MeshGrid& grid, const MeshRoutes& routes,
                       const MeshTimes& times);

}  // namespace ringmesh::hw
