// SPDX-License-Identifier: Apache-2.0
#include "analytic/scc.h"

#include <algorithm>
#include <bit>

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

double torus_capacity(int columns, int rows)
{
    require(columns >= 1 && rows >= 1 && columns * rows > 1, "a torus has at least two nodes");
    // The mean way around a ring, both directions, for each packet that a node offers
    const auto used = [](int n) { return n < 3 ? (n - 1) / 2.0 : (n % 2 == 0 ? n / 8.0 : (n * n - 1) / (8.0 * n)); };
    return 1 / std::max(used(columns), used(rows));
}

double mesh_channel_rate(int buffer_flits, int pipeline, int link)
{
    require(buffer_flits >= 1 && pipeline >= 1 && link >= 1, "a buffer holds a flit, stages and links take a cycle");
    return std::min(1.0, static_cast<double>(buffer_flits) / (std::min(pipeline, 2) + 2 * link + 1));
}

namespace {

constexpr std::int64_t kLine = 32;  // bytes
constexpr double kHit = 1;          // core cycles of a load or store that hits the first-level cache

std::int64_t pieces(std::int64_t bytes, std::int64_t piece) { return (bytes + piece - 1) / piece; }

/// Core cycles to where a line of private memory lies.
double private_access(const SccClocks& clocks, bool is_cached, double hops)
{
    return is_cached ? scc_second_level_hit() : scc_memory_read(clocks, hops);
}

}  // namespace

SccCopies scc_hitting_copies(int width) { return {.width = width, .source = 0, .target = 0, .store = kHit}; }

SccCopies scc_plain_copies(int width, const SccClocks& clocks, bool is_cached, double hops)
{
    const double access = private_access(clocks, is_cached, hops);
    return {.width = width, .source = access, .target = 0, .store = access};
}

SccCopies scc_prefetching_copies(int width, const SccClocks& clocks, bool is_cached, double hops)
{
    const double access = private_access(clocks, is_cached, hops);
    return {.width = width, .source = access, .target = access, .store = kHit};
}

SccMessageCosts scc_message_costs(const SccClocks& clocks, const SccCopies& copies, std::int64_t payload)
{
    require(copies.width == 1 || copies.width == 2 || copies.width == 4, "a copy is 1, 2 or 4 bytes wide");
    const double access = scc_buffer_read(clocks, 0);
    const double accesses = static_cast<double>(kLine) / copies.width;
    // A line: written to the own buffer, read from the other's. A handshake: either flag is written to the other's
    // buffer, read in the own and cleared there
    return {.call = 0,
            .put_line = copies.source + accesses * (kHit + kHit) + access,
            .get_line = access + copies.target + accesses * (kHit + copies.store),
            .line_hop = scc_hop(clocks),
            .handshake = 2 * 3 * access,
            .handshake_hop = 2 * scc_hop(clocks),
            .payload = payload};
}

std::int64_t scc_pieces(std::int64_t bytes, std::int64_t payload)
{
    require(bytes >= 1, "a message has at least one byte");
    require(payload >= kLine && payload % kLine == 0, "a payload has at least one line, and whole ones");
    const std::int64_t rest = bytes % payload;
    return bytes / payload + (rest >= kLine ? 1 : 0) + (rest % kLine != 0 ? 1 : 0);
}

double scc_preparation(const SccMessageCosts& costs, std::int64_t bytes)
{
    scc_pieces(bytes, costs.payload);
    const std::int64_t lines = bytes < kLine ? 1 : std::min(bytes / kLine, costs.payload / kLine);
    return costs.call + static_cast<double>(lines) * costs.put_line;
}

double scc_message(const SccMessageCosts& costs, std::int64_t bytes, double hops)
{
    require(is_finite_from(hops, 0), "hops must not be negative");
    const auto handshakes = static_cast<double>(scc_pieces(bytes, costs.payload));
    const auto lines = static_cast<double>(pieces(bytes, kLine));
    return costs.call + handshakes * (costs.handshake + hops * costs.handshake_hop) +
           lines * (costs.put_line + costs.get_line + hops * costs.line_hop);
}

double scc_ping_pong(const SccMessageCosts& costs, std::int64_t bytes, double hops)
{
    return 2 * scc_message(costs, bytes, hops);
}

double rcce_bcast_time(const SccMessageCosts& costs, unsigned cores, std::int64_t bytes, double hops)
{
    require(cores >= 2, "a broadcast needs two cores");
    return (cores - 1) * scc_message(costs, bytes, hops);
}

int cube_dimension(unsigned cores)
{
    require(cores >= 2, "a broadcast needs two cores");
    return static_cast<int>(std::bit_width(cores)) - 1;
}

std::int64_t cube_rounds(unsigned cores, std::int64_t parts)
{
    require(parts >= 1, "a broadcast has at least one part");
    return parts + cube_dimension(cores) - 1;
}

double cube_time(const SccMessageCosts& costs, unsigned cores, std::int64_t bytes, std::int64_t part, double series,
                 double hops)
{
    require(bytes >= 1 && part >= 1, "sizes are at least 1 byte");
    require(is_finite_from(series, 1), "a round has at least one transfer");
    const auto rounds = static_cast<double>(cube_rounds(cores, pieces(bytes, part)));
    return rounds * series * scc_message(costs, std::min(bytes, part), hops);
}

std::int64_t dopl_rounds(std::int64_t parts)
{
    require(parts >= 1, "a broadcast has at least one part");
    return parts + 1;
}

double dopl_time(const SccMessageCosts& costs, std::int64_t bytes, std::int64_t part, std::int64_t pipe, double series,
                 double hops)
{
    require(bytes >= 1 && part >= 1 && pipe >= 1 && pipe <= part, "sizes are at least 1 byte, pipe at most a part");
    require(is_finite_from(series, 1), "a round has at least one transfer");
    const auto rounds = static_cast<double>(dopl_rounds(pieces(bytes, part)));
    return rounds * series * scc_message(costs, std::min(bytes, pipe), hops);
}

}  // namespace ringmesh::analytic
