// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tlm/division/observations.h"
#include "tlm/division/processes.h"
#include "tlm/statistics/totals.h"
#include "tlm/units/duration.h"

/// One simulation in several processes, each of which runs a part of the machine.
namespace ringmesh {

/// Something that lies in the parts of several processes. What happens in one part has its effect in another no earlier
/// than the division's lookahead.
class Crossing {
public:
    virtual ~Crossing() = default;
    /// At the end of a window: adds what this part has for the others. @param to a parcel for each process
    /// @return the earliest time at which anything of it has an effect; never() if there is nothing
    virtual Duration give(std::vector<Parcel>& to) = 0;
    /// Takes what a process has given, this process included.
    virtual void take(Parcel& parcel) = 0;
    /// All is taken of a window that ended then.
    virtual void taken(Duration /*end*/) {}
};

/// How one simulation is divided, and its run in windows: within one no process has an effect on another, because a
/// window is shorter than the least delay of a link between two parts. After each window the processes exchange what
/// has crossed, and skip the time in which none of them has anything to do.
class Division {
public:
    /// @param calendar of this process's part @param processes both outlive this
    Division(Processes& processes, const Calendar& calendar) : processes_(processes), observations_(calendar) {}

    unsigned count() const { return processes_.count(); }
    unsigned own() const { return processes_.own(); }
    /// Whether this process gives results.
    bool gives_results() const { return own() == 0; }
    /// Whether an error has ended the run in all processes.
    bool all_have_failed() const { return all_have_failed_; }

    /// Cuts the machine, which then asks for the process of each place. Process 0 has the first place with work.
    /// @throws UserError if there are fewer such places than processes
    void cut(const PlaceGraph& graph);
    unsigned owner(std::size_t place) const { return owners_[place]; }
    bool owns(std::size_t place) const { return owners_[place] == own(); }
    /// @param crossing outlives the run
    void add(Crossing& crossing) { crossings_.push_back(&crossing); }
    /// For those who watch the run.
    Observations& observations() { return observations_; }

    /// The part of a run that runs up to a time, its events included, and says when the next event is.
    using RunUntil = std::function<Duration(Duration end)>;
    /// Runs windows until no process has anything to do. @param first event of this process
    /// @throws what `run` throws in this process; or, in all processes, the earliest error of another
    void run(Duration first, const RunUntil& run);
    /// After an error, when it was.
    Duration failed_at() const { return failed_at_; }
    /// Does this in all processes. @throws in all of them what it throws in one
    void together(const std::function<void()>& work);
    /// The longest of all processes.
    Duration longest(Duration own);

    /// Process 0 gets what the others give.
    std::vector<Parcel> gather(const Parcel& own);
    /// Process 0 adds up what the others have counted.
    /// @param visit is called in process 0 for each other process, and once in each of these
    void add_up(const std::function<void(Totals&)>& visit);

private:
    struct Failure;
    Failure earliest(std::vector<Parcel>& got) const;
    [[noreturn]] void throw_as(const Failure& failure, const std::exception_ptr& own_error);
    std::exception_ptr hear_rest(const Observations::Moment& end);
    std::vector<Parcel> parcels() const { return std::vector<Parcel>(count()); }

    Processes& processes_;
    std::vector<unsigned> owners_;
    std::vector<Crossing*> crossings_;
    Duration lookahead_ = Duration::never();
    Observations observations_;
    Duration failed_at_;
    bool all_have_failed_ = false;
};

/// Cables between parts of a machine in several processes. A cable keeps what is sent into it, in the process of its
/// sender, and hands it on in that of its receiver, which is told after the window.
class CutCables final : public Crossing {
public:
    class Cable {
    public:
        virtual ~Cable() = default;
        /// Takes what one call of send() gave. @param at as it was told there
        virtual void arrives(Parcel& parcel, Duration at) = 0;
    };

    explicit CutCables(Division& division);
    /// @param cable outlives the run @param place to which it leads @return its number, the same in all processes
    std::uint32_t add(Cable& cable, std::size_t place);
    /// @param at when it takes effect, a lookahead from now or later @return for what the cable sends
    Parcel& send(std::uint32_t cable, Duration at);

private:
    static constexpr std::uint32_t kNoMore = UINT32_MAX;

    Duration give(std::vector<Parcel>& to) override;
    void take(Parcel& parcel) override;

    Division& division_;
    std::vector<std::pair<Cable*, std::size_t>> cables_;  // with their places
    std::vector<Parcel> sent_;                            // in this window, to each process
    Duration first_ = Duration::never();                  // effect of them
};

}  // namespace ringmesh
