// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/bits.h"
#include "hw/mesh/policies/flow.h"

namespace ringmesh::hw::channel_choices {

struct PerInput {
    static constexpr PolicyName kPolicy{"per-input", "each input channel proposes one free channel"};

    static std::uint16_t propose(std::uint16_t usable, std::uint8_t favourite)
    {
        return static_cast<std::uint16_t>(1U << next_set(usable, favourite));
    }
};

}  // namespace ringmesh::hw::channel_choices
