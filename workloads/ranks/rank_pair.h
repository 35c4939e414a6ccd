// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "tlm/parameters/parameters.h"

namespace ringmesh::workloads {

/// Of a benchmark's options, on any machine.
inline constexpr std::int64_t kHighestRank = 65'535;

/// The two ranks of a benchmark.
struct RankPair {
    unsigned from;
    unsigned to;
};

/// The options of benchmarks between two ranks.
void visit_ranks(ParameterVisitor& visitor, std::int64_t& from, std::int64_t& to);
/// @param ranks of a program on so many nodes @throws UserError if they are not two
void require_two(std::string_view workload, unsigned ranks, unsigned nodes);
/// @param to -1: the rank half-way round @param ranks of a program on so many nodes
/// @throws UserError if there is no such pair
RankPair choose_ranks(std::string_view workload, std::int64_t from, std::int64_t to, unsigned ranks, unsigned nodes);
inline RankPair choose_ranks(std::string_view workload, std::int64_t from, std::int64_t to, unsigned nodes)
{
    return choose_ranks(workload, from, to, nodes, nodes);
}

}  // namespace ringmesh::workloads
