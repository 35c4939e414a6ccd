// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "hw/scc/address_map.h"
#include "hw/scc/system_address.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// A core's look-up table (LUT): 256 entries, each of which maps 16 MB of the core's physical addresses. Takes no time
/// itself: the mesh interface unit includes it.
class LookUpTable {
public:
    static constexpr unsigned kEntries = address_map::kEntries;
    static constexpr std::uint32_t kEntryBytes = 16 * 1024 * 1024;

    /// @param core for messages
    explicit LookUpTable(unsigned core) : core_(core) {}

    /// @param size bytes mapped, up to 16 MB from `target` on
    /// @throws UserError if there is no such entry or the size does not fit
    void set(unsigned entry, const SystemAddress& target, Bytes size = Bytes(kEntryBytes));
    /// @throws UserError if the address is not mapped
    SystemAddress translate(std::uint32_t address) const;
    /// Bytes that an entry maps; 0: nothing. @pre there is such an entry
    std::uint32_t mapped(unsigned entry) const { return entries_.at(entry).size; }

private:
    struct Entry {
        SystemAddress target;
        std::uint32_t size = 0;  // 0: maps nothing
    };
    const unsigned core_;
    std::array<Entry, kEntries> entries_;
};

/// Memory that all cores share behind one controller.
struct SharedMemory {
    SystemAddress start;
    Bytes size{0};  ///< up to 16 MB; 0: it has none
};

/// Sets the chip's default entries (address_map.h): private memory, the memory that is shared, the tiles'
/// message-passing buffers, their registers.
/// @param tiles position of each tile, by its number @param memory start of the core's private memory
/// @param shared of each controller; what private memory has entries for is not mapped
/// @throws UserError if there are more tiles or memory than entries
void map_chip(LookUpTable& table, std::span<const mesh::Terminal> tiles, const SystemAddress& memory, Bytes size,
              std::span<const SharedMemory> shared = {});

}  // namespace ringmesh::hw
