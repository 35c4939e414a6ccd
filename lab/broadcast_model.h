// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analytic/message_programs.h"
#include "analytic/scc_broadcast.h"
#include "workloads/broadcast/options.h"

/// What the broadcasts take by their schedules and by what messages cost, with no machine in between: no contention, no
/// caches. The same classes say who sends what to whom as in the workload.
namespace ringmesh::lab {

struct BroadcastCase {
    workloads::broadcast::Algorithm algorithm = workloads::broadcast::Algorithm::kCube;
    unsigned cores = 48;
    std::int64_t size = 0;
    std::int64_t part = 0;
    std::int64_t pipe = 0;
    bool equal_pieces = false;  ///< of a part, as in the program that compared pipe sizes
    workloads::broadcast::FinalExchange final_exchange = workloads::broadcast::FinalExchange::kThesis;
};

struct BroadcastCosts {
    std::function<double(std::int64_t bytes)> put;
    std::function<double(unsigned from, unsigned to, std::int64_t bytes)> get;
};

/// @param hops links between the tiles of two cores
BroadcastCosts broadcast_costs(const analytic::SccMessageCosts& costs,
                               std::function<unsigned(unsigned from, unsigned to)> hops);

/// What each core does, from core 0 as the root; messages are numbers of parts, or of pieces among all.
/// DOPL's heads get the wrapped part after the last piece of a round, where in fact it comes whenever it is there.
/// @pre the case is one that the workload would take, and not the tree
std::vector<std::vector<analytic::MessageStep>> broadcast_programs(const BroadcastCase& what,
                                                                   const BroadcastCosts& costs);

/// When each core returns from its call.
std::vector<double> broadcast_returns(const BroadcastCase& what, const BroadcastCosts& costs);

}  // namespace ringmesh::lab
