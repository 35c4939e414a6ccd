// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>

#include "hw/sci/policies/flow_control.h"

namespace ringmesh::hw::flow_control {

/// SCI's flow control: go bits in the idle symbols [SCINET].
///
/// A node starts an own packet only behind an idle symbol with a go bit. Packets that arrive meanwhile wait in the
/// bypass FIFO; until it is empty again (the idle debt is repaid) the node is in recovery: it saves incoming go bits
/// and sends idle symbols without them, so that upstream nodes pause and their idle symbols drain the FIFO. Then it
/// releases the saved go bits. None is lost: an idle ring carries go bits everywhere.
struct GoBits {
    static constexpr PolicyName kPolicy{"go-bits", "only a node that holds a go bit, as in SCI"};
    static constexpr bool kStartsBeforePassing = true;

    static bool pass(GoState& state, bool stop, bool waits, Duration behind)
    {
        if (waits) {
            if (!state.recovering)
                begin_recovery(state, state.go_from);  // idle symbols received since the own packet started
            if (!stop) state.saved_go = std::min(state.saved_go, behind);
            state.stop_sent = true;
        } else {
            state.go_from = stop ? Duration::never() : Duration::zero();
            state.stop_sent = stop;
        }
        note(state);
        return state.stop_sent;
    }
    static Duration receive_stop(GoState& state)
    {
        // The next node is not notified: it may use the idle symbols that this node could not.
        state.go_from = Duration::never();
        note(state);
        return Duration::never();
    }
    static Duration receive_go(GoState& state, Duration from)
    {
        if (state.recovering) {
            state.saved_go = std::min(state.saved_go, from);
            return Duration::never();
        }
        state.go_from = std::min(state.go_from, from);
        const bool told = !std::exchange(state.stop_sent, false);
        note(state);
        return told ? Duration::never() : from;
    }
    static Duration fifo_empty(GoState& state, Duration from)
    {
        if (!state.recovering) return Duration::never();
        state.recovering = false;
        if (state.saved_go != Duration::never()) {
            state.go_from = std::max(state.saved_go, from);
            state.saved_go = Duration::never();
            state.stop_sent = false;
        }
        note(state);
        return state.go_from;
    }
    static bool start_own(GoState& state, bool followed)
    {
        if (followed) begin_recovery(state, Duration::never());  // its go bit left ahead of it
        state.stop_sent = followed;
        note(state);
        return followed;
    }

private:
    static void begin_recovery(GoState& state, Duration first)
    {
        state.recovering = true;
        state.saved_go = first;
        state.go_from = Duration::never();
        ++state.recoveries;
    }
    /// Updates the derived state.
    static void note(GoState& state)
    {
        state.word = !state.stop_sent ? "go" : state.recovering ? "keep" : "stop";
        state.unrestricted = !state.stop_sent && !state.recovering && state.go_from == Duration::zero();
    }
};

}  // namespace ringmesh::hw::flow_control
