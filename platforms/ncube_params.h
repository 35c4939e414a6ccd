// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/ncube/params.h"
#include "tlm/ncube/vertex_params.h"

namespace ringmesh::platforms {

struct NcubeTopologyParams {
    std::int64_t dimension = 6;

    void visit(ParameterVisitor& visitor);
};

/// Everything about an NCUBE: its cube, its nodes, and what its operating system costs.
struct NcubeParams {
    NcubeTopologyParams topology;
    hw::NcubeNodeParams node;
    VertexParams vertex;

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh::platforms
