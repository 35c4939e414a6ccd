// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/sci/blink/bus_passage.h"

namespace ringmesh::hw::switching {

struct CutThrough {
    static constexpr PolicyName kPolicy{
        "cut-through",
        "to the B-Link as soon as that can follow the link, to the next ring as that can follow the B-Link"};

    static Duration to_bus(const BusPassage& passage) { return passage.bus_follows_link(); }
    static std::optional<Duration> to_link(const BusPassage& passage) { return passage.link_follows_bus(); }
};

}  // namespace ringmesh::hw::switching
