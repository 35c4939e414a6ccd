// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/store/options.h"
#include "lab/store/store.h"

namespace ringmesh::lab {

/// A part of what is wanted, as errors name it, and as the user wrote it.
struct WishPart {
    std::string text;        ///< "--workload ping-pong size=5"
    std::string where;       ///< "study.toml:5"
    std::string shown = {};  ///< in place of the text: "options.size=5"; empty: the text
    std::string key = {};    ///< "size"; empty for a platform, program, library or overlay
};

/// A run that is wanted.
struct Wish {
    std::string title;  ///< for messages
    ExperimentRequest request;
    bool every_block = false;                ///< statistics of each block as well
    std::string where = {};                  ///< it was written ("study.toml:5"); empty: on the command line
    std::vector<WishPart> parts = {};        ///< the first one that an error names tells its place
    std::string key = {};                    ///< of KeyFinder, once it is known
    std::chrono::duration<double> limit{0};  ///< of the run; zero: none
};

/// Keys of the points that answer wishes. Repetitions that follow each other are read once, for they differ in their
/// seed alone.
class KeyFinder {
public:
    /// @throws UserError, with the place of the mistake, then the title of the wish
    std::string key_of(const Wish& wish);

private:
    ExperimentRequest first_;  ///< of the repetitions
    std::optional<KeysBySeed> repetitions_;
};

/// What came of it.
struct Granted {
    std::string key;
    bool cached = false;  ///< it was in the store
    bool ran = false;     ///< now; neither: nothing was started after a failure
    PointState state = PointState::kDone;
    std::string message;  ///< why it failed
    std::string place;    ///< where that was written which the machine cannot run

    bool done() const { return (cached || ran) && state == PointState::kDone; }
    /// "study.toml:4: t, x=99: refused: no rank 99"
    std::string failure(const std::string& title) const;
    /// @throws the error with which it failed: UserError, StuckError, FaultError or ModelError
    void require_done(const std::string& title) const;
};

struct ExecutionRules {
    unsigned parallel = 1;
    bool fresh = false;        ///< run all, also what is in the store
    bool retry = false;        ///< run again what has failed or was late
    bool check_order = false;  ///< require_any_order() of each before it is run
};
ExecutionRules rules_of(const StoreOptions& options);

struct Execution {
    std::size_t wanted = 0;  ///< runs that differ
    std::size_t cached = 0;
    std::size_t done = 0;  ///< now
    std::size_t failed = 0;
    std::size_t late = 0;
    std::uint64_t delta_cycles = 0;  ///< of all that were done
    std::size_t ended() const { return cached + done + failed + late; }
};

/// Sees that every wish is in the store: takes what is there, runs the others in child processes, and writes each point
/// as it ends. What another process runs at the time is left to it, and taken when it is there. Runs that fail, are
/// late or that the machine refuses are points too; crashes and a lack of memory are none.
///
/// Returns what came of each wish, in their order. Equal wishes are run once.
/// @param progress called after each end
/// @throws UserError for what is wrong in a wish, with its title; nothing has run then
/// @pre no SystemC object exists in this process yet
std::vector<Granted> grant(Store& store, std::span<const Wish> wishes, const ExecutionRules& rules,
                           const std::function<void(const Execution&)>& progress = {});

/// What the store has of a wish, without a run. @pre its key is known
Granted look_up(const Wish& wish, const Store& store);

}  // namespace ringmesh::lab
