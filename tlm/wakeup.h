// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "tlm/kernel_time.h"

namespace ringmesh {

/// One pending wake-up of a method, always the earliest that was asked for. (An sc_event alone drops a later request
/// silently and replaces a later by an earlier one; a block that waits for several things asks again each time it ran.)
class Wakeup {
public:
    explicit Wakeup(const char* name) : event_(name) {}

    /// Wakes at `time`, or now if that has passed. never() asks for nothing.
    void at(Duration time)
    {
        if (time >= pending_) return;
        const Duration present = now();
        pending_ = time > present ? time : present;
        event_.notify(to_kernel(pending_ - present));
    }
    /// To be called first when the method runs: the request is used up.
    void taken() { pending_ = Duration::never(); }
    const sc_core::sc_event& event() const { return event_; }

private:
    sc_core::sc_event event_;
    Duration pending_ = Duration::never();
};

}  // namespace ringmesh
