// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/ring_classes.h"

namespace ringmesh::hw::ring_classes {

/// Scott and Thorson, "Optimized routing in the Cray T3D", PCRCW 1994: the second dateline is the link opposite of the
/// wrap link. The lower class never crosses the wrap link, the upper one never the other; a packet keeps its class on
/// the ring, and no shorter way crosses both.
struct Balanced {
    static constexpr PolicyName kPolicy{
        "balanced", "two datelines, at opposite links; packets that cross neither take either class"};

    static bool upper(const RingHop& hop)
    {
        const int middle = (hop.size - 1) / 2;
        const bool crosses_middle = (hop.from <= middle) != (hop.to <= middle);
        return hop.wraps() || (!crosses_middle && hop.lot);
    }
};

}  // namespace ringmesh::hw::ring_classes
