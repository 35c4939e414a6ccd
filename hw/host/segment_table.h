// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tlm/sci/segments.h"

namespace ringmesh::hw {

/// A node's memory as its driver has given it away: segments for others, and private buffers. Plain logic without time.
///
/// Memory is given from below to above and never taken back, so that what is given was never written: it is zeroed.
/// Each piece begins on a 128-byte boundary and has its last 128-byte block for itself. Not modelled: an end of
/// segments (a withdrawn one stays where it is and can be exported again), pages of 4 KiB.
class SegmentTable {
public:
    /// Where the first piece is; below it programs may use memory as they like.
    static constexpr std::uint64_t kFirst = 64 * 1024;

    struct Segment {
        SegmentId id = 0;
        std::uint64_t address = 0;
        std::uint64_t size = 0;
        bool exported = false;
    };

    /// @param memory bytes of the node's memory @param most segments at most
    SegmentTable(unsigned node, std::uint64_t memory, std::uint64_t most)
        : node_(node), memory_(memory), most_(most), next_(kFirst)
    {}

    unsigned node() const { return node_; }

    // As in SegmentDriver.
    std::uint64_t allocate(std::uint64_t size);
    std::uint64_t create(SegmentId id, std::uint64_t size);
    void export_segment(SegmentId id);
    void withdraw(SegmentId id);

    /// @return null if there is none
    const Segment* find(SegmentId id) const;
    /// The segment that has all of these bytes, exported or not; null if none has. @param size of 0 counts as 1
    const Segment* find_range(std::uint64_t address, std::uint64_t size) const;

    /// What the card asks for each request that comes over the network: do whole 128-byte blocks of exported segments
    /// hold these bytes? @throws UserError if not
    void require_exported(unsigned from, std::uint64_t address, std::uint64_t size);

private:
    std::uint64_t left() const;
    Segment& existing(SegmentId id, const char* what);
    /// The segment that begins nearest below the address; null if there is none.
    const Segment* below(std::uint64_t address) const;

    unsigned node_;
    std::uint64_t memory_;
    std::uint64_t most_;
    std::uint64_t next_;                                // first byte that is not given away
    std::vector<Segment> segments_;                     // by rising address
    std::unordered_map<SegmentId, std::size_t> by_id_;  // looked up only, never walked
    std::uint64_t hit_begin_ = 0;                       // the exported range of the last request
    std::uint64_t hit_end_ = 0;
};

}  // namespace ringmesh::hw
