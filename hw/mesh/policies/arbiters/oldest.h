// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/arbitration.h"

/// Arbiter: serves the oldest packet first.
namespace ringmesh::hw::arbiters {

struct Oldest {
    static constexpr PolicyName kPolicy{"oldest", "the oldest packet; on a tie, the lower input"};

    static bool before(const ArbitrationRequest& a, const ArbitrationRequest& b, const Contest&)
    {
        if (a.packet->born_ps != b.packet->born_ps) return a.packet->born_ps < b.packet->born_ps;
        return a.input < b.input;
    }
};

}  // namespace ringmesh::hw::arbiters
