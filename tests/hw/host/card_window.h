// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "hw/pci/pci_card.h"

namespace ringmesh::test {

/// The window of a card with room for so many consecutive mappings, and its registers. The test decides whether it has
/// a DMA engine.
class CardWindow : public hw::PciCard {
public:
    static constexpr std::uint64_t kRegisters = std::uint64_t{1} << 32;
    static constexpr std::uint64_t kBarrierRegister = kRegisters;
    static constexpr std::uint64_t kFlushRegister = kRegisters + 0x100;
    static constexpr std::uint64_t kDmaRegister = kRegisters + 0x200;
    static constexpr std::uint64_t kDoorbell = std::uint64_t{1} << 40;

    struct Mapping {
        std::uint64_t begin = 0;  ///< in the window
        std::uint64_t size = 0;
        unsigned node = 0;
        std::uint64_t offset = 0;  ///< in its memory
    };

    void plug_in(hw::PciBus&, std::size_t) override {}
    Properties properties() const override
    {
        return {.largest_transaction = 64,
                .gathered_block = 64,
                .barrier_register = kBarrierRegister,
                .flush_register = kFlushRegister,
                .doorbell = kDoorbell,
                .doorbell_bytes = 4,
                .dma_engine = has_dma};
    }
    RegisterStore dma_order(const hw::DmaCopy& copy) override
    {
        ordered_ = copy;
        return {kDmaRegister, std::as_bytes(std::span(&ordered_, 1))};
    }
    std::optional<std::uint64_t> map(unsigned node, std::uint64_t offset, std::uint64_t size) override
    {
        if (mappings.size() == room) return std::nullopt;
        const std::uint64_t begin =
            mappings.empty() ? 0 : mappings.back().begin + (mappings.back().size + 63) / 64 * 64;
        mappings.push_back({begin, size, node, offset});
        return begin;
    }
    std::string no_room(std::uint64_t, std::uint64_t) const override
    {
        return "the card has " + std::to_string(room) + " mappings; unmap one";
    }
    void unmap(std::uint64_t offset, std::uint64_t) override
    {
        std::erase_if(mappings, [offset](const Mapping& mapping) { return mapping.begin == offset; });
    }
    bool let_go(std::uint64_t, std::uint64_t) override { return true; }

    std::size_t room = 16;
    bool has_dma = true;
    std::vector<Mapping> mappings;

private:
    hw::DmaCopy ordered_;
};

}  // namespace ringmesh::test
