// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "hw/pci/pci_bus.h"

/// The interface of a card in a PCI slot of a PC.
namespace ringmesh::hw {

/// A PC has its memory below this PCI address, and the windows of its cards from there on.
inline constexpr std::uint64_t kCardWindow = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kWindowSize = std::uint64_t{1} << 56;  ///< of a card, registers included
constexpr std::uint64_t window_of_card(std::size_t card) { return kCardWindow + kWindowSize * card; }
/// @pre the address is in a card's window
constexpr std::size_t card_at(std::uint64_t address) { return (address - kCardWindow) / kWindowSize; }
inline constexpr std::size_t kMostCards = 8;  ///< of a PC

/// The resources of a card's slot.
struct PciSlot {
    std::size_t card = 0;      ///< which of the PC's cards
    std::uint64_t window = 0;  ///< PCI address of the card's window
    /// The interrupt line to the processor, with the number of the packet that rang.
    std::function<void(std::uint64_t packet)> interrupt = [](std::uint64_t) {};
    /// Throws if a request of another node may not access these bytes of the PC's memory. None: no check.
    std::function<void(unsigned from, std::uint64_t offset, std::uint64_t size)> admit;
};

/// A DMA copy of local memory to a mapped address by a card, which writes `status` to local memory at the end.
struct DmaCopy {
    std::uint64_t from = 0;            ///< local memory, a multiple of 4
    std::uint64_t to = 0;              ///< offset in the window, a multiple of 64
    std::uint64_t status_address = 0;  ///< local memory
    std::uint32_t size = 0;            ///< bytes, a multiple of 64, not 0
    std::uint32_t status = 0;
};

/// A network card on a PCI bus, as the driver and the processor of its PC see it. Mapped memory of other nodes appears
/// in the card's window; offsets count from the window's first byte. All else is loads and stores of registers, timed
/// like any transaction.
class PciCard {
public:
    struct Properties {
        std::uint32_t largest_transaction = 64;  ///< see PcProcessor
        std::uint32_t gathered_block = 64;       ///< see PcProcessor
        std::uint64_t barrier_register = 0;      ///< offset; a load of 4 bytes completes when all stores are complete
        std::uint64_t flush_register = 0;        ///< offset; a store of 4 bytes flushes the gathered bytes
        std::uint64_t doorbell = 0;              ///< offset in a node's memory; a store to it interrupts the node
        std::uint64_t doorbell_bytes = 4;
        bool dma_engine = false;  ///< it obeys dma_order()
    };
    /// Bytes to store consecutively from an offset in the window on. They live until the next order.
    struct RegisterStore {
        std::uint64_t offset = 0;
        std::span<const std::byte> bytes;
    };

    virtual ~PciCard() = default;

    /// Binds the card's sockets to a bus slot.
    virtual void plug_in(PciBus& bus, std::size_t slot) = 0;
    virtual Properties properties() const = 0;
    /// The stores that start a copy by the card's DMA engine, which its properties promise.
    virtual RegisterStore dma_order(const DmaCopy&) { return {}; }

    /// Maps `size` bytes from `offset` of a node's memory. @return their offset in the window; empty: no room
    virtual std::optional<std::uint64_t> map(unsigned node, std::uint64_t offset, std::uint64_t size) = 0;
    /// Why such a map failed, and the cure: "that takes 3 entries, and 2 are left; unmap something".
    virtual std::string no_room(std::uint64_t offset, std::uint64_t size) const = 0;
    /// Removes a map. @param offset in the window, as returned @param size as passed
    virtual void unmap(std::uint64_t offset, std::uint64_t size) = 0;
    /// Software looks at failures() behind each store barrier from now on, so that none ends the run.
    /// @return how often it is to send what failed; 0: it need not look, the network repairs what it loses
    virtual unsigned look_at_failures() { return 0; }
    /// Transactions to a node that have failed so far: behind a store barrier, all of the stores before it.
    virtual std::uint64_t failures(unsigned /*node*/) const { return 0; }
    /// Invalidates prefetched bytes before a range of the window is unmapped.
    /// @return false if the card still gathers stores to it
    virtual bool let_go(std::uint64_t begin, std::uint64_t end) = 0;
};

}  // namespace ringmesh::hw
