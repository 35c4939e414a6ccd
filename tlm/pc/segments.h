// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ringmesh {

/// Number of a segment among those of its node.
using SegmentId = std::uint32_t;

/// An imported segment of another node.
struct RemoteSegment {
    unsigned rank = 0;
    SegmentId id = 0;
    std::uint64_t size = 0;  ///< bytes
};

/// A node's driver for shared segments [002 II.B]: memory that other nodes map and then access without the driver.
/// Takes no simulated time: programs call it before they communicate.
///
///     owner:  create --> export ................................ withdraw
///     other:              import --> map --> stores, loads --> unmap
///
/// An access outside every mapped segment, or after its unmap, is a UserError that names node, address and segment; so
/// is one that arrives at a segment that is not exported.
class SegmentDriver {
public:
    virtual ~SegmentDriver() = default;

    /// Bytes that can still be allocated.
    virtual std::uint64_t memory_left() const = 0;
    /// Private memory for a program's own buffers, zeroed. @return its address, a multiple of 128
    /// @throws UserError if there is not enough memory
    virtual std::uint64_t allocate(std::uint64_t size) = 0;

    /// A segment of zeroed bytes in this node's memory. @return its local address, a multiple of 128
    /// @throws UserError if the number is in use, the size is 0 or exceeds the free memory, or there are too many
    /// segments
    virtual std::uint64_t create_segment(SegmentId id, std::uint64_t size) = 0;
    /// Lets other nodes import it. @throws UserError if this node has no such segment
    virtual void export_segment(SegmentId id) = 0;
    /// Ends the export: accesses that arrive from now on fail. @throws UserError if it is not exported
    virtual void withdraw_segment(SegmentId id) = 0;

    /// @throws UserError if there is no such node, it is this one, or it exports no such segment
    virtual RemoteSegment import_segment(unsigned rank, SegmentId id) const = 0;
    /// Maps `size` bytes from `offset` of the segment through the card's address translation table.
    /// @return the address to store to and load from
    /// @throws UserError if the range is not inside the segment, or the card has no free translation entry
    virtual std::uint64_t map_segment(const RemoteSegment& segment, std::uint64_t offset, std::uint64_t size) = 0;
    /// Frees the translation entries. @param address what map_segment returned @throws UserError if it did not
    virtual void unmap_segment(std::uint64_t address) = 0;

    /// Imports and maps a whole segment. @throws UserError like these two
    std::uint64_t import_and_map(unsigned rank, SegmentId id)
    {
        const RemoteSegment segment = import_segment(rank, id);
        return map_segment(segment, 0, segment.size);
    }
    /// Four bytes stored there raise an interrupt at that node. @throws UserError if there is no such node
    virtual std::uint64_t map_doorbell(unsigned rank) = 0;
};

}  // namespace ringmesh
