// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "hw/memory.h"
#include "hw/scc/core/core_port.h"
#include "hw/scc/tile/message_buffer.h"
#include "hw/scc/tile/registers/configuration_registers.h"

namespace ringmesh::hw {

/// The bytes of a chip's message-passing buffers, registers and memories, found by terminal. A write takes effect at
/// once and calls the watchers, as transaction 0. Registers are read without side effect; a write releases a
/// test-and-set bit.
class ChipByteTable final : public ChipBytes {
public:
    ChipByteTable(unsigned columns, unsigned rows)
        : columns_(columns), entries_(std::size_t{columns} * rows * mesh::kPorts)
    {}

    /// The arguments outlive this. @throws ModelError if the terminal is outside the mesh or in use
    void add(mesh::Terminal where, MessageBuffer& buffer, ConfigurationRegisters& registers);
    void add(mesh::Terminal where, Memory& memory);

    void read(const SystemAddress& from, std::span<std::byte> into) const override;
    void write(const SystemAddress& to, std::span<const std::byte> from) override;
    void watch(const SystemAddress& place, CoreSide& core) override;
    void unwatch(const SystemAddress& place, CoreSide& core) override;

private:
    struct Entry {
        MessageBuffer* buffer = nullptr;
        ConfigurationRegisters* registers = nullptr;
        Memory* memory = nullptr;
    };

    Entry& new_entry(mesh::Terminal where);
    const Entry* find(mesh::Terminal where) const;
    /// @throws ModelError if there is none there
    MessageBuffer& buffer_at(const SystemAddress& place) const;
    ConfigurationRegisters& registers_at(const SystemAddress& place) const;
    Memory& memory_at(const SystemAddress& place) const;

    unsigned columns_;
    std::vector<Entry> entries_;
};

}  // namespace ringmesh::hw
