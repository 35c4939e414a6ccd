// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/ring_classes.h"

namespace ringmesh::hw::ring_classes {

/// Dally and Seitz, "Deadlock-free message routing in multiprocessor interconnection networks", IEEE Trans. Computers
/// C-36(5), 1987: the lower class never crosses the wrap link, the upper one never goes round to it again.
struct Dateline {
    static constexpr PolicyName kPolicy{"dateline", "the upper class from the wrap link on"};

    static bool upper(const RingHop& hop) { return hop.up ? hop.next < hop.from : hop.next > hop.from; }
};

}  // namespace ringmesh::hw::ring_classes
