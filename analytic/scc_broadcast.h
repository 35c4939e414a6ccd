// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "analytic/scc.h"

/// Messages and broadcasts over the message-passing buffers of the SCC without contention. A message is put into the
/// sender's buffer and got from there piece by piece, each with a handshake, so its time is linear in lines and pieces,
/// and both grow with the distance. Times are in whatever unit the costs are in; for `scc_message_costs` that is core
/// cycles.
namespace ringmesh::analytic {

struct SccMessageCosts {
    double call = 0;              ///< of either side
    double put_line = 0;          ///< to copy a line to the own message-passing buffer
    double get_line = 0;          ///< to copy one from a buffer on the own tile to private memory
    double line_hop = 0;          ///< more for each link between the tiles
    double handshake = 0;         ///< of a piece: both flags written, seen and cleared
    double handshake_hop = 0;     ///< more for each link
    std::int64_t payload = 8032;  ///< most bytes of a piece
};

/// How a library copies, and what private memory adds, in core cycles. A first-level cache hit takes 1.
struct SccCopies {
    int width = 4;      ///< bytes of a load or store: 1, 2 or 4
    double source = 0;  ///< more for each line that a put reads from private memory
    double target = 0;  ///< more for each line that a get fetches from there before it writes it
    double store = 1;   ///< of a get's store
};

/// Copies that hit the first-level cache at both ends, as in a ping-pong of small messages.
SccCopies scc_hitting_copies(int width);
/// Single stores to lines that miss in the first-level cache, which does not allocate on a write. They go to the second
/// level or, if the buffer does not fit there, to memory, where each is acknowledged and takes as long as a read.
/// @param hops links between the core's tile and its controller's; a mean of several will do
SccCopies scc_plain_copies(int width, const SccClocks& clocks, bool is_cached, double hops);
/// A line is fetched before it is written, so that its stores hit.
SccCopies scc_prefetching_copies(int width, const SccClocks& clocks, bool is_cached, double hops);

/// RCCE's costs from the guide's latencies [PG]: a write of a message-passing buffer takes as long as a read, and a
/// line takes one access per word or byte. No contention. The clocks are the only parameters used.
/// @throws std::domain_error if the width is not 1, 2 or 4
SccMessageCosts scc_message_costs(const SccClocks& clocks, const SccCopies& copies, std::int64_t payload);

/// Pieces of a message: full payloads, the remaining whole lines, and the last bytes in a padded line.
/// @throws std::domain_error if bytes or payload is below 1, or payload is no whole lines
std::int64_t scc_pieces(std::int64_t bytes, std::int64_t payload);
/// The sender's time before it depends on the receiver: the call and the put of the first piece.
double scc_preparation(const SccMessageCosts& costs, std::int64_t bytes);
/// From both calls to both returns. @param hops links between the tiles; a mean of several will do
double scc_message(const SccMessageCosts& costs, std::int64_t bytes, double hops);
/// There and back.
double scc_ping_pong(const SccMessageCosts& costs, std::int64_t bytes, double hops);

/// RCCE_bcast: one message after the other. @param hops mean distance of the others from the root
double rcce_bcast_time(const SccMessageCosts& costs, unsigned cores, std::int64_t bytes, double hops);

/// Floor of log2. @throws std::domain_error if there are fewer than 2 cores
int cube_dimension(unsigned cores);
/// Parts + q - 1, for any number of cores [004 5.1].
std::int64_t cube_rounds(unsigned cores, std::int64_t parts);
/// @param series serial transfers per round, because calls block, for many parts: on 12, 24, 36 and 48 cores 3 without
/// overlap and 2.2 to 2.5 with puts that overlap waiting (2.2 on 48); on powers of two 2 and 1.7 to 1.9; `program_ends`
/// of the schedule gives it, also for few parts
/// @param hops mean distance of those that exchange parts
double cube_time(const SccMessageCosts& costs, unsigned cores, std::int64_t bytes, std::int64_t part, double series,
                 double hops);

/// Parts + 1 [004 6.2].
std::int64_t dopl_rounds(std::int64_t parts);
/// @param series serial transfers of a piece per round: at least k for parts of k pieces, the number that a core in the
/// middle of a line forwards; on 48 cores 6 to 7 for the four of 2048 bytes, as rounds overlap; `program_ends` of the
/// schedule gives it
/// @param hops of one step of a line
double dopl_time(const SccMessageCosts& costs, std::int64_t bytes, std::int64_t part, std::int64_t pipe, double series,
                 double hops);

}  // namespace ringmesh::analytic
