// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

#include "tlm/mesh/packet.h"
#include "tlm/scc/scc_processor.h"

/// Addresses on the SCC's mesh, the output of a core's look-up table.
namespace ringmesh::hw {

inline constexpr std::uint32_t kCacheLine = SccProcessor::kLine;  ///< bytes; no access reaches across the end of one

/// The target at a terminal of the mesh.
enum class Space : std::uint8_t {
    kMessageBuffer,  ///< the 16 KB of a tile's MPB: the lower half is core 0's, the upper core 1's
    kRegisters,      ///< a tile's configuration registers
    kMemory,         ///< DRAM behind a memory controller
};

/// The address of a byte: a terminal, the target there, and the offset in it.
struct SystemAddress {
    mesh::Terminal where;
    Space space = Space::kMemory;
    std::uint64_t offset = 0;  ///< below 2^40

    auto operator<=>(const SystemAddress&) const = default;
};

/// As 64 bits, for generic payloads.
constexpr std::uint64_t encode(const SystemAddress& address)
{
    return address.offset | static_cast<std::uint64_t>(address.space) << 40 |
           static_cast<std::uint64_t>(address.where.port) << 44 | static_cast<std::uint64_t>(address.where.x) << 48 |
           static_cast<std::uint64_t>(address.where.y) << 56;
}

constexpr SystemAddress decode(std::uint64_t bits)
{
    return {.where = {.x = static_cast<std::uint16_t>(bits >> 48 & 0xFF),
                      .y = static_cast<std::uint16_t>(bits >> 56 & 0xFF),
                      .port = static_cast<mesh::Port>(bits >> 44 & 0xF)},
            .space = static_cast<Space>(bits >> 40 & 0xF),
            .offset = bits & 0xFF'FFFF'FFFF};
}

}  // namespace ringmesh::hw
