// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/switch_hold.h"

namespace ringmesh::hw::switch_holds {

struct Packet {
    static constexpr PolicyName kPolicy{"packet", "until its last flit has passed, or none is there to go on"};

    static bool keeps(std::uint32_t) { return true; }
};

}  // namespace ringmesh::hw::switch_holds
