// SPDX-License-Identifier: Apache-2.0
#include "hw/host/segments/segment_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "tlm/sci/packet.h"

namespace ringmesh::hw {
namespace {

/// Up to the end of the block that the last byte is in.
constexpr std::uint64_t whole_blocks(std::uint64_t size)
{
    return (size + sci::kLargestBytes - 1) / sci::kLargestBytes * sci::kLargestBytes;
}

}  // namespace

std::uint64_t SegmentTable::left() const { return memory_ > next_ ? memory_ - next_ : 0; }

std::uint64_t SegmentTable::allocate(std::uint64_t size)
{
    if (size > left()) {
        throw UserError(
            fmt::format("node {} has {} bytes of memory left, too few for a buffer of {}; make it smaller or "
                        "raise host.memory, {} bytes",
                        node_, left(), size, memory_));
    }
    const std::uint64_t address = next_;
    next_ += whole_blocks(size);
    return address;
}

std::uint64_t SegmentTable::create(SegmentId id, std::uint64_t size)
{
    if (const Segment* taken = find(id)) {
        throw UserError(fmt::format("node {} has a segment {} already, of {} bytes; choose another number", node_, id,
                                    taken->size));
    }
    if (size == 0) {
        throw UserError(fmt::format("node {} cannot create segment {} with 0 bytes; give it at least 1", node_, id));
    }
    if (segments_.size() >= most_) {
        throw UserError(
            fmt::format("node {} cannot create segment {}: it has {} already; use fewer or raise "
                        "host.segments",
                        node_, id, segments_.size()));
    }
    if (size > left()) {
        throw UserError(
            fmt::format("node {} has {} bytes of memory left, too few for segment {} of {}; make it smaller or "
                        "raise host.memory, {} bytes",
                        node_, left(), id, size, memory_));
    }
    by_id_.emplace(id, segments_.size());
    segments_.push_back({.id = id, .address = allocate(size), .size = size});
    return segments_.back().address;
}

SegmentTable::Segment& SegmentTable::existing(SegmentId id, const char* what)
{
    const auto entry = by_id_.find(id);
    if (entry != by_id_.end()) return segments_[entry->second];
    throw UserError(
        fmt::format("node {} cannot {} segment {}, which it does not have; create it first", node_, what, id));
}

void SegmentTable::export_segment(SegmentId id) { existing(id, "export").exported = true; }

void SegmentTable::withdraw(SegmentId id)
{
    Segment& segment = existing(id, "withdraw");
    if (!segment.exported) {
        throw UserError(
            fmt::format("node {} cannot withdraw segment {}, which is not exported; export it first", node_, id));
    }
    segment.exported = false;
    hit_begin_ = hit_end_ = 0;
}

const SegmentTable::Segment* SegmentTable::find(SegmentId id) const
{
    const auto entry = by_id_.find(id);
    return entry == by_id_.end() ? nullptr : &segments_[entry->second];
}

const SegmentTable::Segment* SegmentTable::below(std::uint64_t address) const
{
    const auto above = std::upper_bound(segments_.begin(), segments_.end(), address,
                                        [](std::uint64_t at, const Segment& segment) { return at < segment.address; });
    return above == segments_.begin() ? nullptr : &*std::prev(above);
}

const SegmentTable::Segment* SegmentTable::find_range(std::uint64_t address, std::uint64_t size) const
{
    const Segment* segment = below(address);
    if (segment == nullptr) return nullptr;
    const std::uint64_t inside = address - segment->address;
    const std::uint64_t bytes = std::max<std::uint64_t>(size, 1);
    return inside < segment->size && bytes <= segment->size - inside ? segment : nullptr;
}

void SegmentTable::require_exported(unsigned from, std::uint64_t address, std::uint64_t size)
{
    const auto inside = [&](std::uint64_t begin, std::uint64_t end) {
        return address >= begin && address < end && size <= end - address;
    };
    if (inside(hit_begin_, hit_end_)) return;
    const Segment* segment = below(address);
    const std::uint64_t end = segment == nullptr ? 0 : segment->address + whole_blocks(segment->size);
    if (segment != nullptr && inside(segment->address, end)) {
        if (segment->exported) {
            hit_begin_ = segment->address;
            hit_end_ = end;
            return;
        }
        throw UserError(
            fmt::format("node {} accesses {} bytes at address {:#x} of node {}, in segment {}, which is not "
                        "exported any more; unmap it everywhere before it is withdrawn",
                        from, size, address, node_, segment->id));
    }
    const std::string nearest = segment == nullptr
                                    ? "which has no segment there"
                                    : fmt::format("in no segment; the nearest below is segment {}, {} bytes at {:#x}",
                                                  segment->id, segment->size, segment->address);
    throw UserError(fmt::format("node {} accesses {} bytes at address {:#x} of node {}, {}; map what it exports", from,
                                size, address, node_, nearest));
}

}  // namespace ringmesh::hw
