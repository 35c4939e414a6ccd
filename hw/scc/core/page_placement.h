// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tlm/policy.h"
#include "tlm/random.h"

namespace ringmesh::hw {

/// Where in a core's private memory the operating system puts its pages.
struct PagePlacementPolicy : PolicyName {
    /// A page at which the search for a free one begins, upwards and round the corner.
    /// @param taken of each page, whether it is; not all are @param next the page behind the one that was given last
    std::uint32_t (*begin)(const std::vector<bool>& taken, std::uint32_t next, Random& random);

    static constexpr PolicyKindName kKind{"page-placement", "hw/scc/core/page_placement"};
    static std::span<const PagePlacementPolicy> table();
    template <class Policy>
    static constexpr PagePlacementPolicy of()
    {
        return {Policy::kPolicy, &Policy::begin};
    }
};

using PagePlacement = PolicyChoice<PagePlacementPolicy>;

}  // namespace ringmesh::hw
