// SPDX-License-Identifier: Apache-2.0
#include "tlm/calendar.h"

#include <algorithm>

#include "tlm/kernel_time.h"

namespace ringmesh {

Calendar::Calendar(const sc_core::sc_module_name& module_name) : sc_module(module_name)
{
    SC_METHOD(enter);
    sensitive << event_;
    dont_initialize();
}

std::size_t Calendar::add_method(Method method, void* block)
{
    processes_.push_back({method, block, false});
    ready_.reserve(processes_.size());
    return processes_.size() - 1;
}

Calendar::Number Calendar::add_wakeup(std::size_t method)
{
    wakes_.push_back({.process = static_cast<std::uint32_t>(method)});
    return static_cast<Number>(wakes_.size() - 1);
}

void Calendar::notify(Number number, Duration time, Duration present)
{
    Wake& wake = wakes_[number];
    if (wake.state == State::kDelta) return;
    if (time == present) {
        wake.state = State::kDelta;
        deltas_.push_back(number);
    } else {
        ++wake.entry;
        wake.state = State::kTimed;
        insert({time.ps(), number, wake.entry});
    }
    if (!detail::calendar_runs) ask_kernel();
}

void Calendar::cancel_delta(Number number)
{
    Wake& wake = wakes_[number];
    if (wake.state != State::kDelta) return;
    wake.state = State::kNone;
    // The last one takes its place, as in the kernel
    const auto found = std::find(deltas_.begin(), deltas_.end(), number);
    *found = deltas_.back();
    deltas_.pop_back();
}

/// Called by the kernel.
void Calendar::enter()
{
    ++entries_;
    if (stopped_) return;
    const std::int64_t kernel_ps = kernel_now().ps();
    detail::calendar_ps = kernel_ps;
    detail::calendar_runs = true;
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
    detail::calendar_runs = false;
    if (!stopped_) ask_kernel();
}

/// Asks the kernel for its next turn; or, if there is nothing to do, to catch up.
void Calendar::ask_kernel()
{
    const std::int64_t kernel_ps = kernel_now().ps();
    std::int64_t time_ps = std::max(kernel_ps, detail::calendar_ps);
    if (deltas_.empty()) {
        drop_void();
        if (size_ != 0) {
            time_ps = heap_[1].time_ps;
        } else if (time_ps == kernel_ps) {
            return;
        }
    }
    event_.notify(to_kernel(Duration::picoseconds(time_ps - kernel_ps)));
}

inline void Calendar::run(Process& process) { process.method(process.block); }

inline void Calendar::drop_void()
{
    while (size_ != 0 && is_void(heap_[1])) extract();
}

/// One delta cycle. @return false if there is none up to this time
inline bool Calendar::step(std::int64_t limit_ps)
{
    if (stopped_) return false;
    if (!deltas_.empty()) {
        for (std::size_t i = deltas_.size(); i-- > 0;) trigger(deltas_[i]);
        deltas_.clear();
        run_ready();
        return true;
    }
    drop_void();
    if (size_ == 0 || heap_[1].time_ps > limit_ps) return false;
    const std::int64_t time_ps = heap_[1].time_ps;
    detail::calendar_ps = time_ps;
    const Entry first = extract();
    if (size_ == 0 || heap_[1].time_ps != time_ps) {  // mostly one alone
        ++steps_;
        Wake& wake = wakes_[first.wakeup];
        wake.state = State::kNone;
        run(processes_[wake.process]);
        return true;
    }
    trigger(first.wakeup);
    do {
        const Entry other = extract();
        if (!is_void(other)) trigger(other.wakeup);
    } while (size_ != 0 && heap_[1].time_ps == time_ps);
    run_ready();
    return true;
}

void Calendar::trigger(Number number)
{
    Wake& wake = wakes_[number];
    wake.state = State::kNone;
    Process& process = processes_[wake.process];
    if (process.ready) return;
    process.ready = true;
    ready_.push_back(wake.process);
}

void Calendar::run_ready()
{
    ++steps_;
    // A method triggers none in the same delta cycle
    for (const std::uint32_t number : ready_) {
        Process& process = processes_[number];
        process.ready = false;
        run(process);
        if (stopped_) break;
    }
    ready_.clear();
}

void Calendar::insert(const Entry& entry)
{
    if (++size_ == heap_.size()) heap_.resize(2 * size_);
    std::size_t i = size_;
    for (; i > 1 && heap_[i / 2].time_ps > entry.time_ps; i /= 2) heap_[i] = heap_[i / 2];
    heap_[i] = entry;
}

/// The first one of the heap leaves it. @pre there is one
inline Calendar::Entry Calendar::extract()
{
    const Entry top = heap_[1];
    const Entry last = heap_[size_--];
    // The last one goes as far down as it would from the top, sought from below, where it nearly always ends. The left
    // one of two equal children goes up, and neither past an equal parent: ties lie as the kernel's do.
    std::size_t hole = 1;
    for (std::size_t child = 2; child <= size_; child = 2 * hole) {
        child += child < size_ && heap_[child + 1].time_ps < heap_[child].time_ps ? 1U : 0U;
        heap_[hole] = heap_[child];
        hole = child;
    }
    for (; hole > 1 && heap_[hole / 2].time_ps >= last.time_ps; hole /= 2) heap_[hole] = heap_[hole / 2];
    heap_[hole] = last;
    return top;
}

}  // namespace ringmesh
