// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tlm/statistics/totals.h"
#include "tlm/time/calendar.h"
#include "tlm/units/duration.h"

namespace ringmesh {

/// What the parts of a divided run tell those who watch it: waveforms, tables of packets, traces, log lines. It comes
/// together in process 0 after each window, in the order in which one process would have told it.
class Observations {
public:
    /// A file that is written of the run, or part of it, in each process.
    class Watcher {
    public:
        virtual ~Watcher() = default;
        /// This process's part of the run is over: tells what it has kept back.
        virtual void tell_rest() {}
        /// In process 0: takes all that one tell() put. now() is when it was told.
        virtual void hear(Parcel& told) = 0;
    };
    /// A moment of a run.
    struct Moment {
        Duration time;
        Calendar::Turn turn;     ///< of the method that runs
        std::uint64_t part = 0;  ///< of the method: set_part()
        auto operator<=>(const Moment&) const = default;
    };

    /// @param calendar of this process's part, which outlives this
    explicit Observations(const Calendar& calendar) : calendar_(calendar) {}

    /// @param watcher outlives the run @return its number; all processes add the same in one order
    std::uint32_t add(Watcher& watcher);
    /// @return for what this watcher will hear
    Parcel& tell(std::uint32_t watcher) { return tell(watcher, moment()); }
    /// What holds at the end of the present time, behind what its methods tell. @param order among these
    Parcel& tell_at_end(std::uint32_t watcher, std::uint64_t order);
    /// A method that works for many places says for which: in rising order, the same in one process as in several.
    /// 0 when it ends.
    void set_part(std::uint64_t part) { part_ = part; }
    Moment moment() const;
    /// Whether process 0 will still hear what is told: until the run is over.
    bool are_open() const { return open_; }

    /// The division's: adds what was told since the last call. @param to for process 0
    void give(Parcel& to);
    /// The division's, in process 0: what one process has given.
    void take(Parcel& from);
    /// The division's: the watchers of process 0 hear what was taken. Of what happened behind `end` they hear nothing.
    void play(const Moment& end);
    /// The division's: all watchers tell the rest, once.
    void tell_rest();

private:
    /// What one process told, in its order.
    struct Told {
        Parcel parcel;
        Moment moment;  ///< of what comes next in it
        std::uint32_t watcher = 0;
        bool more = true;

        void next();
    };

    Parcel& tell(std::uint32_t watcher, const Moment& moment);

    const Calendar& calendar_;
    std::vector<Watcher*> watchers_;
    std::uint64_t part_ = 0;
    bool open_ = true;
    Parcel own_;
    std::vector<Told> taken_;
};

}  // namespace ringmesh
