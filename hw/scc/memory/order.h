// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tlm/policy.h"

namespace ringmesh::hw {

class Dram;
struct WaitingRequest;

/// Which of the waiting requests is served next.
struct MemoryOrderPolicy : PolicyName {
    /// The place of the next one among those that wait, of which there is one at least, the oldest first. Two requests
    /// for one row must not change places, so that a read finds what was written before it.
    /// @param patience younger requests that may go before one
    std::size_t (*choose)(std::span<const WaitingRequest> waiting, const Dram& dram, std::int64_t patience);
    /// Whether it matters when it is asked: younger ones may come and go first.
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
