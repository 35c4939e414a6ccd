// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/flow.h"

namespace ringmesh::hw::switch_holds {

struct Packet {
    static constexpr PolicyName kPolicy{"packet", "until its tail has passed, or no flit is ready"};

    static bool keeps(std::uint32_t) { return true; }
};

}  // namespace ringmesh::hw::switch_holds
