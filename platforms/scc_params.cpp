// SPDX-License-Identifier: Apache-2.0
#include "platforms/scc_params.h"

namespace ringmesh::platforms {

void SccParams::visit(ParameterVisitor& visitor)
{
    visitor.group("clock", "Clocks of tiles and memory", clock);
    visitor.group("mesh", "The mesh of routers, one for each tile", mesh);
    visitor.group("core", "The two cores of each tile, with their caches", core);
    tile.visit(visitor);
    visitor.group("memory", "Each memory controller with its memory", memory);
}

}  // namespace ringmesh::platforms
