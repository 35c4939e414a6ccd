// SPDX-License-Identifier: Apache-2.0
#include "analytic/scc.h"

#include <algorithm>

#include "analytic/domain.h"

namespace ringmesh::analytic {
namespace {

constexpr double kOwnBuffer = 15;     // core cycles [PG]
constexpr double kBuffer = 45;        // core cycles [PG]
constexpr double kMemoryCore = 40;    // core cycles [PG]
constexpr double kMemoryCycles = 46;  // memory cycles [PG]
constexpr double kSecondLevel = 18;   // core cycles, assumed [PG]
constexpr double kThereAndBack = 8;   // mesh cycles of each router passed [PG]

double ratio(Frequency of, Frequency to)
{
    require(of.hz() > 0 && to.hz() > 0, "clocks must be above 0 Hz");
    return static_cast<double>(of.hz()) / static_cast<double>(to.hz());
}

double routers(const SccClocks& clocks, double hops)
{
    require(is_finite_from(hops, 0), "hops must not be negative");
    return (hops + 1) * scc_hop(clocks);
}

/// Mean distance of two of n in a row, both at random.
double mean_distance(int n) { return (static_cast<double>(n) * n - 1) / (3.0 * n); }

}  // namespace

double scc_own_buffer_read() { return kOwnBuffer; }

double scc_hop(const SccClocks& clocks) { return kThereAndBack * ratio(clocks.core, clocks.mesh); }

double scc_buffer_read(const SccClocks& clocks, int hops) { return kBuffer + routers(clocks, hops); }

double scc_memory_read(const SccClocks& clocks, double hops)
{
    return kMemoryCore + routers(clocks, hops) + kMemoryCycles * ratio(clocks.core, clocks.memory);
}

double scc_second_level_hit() { return kSecondLevel; }

double mesh_latency(int hops, int router_cycles, int terminal_cycles, int flits)
{
    require(hops >= 0 && router_cycles >= 0 && terminal_cycles >= 0 && flits >= 1,
            "hops and cycles must not be negative, flits at least 1");
    return (hops + 1.0) * router_cycles + terminal_cycles + flits - 1;
}

double mean_mesh_latency(int columns, int rows, int router_cycles, int terminal_cycles, int flits)
{
    require(columns >= 1 && rows >= 1, "a mesh has at least one column and one row");
    return mesh_latency(0, router_cycles, terminal_cycles, flits) +
           (mean_distance(columns) + mean_distance(rows)) * router_cycles;
}

double mesh_capacity(int columns, int rows)
{
    require(columns >= 1 && rows >= 1 && columns * rows > 1, "a mesh has at least two nodes");
    // The middle link of a row carries the packets from the a sources on one side to the b nodes on the other: a * b /
    // n for each packet that a node offers; likewise in columns
    const auto fullest = [](int n) {
        const int here = n / 2;
        return static_cast<double>(here) * (n - here) / n;
    };
    return 1 / std::max(fullest(columns), fullest(rows));
}

}  // namespace ringmesh::analytic
