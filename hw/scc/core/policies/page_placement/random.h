// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/scc/core/policies/page_placement.h"

namespace ringmesh::hw::page_placement {

struct RandomPages {
    static constexpr PolicyName kPolicy{"random", "random pages, by the run's seed"};

    static std::uint32_t begin(const std::vector<bool>& taken, std::uint32_t, Random& random)
    {
        constexpr int kDraws = 64;  // after which few pages are free
        auto page = static_cast<std::uint32_t>(random.below(taken.size()));
        for (int i = 0; i < kDraws && taken[page]; ++i) page = static_cast<std::uint32_t>(random.below(taken.size()));
        return page;
    }
};

}  // namespace ringmesh::hw::page_placement
