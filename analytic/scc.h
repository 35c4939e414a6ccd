// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/units.h"

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

}  // namespace ringmesh::analytic
