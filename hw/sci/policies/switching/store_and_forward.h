// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/sci/blink/bus_passage.h"

namespace ringmesh::hw::switching {

struct StoreAndForward {
    static constexpr PolicyName kPolicy{
        "store-and-forward", "to the B-Link when it is whole, to the next ring when it has crossed the B-Link"};

    static Duration to_bus(const BusPassage& passage) { return passage.whole(); }
    static std::optional<Duration> to_link(const BusPassage&) { return std::nullopt; }
};

}  // namespace ringmesh::hw::switching
