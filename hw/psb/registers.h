// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

/// The card's registers, as offsets in its window, far above the range of the address translation table.
namespace ringmesh::hw {

inline constexpr std::uint64_t kRegisters = std::uint64_t{1} << 46;
/// The store barrier: reading it flushes the gathering stream buffer, and completes when all stores have their
/// responses.
inline constexpr std::uint64_t kBarrierRegister = kRegisters;
/// Writing it flushes the gathering stream buffer.
inline constexpr std::uint64_t kFlushRegister = kRegisters + 0x40;
/// Writing its last byte starts the DMA engine.
inline constexpr std::uint64_t kDmaRegister = kRegisters + 0x80;

/// Contents of the DMA register.
struct DmaDescriptor {
    std::uint64_t from = 0;            ///< local memory, a multiple of 4
    std::uint64_t to = 0;              ///< offset in the window, a multiple of 64
    std::uint64_t status_address = 0;  ///< local address of the status word
    std::uint32_t size = 0;            ///< bytes, a multiple of 64, not 0
    std::uint32_t status = 0;          ///< value of the status word
};
inline constexpr std::size_t kDmaDescriptorBytes = 32;
using DmaDescriptorBytes = std::array<std::byte, kDmaDescriptorBytes>;
static_assert(sizeof(DmaDescriptor) == kDmaDescriptorBytes);

}  // namespace ringmesh::hw
