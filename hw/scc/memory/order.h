// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tlm/parameters/policy.h"

namespace ringmesh::hw {

class Dram;
struct WaitingRequest;

/// Selects the next waiting request.
struct MemoryOrderPolicy : PolicyName {
    /// The index of the next request among the waiting ones (at least one, oldest first). Two requests for one row must
    /// not be reordered, so that a read sees earlier writes.
    /// @param patience limit of younger requests served before one
    std::size_t (*choose)(std::span<const WaitingRequest> waiting, const Dram& dram, std::int64_t patience);
    /// Whether the time of the call matters, because younger requests may be served first.
    bool reorders = true;

    static constexpr PolicyKindName kKind{"memory-order", "hw/scc/memory/order"};
    static std::span<const MemoryOrderPolicy> table();
    template <class Policy>
    static constexpr MemoryOrderPolicy of()
    {
        return {Policy::kPolicy, &Policy::choose, Policy::kReorders};
    }
};

using MemoryOrder = PolicyChoice<MemoryOrderPolicy>;

}  // namespace ringmesh::hw
