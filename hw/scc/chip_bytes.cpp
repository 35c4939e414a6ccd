// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/chip_bytes.h"

#include <fmt/format.h>

#include <cstring>

#include "tlm/error.h"

namespace ringmesh::hw {

namespace {

[[noreturn]] void fail(std::string_view what, mesh::Terminal where)
{
    throw ModelError(fmt::format("{} at ({}, {}) {}", what, where.x, where.y, mesh::word(where.port)));
}

}  // namespace

const ChipByteTable::Entry* ChipByteTable::find(mesh::Terminal where) const
{
    const std::size_t at = (where.x + std::size_t{columns_} * where.y) * mesh::kPorts + mesh::index(where.port);
    return where.x < columns_ && at < entries_.size() ? &entries_[at] : nullptr;
}

ChipByteTable::Entry& ChipByteTable::new_entry(mesh::Terminal where)
{
    const Entry* found = find(where);
    if (found == nullptr) fail("no terminal", where);
    if (found->buffer != nullptr || found->memory != nullptr) fail("two memories", where);
    return entries_[static_cast<std::size_t>(found - entries_.data())];
}

void ChipByteTable::add(mesh::Terminal where, MessageBuffer& buffer, ConfigurationRegisters& registers)
{
    Entry& entry = new_entry(where);
    entry.buffer = &buffer;
    entry.registers = &registers;
}

void ChipByteTable::add(mesh::Terminal where, Memory& memory) { new_entry(where).memory = &memory; }

MessageBuffer& ChipByteTable::buffer_at(const SystemAddress& place) const
{
    const Entry* entry = place.space == Space::kMessageBuffer ? find(place.where) : nullptr;
    if (entry == nullptr || entry->buffer == nullptr) fail("no message-passing buffer", place.where);
    return *entry->buffer;
}

ConfigurationRegisters& ChipByteTable::registers_at(const SystemAddress& place) const
{
    const Entry* entry = find(place.where);
    if (entry == nullptr || entry->registers == nullptr) fail("no registers", place.where);
    return *entry->registers;
}

Memory& ChipByteTable::memory_at(const SystemAddress& place) const
{
    const Entry* entry = find(place.where);
    if (entry == nullptr || entry->memory == nullptr) fail("no memory", place.where);
    return *entry->memory;
}

void ChipByteTable::read(const SystemAddress& from, std::span<std::byte> into) const
{
    switch (from.space) {
        case Space::kMessageBuffer: return buffer_at(from).read(from.offset, into);
        case Space::kMemory: return memory_at(from).read(from.offset, into);
        case Space::kRegisters: break;
    }
    const std::uint32_t value = registers_at(from).peek(from.offset);
    if (from.offset % sizeof value + into.size() > sizeof value) fail("a read across registers", from.where);
    std::memcpy(into.data(), reinterpret_cast<const std::byte*>(&value) + from.offset % sizeof value, into.size());
}

void ChipByteTable::write(const SystemAddress& to, std::span<const std::byte> from)
{
    switch (to.space) {
        case Space::kMessageBuffer:
            buffer_at(to).write(to.offset, from);
            return buffer_at(to).changed(to.offset, from.size(), 0);
        case Space::kMemory: return memory_at(to).write(to.offset, from);
        case Space::kRegisters: return registers_at(to).poke(to.offset);
    }
}

void ChipByteTable::watch(const SystemAddress& place, CoreSide& core) { buffer_at(place).watch(place, core); }

void ChipByteTable::unwatch(const SystemAddress& place, CoreSide& core) { buffer_at(place).unwatch(place, core); }

}  // namespace ringmesh::hw
