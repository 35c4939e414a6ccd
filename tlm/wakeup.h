// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "tlm/kernel_time.h"

namespace ringmesh {

/// One pending wake-up of a method, always the earliest that was asked for. (An sc_event alone drops a later request
/// silently and replaces a later by an earlier one; a block that waits for several things asks again each time it ran.)
///
/// An sc_event drops a timed notification as long as a delta notification is pending. So this class never leaves one
/// pending behind a method that has run: a request for now or the past is one for now, of which one is enough, and
/// taken() cancels it where something else ran the method first.
///
/// A replaced request stays in the kernel's heap until its time comes, so a block whose reasons to wake come in no
/// order keeps a Wakeup for each of them.
class Wakeup {
public:
    explicit Wakeup(const char* name) : event_(name) {}

    /// Wakes at `time`, or now if that has passed. never() asks for nothing.
    void at(Duration time)
    {
        if (time < pending_) at(time, now());
    }
    /// The same for callers who know the present.
    void at(Duration time, Duration present)
    {
        if (time < present) time = present;
        if (time >= pending_) return;
        pending_ = time;
        delta_ = time == present;
        event_.notify(to_kernel(time - present));
    }
    /// To be called whenever the method runs, whatever ran it: a request whose time has come is used up.
    /// @return whether there was one
    bool taken(Duration present)
    {
        if (pending_ > present) return false;
        pending_ = Duration::never();
        if (delta_) event_.cancel();
        delta_ = false;
        return true;
    }
    bool armed() const { return pending_ != Duration::never(); }
    const sc_core::sc_event& event() const { return event_; }

private:
    sc_core::sc_event event_;
    Duration pending_ = Duration::never();
    bool delta_ = false;  // asked for as a delta notification, which may still be pending
};

}  // namespace ringmesh
