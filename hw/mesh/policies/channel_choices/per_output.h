// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/flow.h"

namespace ringmesh::hw::channel_choices {

struct PerOutput {
    static constexpr PolicyName kPolicy{"per-output", "each free channel selects among all heads that can use it"};

    static std::uint16_t propose(std::uint16_t usable, std::uint8_t) { return usable; }
};

}  // namespace ringmesh::hw::channel_choices
