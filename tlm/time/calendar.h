// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>
#include <vector>

#include "tlm/units/duration.h"

namespace ringmesh {

/// The wake-ups of a machine whose blocks meet through plain calls alone: one event of the kernel in place of one for
/// each wake-up. It runs the blocks' methods itself, up to the kernel's next event, ahead of the kernel's time; now()
/// is its time meanwhile, and the kernel catches up afterwards. While a WaveFile exists, which reads signals at the
/// kernel's time steps, it runs one time step for each of the kernel.
///
/// Order: by time, and at one time in the order in which the wake-ups were added, which is that in which the machine's
/// blocks were built. A wake-up that a method asks for the present runs after that method, in its turn among those that
/// are still due. So the order does not depend on wake-ups that do nothing, and blocks may do without them
/// (tests/hw/scc/calendar_test.cpp).
class Calendar final : public sc_core::sc_module {
public:
    /// A block's method; throws nothing.
    using Method = void (*)(void* block);
    /// Names a wake-up.
    using Number = std::uint32_t;

    SC_HAS_PROCESS(Calendar);
    explicit Calendar(const sc_core::sc_module_name& name);

    /// A wake-up that will run this method. @throws ModelError if there are 4096
    Number add_wakeup(Method method, void* block);

    /// Wakes at this time, whatever was asked before. @param time not in the past
    /// @throws ModelError after 2^51 ps, 37 minutes
    void notify(Number wakeup, Duration time)
    {
        if (time.ps() > kLatest) throw_late(time);
        set(wakeup, static_cast<Key>(time.ps()) << kNumberBits | wakeup);
        if (!running_) ask_kernel();
    }
    /// Forgets the request, if there is one.
    void cancel(Number wakeup)
    {
        if (tree_[leaves_ + wakeup] != kNone) set(wakeup, kNone);
    }
    /// The run does not end before this time: something ends then that needs no wake-up.
    void reach(Duration time)
    {
        if (time.ps() > reach_ps_) reach_ps_ = time.ps();
    }

    /// Nothing after this time is run, until it is called again. never(): all.
    void run_until(Duration end) { end_ = end; }
    /// Ends the run: no further method is run.
    void stop() { stopped_ = true; }
    /// Methods that it ran, less the delta cycles of the kernel in which it did.
    std::uint64_t additional_steps() const { return steps_ - entries_; }

private:
    static constexpr std::uint64_t kMostSteps = 16'384;  // then the kernel has its turn: some milliseconds

    /// Time and number as one, in the order of their turns.
    using Key = std::uint64_t;
    static constexpr Key kNone = ~Key{0};
    static constexpr unsigned kNumberBits = 12;
    static constexpr std::int64_t kLatest = std::int64_t{1} << (63 - kNumberBits);
    struct Wake {
        Method method;
        void* block;
    };

    void enter();
    bool step(std::int64_t limit_ps);
    void ask_kernel();
    [[noreturn]] static void throw_late(Duration time);
    /// The earlier one of two goes up.
    void set(Number wakeup, Key key)
    {
        for (std::size_t at = leaves_ + wakeup; at > 1; at /= 2) {
            tree_[at] = key;
            const Key other = tree_[at ^ 1U];
            if (other < key) key = other;
        }
        tree_[1] = key;
    }

    sc_core::sc_event event_{"event"};
    std::vector<Wake> wakes_;
    std::size_t leaves_ = 1;                              // a power of two
    std::vector<Key> tree_ = std::vector<Key>(2, kNone);  // the root at 1, the leaves from leaves_ on
    Duration end_ = Duration::never();
    std::int64_t reach_ps_ = 0;
    std::uint64_t steps_ = 0, entries_ = 0;
    bool running_ = false;
    bool stopped_ = false;
};

}  // namespace ringmesh
