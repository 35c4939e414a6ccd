// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/flow.h"

namespace ringmesh::hw::flows {

struct Wormhole {
    static constexpr PolicyName kPolicy{"wormhole", "room for a flit"};

    /// None to get the channel: each flit waits for its own credit.
    static std::uint32_t needs(std::uint32_t, std::uint32_t) { return 0; }
};

}  // namespace ringmesh::hw::flows
