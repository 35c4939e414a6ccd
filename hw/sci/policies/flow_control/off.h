// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/sci/policies/flow_control.h"

namespace ringmesh::hw::flow_control {

/// A node always holds a go bit and saves none.
struct Off {
    static constexpr PolicyName kPolicy{"off", "every node, in a gap between passing packets"};
    static constexpr bool kStartsBeforePassing = false;

    static bool pass(GoState&, bool, bool, Duration) { return false; }
    static Duration receive_stop(GoState&) { return Duration::never(); }
    static Duration receive_go(GoState&, Duration) { return Duration::never(); }
    static Duration fifo_empty(GoState&, Duration) { return Duration::never(); }
    static bool start_own(GoState&, bool) { return false; }
};

}  // namespace ringmesh::hw::flow_control
