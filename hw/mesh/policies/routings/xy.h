// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/routing.h"

namespace ringmesh::hw::routings {

/// No packet turns back into the row, which excludes cyclic waits.
struct Xy {
    static constexpr PolicyName kPolicy{"xy", "first along the row, then along the column"};
    static constexpr bool kAdaptive = false;

    static MeshWays ways(std::uint32_t, std::uint32_t, mesh::Port in_row, mesh::Port) { return {in_row, in_row}; }
};

}  // namespace ringmesh::hw::routings
