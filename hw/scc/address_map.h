// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/scc/scc_processor.h"

/// The address map of a core. Physical ones are those of the look-up table, 16 MB for each of its entries. Up to 32
/// tiles as the SCC's software sets it [KIT]:
///
///     entry 0 on         private memory
///     0x80 + controller  the memory behind a controller that all cores share [RCCE]
///     0xC0 + tile        a tile's message-passing buffers: core 0's, then core 1's
///     0xE0 + tile        its configuration registers
///
/// Of more tiles there is no chip. Assumed: the same order without gaps, the registers last, so that private memory has
/// what the tiles leave: 60 entries with 96 tiles.
///
/// Virtual ones are as this model's operating system maps them.
namespace ringmesh::hw::address_map {

inline constexpr unsigned kEntries = 256;
inline constexpr unsigned kMostControllers = 4;
/// One entry is left for private memory.
inline constexpr unsigned kMostTiles = (kEntries - kMostControllers - 1) / 2;

/// The first entry of each kind.
struct FirstEntries {
    unsigned shared = 0x80;
    unsigned message_buffer = 0xC0;
    unsigned registers = 0xE0;
};
/// @pre tiles <= kMostTiles
constexpr FirstEntries first_entries(unsigned tiles)
{
    constexpr FirstEntries kOfTheChip;
    if (tiles <= kOfTheChip.registers - kOfTheChip.message_buffer) return kOfTheChip;
    return {.shared = kEntries - 2 * tiles - kMostControllers,
            .message_buffer = kEntries - 2 * tiles,
            .registers = kEntries - tiles};
}

inline constexpr std::uint32_t kRegisterPage = 4096;

inline constexpr std::uint32_t kHeap = 0x1000'0000;            ///< virtual: what allocate() gives
inline constexpr std::uint32_t kMessageBuffers = 0xC000'0000;  ///< virtual: one behind the other, by core
inline constexpr std::uint32_t kRegisters = 0xE000'0000;       ///< virtual: a page for each tile
inline constexpr std::uint32_t kShared = 0xF000'0000;          ///< virtual: shared memory, by kind of page and entry

constexpr std::uint32_t entry_address(unsigned entry) { return std::uint32_t{entry} << 24; }
constexpr std::uint32_t message_buffer(unsigned core) { return kMessageBuffers + core * SccProcessor::kMessageBuffer; }

}  // namespace ringmesh::hw::address_map
