// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/scc/core/scc_core.h"
#include "tests/hw/pattern.h"
#include "tests/hw/printing.h"
#include "tests/hw/scc/chip_probe.h"
#include "tlm/error.h"

namespace ringmesh::test {

/// A core on a chip of four tiles; everything outside it takes the same time.
struct CoreBench {
    static constexpr unsigned kMe = 5;
    static constexpr Duration kCycle = 1'875_ps;
    static constexpr std::uint32_t kLine = SccProcessor::kLine;

    explicit CoreBench(const hw::CoreParams& wanted = contiguous(), Duration latency = 100_ns,
                       const std::string& prefix = "")
        : params(wanted),
          simulation(1),
          chip(prefix + "chip", latency),
          core((prefix + "core").c_str(), simulation,
               {.rank = kMe, .place = kMe % 2, .cores = 8, .cycle = kCycle, .core = wanted}, table, chip, chip)
    {
        chip.core = &core;
        const std::array<mesh::Terminal, 4> tiles{{{0, 0}, {1, 0}, {0, 1}, {1, 1}}};
        hw::map_chip(table, tiles, memory_base(), wanted.memory);
    }
    static hw::CoreParams contiguous()
    {
        hw::CoreParams params;
        params.page_placement = "contiguous";
        params.memory = 16_MiB;
        return params;
    }
    static hw::SystemAddress memory_base() { return {{0, 0, mesh::Port::kWest}, hw::Space::kMemory, 0x500'0000}; }
    /// Where the contiguous heap's byte is.
    static hw::SystemAddress memory(std::uint64_t address)
    {
        auto place = memory_base();
        place.offset += address - 0x1000'0000;
        return place;
    }
    static hw::SystemAddress buffer(unsigned of, std::uint32_t offset)
    {
        const auto tile = static_cast<std::uint16_t>(of / 2);
        return {{static_cast<std::uint16_t>(tile % 2), static_cast<std::uint16_t>(tile / 2)},
                hw::Space::kMessageBuffer,
                of % 2 * SccProcessor::kMessageBuffer + offset};
    }

    void run(Task<> program)
    {
        core.run(std::move(program), "program");
        simulation.run();
    }
    Duration cycles(Cycles count) const { return kCycle * count.count(); }
    /// From when an access may leave until the core has the answer.
    Duration read_trip() const { return cycles(params.to_miu + params.from_miu) + chip.latency; }
    Duration write_trip() const { return cycles(params.to_miu + params.acknowledge) + chip.latency; }
    Duration hit() const { return cycles(params.load_issue + params.loop); }
    Duration store_hit() const { return cycles(params.store_issue + params.loop); }
    /// A load that misses both caches.
    Duration miss() const { return hit() + cycles(params.l2_miss) + read_trip(); }
    /// A load of a message-passing buffer that misses L1.
    Duration buffer_miss() const { return hit() + read_trip(); }
    Duration look() const { return cycles(params.invalidate) + buffer_miss(); }

    std::vector<std::byte> bytes_at(const hw::SystemAddress& where, std::size_t size) const
    {
        std::vector<std::byte> bytes(size);
        chip.read(where, bytes);
        return bytes;
    }

    hw::CoreParams params;
    Simulation simulation;
    ChipProbe chip;
    hw::LookUpTable table{kMe};
    hw::SccCore core;
};

/// Loads or stores of a program, with the time that each takes.
// Static: clang 14 cannot compile an inline coroutine with its sanitizers.
[[maybe_unused]] static Task<> load_bytes(SccProcessor& cpu, std::uint64_t address, std::span<std::byte> into,
                                          std::uint32_t width = 4)
{
    const LoadRequest load{address, into.data(), static_cast<std::uint32_t>(into.size()), width};
    co_await cpu.load(load);
}

[[maybe_unused]] static Task<> store_bytes(SccProcessor& cpu, std::uint64_t address, std::span<const std::byte> from,
                                           std::uint32_t width = 4)
{
    const StoreRequest store{
        .address = address, .data = from.data(), .size = static_cast<std::uint32_t>(from.size()), .width = width};
    co_await cpu.store(store);
}

}  // namespace ringmesh::test
