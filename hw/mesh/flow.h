// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "tlm/policy.h"

namespace ringmesh::hw {

/// The room required downstream before a packet's head may leave.
struct MeshFlowPolicy : PolicyName {
    /// Room, in flits, required in a channel's buffer before a packet gets the channel.
    /// @param flits of the packet, at most `buffer` @param buffer flits that the channel holds
    std::uint32_t (*room)(std::uint32_t flits, std::uint32_t buffer);

    static constexpr PolicyKindName kKind{"mesh-flow", "hw/mesh/flows"};
    static std::span<const MeshFlowPolicy> table();
    template <class Policy>
    static constexpr MeshFlowPolicy of()
    {
        return {Policy::kPolicy, &Policy::room};
    }
};

using MeshFlow = PolicyChoice<MeshFlowPolicy>;

}  // namespace ringmesh::hw
