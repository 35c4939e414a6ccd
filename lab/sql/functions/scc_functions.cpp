// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "analytic/scc.h"
#include "lab/sql/functions/broadcast_model.h"
#include "lab/sql/functions/functions.h"
#include "platforms/scc/layout.h"
#include "workloads/libraries/rcce/options.h"

/// The programmer's guide's latencies, at the clocks of the default preset or at given ones, and what messages and
/// broadcasts of RCCE and iRCCE would take by them, without contention. Copies are those of the libraries' defaults.
namespace ringmesh::lab {

using analytic::SccClocks;

template <>
struct SqlArgument<SccClocks> {
    static constexpr std::array kNames{"core_mhz", "mesh_mhz", "memory_mhz"};

    static SccClocks from(std::span<const workloads::Cell> cells)
    {
        const auto clock = [](const workloads::Cell& cell) {
            const double mhz = real_argument(cell);
            if (!(mhz > 0 && mhz < 1e6)) throw std::domain_error("a clock in MHz is above 0 and below 1,000,000");
            return Frequency::hertz(std::llround(mhz * 1e6));
        };
        return {.core = clock(cells[0]), .mesh = clock(cells[1]), .memory = clock(cells[2])};
    }
};

namespace {

using workloads::broadcast::Algorithm;

constexpr SccClocks kSccPreset{.core = Frequency::hertz(533'333'333), .mesh = 800_MHz, .memory = 800_MHz};

platforms::SccLayout scc_layout() { return {6, 4}; }

/// Of a handshake of RCCE 1.1 with this many cores: all flags of the library and two of its barrier.
std::int64_t scc_payload(int cores)
{
    if (cores < 2 || cores > static_cast<int>(scc_layout().cores()))
        throw std::domain_error("the SCC has 2 to 48 cores");
    workloads::rcce::Layout layout(workloads::rcce::Version::k1_1, static_cast<std::uint32_t>(cores));
    for (int flag = 0; flag < 2; ++flag) layout.add_flag();
    return layout.payload();
}

/// Of the thesis' programs.
workloads::rcce::LibraryOptions scc_library()
{
    return workloads::rcce::LibraryOptions::of(workloads::rcce::Preset::kPichler2012);
}

double scc_round_trip(int bytes, double hops)
{
    const auto width = static_cast<int>(scc_library().copy_width);
    const auto costs = analytic::scc_message_costs(kSccPreset, analytic::scc_hitting_copies(width),
                                                   scc_payload(static_cast<int>(scc_layout().cores())));
    return analytic::scc_ping_pong(costs, bytes, hops);
}

/// RCCE copies plain bytes; iRCCE fetches lines before it writes words. Memory is at the mean distance of the cores
/// from their controllers.
analytic::SccMessageCosts scc_costs(const BroadcastCase& what, const platforms::SccLayout& layout)
{
    constexpr std::int64_t kSecondLevelCache = 256 << 10;
    const workloads::rcce::LibraryOptions library = scc_library();
    double hops = 0;
    for (unsigned core = 0; core < what.cores; ++core) hops += layout.hops_to_memory(core);
    hops /= what.cores;
    const bool cached = what.size <= kSecondLevelCache;
    const auto copies =
        what.algorithm == Algorithm::kDopl
            ? analytic::scc_prefetching_copies(static_cast<int>(library.ircce_copy_width), kSccPreset, cached, hops)
            : analytic::scc_plain_copies(static_cast<int>(library.copy_width), kSccPreset, cached, hops);
    return analytic::scc_message_costs(kSccPreset, copies, scc_payload(static_cast<int>(what.cores)));
}

/// When each core returns from its call.
std::vector<double> scc_returns(const BroadcastCase& what)
{
    if (what.size < 1) throw std::domain_error("a broadcast has at least 1 byte");
    const platforms::SccLayout layout = scc_layout();
    const auto costs = broadcast_costs(scc_costs(what, layout),
                                       [&layout](unsigned from, unsigned to) { return layout.hops(from, to); });
    return broadcast_returns(what, costs);
}

unsigned scc_cores(int cores)
{
    scc_payload(cores);  // throws
    return static_cast<unsigned>(cores);
}

double scc_cube(int cores, int bytes, int part)
{
    if (part < 1) throw std::domain_error("a part has at least 1 byte");
    return scc_returns({.algorithm = Algorithm::kCube, .cores = scc_cores(cores), .size = bytes, .part = part}).front();
}

double scc_dopl(int cores, int bytes, int part, int pipe)
{
    if (cores % 12 != 0) throw std::domain_error("DOPL runs on 12, 24, 36 or 48 cores");
    if (pipe < 1 || part < pipe) throw std::domain_error("a piece has at least 1 byte and is no longer than a part");
    const auto returns = scc_returns({.algorithm = Algorithm::kDopl,
                                      .cores = scc_cores(cores),
                                      .size = bytes,
                                      .part = part,
                                      .pipe = pipe,
                                      .equal_pieces = true});
    return *std::ranges::max_element(returns);
}

double scc_bcast(int cores, int bytes)
{
    return scc_returns({.algorithm = Algorithm::kOwn, .cores = scc_cores(cores), .size = bytes}).front();
}

double scc_routers(int from, int to)
{
    const platforms::SccLayout layout = scc_layout();
    const auto cores = static_cast<int>(layout.cores());
    if (from < 0 || to < 0 || from >= cores || to >= cores) throw std::domain_error("cores are 0 to 47");
    return 1.0 + layout.hops(static_cast<unsigned>(from), static_cast<unsigned>(to));
}

}  // namespace

std::vector<SqlFunction> scc_functions()
{
    using namespace analytic;
    const std::string by_schedule = "[PG], [004 ch.5], docs/reference/programs/broadcast.md";
    return {
        formula("scc_own_buffer_read_cycles", {}, "core cycles",
                "read of a dword of the own message-passing buffer past the mesh interface", "[PG]",
                &scc_own_buffer_read),
        formula("scc_buffer_read_cycles", {"hops"}, "core cycles",
                "read of a dword of a message-passing buffer so many links away, at 533/800/800 MHz", "[PG]",
                [](int hops) { return scc_buffer_read(kSccPreset, hops); }),
        formula("scc_buffer_read_cycles", {"hops"}, "core cycles", "the same at given clocks", "[PG]",
                [](int hops, SccClocks clocks) { return scc_buffer_read(clocks, hops); }),
        formula("scc_memory_read_cycles", {"hops"}, "core cycles",
                "read of a dword of memory, its controller so many links away, at 533/800/800 MHz", "[PG]",
                [](double hops) { return scc_memory_read(kSccPreset, hops); }),
        formula("scc_memory_read_cycles", {"hops"}, "core cycles", "the same at given clocks", "[PG]",
                [](double hops, SccClocks clocks) { return scc_memory_read(clocks, hops); }),
        formula("scc_second_level_hit_cycles", {}, "core cycles", "read that hits the second-level cache", "[PG]",
                &scc_second_level_hit),
        formula("scc_hop_cycles", {}, "core cycles", "what one more link adds to a read, at 533/800/800 MHz", "[PG]",
                [] { return scc_hop(kSccPreset); }),
        formula("scc_routers", {"from_core", "to_core"}, "routers", "that a packet passes between two cores", "[KIT]",
                &scc_routers),
        formula("scc_payload_bytes", {"cores"}, "B", "that a handshake of RCCE 1.1 carries", "[RCCE]",
                [](int cores) { return static_cast<double>(scc_payload(cores)); }),
        formula("scc_ping_pong_cycles", {"bytes", "hops"}, "core cycles",
                "round trip over RCCE on 48 cores at 533/800/800 MHz; all that is copied lies in first-level caches",
                "[PG], docs/reference/programs/rcce.md", &scc_round_trip),
        formula("scc_rcce_bcast_cycles", {"cores", "bytes"}, "core cycles",
                "RCCE_bcast until the root returns, at 533/800/800 MHz, without contention", "[PG], [RCCE]",
                &scc_bcast),
        formula("scc_cube_cycles", {"cores", "bytes", "part_bytes"}, "core cycles",
                "broadcast by Cube over RCCE until the root returns, at 533/800/800 MHz: its schedule without "
                "contention",
                by_schedule, &scc_cube),
        formula("scc_dopl_cycles", {"cores", "bytes", "part_bytes", "pipe_bytes"}, "core cycles",
                "broadcast by DOPL over iRCCE until the last core returns, at 533/800/800 MHz: its schedule "
                "without contention, each part in equal pieces",
                "[PG], [004 ch.6], docs/reference/programs/broadcast.md", &scc_dopl),
        formula("scc_cube_rounds", {"cores", "parts"}, "rounds", "of Cube", "[004 5.1]",
                [](int cores, int parts) { return static_cast<double>(cube_rounds(scc_cores(cores), parts)); }),
        formula("scc_dopl_rounds", {"parts"}, "rounds", "of DOPL", "[004 6.2]",
                [](int parts) { return static_cast<double>(dopl_rounds(parts)); }),
    };
}

}  // namespace ringmesh::lab
