// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lab/run/record/run_record.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {

/// A hash over the sources of tlm, hw, workloads and platforms, made when the library was built.
std::string sources_version();
/// Two programs with the same one give the same results: sources_version(), and of a program with programs, policies or
/// machines of its own a hash of its file behind it.
std::string model_version();
/// This program has such things: nothing but its file tells what they do. @pre before the first model_version()
void count_program_as_model();

/// How a run ended: with results; with a violated invariant of the model; in deadlock or livelock; by a fault of the
/// hardware that nothing repaired; past its limit; at its beginning, because the machine cannot run it so.
enum class PointState : std::uint8_t { kDone, kFailed, kStuck, kFault, kLate, kRefused };
inline constexpr NameTable<PointState, 6> kPointStates{{{{"done", PointState::kDone},
                                                         {"failed", PointState::kFailed},
                                                         {"stuck", PointState::kStuck},
                                                         {"fault", PointState::kFault},
                                                         {"late", PointState::kLate},
                                                         {"refused", PointState::kRefused}}}};

/// What is known of a run besides its inputs and results.
struct PointHeader {
    std::string key;  ///< of the file; see key_of()
    std::string model;
    PointState state = PointState::kDone;
    std::string message;             ///< why it failed; empty if done
    double limit_seconds = 0;        ///< that a late run had
    bool every_block = false;        ///< the record holds the statistics of each block and the use of places
    std::int64_t sample_ps = 0;      ///< interval at which the use of places was asked to be sampled; 0: not
    std::string machine;             ///< on which it ran
    std::string finished;            ///< "2026-11-22T14:00:00Z"
    std::uint64_t delta_cycles = 0;  ///< of the SystemC kernel; 0 if not known
    std::size_t record_bytes = 0;    ///< length of the second line, so that a file cut short is found
    std::string record_hash;         ///< of the second line, 32 digits, so that damage is found; old files have none
};

/// A run as the store keeps it: inputs, and results or why there are none.
struct Point {
    PointHeader header;
    RunRecord record;
};

/// 32 hexadecimal digits, a hash of everything that decides the result: kind of machine with all its parameters,
/// program and library with their options, seed, model version. No simulation is needed for it.
std::string key_of(const Experiment& experiment);

/// Keys of points that differ in their seed alone, of which the first experiment is one: a configuration is read once.
class KeysBySeed {
public:
    explicit KeysBySeed(const Experiment& experiment);
    std::string key(std::uint64_t seed) const;

private:
    std::string before_seed_;
    std::string after_seed_;
};

/// Of an experiment that has run here and now, or that came to nothing. @pre it has been built, or not begun
Point point_of(Experiment& experiment, const std::string& key, bool every_block);

/// Two lines of JSON: the header, and the record as `ringmesh run --json` has it.
std::string point_text(const Point& point);
/// Back. The header alone is read much faster; the record is checked by its length and hash all the same.
/// @throws ModelError, std::exception if it is not the text of a point, or damaged
PointHeader header_from_text(std::string_view text);
Point point_from_text(std::string_view text);
/// Results and simulated time; statistics only if they are wanted. Some three times as fast as the whole point.
Outcome outcome_from_text(std::string_view text, bool statistics);

}  // namespace ringmesh::lab
