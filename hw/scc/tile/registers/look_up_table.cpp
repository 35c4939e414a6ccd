// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/tile/registers/look_up_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/scc/address_map.h"
#include "tlm/error.h"

namespace ringmesh::hw {

void LookUpTable::set(unsigned entry, const SystemAddress& target, Bytes size)
{
    if (entry >= kEntries) {
        throw UserError(fmt::format("core {}: there is no LUT entry {}; they are 0 to {}", core_, entry, kEntries - 1));
    }
    if (size.count() < 1 || size.count() > kEntryBytes) {
        throw UserError(fmt::format("core {}: LUT entry {:#x} cannot map {} bytes; 1 to {} are possible", core_, entry,
                                    size.count(), kEntryBytes));
    }
    entries_[entry] = {target, static_cast<std::uint32_t>(size.count())};
}

SystemAddress LookUpTable::translate(std::uint32_t address) const
{
    const std::uint32_t number = address / kEntryBytes;
    const std::uint32_t offset = address % kEntryBytes;
    const Entry& entry = entries_[number];
    if (offset >= entry.size) {
        throw UserError(
            fmt::format("core {}: physical address {:#x} is in LUT entry {:#x}, which maps {}; set the entry", core_,
                        address, number, entry.size == 0 ? "nothing" : fmt::format("{:#x} bytes", entry.size)));
    }
    SystemAddress target = entry.target;
    target.offset += offset;
    return target;
}

void map_chip(LookUpTable& table, std::span<const mesh::Terminal> tiles, const SystemAddress& memory, Bytes size,
              std::span<const SharedMemory> shared)
{
    constexpr Bytes kMessageBuffers{2 * SccProcessor::kMessageBuffer};
    constexpr std::int64_t kEntry = LookUpTable::kEntryBytes;
    if (tiles.size() > address_map::kMostTiles) {
        throw UserError(
            fmt::format("{} tiles: a core's look-up table has entries for {}", tiles.size(), address_map::kMostTiles));
    }
    const auto first = address_map::first_entries(static_cast<unsigned>(tiles.size()));
    if (size.count() > first.message_buffer * kEntry) {
        throw UserError(fmt::format("{} bytes of private memory: a core's look-up table has entries for {}",
                                    size.count(), first.message_buffer * kEntry));
    }
    for (unsigned i = 0; i < shared.size(); ++i) {
        if (shared[i].size.count() == 0) continue;
        table.set(first.shared + i, shared[i].start, shared[i].size);
    }
    SystemAddress there = memory;
    for (std::int64_t done = 0; done < size.count(); done += kEntry, there.offset += LookUpTable::kEntryBytes) {
        table.set(static_cast<unsigned>(done / kEntry), there, Bytes(std::min(kEntry, size.count() - done)));
    }
    for (unsigned tile = 0; tile < tiles.size(); ++tile) {
        table.set(first.message_buffer + tile, {tiles[tile], Space::kMessageBuffer, 0}, kMessageBuffers);
        table.set(first.registers + tile, {tiles[tile], Space::kRegisters, 0}, Bytes(address_map::kRegisterPage));
    }
}

}  // namespace ringmesh::hw
