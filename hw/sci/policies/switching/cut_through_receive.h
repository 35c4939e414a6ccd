// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/sci/blink/bus_passage.h"

namespace ringmesh::hw::switching {

struct CutThroughReceive {
    static constexpr PolicyName kPolicy{"cut-through-receive", "to the B-Link as soon as that can follow the link"};

    static Duration to_bus(const BusPassage& passage) { return passage.bus_follows_link(); }
    static std::optional<Duration> to_link(const BusPassage&) { return std::nullopt; }
};

}  // namespace ringmesh::hw::switching
