// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/scc/core/policies/page_placement.h"

namespace ringmesh::hw::page_placement {

struct Contiguous {
    static constexpr PolicyName kPolicy{"contiguous", "consecutive pages"};

    static std::uint32_t begin(const std::vector<bool>&, std::uint32_t next, Random&) { return next; }
};

}  // namespace ringmesh::hw::page_placement
