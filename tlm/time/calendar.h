// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <systemc>
#include <vector>

#include "tlm/units/duration.h"

namespace ringmesh {

/// Looks at values when all has happened at one time.
class StepListener {
public:
    virtual ~StepListener() = default;
    /// The present, now(), is over. @param next when the calendar goes on; never() if it has nothing to do
    virtual void step_ends(Duration next) = 0;
};

/// The wake-ups of a machine's blocks, which meet through plain calls: one event of SystemC's kernel in place of one
/// for each. It runs the blocks' methods itself, ahead of the kernel's time, which catches up afterwards; now() is its
/// time meanwhile. It runs in step with the kernel if somebody else has a process there, a StepWatcher lives, or the
/// run is none of Simulation's.
///
/// Order: by time; at one time by the number of the place, and in a place in the order in which its blocks were built.
/// A wake-up that a method asks for the present runs after that method, in its turn among those that are still due.
/// Processes of others that the kernel runs at that time come first, until they rest; what the blocks ask of them for
/// the present comes when the calendar rests. So the order does not depend on who asked first, nor on wake-ups that do
/// nothing. Where every effect between places takes time, results do not depend on the order of places either; what
/// takes none must give the same in any order (an SCI go bit, the begin of an NCUBE transfer), or join_places().
///
/// Cost: that of a wake-up does not depend on how many are pending. Those that are due soon lie in a wheel of buckets,
/// later ones in coarser wheels (a radix queue); only those of one bucket are sorted.
class Calendar final : public sc_core::sc_module {
public:
    /// Names a wake-up.
    using Number = std::uint32_t;
    /// A block's method; throws nothing.
    struct Woken {
        void (*method)(void* block);
        void* block;
        Number number = 0;  ///< of its wake-up; the calendar sets it, and changes it when the run begins
    };
    /// Part of a machine within which effects may take no time, such as a node.
    using Place = std::uint32_t;
    static constexpr Place kWholeMachine = 0;
    /// Of a method: at one time methods run in the order of their turns.
    struct Turn {
        Place place = kWholeMachine;
        Number in_place = 0;  ///< among the wake-ups of the place
        auto operator<=>(const Turn&) const = default;
    };

    SC_HAS_PROCESS(Calendar);
    explicit Calendar(const sc_core::sc_module_name& name);

    /// The wake-ups that are added from now on belong to this place; those before the first call to the whole machine,
    /// which comes before all places.
    void begin_place(Place place)
    {
        place_ = place;
        last_place_ = std::max(last_place_, place);
    }
    /// Effects between the machine's places may take no time: they count as one.
    void join_places() { joined_ = true; }
    /// Places beside the whole machine.
    Place places() const { return joined_ ? 1 : last_place_; }
    /// At one time places run in another order than that of their numbers: 1 is the opposite one, others are random.
    /// A model whose effects between places take time gives the same results. @pre the run has not begun
    void shuffle_places(std::uint64_t order) { order_ = order; }

    /// A wake-up that will run this method. @pre the run has not begun
    /// @param woken stays where it is until the run ends, near to what the method looks at first
    void add_wakeup(Woken& woken);

    /// Wakes at this time, whatever was asked before. @param time not in the past
    void notify(Number wakeup, Duration time);
    /// Forgets the request, if there is one.
    void cancel(Number wakeup)
    {
        if (wakes_[wakeup].before != kIdle) remove(wakes_[wakeup]);
    }
    /// The run does not end before this time: something ends then that needs no wake-up.
    void reach(Duration time)
    {
        if (time.ps() > reach_ps_) reach_ps_ = time.ps();
    }

    /// It may be ahead of the kernel up to this time.
    void run_ahead_until(Duration end) { end_ps_ = end.ps(); }
    /// Ends the run: no further method is run.
    void stop() { stopped_ = true; }
    /// Whether it is never ahead of the kernel. Known during the run.
    bool in_step() const;
    /// Tells this one of each time at which methods ran, and of the first; while it runs in step, the kernel does.
    /// @param listener null: nobody
    void tell_steps(StepListener* listener) { listener_ = listener; }
    /// Whether somebody looks at values while the run goes on.
    bool is_watched() const { return listener_ != nullptr || in_step(); }
    /// When the earliest wake-up comes; never() if there is none.
    Duration next() const { return Duration::picoseconds(next_ps()); }
    /// Before this time the run does not end, as far as it has come.
    Duration reached() const { return Duration::picoseconds(std::max(ran_ps_, reach_ps_)); }
    /// The present is this time: of a run that the kernel has overshot.
    static void rest_at(Duration time);
    /// Of the method that runs, or ran last.
    Turn turn() const { return turn_of_.empty() ? Turn() : turn_of_[last_]; }
    /// Methods that it ran, less the delta cycles of the kernel in which it did.
    std::uint64_t additional_steps() const { return steps_ - entries_; }

private:
    static constexpr std::uint64_t kMostSteps = 16'384;  // then the kernel has its turn: some milliseconds
    static constexpr std::int64_t kNever = INT64_MAX;

    // Wheels of buckets: a bucket of wheel 0 is 2^width_ ps, one of wheel n + 1 a whole wheel n. A wake-up lies in the
    // wheel of the highest digit in which its time differs from the beginning of the current bucket.
    static constexpr unsigned kDigitBits = 10;
    static constexpr std::uint32_t kBuckets = 1U << kDigitBits;
    static constexpr unsigned kWheels = (63 + kDigitBits - 1) / kDigitBits;
    static constexpr std::uint32_t kNone = UINT32_MAX;
    // What is before a wake-up in its bucket: another one's number, or
    static constexpr std::uint32_t kIdle = UINT32_MAX;        // it lies in none
    static constexpr std::uint32_t kInTurn = UINT32_MAX - 1;  // it is in turns_
    static constexpr std::uint32_t kFirst = 1U << 31;         // nothing: with the bucket's number

    struct Wake {
        std::int64_t time_ps;
        std::uint32_t next, before;
        Woken* woken;
    };
    /// Which buckets of a wheel hold any.
    struct Occupied {
        std::uint64_t words = 0;
        std::array<std::uint64_t, kBuckets / 64> bits{};
    };

    void start_of_simulation() override;
    void sort_by_place();
    void enter();
    bool step(std::int64_t limit_ps);
    void ask_kernel(std::int64_t time_ps);
    void end_step(std::int64_t next_ps);
    std::int64_t next_ps() const;

    void take_turn(Number number, Wake& wake);
    void put_into_wheel(Number number, Wake& wake);
    void remove(Wake& wake);
    void empty(std::uint32_t bucket);
    std::uint32_t first_bucket() const;
    std::int64_t earliest_in(std::uint32_t bucket) const;
    bool open_next(std::int64_t limit_ps);
    /// Its time differs from the beginning of the current bucket in these bits, those within the bucket left out.
    std::uint64_t difference(const Wake& wake) const
    {
        return static_cast<std::uint64_t>(wake.time_ps ^ begin_ps_) >> width_;
    }
    /// Time within the current bucket and number, in the order of turns.
    std::uint64_t turn_of(Number number, const Wake& wake) const
    {
        return static_cast<std::uint64_t>(wake.time_ps - begin_ps_) << 32U | number;
    }

    sc_core::sc_event event_{"event"};
    std::vector<Wake> wakes_;
    std::vector<Place> places_;  // of the wake-ups, until the run begins
    std::vector<Turn> turn_of_;  // of the wake-ups, from then on
    Number last_ = 0;            // whose method ran last
    Place place_ = kWholeMachine;
    Place last_place_ = kWholeMachine;
    bool joined_ = false;
    std::uint64_t order_ = 0;           // 0: that of the numbers
    std::vector<std::uint64_t> turns_;  // of the current bucket, the first one last; also some that were cancelled
    std::int64_t begin_ps_ = 0;         // of the current bucket
    unsigned width_ = 10;               // until the number of wake-ups is known
    std::uint32_t used_ = 0;            // wheels that hold any, one bit each
    std::array<Occupied, kWheels> occupied_{};
    std::vector<Number> buckets_ = std::vector<Number>(std::size_t{kWheels} * kBuckets, kNone);  // the first of each

    std::int64_t end_ps_ = 0;
    std::int64_t reach_ps_ = 0;
    std::int64_t ran_ps_ = 0;         // when the last method ran
    std::int64_t asked_ps_ = kNever;  // when the kernel's event comes
    std::uint64_t steps_ = 0, entries_ = 0;
    bool running_ = false;
    bool stopped_ = false;
    StepListener* listener_ = nullptr;
    std::int64_t step_ps_ = 0;  // of the last step
    bool step_open_ = true;     // it is not over, or nobody was told
    bool others_ = false;       // have processes in the kernel
};

}  // namespace ringmesh
