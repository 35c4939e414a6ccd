// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tlm/parameters/policy.h"
#include "tlm/simulation/random.h"

namespace ringmesh::hw {

/// How the operating system places pages in a core's private memory.
struct PagePlacementPolicy : PolicyName {
    /// The page at which the search for a free one begins, upwards with wrap-around.
    /// @param taken of each page; at least one is free @param next the page after the last allocated one
    std::uint32_t (*begin)(const std::vector<bool>& taken, std::uint32_t next, Random& random);

    static constexpr PolicyKindName kKind{"page-placement", "hw/scc/core/policies/page_placement"};
    static std::span<const PagePlacementPolicy> table();
    template <class Policy>
    static constexpr PagePlacementPolicy of()
    {
        return {Policy::kPolicy, &Policy::begin};
    }
};

using PagePlacement = PolicyChoice<PagePlacementPolicy>;

}  // namespace ringmesh::hw
