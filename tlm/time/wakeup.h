// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/time/calendar.h"
#include "tlm/time/kernel_time.h"

/// How a block wakes: by a method, which the calendar runs.
namespace ringmesh {

/// A method of a block, and the calendar that runs it.
struct WokenMethod {
    Calendar& calendar;
    Calendar::Woken woken;
};

template <auto Method, class Block>
WokenMethod wakes(Calendar& calendar, Block& block)
{
    return {calendar, {[](void* self) { (static_cast<Block*>(self)->*Method)(); }, &block}};
}

/// One pending wake-up of a method: the earliest requested. (An sc_event alone drops a later request silently and
/// replaces a later by an earlier one; a block that waits for several events requests again each time it has run.)
class Wakeup {
public:
    explicit Wakeup(const WokenMethod& woken) : calendar_(woken.calendar), woken_(woken.woken)
    {
        calendar_.add_wakeup(woken_);
    }
    Wakeup(const Wakeup&) = delete;
    Wakeup& operator=(const Wakeup&) = delete;

    /// Wakes at `time`, or now if that has passed. never() requests nothing.
    void at(Duration time)
    {
        if (time < pending_) at(time, now());
    }
    /// The same for callers that know the present.
    void at(Duration time, Duration present)
    {
        if (time < present) time = present;
        if (time >= pending_) return;
        pending_ = time;
        calendar_.notify(woken_.number, time);
    }
    /// Call it whenever the method runs, for whatever reason: clears a request whose time has come.
    /// @return whether there was one
    bool taken(Duration present)
    {
        if (pending_ > present) return false;
        cancel();
        return true;
    }
    /// Takes the request back, if there is one.
    void cancel()
    {
        pending_ = Duration::never();
        calendar_.cancel(woken_.number);
    }
    bool armed() const { return pending_ != Duration::never(); }

private:
    Duration pending_ = Duration::never();
    Calendar& calendar_;
    Calendar::Woken woken_;
};

}  // namespace ringmesh
