// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/go_bits.h"

#include <algorithm>
#include <utility>

namespace ringmesh::hw {

bool GoBits::pass(bool stop, bool waits, Duration behind)
{
    if (!on_) return false;
    if (waits) {
        if (!recovering_) begin_recovery(go_from_);  // idle symbols received since the own packet started
        if (!stop) saved_go_ = std::min(saved_go_, behind);
        stop_sent_ = true;
    } else {
        go_from_ = stop ? Duration::never() : Duration::zero();
        stop_sent_ = stop;
    }
    note();
    return stop_sent_;
}

void GoBits::note()
{
    word_ = !stop_sent_ ? "go" : recovering_ ? "keep" : "stop";
    unrestricted_ = !stop_sent_ && !recovering_ && go_from_ == Duration::zero();
}

void GoBits::begin_recovery(Duration first)
{
    recovering_ = true;
    saved_go_ = first;
    go_from_ = Duration::never();
    ++recoveries_;
}

Duration GoBits::receive_stop()
{
    // The next node is not notified: it may use the idle symbols that this node could not.
    go_from_ = Duration::never();
    note();
    return Duration::never();
}

Duration GoBits::receive_go(Duration from)
{
    if (recovering_) {
        saved_go_ = std::min(saved_go_, from);
        return Duration::never();
    }
    go_from_ = std::min(go_from_, from);
    const bool told = !std::exchange(stop_sent_, false);
    note();
    return told ? Duration::never() : from;
}

Duration GoBits::fifo_empty(Duration from)
{
    if (!recovering_) return Duration::never();
    recovering_ = false;
    if (saved_go_ != Duration::never()) {
        go_from_ = std::max(saved_go_, from);
        saved_go_ = Duration::never();
        stop_sent_ = false;
    }
    note();
    return go_from_;
}

bool GoBits::start_own(bool followed)
{
    if (followed) begin_recovery(Duration::never());  // its go bit left ahead of it
    stop_sent_ = followed;
    note();
    return followed;
}

}  // namespace ringmesh::hw
