// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/broadcast/cube_schedule.h"
#include "workloads/rcce/ircce.h"
#include "workloads/rcce/rcce.h"

/// The broadcasts as each core of RCCE_COMM_WORLD runs them.
namespace ringmesh::workloads::broadcast {

/// One broadcast, of which all cores know the same but their buffers' addresses.
struct Broadcast {
    std::uint64_t buffer = 0;  ///< private memory
    std::uint32_t size = 0;    ///< at least 1
    std::uint32_t part = 0;
    std::uint32_t pipe = 0;
    bool equal_pieces = false;  ///< of a part, as in the program that compared pipe sizes
    unsigned root = 0;
    FinalExchange final_exchange = FinalExchange::kThesis;
};

/// Bin Jia's algorithm with blocking calls. With FinalExchange::kThesis the `part` bytes in front of the buffer are
/// overwritten.
Task<> cube_bcast(rcce::Rcce& rcce, Broadcast broadcast);

/// Watts' and van de Geijn's algorithm: in each round all pieces to be received are asked for at once, each is sent
/// when it is here, and the round ends when all have gone. @pre DoplGrid::fits(the number of cores)
Task<> dopl_bcast(rcce::Rcce& rcce, rcce::Ircce& ircce, Broadcast broadcast);

}  // namespace ringmesh::workloads::broadcast
