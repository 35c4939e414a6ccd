// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "hw/scc/core/cache.h"

namespace ringmesh::hw {

/// The write-combine buffer: gathers the stores to one line of a message-passing buffer. Plain logic: the core flushes
/// it when it is full and before a store to another line.
///
/// Loads do not see it: unflushed stores are visible only in L1, if that holds the line. So programs flush it by a
/// store to a dedicated line [RCCE].
class WriteCombineBuffer {
public:
    bool empty() const { return mask_ == 0; }
    bool full() const { return mask_ == ~std::uint32_t{0}; }
    /// Whether it can take a store to this address.
    bool takes(std::uint32_t address) const { return empty() || line_of(address) == line_; }
    /// Address of its line. @pre not empty()
    std::uint32_t line() const { return line_; }
    /// Bit i for byte i.
    std::uint32_t mask() const { return mask_; }
    const LineBytes& bytes() const { return bytes_; }

    /// @pre takes(address); the bytes are within the line
    void store(std::uint32_t address, std::span<const std::byte> from);
    void clear() { mask_ = 0; }
    /// Overlays its bytes on bytes read elsewhere. @pre within one line
    void overlay(std::uint32_t address, std::span<std::byte> onto) const;
    /// Replaces bytes that it holds. @pre within one line
    void replace(std::uint32_t address, std::span<const std::byte> from);

private:
    std::uint32_t line_ = 0;
    std::uint32_t mask_ = 0;
    LineBytes bytes_{};
};

}  // namespace ringmesh::hw
