// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "tlm/policy.h"

namespace ringmesh::hw {

/// How long a packet holds the switch.
struct SwitchHoldPolicy : PolicyName {
    /// Whether the packet holds the switch for its next flit, which has already arrived.
    bool (*keeps)(std::uint32_t flits_sent);

    static constexpr PolicyKindName kKind{"switch-hold", "hw/mesh/switch_holds"};
    static std::span<const SwitchHoldPolicy> table();
    template <class Policy>
    static constexpr SwitchHoldPolicy of()
    {
        return {Policy::kPolicy, &Policy::keeps};
    }
};

using SwitchHold = PolicyChoice<SwitchHoldPolicy>;

}  // namespace ringmesh::hw
