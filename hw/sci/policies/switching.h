// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "tlm/parameters/policy.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

class BusPassage;

/// When a stripped packet is forwarded.
struct SwitchingPolicy : PolicyName {
    /// From its head to its request for the B-Link, without decode and input FIFO.
    Duration (*to_bus)(const BusPassage& passage);
    /// From the start of its transfer until it is ready for the next ring, without the output FIFO; none: until its
    /// end.
    std::optional<Duration> (*to_link)(const BusPassage& passage);

    static constexpr PolicyKindName kKind{"link-switching", "hw/sci/policies/switching"};
    static std::span<const SwitchingPolicy> table();
    template <class Policy>
    static constexpr SwitchingPolicy of()
    {
        return {Policy::kPolicy, &Policy::to_bus, &Policy::to_link};
    }
};

using Switching = PolicyChoice<SwitchingPolicy>;

}  // namespace ringmesh::hw
