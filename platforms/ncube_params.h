// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/ncube/params.h"
#include "tlm/ncube/vertex_params.h"

namespace ringmesh::platforms {

struct NcubeTopologyParams {
    std::int64_t dimension = 6;

    void visit(ParameterVisitor& visitor);
};

/// All parameters of an NCUBE: its cube, its nodes, and the costs of its operating system.
struct NcubeParams {
    NcubeTopologyParams topology;
    hw::NcubeNodeParams node;
    VertexParams vertex;

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh::platforms
