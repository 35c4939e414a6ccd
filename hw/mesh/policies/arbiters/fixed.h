// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/arbitration.h"
#include "hw/mesh/policies/bits.h"

namespace ringmesh::hw::arbiters {

struct Fixed {
    static constexpr PolicyName kPolicy{"fixed", "the lowest number: local, north, east, south, west"};

    static bool before(const ArbitrationRequest& a, const ArbitrationRequest& b, const Contest&)
    {
        return a.number < b.number;
    }
    static unsigned first(std::uint32_t candidates, const Contest&) { return next_set(candidates, 0); }
};

}  // namespace ringmesh::hw::arbiters
