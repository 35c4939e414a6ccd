// SPDX-License-Identifier: Apache-2.0
#include "tlm/time/calendar.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh {

Calendar::Calendar(const sc_core::sc_module_name& module_name) : sc_module(module_name)
{
    SC_METHOD(enter);
    sensitive << event_;
    dont_initialize();
}

Calendar::Number Calendar::add_wakeup(Method method, void* block)
{
    const auto number = static_cast<Number>(wakes_.size());
    if (number >> kNumberBits != 0) throw ModelError(fmt::format("{}: more than {} wake-ups", name(), number));
    wakes_.push_back({method, block});
    if (wakes_.size() > leaves_) {
        const std::vector<Key> before(tree_.begin() + static_cast<std::ptrdiff_t>(leaves_), tree_.end());
        leaves_ *= 2;
        tree_.assign(2 * leaves_, kNone);
        for (std::size_t i = 0; i < before.size(); ++i) set(static_cast<Number>(i), before[i]);
    }
    return number;
}

void Calendar::throw_late(Duration time)
{
    throw ModelError(fmt::format("a wake-up at {} s; a calendar has none after {} s", time.seconds(),
                                 Duration::picoseconds(kLatest).seconds()));
}

/// Called by the kernel.
void Calendar::enter()
{
    ++entries_;
    if (stopped_) return;
    const std::int64_t kernel_ps = kernel_now().ps();
    detail::calendar_ps = kernel_ps;
    detail::calendar_runs = running_ = true;
    while (step(kernel_ps)) {
    }
    const auto* kernel = sc_core::sc_get_curr_simcontext();
    if (!stopped_ && detail::step_watchers == 0 && !sc_core::sc_pending_activity_at_current_time(kernel)) {
        std::int64_t limit_ps = end_.ps();
        if (sc_core::sc_pending_activity_at_future_time(kernel)) {
            const Duration next = from_kernel(sc_core::sc_time_to_pending_activity(kernel));
            limit_ps = std::min(limit_ps, kernel_ps + next.ps() - 1);
        }
        const std::uint64_t most = steps_ + kMostSteps;
        while (steps_ < most && step(limit_ps)) {
        }
    }
    detail::calendar_runs = running_ = false;
    if (!stopped_) ask_kernel();
}

/// Asks the kernel for its next turn; or, if there is nothing to do, to catch up.
void Calendar::ask_kernel()
{
    const std::int64_t kernel_ps = kernel_now().ps();
    std::int64_t time_ps = std::max({kernel_ps, detail::calendar_ps, reach_ps_});
    if (tree_[1] != kNone) {
        time_ps = static_cast<std::int64_t>(tree_[1] >> kNumberBits);
    } else if (time_ps == kernel_ps) {
        return;
    }
    event_.notify(to_kernel(Duration::picoseconds(time_ps - kernel_ps)));
}

/// One method. @return false if there is none up to this time
inline bool Calendar::step(std::int64_t limit_ps)
{
    const Key first = tree_[1];
    const auto time_ps = static_cast<std::int64_t>(first >> kNumberBits);
    if (stopped_ || first == kNone || time_ps > limit_ps) return false;
    ++steps_;
    const auto number = static_cast<Number>(first & ((Key{1} << kNumberBits) - 1));
    set(number, kNone);
    detail::calendar_ps = time_ps;
    const Wake& wake = wakes_[number];
    wake.method(wake.block);
    return true;
}

}  // namespace ringmesh
