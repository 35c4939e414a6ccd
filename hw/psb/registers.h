// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hw/pci/pci_card.h"

/// The card's registers, as offsets in its window, far above the range of the address translation table.
namespace ringmesh::hw {

inline constexpr std::uint64_t kPsbRegisters = std::uint64_t{1} << 46;
/// The store barrier: reading it flushes the gathering stream buffer, and completes when all stores have their
/// responses.
inline constexpr std::uint64_t kBarrierRegister = kPsbRegisters;
/// Writing it flushes the gathering stream buffer.
inline constexpr std::uint64_t kFlushRegister = kPsbRegisters + 0x40;
/// Writing its last byte starts the DMA engine.
inline constexpr std::uint64_t kDmaRegister = kPsbRegisters + 0x80;

/// It holds a DmaCopy as it lies in memory.
using DmaRegisterBytes = std::array<std::byte, sizeof(DmaCopy)>;

}  // namespace ringmesh::hw
