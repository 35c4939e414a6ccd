// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "tlm/time/calendar.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh {

/// One pending wake-up of a method: the earliest requested. (An sc_event alone drops a later request silently and
/// replaces a later by an earlier one; a block that waits for several events requests again each time it has run.)
///
/// An sc_event drops a timed notification as long as a delta notification is pending. So this class leaves none pending
/// after the method has run: a request for now or the past becomes one delta notification, and taken() cancels it if
/// another event ran the method first.
///
/// A replaced request stays in the kernel's heap until its time comes, so a block whose wake-up reasons are unordered
/// keeps a Wakeup for each.
///
/// A machine with a Calendar has it in place of the kernel's event (run_by()).
class Wakeup {
public:
    explicit Wakeup(const char* name) : event_(name) {}

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
        delta_ = time == present;
        if (calendar_ != nullptr) {
            calendar_->notify(number_, time);
        } else {
            event_.notify(to_kernel(time - kernel_now()));
        }
    }
    /// Call it whenever the method runs, for whatever reason: clears a request whose time has come.
    /// @return whether there was one
    bool taken(Duration present)
    {
        if (pending_ > present) return false;
        pending_ = Duration::never();
        if (calendar_ != nullptr) {
            calendar_->cancel(number_);
        } else if (delta_) {
            event_.cancel();
        }
        delta_ = false;
        return true;
    }
    /// Takes the request back, if there is one.
    void cancel()
    {
        if (!armed()) return;
        pending_ = Duration::never();
        delta_ = false;
        if (calendar_ != nullptr) {
            calendar_->cancel(number_);
        } else {
            event_.cancel();
        }
    }
    bool armed() const { return pending_ != Duration::never(); }
    const sc_core::sc_event& event() const { return event_; }
    /// From now on, before the run, the calendar wakes a method of its.
    void run_by(Calendar& calendar, Calendar::Method method, void* block)
    {
        calendar_ = &calendar;
        number_ = calendar.add_wakeup(method, block);
    }

private:
    sc_core::sc_event event_;
    Duration pending_ = Duration::never();
    bool delta_ = false;  // asked for as a delta notification, which may still be pending
    Calendar* calendar_ = nullptr;
    Calendar::Number number_ = 0;
};

/// Has a block's wake-ups run a method of it by the calendar, if there is one.
template <auto Method, class Block, class... Wakeups>
void run_by(Calendar* calendar, Block& block, Wakeups&... wakeups)
{
    if (calendar == nullptr) return;
    (wakeups.run_by(
         *calendar, [](void* self) { (static_cast<Block*>(self)->*Method)(); }, &block),
     ...);
}

}  // namespace ringmesh
