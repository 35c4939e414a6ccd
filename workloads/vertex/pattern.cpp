// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertex/pattern.h"

#include <algorithm>
#include <array>
#include <span>

#include "workloads/message.h"

namespace ringmesh::workloads::vertex {
namespace {

/// The unit of a copy.
using Chunk = std::array<std::byte, 256>;

}  // namespace

void fill_pattern(NcubeProcessor& cpu, std::uint64_t address, std::uint32_t size)
{
    Chunk chunk{};
    for (std::uint32_t done = 0; done < size;) {
        const auto count = std::min<std::uint32_t>(size - done, chunk.size());
        for (std::uint32_t i = 0; i < count; ++i) chunk[i] = pattern_byte(cpu.rank(), done + i);
        cpu.poke(address + done, std::span(chunk).first(count));
        done += count;
    }
}

std::optional<std::uint32_t> wrong_byte(const NcubeProcessor& cpu, std::uint64_t address, std::uint32_t size,
                                        int source)
{
    Chunk chunk{};
    for (std::uint32_t done = 0; done < size;) {
        const auto count = std::min<std::uint32_t>(size - done, chunk.size());
        cpu.peek(address + done, std::span(chunk).first(count));
        for (std::uint32_t i = 0; i < count; ++i) {
            if (chunk[i] != pattern_byte(static_cast<std::uint64_t>(source), done + i)) return done + i;
        }
        done += count;
    }
    return std::nullopt;
}

}  // namespace ringmesh::workloads::vertex
