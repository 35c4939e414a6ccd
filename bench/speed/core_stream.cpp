// SPDX-License-Identifier: Apache-2.0
//
// Cores of the SCC at work, no traffic but their own: each reads dwords of its memory without caches, or of a
// message-passing buffer on the other side of the chip, or streams through a buffer twice as large as its second-level
// cache. Prints one JSON line: transactions outside the cores per second of wall time, microseconds for each, memory.
//
//     core_stream memory|mpb|cached [CORES [ACCESSES [path|flit]]]

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bench/speed/measure.h"
#include "platforms/scc/machine.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using bench::resident_kilobytes;

constexpr std::uint32_t kLine = SccProcessor::kLine;

struct Work {
    bool mpb = false;
    bool cached = false;
    std::uint32_t accesses = 0;
};

Task<> read(SccProcessor& core, Work work, std::uint64_t buffer, std::uint32_t size)
{
    std::array<std::byte, 4> word{};
    for (std::uint32_t i = 0; i < work.accesses; ++i) {
        if (work.mpb) co_await core.invalidate_message_buffers();
        const LoadRequest load{.address = buffer + (i * kLine) % size, .data = word.data(), .size = 4};
        co_await core.load(load);
    }
}

int run(const char* what, unsigned cores, Work work, bool flit)
{
    const double before_kb = resident_kilobytes();
    Simulation simulation(1);
    platforms::SccParams params;
    if (flit) params.mesh.detail = hw::MeshDetail::kFlit;
    platforms::SccChip chip(simulation, params);
    const std::uint32_t size = work.mpb ? SccProcessor::kMessageBuffer : 512 * 1024;
    for (unsigned i = 0; i < cores; ++i) {
        SccProcessor& core = chip.processor(i);
        const std::uint64_t buffer = work.mpb
                                         ? core.message_buffer(chip.nodes() - 1 - i)
                                         : core.allocate(size, work.cached ? PageKind::kCached : PageKind::kUncached);
        core.run(read(core, work, buffer, size), "bench");
    }
    const bench::Stopwatch watch;
    simulation.run();
    const double wall = watch.seconds();
    simulation.require_drained();
    const double transactions = static_cast<double>(cores) * work.accesses;
    std::printf(
        "{\"what\": \"%s\", \"cores\": %u, \"mesh\": \"%s\", \"transactions\": %.0f, \"wall_seconds\": %.4f, "
        "\"microseconds_each\": %.4f, \"simulated_seconds\": %.6f, \"kilobytes\": %.0f}\n",
        what, cores, flit ? "flit" : "path", transactions, wall, wall / transactions * 1e6,
        sc_core::sc_time_stamp().to_seconds(), resident_kilobytes() - before_kb);
    std::fflush(stdout);
    std::_Exit(0);
}

}  // namespace

int sc_main(int argc, char** argv)
{
    const std::string what = argc > 1 ? argv[1] : "";
    const long cores = argc > 2 ? std::atol(argv[2]) : 1;
    const long accesses = argc > 3 ? std::atol(argv[3]) : 500'000;
    if ((what != "memory" && what != "mpb" && what != "cached") || cores < 1 || cores > 48 || accesses < 1) {
        std::fputs("usage: core_stream memory|mpb|cached [CORES [ACCESSES [path|flit]]]\n", stderr);
        return 2;
    }
    const Work work{.mpb = what == "mpb", .cached = what == "cached", .accesses = static_cast<std::uint32_t>(accesses)};
    return run(what.c_str(), static_cast<unsigned>(cores), work, argc > 4 && std::strcmp(argv[4], "flit") == 0);
}

int main(int argc, char** argv)
{
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    return sc_core::sc_elab_and_sim(argc, argv);
}
