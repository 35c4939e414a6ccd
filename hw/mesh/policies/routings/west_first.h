// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/routing.h"

namespace ringmesh::hw::routings {

/// Glass and Ni: no packet turns west, which excludes cyclic waits.
struct WestFirst {
    static constexpr PolicyName kPolicy{"west-first", "adaptive: west first, then the output with most room"};
    static constexpr bool kAdaptive = true;

    static MeshWays ways(std::uint32_t, std::uint32_t, mesh::Port in_row, mesh::Port in_column)
    {
        if (in_row == mesh::Port::kWest) return {in_row, in_row};
        return {in_row, in_column};
    }
};

}  // namespace ringmesh::hw::routings
