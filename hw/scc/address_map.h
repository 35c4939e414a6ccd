// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/scc/scc_processor.h"

/// The address map of a core. Physical ones are those of the look-up table, 16 MB for each of its entries [KIT]:
///
///     entry 0 on         private memory
///     0x80 + controller  the memory behind a controller that all cores share [RCCE]
///     0xC0 + tile        a tile's message-passing buffers: core 0's, then core 1's
///     0xE0 + tile        its configuration registers
///
/// Virtual ones are as this model's operating system maps them.
namespace ringmesh::hw::address_map {

inline constexpr unsigned kSharedEntry = 0x80;
inline constexpr unsigned kMessageBufferEntry = 0xC0;
inline constexpr unsigned kRegisterEntry = 0xE0;
inline constexpr unsigned kMostTiles = kRegisterEntry - kMessageBufferEntry;
inline constexpr std::uint32_t kRegisterPage = 4096;

inline constexpr std::uint32_t kHeap = 0x1000'0000;            ///< virtual: what allocate() gives
inline constexpr std::uint32_t kMessageBuffers = 0xC000'0000;  ///< virtual: one behind the other, by core
inline constexpr std::uint32_t kRegisters = 0xE000'0000;       ///< virtual: a page for each tile
inline constexpr std::uint32_t kShared = 0xF000'0000;          ///< virtual: shared memory, by kind of page and entry

constexpr std::uint32_t entry_address(unsigned entry) { return std::uint32_t{entry} << 24; }
constexpr std::uint32_t message_buffer(unsigned core) { return kMessageBuffers + core * SccProcessor::kMessageBuffer; }

}  // namespace ringmesh::hw::address_map
