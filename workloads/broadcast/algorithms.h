// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/broadcast/cube_schedule.h"
#include "workloads/broadcast/dopl_schedule.h"
#include "workloads/ranks/rank.h"

/// The broadcasts as each rank runs them, over any library that sends and receives.
namespace ringmesh::workloads::broadcast {

/// One broadcast, of which all ranks know the same.
struct Broadcast {
    unsigned ranks = 0;  ///< that take part, from 0
    unsigned root = 0;
    BufferId buffer = 0;
    std::uint32_t offset = 0;  ///< of the data in the buffer
    std::uint32_t size = 0;    ///< at least 1
    std::uint32_t part = 0;
    std::uint32_t pipe = 0;
    bool equal_pieces = false;  ///< of a part, as in the program that compared pipe sizes
    FinalExchange final_exchange = FinalExchange::kThesis;

    /// So many bytes from there on; a little in front of the data, too.
    Part at(std::int64_t from, std::int64_t bytes) const
    {
        return {.buffer = buffer,
                .offset = static_cast<std::uint32_t>(offset + from),
                .size = static_cast<std::uint32_t>(bytes)};
    }
    Part all() const { return at(0, size); }
};

/// The root sends everything to all others in turn.
Task<> linear_bcast(Rank& rank, Broadcast broadcast);

/// Down a binomial tree, the highest dimension first: a rank that has everything sends it to the one that is 2^k
/// further, for each k below the one by which it got it.
Task<> binomial_bcast(Rank& rank, Broadcast broadcast);

/// Van de Geijn's algorithm for long messages, as MPICH and RCCE_comm have it: the message is cut into a block for each
/// rank, the last ones shorter or empty; a binomial tree gives each rank its own, halving what is sent on; then blocks
/// go around the ring of ranks, one link in each of ranks - 1 rounds. Over a library with requests a rank receives
/// while it sends; without, even ranks send first and odd ones receive first.
Task<> scatter_allgather_bcast(Rank& rank, Broadcast broadcast);

/// Bin Jia's algorithm with blocking calls. With FinalExchange::kThesis the `part` bytes in front of the data are
/// overwritten.
Task<> cube_bcast(Rank& rank, Broadcast broadcast);

/// Watts' and van de Geijn's algorithm: in each round all receives are posted at once, each piece is forwarded when it
/// has arrived, and the round ends when all have been sent. Of a library without requests, blocking calls in the order
/// in which pieces follow each other. @pre the grid has as many places as there are ranks
Task<> dopl_bcast(Rank& rank, DoplGrid grid, Broadcast broadcast);

}  // namespace ringmesh::workloads::broadcast
