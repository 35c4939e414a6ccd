// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>
#include <vector>

#include "tlm/duration.h"

namespace ringmesh {

/// The wake-ups of a machine whose blocks meet through plain calls alone: one event of the kernel in place of one for
/// each wake-up. It runs the blocks' methods itself, up to the kernel's next event, ahead of the kernel's time; now()
/// is its time meanwhile, and the kernel catches up afterwards. While a WaveFile exists, which reads signals at the
/// kernel's time steps, it runs one time step for each of the kernel.
///
/// Order: exactly the kernel's. Wake-ups of one time run in the order in which a binary heap with the kernel's
/// comparisons gives them, those for the present in the next delta cycle, the last one first, a method once in each. So
/// a machine has the same results with a calendar and with events of the kernel
/// (tests/hw/scc/calendar_test.cpp).
class Calendar final : public sc_core::sc_module {
public:
    /// A block's method; throws nothing.
    using Method = void (*)(void* block);
    /// Names a wake-up.
    using Number = std::uint32_t;

    SC_HAS_PROCESS(Calendar);
    explicit Calendar(const sc_core::sc_module_name& name);

    /// A method that wake-ups will run. @return what add_wakeup() takes; never moved
    std::size_t add_method(Method method, void* block);
    Number add_wakeup(std::size_t method);

    /// As sc_event::notify() with that time: of two requests the earlier one counts. @param time not in the past
    void notify(Number wakeup, Duration time, Duration present);
    /// As sc_event::cancel() of a request for the present.
    void cancel_delta(Number wakeup);

    /// Nothing after this time is run, until it is called again. never(): all.
    void run_until(Duration end) { end_ = end; }
    /// Ends the run: no further method is run.
    void stop() { stopped_ = true; }
    /// Delta cycles that it ran, less those of the kernel in which it did.
    std::uint64_t additional_steps() const { return steps_ - entries_; }

private:
    static constexpr std::uint64_t kMostSteps = 16'384;  // then the kernel has its turn: some milliseconds

    enum class State : std::uint8_t { kNone, kTimed, kDelta };
    struct Process {
        Method method;
        void* block;
        bool ready;
    };
    struct Wake {
        std::uint32_t entry = 0;  // of the heap, if it is timed; older ones are void
        std::uint32_t process = 0;
        State state = State::kNone;
    };
    struct Entry {
        std::int64_t time_ps = 0;
        Number wakeup = 0;
        std::uint32_t number = 0;
    };

    void enter();
    bool step(std::int64_t limit_ps);
    void trigger(Number number);
    void run(Process& process);
    void run_ready();
    void drop_void();
    void insert(const Entry& entry);
    Entry extract();
    bool is_void(const Entry& entry) const
    {
        const Wake& wake = wakes_[entry.wakeup];
        return wake.state != State::kTimed || wake.entry != entry.number;
    }
    void ask_kernel();

    sc_core::sc_event event_{"event"};
    std::vector<Process> processes_;
    std::vector<Wake> wakes_;
    std::vector<Entry> heap_ = std::vector<Entry>(256);  // from index 1 on
    std::size_t size_ = 0;                               // of it
    std::vector<Number> deltas_;
    std::vector<std::uint32_t> ready_;  // processes
    Duration end_ = Duration::never();
    std::uint64_t steps_ = 0, entries_ = 0;
    bool stopped_ = false;
};

}  // namespace ringmesh
