// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <systemc>

#include "tlm/units/units.h"

/// The only conversions between Duration and sc_time. The kernel runs at a resolution of 1 ps, which Simulation sets
/// and checks.
namespace ringmesh {

namespace detail {
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_negative_delay()
{
    throw std::domain_error("a negative delay was handed to the kernel");
}

// Like the kernel's time, of which there is one in a process.
inline constinit std::int64_t present_ps = -1;  // of the Calendar that is running methods; -1: none is
inline constinit std::int64_t reached_ps = 0;   // how far it has come, perhaps ahead of the kernel
inline constinit unsigned step_watchers = 0;    // StepWatchers that live
}  // namespace detail

/// While one lives, nothing runs ahead of the kernel's time: somebody reads values at its steps, or programs share
/// variables beside the machine.
class StepWatcher {
public:
    StepWatcher() { ++detail::step_watchers; }
    ~StepWatcher() { --detail::step_watchers; }
    StepWatcher(const StepWatcher&) = delete;
    StepWatcher& operator=(const StepWatcher&) = delete;
};

/// @throws std::domain_error if the duration is negative: sc_time would wrap silently.
inline sc_core::sc_time to_kernel(Duration duration)
{
    if (duration < Duration::zero()) detail::throw_negative_delay();
    return sc_core::sc_time::from_value(static_cast<sc_core::sc_time::value_type>(duration.ps()));
}

inline Duration from_kernel(const sc_core::sc_time& time)
{
    return Duration::picoseconds(static_cast<std::int64_t>(time.value()));
}

/// Where the kernel is. A Calendar may be ahead of it.
inline Duration kernel_now() { return from_kernel(sc_core::sc_time_stamp()); }

namespace detail {
[[gnu::cold, gnu::noinline]] inline Duration now_of_others()
{
    return std::max(kernel_now(), Duration::picoseconds(reached_ps));
}
}  // namespace detail

/// Simulated time since the start of the run.
inline Duration now()
{
    if (detail::present_ps >= 0) [[likely]]
        return Duration::picoseconds(detail::present_ps);
    return detail::now_of_others();
}

}  // namespace ringmesh
