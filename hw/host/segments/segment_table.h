// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tlm/pc/segments.h"

namespace ringmesh::hw {

/// The allocation of a node's memory by its driver: segments for others, and private buffers. Plain logic without time.
///
/// Memory is allocated upwards and never freed, so it is still zeroed. Each allocation begins on a 128-byte boundary
/// and shares no 128-byte block. Not modelled: freeing of segments (a withdrawn one keeps its memory and can be
/// exported again), pages of 4 KiB.
class SegmentTable {
public:
    /// Address of the first allocation; programs may use the memory below it freely.
    static constexpr std::uint64_t kFirst = 64 * 1024;

    struct Segment {
        SegmentId id = 0;
        std::uint64_t address = 0;
        std::uint64_t size = 0;
        bool exported = false;
    };

    /// @param memory bytes of the node's memory, or where what this table allocates ends @param most segments at most
    /// @param first where it begins, a multiple of 128
    SegmentTable(unsigned node, std::uint64_t memory, std::uint64_t most, std::uint64_t first = kFirst)
        : node_(node), memory_(memory), most_(most), next_(first)
    {}

    unsigned node() const { return node_; }
    /// Where what it may allocate ends.
    std::uint64_t end() const { return memory_; }

    // See SegmentDriver.
    std::uint64_t allocate(std::uint64_t size);
    std::uint64_t create(SegmentId id, std::uint64_t size);
    void export_segment(SegmentId id);
    void withdraw(SegmentId id);

    /// @return null if there is none
    const Segment* find(SegmentId id) const;
    /// The segment that contains all of these bytes, exported or not; null if there is none. @param size of 0 counts as
    /// 1
    const Segment* find_range(std::uint64_t address, std::uint64_t size) const;

    /// Called by the card for each request from the network. @throws UserError unless 128-byte blocks of exported
    /// segments contain these bytes
    void require_exported(unsigned from, std::uint64_t address, std::uint64_t size);

    /// Bytes that can still be allocated.
    std::uint64_t left() const;

private:
    Segment& existing(SegmentId id, const char* what);
    /// The segment that begins nearest below the address; null if there is none.
    const Segment* below(std::uint64_t address) const;

    unsigned node_;
    std::uint64_t memory_;
    std::uint64_t most_;
    std::uint64_t next_;                                // first free byte
    std::vector<Segment> segments_;                     // by rising address
    std::unordered_map<SegmentId, std::size_t> by_id_;  // for look-up only, never iterated
    std::uint64_t hit_begin_ = 0;                       // the exported range of the last request
    std::uint64_t hit_end_ = 0;
};

}  // namespace ringmesh::hw
