// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/parameters/parameters.h"
#include "tlm/units/units.h"

/// Parameters of an SCC tile but for its cores. Costs are cycles of the tile's clock.
namespace ringmesh::hw {

struct MeshInterfaceParams {
    Cycles request = 13_cycles;   ///< from a core to the mesh
    Cycles response = 13_cycles;  ///< from the mesh to a core
    Cycles incoming = 2_cycles;   ///< of a request from the mesh to the MPB or the registers
    Cycles outgoing = 2_cycles;   ///< of its response back to the mesh
    Cycles flit = 1_cycles;       ///< for which a flit occupies one of the two outputs
    std::int64_t slots = 8;       ///< requests from the mesh held until the mesh has accepted their responses

    void visit(ParameterVisitor& visitor);
};

struct MessageBufferParams {
    Cycles access = 2_cycles;
    bool bypass = false;

    void visit(ParameterVisitor& visitor);
};

struct RegisterParams {
    Cycles access = 2_cycles;

    void visit(ParameterVisitor& visitor);
};

struct TileParams {
    MeshInterfaceParams miu;
    MessageBufferParams mpb;
    RegisterParams registers;

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh::hw
