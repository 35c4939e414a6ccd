// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/params.h"
#include "hw/scc/core/core_params.h"
#include "hw/scc/memory/memory_params.h"
#include "hw/scc/tile/tile_clocks.h"
#include "hw/scc/tile/tile_params.h"
#include "tlm/parameters.h"

namespace ringmesh::platforms {

/// All parameters of an SCC chip.
struct SccParams {
    hw::SccClockParams clock;
    hw::MeshParams mesh;
    hw::CoreParams core;
    hw::TileParams tile;
    hw::MemoryParams memory;

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh::platforms
