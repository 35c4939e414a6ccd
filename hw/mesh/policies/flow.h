// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "tlm/parameters/policy.h"

namespace ringmesh::hw {

/// How the allocator of virtual channels matches packets with free channels of the next router.
struct ChannelChoicePolicy : PolicyName {
    /// The channels that a head bids for, out of the usable ones (a bit each, at least one).
    std::uint16_t (*propose)(std::uint16_t usable, std::uint8_t favourite);

    static constexpr PolicyKindName kKind{"channel-choice", "hw/mesh/policies/channel_choices"};
    static std::span<const ChannelChoicePolicy> table();
    template <class Policy>
    static constexpr ChannelChoicePolicy of()
    {
        return {Policy::kPolicy, &Policy::propose};
    }
};

using ChannelChoice = PolicyChoice<ChannelChoicePolicy>;

/// The free buffer required downstream before a packet's head may leave.
struct MeshFlowPolicy : PolicyName {
    /// Free flits required in a channel's buffer before a packet gets the channel.
    /// @param flits of the packet, at most `buffer` @param buffer flits that the channel holds
    std::uint32_t (*needs)(std::uint32_t flits, std::uint32_t buffer);

    static constexpr PolicyKindName kKind{"mesh-flow", "hw/mesh/policies/flows"};
    static std::span<const MeshFlowPolicy> table();
    template <class Policy>
    static constexpr MeshFlowPolicy of()
    {
        return {Policy::kPolicy, &Policy::needs};
    }
};

using MeshFlow = PolicyChoice<MeshFlowPolicy>;

/// How long a packet holds the switch.
struct SwitchHoldPolicy : PolicyName {
    /// Whether the packet holds the switch for its next flit, which has already arrived.
    bool (*keeps)(std::uint32_t flits_sent);

    static constexpr PolicyKindName kKind{"switch-hold", "hw/mesh/policies/switch_holds"};
    static std::span<const SwitchHoldPolicy> table();
    template <class Policy>
    static constexpr SwitchHoldPolicy of()
    {
        return {Policy::kPolicy, &Policy::keeps};
    }
};

using SwitchHold = PolicyChoice<SwitchHoldPolicy>;

}  // namespace ringmesh::hw
