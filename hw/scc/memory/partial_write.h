// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "tlm/parameters/policy.h"

namespace ringmesh::hw {

/// What a write of less than a line costs.
struct PartialWritePolicy : PolicyName {
    bool reads_first = false;  ///< whether a read of the DRAM precedes it

    static constexpr PolicyKindName kKind{"partial-write", "hw/scc/memory/partial_write"};
    static std::span<const PartialWritePolicy> table();
    template <class Policy>
    static constexpr PartialWritePolicy of()
    {
        return {Policy::kPolicy, Policy::kReadsFirst};
    }
};

using PartialWrite = PolicyChoice<PartialWritePolicy>;

}  // namespace ringmesh::hw
