// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tlm/names.h"
#include "tlm/parameters.h"

namespace ringmesh::workloads::vertex {

/// The arithmetic of the background computation.
enum class Underlying : std::uint8_t { kInteger, kFloat };

/// The tests to run, and the rows of the results.
enum class Measure : std::uint8_t {
    kValues,     ///< tests 1 to 7: the sums and the six values, a row for each size
    kDistances,  ///< test 1 alone: the echo by distance
    kChannels,   ///< test 8: several channels active on one node
};

struct TimingOptions {
    Measure measure = Measure::kValues;
    Underlying underlying = Underlying::kInteger;
    std::string sizes = "16,500,1000,1500,2000";
    std::int64_t trials = 100;
    bool offset_trials = true;
    std::int64_t integer_turn = 120;
    std::int64_t float_turn = 260;
    std::int64_t channel_bytes = 2000;
    std::int64_t outstanding = 4;
    std::int64_t channel_blocks = 100;

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh::workloads::vertex
