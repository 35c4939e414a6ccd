// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/go_bits.h"

#include <algorithm>
#include <utility>

namespace ringmesh::hw {

bool GoBits::pass(bool stop, bool waits, Duration behind)
{
    if (!on_) return false;
    if (waits) {
        if (!keeping_) keep(held_from_);  // the idle symbols that came since our own packet started
        if (!stop) kept_ = std::min(kept_, behind);
        stop_sent_ = true;
    } else {
        held_from_ = stop ? Duration::never() : Duration::zero();
        stop_sent_ = stop;
    }
    note();
    return stop_sent_;
}

void GoBits::note()
{
    word_ = !stop_sent_ ? "go" : keeping_ ? "keep" : "stop";
    easy_going_ = !stop_sent_ && !keeping_ && held_from_ == Duration::zero();
}

void GoBits::keep(Duration first)
{
    keeping_ = true;
    kept_ = first;
    held_from_ = Duration::never();
    ++times_kept_;
}

Duration GoBits::hear_stop()
{
    // The next node is not told: it may use the idle symbols that this one was not allowed to.
    held_from_ = Duration::never();
    note();
    return Duration::never();
}

Duration GoBits::hear_go(Duration from)
{
    if (keeping_) {
        kept_ = std::min(kept_, from);
        return Duration::never();
    }
    held_from_ = std::min(held_from_, from);
    const bool told = !std::exchange(stop_sent_, false);
    note();
    return told ? Duration::never() : from;
}

Duration GoBits::fifo_empty(Duration from)
{
    if (!keeping_) return Duration::never();
    keeping_ = false;
    if (kept_ != Duration::never()) {
        held_from_ = std::max(kept_, from);
        kept_ = Duration::never();
        stop_sent_ = false;
    }
    note();
    return held_from_;
}

bool GoBits::start_own(bool followed)
{
    if (followed) keep(Duration::never());  // its go bit went on before it
    stop_sent_ = followed;
    note();
    return followed;
}

}  // namespace ringmesh::hw
