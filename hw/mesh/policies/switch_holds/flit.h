// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/flow.h"

namespace ringmesh::hw::switch_holds {

struct Flit {
    static constexpr PolicyName kPolicy{"flit", "each flit competes anew"};

    static bool keeps(std::uint32_t) { return false; }
};

}  // namespace ringmesh::hw::switch_holds
