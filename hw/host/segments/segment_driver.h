// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hw/host/host_bridge.h"
#include "hw/host/segments/segment_table.h"
#include "hw/pci/pci_card.h"
#include "tlm/pc/segments.h"

namespace ringmesh::hw {

/// The driver of a PC's cards: segments in the node's own table, mappings of other nodes' segments in the card that
/// leads there.
///
/// A card may map whole pages; the driver also remembers which bytes of them were mapped, and the processor has it
/// check each access before it is made. Takes no simulated time.
class HostSegmentDriver final : public SegmentDriver {
public:
    /// The segments of all processors, by number: of the first ones of all PCs, then of the second ones; complete
    /// before the first import.
    using Tables = std::vector<SegmentTable*>;

    /// The card that leads to another PC, and the number by which it knows that.
    struct Way {
        std::size_t card = 0;
        unsigned node = 0;
    };
    using WayTo = std::function<Way(unsigned rank)>;

    /// The arguments outlive the driver. @param rank number of the processor @param way_to empty: by the first card,
    /// which knows PCs by their ranks @param pcs of the machine, if each has two processors; else 0
    HostSegmentDriver(unsigned rank, const Tables& tables, const std::vector<PciCard*>& cards, WayTo way_to,
                      const HostBridge& bridge, unsigned pcs = 0);

    std::uint64_t memory_left() const override { return tables_.at(rank_)->left(); }
    std::uint64_t allocate(std::uint64_t size) override { return own().allocate(size); }
    std::uint64_t create_segment(SegmentId id, std::uint64_t size) override { return own().create(id, size); }
    void export_segment(SegmentId id) override { own().export_segment(id); }
    void withdraw_segment(SegmentId id) override { own().withdraw(id); }
    RemoteSegment import_segment(unsigned rank, SegmentId id) const override;
    std::uint64_t map_segment(const RemoteSegment& segment, std::uint64_t offset, std::uint64_t size) override;
    /// @throws UserError also if stores to it are still in flight to the card or gathered there
    void unmap_segment(std::uint64_t address) override;
    Way way_to(unsigned rank) const
    {
        const unsigned pc = pc_of(rank);
        return way_to_ ? way_to_(pc) : Way{.card = 0, .node = pc};
    }
    /// Whether that is a processor of this PC.
    bool is_here(unsigned rank) const { return pc_of(rank) == pc_of(rank_); }
    std::uint64_t map_doorbell(unsigned rank) override;

    /// Checks an access of the processor or of the card's DMA engine to these bytes of the window.
    /// @throws UserError naming the segment, or the nearest one, if they are not all in one mapping
    void check(std::uint64_t address, std::uint64_t size)
    {
        if (address < hit_begin_ || address > hit_end_ || size > hit_end_ - address) find_mapping(address, size);
    }

private:
    struct Mapping {
        std::uint64_t begin;  // processor address
        std::uint64_t size;
        std::uint64_t offset;  // of its first byte in the segment
        SegmentId id;
        unsigned rank;
        bool doorbell;
        std::uint64_t window() const { return window_of_card(card_at(begin)); }
        std::uint64_t end() const { return begin + size; }
    };
    static constexpr std::size_t kRemembered = 32;

    SegmentTable& own() { return *tables_.at(rank_); }
    unsigned pc_of(unsigned rank) const { return pcs_ == 0 ? rank : rank % pcs_; }
    void require_other(unsigned rank, const std::string& what) const;
    const SegmentTable::Segment& exported(unsigned rank, SegmentId id, const char* what) const;
    std::uint64_t map(Mapping mapping, std::uint64_t offset);
    std::vector<Mapping>::iterator above(std::uint64_t address);
    void find_mapping(std::uint64_t address, std::uint64_t size);
    std::string invalid_access(std::uint64_t address, std::uint64_t size);
    static std::string name_of(const Mapping& mapping);

    unsigned rank_;
    unsigned pcs_;
    const Tables& tables_;
    const std::vector<PciCard*>& cards_;
    const WayTo way_to_;
    const HostBridge& bridge_;
    std::vector<Mapping> mappings_;  // by rising address
    std::vector<Mapping> former_;    // recently unmapped, latest last
    std::uint64_t hit_begin_ = 1;    // the mapping of the last access; initially an empty range that matches nothing
    std::uint64_t hit_end_ = 0;
};

}  // namespace ringmesh::hw
