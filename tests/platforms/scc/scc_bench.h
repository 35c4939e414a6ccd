// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "platforms/scc/machine.h"
#include "tests/hw/printing.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::test {

/// A whole SCC.
struct SccBench {
    explicit SccBench(const platforms::SccParams& wanted = {}, std::uint64_t seed = 1)
        : params(wanted), simulation(seed), chip(simulation, wanted)
    {}

    static platforms::SccParams with(hw::MeshDetail detail)
    {
        platforms::SccParams params;
        params.mesh.detail = detail;
        return params;
    }
    void run()
    {
        simulation.run();
        simulation.require_drained();
    }

    platforms::SccParams params;
    Simulation simulation;
    platforms::SccChip chip;
};

/// Loads a word and notes how long it took. Static: clang 14 cannot compile an inline coroutine with its sanitizers.
[[maybe_unused]] static Task<> timed_load(SccProcessor& core, std::uint64_t address, Duration& took)
{
    std::array<std::byte, 4> word{};
    const LoadRequest load{.address = address, .data = word.data(), .size = 4};
    const Duration begin = core.time();
    co_await core.load(load);
    took = core.time() - begin;
}

}  // namespace ringmesh::test
