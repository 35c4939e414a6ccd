// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/units/units.h"

/// Unloaded latencies of the SCC as its programmer's guide gives them [PG]: constants in the cycles of three clocks.
/// The guide counts the routers that a packet passes one way, which are one more than the links between the tiles.
/// Measurements are about 7 (buffers) and 20 (memory) core cycles longer, for the load instruction and its loop [BF].
namespace ringmesh::analytic {

struct SccClocks {
    Frequency core;
    Frequency mesh;
    Frequency memory;
};

/// Core cycles of a read of the own message-passing buffer that bypasses the mesh interface.
double scc_own_buffer_read();
/// Core cycles of a read of a message-passing buffer. @param hops links between the tiles, from 0
/// @throws std::domain_error if hops is negative or a clock is 0
double scc_buffer_read(const SccClocks& clocks, int hops);
/// Core cycles of a read of memory. @param hops links between the core's tile and its controller's, from 0; a mean will
/// do
double scc_memory_read(const SccClocks& clocks, double hops);
/// Core cycles of a second-level cache hit: about 18, assumed [PG].
double scc_second_level_hit();
/// Core cycles that one more link adds to either, there and back.
double scc_hop(const SccClocks& clocks);

/// Mesh cycles until the last flit of a packet arrives on an empty mesh: each router with its link takes
/// `router_cycles`.
/// @throws std::domain_error if an argument is negative, or flits is 0
double mesh_latency(int hops, int router_cycles, int terminal_cycles, int flits);
/// Its mean over all pairs of a mesh, nodes with themselves included.
double mean_mesh_latency(int columns, int rows, int router_cycles, int terminal_cycles, int flits);
/// Offered load, in flits per node and cycle, at which the fullest link of a mesh is always busy under uniform traffic
/// (nodes to themselves included) and dimension-order routing: no mesh accepts more.
double mesh_capacity(int columns, int rows);
/// The same of a torus with the shorter way around each ring: 8 / k for rings of an even number of routers k.
double torus_capacity(int columns, int rows);
/// Flits per cycle of one virtual channel: a buffer for each round trip of a credit, min(pipeline, 2) + 2 link + 1
/// cycles, and at most one. A link carries at most the sum of its channels'.
double mesh_channel_rate(int buffer_flits, int pipeline, int link);

/// Messages and broadcasts over the message-passing buffers of the SCC without contention. A message is put into the
/// sender's buffer and got from there piece by piece, each with a handshake, so its time is linear in lines and pieces,
/// and both grow with the distance. Times are in whatever unit the costs are in; for `scc_message_costs` that is core
/// cycles.

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
