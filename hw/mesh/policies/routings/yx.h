// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/routing.h"

namespace ringmesh::hw::routings {

/// No packet turns back into the column, which excludes cyclic waits.
struct Yx {
    static constexpr PolicyName kPolicy{"yx", "first along the column, then along the row"};
    static constexpr bool kAdaptive = false;

    static MeshWays ways(std::uint32_t, std::uint32_t, mesh::Port, mesh::Port in_column)
    {
        return {in_column, in_column};
    }
};

}  // namespace ringmesh::hw::routings
