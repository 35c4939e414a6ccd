// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tlm/statistics/totals.h"
#include "tlm/units/duration.h"

/// One simulation in several processes, each of which runs a part of the machine.
namespace ringmesh {

/// What a machine is cut by: places and links between them, and how much each of them will have to do.
struct PlaceGraph {
    struct Link {
        std::uint32_t from = 0, to = 0;
        std::int64_t weight = 1;
        Duration least = Duration::picoseconds(1);  ///< until anything at one end has an effect at the other
    };
    std::vector<std::int64_t> weights;  ///< of each place
    std::vector<Link> links;            ///< each pair of places once; none from a place to itself
};

/// Numbers the parts anew, so that part 0 has the first place with work.
void begin_with_part_0(std::vector<unsigned>& owners, const PlaceGraph& graph);
/// @throws UserError if there are fewer places with work than processes
void require_places(const PlaceGraph& graph, unsigned count);

/// The least time until one part of a cut machine has an effect on another; never() if none has.
/// @param owners the part of each place
Duration lookahead(const PlaceGraph& graph, const std::vector<unsigned>& owners);

/// The processes that run one simulation together. All of them make the same calls in the same order.
class Processes {
public:
    virtual ~Processes() = default;
    virtual unsigned count() const = 0;
    /// This one: 0, 1, ...
    virtual unsigned own() const = 0;
    /// Gives each process its parcel. @return what each of them had for this one
    virtual std::vector<Parcel> exchange(const std::vector<Parcel>& to) = 0;
    /// The process of each place: about as much to do for each, and few links between them. Process 0 alone is asked.
    virtual std::vector<unsigned> cut(const PlaceGraph& graph) const = 0;
};

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
    explicit Division(Processes& processes) : processes_(processes) {}

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

    /// The part of a run that runs up to a time, its events included, and says when the next event is.
    using RunUntil = std::function<Duration(Duration end)>;
    /// Runs windows until no process has anything to do. @param first event of this process
    /// @throws what `run` throws in this process; or, in all processes, the earliest error of another
    void run(Duration first, const RunUntil& run);
    /// Does this in all processes. @throws in all of them what it throws in one
    void together(const std::function<void()>& work);
    /// When the last event of any process was. @param own of this process
    Duration latest(Duration own);

    /// Process 0 gets what the others give.
    std::vector<Parcel> gather(const Parcel& own);
    /// Process 0 adds up what the others have counted.
    /// @param visit is called in process 0 for each other process, and once in each of these
    void add_up(const std::function<void(Totals&)>& visit);

private:
    struct Failure;
    void throw_earliest(const std::exception_ptr& own_error, std::vector<Parcel>& got);
    std::vector<Parcel> parcels() const { return std::vector<Parcel>(count()); }

    Processes& processes_;
    std::vector<unsigned> owners_;
    std::vector<Crossing*> crossings_;
    Duration lookahead_ = Duration::never();
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
