// SPDX-License-Identifier: Apache-2.0
/// The tables of the core's policies.
#include "hw/scc/core/policies/page_placement/contiguous.h"
#include "hw/scc/core/policies/page_placement/random.h"
#include "hw/scc/core/policies/replacement/lru.h"
#include "hw/scc/core/policies/replacement/pseudo_lru.h"
#include "hw/scc/core/policies/replacement/random.h"

namespace ringmesh::hw {

std::span<const ReplacementPolicy> ReplacementPolicy::table()
{
    return policy_rows<ReplacementPolicy, replacement::PseudoLru, replacement::Lru, replacement::RandomReplacement>();
}

std::span<const PagePlacementPolicy> PagePlacementPolicy::table()
{
    return policy_rows<PagePlacementPolicy, page_placement::Contiguous, page_placement::RandomPages>();
}

}  // namespace ringmesh::hw
