// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "lab/run_record.h"
#include "tlm/names.h"

namespace ringmesh::lab {

/// A hash over the sources of tlm, hw, workloads and platforms, made when the program was built: two programs with the
/// same one give the same results.
std::string model_version();

/// How a run ended: with results; with a violated invariant of the model; in deadlock or livelock; past its limit.
enum class PointState : std::uint8_t { kDone, kFailed, kStuck, kLate };
inline constexpr NameTable<PointState, 4> kPointStates{{{{"done", PointState::kDone},
                                                         {"failed", PointState::kFailed},
                                                         {"stuck", PointState::kStuck},
                                                         {"late", PointState::kLate}}}};

/// A run as the store keeps it: inputs, and results or why there are none.
struct Point {
    std::string key;  ///< of the file; see key_of()
    std::string model;
    PointState state = PointState::kDone;
    std::string message;  ///< why it failed; empty if done
    RunRecord record;
    bool every_block = false;  ///< the statistics hold the values of each block
    std::string machine;       ///< on which it ran
    std::string finished;      ///< "2026-11-22T14:00:00Z"
};

/// 32 hexadecimal digits, a hash of everything that decides the result: kind of machine with all its parameters,
/// program and library with their options, seed, model version. No simulation is needed for it.
std::string key_of(const Experiment& experiment);

/// One line of JSON: that of `ringmesh run --json`, and what is known of the run besides.
std::string point_text(const Point& point);
/// @throws ModelError, std::exception if it is not the text of a point
Point point_from_text(const std::string& text);

}  // namespace ringmesh::lab
