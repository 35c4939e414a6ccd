// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <vector>

#include "hw/scc/core/policies/replacement.h"
#include "tlm/error.h"

namespace ringmesh::hw::replacement {

/// Node 1 is the root, node n has the children 2n and 2n+1; bit n of a set's word selects the child with the victim.
class PseudoLru final : public Replacement {
public:
    static constexpr PolicyName kPolicy{
        "pseudo-lru", "a binary tree over the ways, each node pointing away from the half that was used last"};

    PseudoLru(std::uint32_t sets, unsigned ways, Random)
        : levels_(static_cast<unsigned>(std::countr_zero(ways))), trees_(sets), keep_(ways), away_(ways)
    {
        if (!std::has_single_bit(ways) || ways > 32) {
            throw UserError("replacement \"pseudo-lru\" needs 1, 2, 4, 8, 16 or 32 ways; use \"lru\" for others");
        }
        for (unsigned way = 0; way < ways; ++way) {
            unsigned node = 1;
            keep_[way] = ~std::uint32_t{0};
            for (unsigned level = levels_; level-- > 0;) {
                const unsigned half = way >> level & 1;
                keep_[way] &= ~(std::uint32_t{1} << node);
                away_[way] |= (half ^ 1) << node;
                node = 2 * node + half;
            }
        }
    }
    void used(std::uint32_t set, unsigned way) override { trees_[set] = (trees_[set] & keep_[way]) | away_[way]; }
    unsigned victim(std::uint32_t set) const override
    {
        unsigned node = 1;
        for (unsigned level = 0; level < levels_; ++level) node = 2 * node + (trees_[set] >> node & 1);
        return node - (1U << levels_);
    }

private:
    unsigned levels_;
    std::vector<std::uint32_t> trees_;
    std::vector<std::uint32_t> keep_, away_;  // per way: nodes on its path, and what they then point to
};

}  // namespace ringmesh::hw::replacement
