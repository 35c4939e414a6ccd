// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "tlm/policy.h"

namespace ringmesh::hw {

/// How the allocator of virtual channels matches packets with free channels of the next router.
struct ChannelChoicePolicy : PolicyName {
    /// The channels that a head bids for, out of the usable ones (a bit each, at least one).
    std::uint16_t (*propose)(std::uint16_t usable, std::uint8_t favourite);

    static constexpr PolicyKindName kKind{"channel-choice", "hw/mesh/channel_choices"};
    static std::span<const ChannelChoicePolicy> table();
    template <class Policy>
    static constexpr ChannelChoicePolicy of()
    {
        return {Policy::kPolicy, &Policy::propose};
    }
};

using ChannelChoice = PolicyChoice<ChannelChoicePolicy>;

}  // namespace ringmesh::hw
