// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lab/store/executor.h"
#include "lab/store/options.h"
#include "lab/study/points/points.h"

/// The points of a study in the store: which are there, which are to run, and running them.
namespace ringmesh::lab {

/// Points of a study, and what the store has of them.
struct AskedPoints {
    const Study* study;
    std::vector<StudyPoint> points;
    std::vector<Granted> granted;  ///< as long as `points`
};

/// Finds the keys of all. @throws UserError as KeyFinder::key_of()
void find_keys(std::span<StudyPoint> points);

/// What the store has, without a run. @pre the keys are known
std::vector<Granted> look_up(std::span<const StudyPoint> points, const Store& store);

/// Runs what is missing, with a line of progress on a terminal, and tells what came of it unless it is to be quiet.
/// @throws UserError for what is wrong in a point; nothing has run then
/// @param ran_before of the points, by the same command: they do not count as found in the store
std::vector<Granted> run_all(const AskedPoints& asked, const StoreOptions& options, Store& store, bool quiet = false,
                             std::size_t ran_before = 0);

/// Tells the points that failed, were late or were refused, those with the same message once. @return how many they are
std::size_t report_failures(const AskedPoints& asked);

/// A row for each point: key, test, state, what it is.
workloads::Results list_of(const AskedPoints& asked);
/// A row for each test: how many of its points are done, failed, late, to run.
workloads::Results status_of(const AskedPoints& asked);
/// "about 12 s with 2 at a time": from what points of the same test took.
std::string estimate_of(const AskedPoints& asked, const Store& store, unsigned jobs);

/// What a merge did with the points that were wanted: each key counts once.
struct Merged {
    std::size_t copied = 0;
    std::size_t there = 0;    ///< already, done or failed, and nothing better elsewhere
    std::size_t missing = 0;  ///< in all stores
    /// Of files that were refused, each with its path and why.
    std::vector<std::string> refused;
};

/// Copies points of these keys from other stores into this one, whole and renamed. What is done replaces what has
/// failed or was late; a damaged file is refused, and so is one whose results differ from those that are here.
/// @throws UserError if the store cannot be written
Merged merge(Store& into, std::span<const Store> from, std::span<const std::string> keys);

}  // namespace ringmesh::lab
