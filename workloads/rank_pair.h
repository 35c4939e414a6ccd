// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "tlm/parameters.h"

namespace ringmesh::workloads {

/// The two ranks of a benchmark.
struct RankPair {
    unsigned from;
    unsigned to;
};

/// The options of benchmarks between two ranks.
void visit_ranks(ParameterVisitor& visitor, std::int64_t& from, std::int64_t& to);
/// @param to -1: the rank half-way round @param ranks that there are @throws UserError if there is no such pair
RankPair choose_ranks(std::string_view workload, std::int64_t from, std::int64_t to, unsigned ranks);

}  // namespace ringmesh::workloads
