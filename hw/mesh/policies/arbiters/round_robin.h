// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/arbitration.h"
#include "hw/mesh/policies/bits.h"

/// Arbiter: serves the next input after the one that it served last.
namespace ringmesh::hw::arbiters {

struct RoundRobin {
    static constexpr PolicyName kPolicy{"round-robin", "the next after the one served last"};

    static bool before(const ArbitrationRequest& a, const ArbitrationRequest& b, const Contest& contest)
    {
        constexpr std::uint32_t kNumbers = 256;  // more than any number of competitors
        return (a.number - contest.turn) % kNumbers < (b.number - contest.turn) % kNumbers;
    }
    static unsigned first(std::uint32_t candidates, const Contest& contest)
    {
        return next_set(candidates, contest.turn);
    }
};

}  // namespace ringmesh::hw::arbiters
