// SPDX-License-Identifier: Apache-2.0
#include "workloads/ranks/rank_pair.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace ringmesh::workloads {
namespace {

constexpr std::int64_t kHalfWayRound = -1;

void require_rank(std::string_view workload, std::string_view option, std::int64_t rank, unsigned ranks, unsigned nodes)
{
    if (rank >= 0 && rank < ranks) return;
    if (rank >= 0 && rank < nodes) {
        throw UserError(
            fmt::format("{}: {} = {}: with ranks = {}, ranks 0 to {} take part; choose one of them, or write "
                        "ranks={} or more",
                        workload, option, rank, ranks, ranks - 1, rank + 1));
    }
    throw UserError(
        fmt::format("{}: this machine has no rank {} = {}; choose one of 0 to {}", workload, option, rank, ranks - 1));
}

}  // namespace

void visit_ranks(ParameterVisitor& visitor, std::int64_t& from, std::int64_t& to)
{
    visitor.field({"from", "rank that starts and takes the time", assumed()}, from, {0, kHighestRank});
    visitor.field({"to", "rank that answers; -1 is the one half-way round", assumed()}, to,
                  {kHalfWayRound, kHighestRank});
}

void require_two(std::string_view workload, unsigned ranks, unsigned nodes)
{
    if (nodes < 2) {
        throw UserError(fmt::format("{} needs two nodes, and this machine has {}; take a larger one", workload, nodes));
    }
    if (ranks < 2) {
        throw UserError(fmt::format("{}: ranks = {}: at least two take part; write ranks=2 or more", workload, ranks));
    }
}

RankPair choose_ranks(std::string_view workload, std::int64_t from, std::int64_t to, unsigned ranks, unsigned nodes)
{
    require_two(workload, ranks, nodes);
    require_rank(workload, "from", from, ranks, nodes);
    if (to == kHalfWayRound) to = (from + ranks / 2) % ranks;
    require_rank(workload, "to", to, ranks, nodes);
    if (from == to) {
        throw UserError(fmt::format("{0}: from and to are both {1}; choose two different ranks of 0 to {2}", workload,
                                    from, ranks - 1));
    }
    return {static_cast<unsigned>(from), static_cast<unsigned>(to)};
}

}  // namespace ringmesh::workloads
