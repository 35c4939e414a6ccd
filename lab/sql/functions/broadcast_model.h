// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analytic/message_programs.h"
#include "analytic/scc.h"
#include "workloads/broadcast/options.h"

/// Run times of the broadcasts from their schedules and the costs of messages, without a machine: no contention, no
/// caches. The schedules are the workload's own classes.
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

/// The steps of each core, with core 0 as the root; messages are numbers of parts, or of pieces. DOPL's heads get the
/// wrapped part after the last piece of a round; in the workload it may arrive earlier.
/// @pre the workload accepts the case, and it is none of the trees
std::vector<std::vector<analytic::MessageStep>> broadcast_programs(const BroadcastCase& what,
                                                                   const BroadcastCosts& costs);

/// When each core returns from its call.
std::vector<double> broadcast_returns(const BroadcastCase& what, const BroadcastCosts& costs);

}  // namespace ringmesh::lab
