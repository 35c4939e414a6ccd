// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/ring_classes.h"

namespace ringmesh::hw::ring_classes {

/// Each packet keeps its class on the ring. The lower class never crosses the wrap link. The upper one never crosses
/// the link on the other side of the ring: that would be no shorter way.
struct AtEntry {
    static constexpr PolicyName kPolicy{"at-entry",
                                        "the upper class on the whole ring for packets that cross the wrap link"};

    static bool upper(const RingHop& hop) { return hop.wraps(); }
};

}  // namespace ringmesh::hw::ring_classes
