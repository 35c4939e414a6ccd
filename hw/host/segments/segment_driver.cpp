// SPDX-License-Identifier: Apache-2.0
#include "hw/host/segments/segment_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tlm/error.h"

namespace ringmesh::hw {

HostSegmentDriver::HostSegmentDriver(unsigned rank, const Tables& tables, const std::vector<PciCard*>& cards,
                                     WayTo way_to, const HostBridge& bridge, unsigned pcs)
    : rank_(rank), pcs_(pcs), tables_(tables), cards_(cards), way_to_(std::move(way_to)), bridge_(bridge)
{}

void HostSegmentDriver::require_other(unsigned rank, const std::string& what) const
{
    if (rank >= tables_.size()) {
        throw UserError(fmt::format("node {} cannot {} of node {}, which does not exist; choose another from 0 to {}",
                                    rank_, what, rank, tables_.size() - 1));
    }
    if (rank == rank_) {
        throw UserError(fmt::format("node {} cannot {} of its own; choose another node from 0 to {}", rank_, what,
                                    tables_.size() - 1));
    }
}

const SegmentTable::Segment& HostSegmentDriver::exported(unsigned rank, SegmentId id, const char* what) const
{
    require_other(rank, fmt::format("{} segment {}", what, id));
    const SegmentTable::Segment* segment = tables_[rank]->find(id);
    if (segment == nullptr) {
        throw UserError(
            fmt::format("node {} cannot {} segment {} of node {}, which has none of this number; create and "
                        "export it there first",
                        rank_, what, id, rank));
    }
    if (!segment->exported) {
        throw UserError(
            fmt::format("node {} cannot {} segment {} of node {}, which does not export it; export it there "
                        "first",
                        rank_, what, id, rank));
    }
    return *segment;
}

RemoteSegment HostSegmentDriver::import_segment(unsigned rank, SegmentId id) const
{
    return {rank, id, exported(rank, id, "import").size};
}

std::uint64_t HostSegmentDriver::map_segment(const RemoteSegment& remote, std::uint64_t offset, std::uint64_t size)
{
    const SegmentTable::Segment& segment = exported(remote.rank, remote.id, "map");
    if (size == 0 || offset > segment.size || size > segment.size - offset) {
        throw UserError(
            fmt::format("node {} cannot map {} bytes from offset {} of segment {} of node {}, which has {} "
                        "bytes; map a part of these",
                        rank_, size, offset, remote.id, remote.rank, segment.size));
    }
    if (is_here(remote.rank)) return segment.address + offset;
    return map({.begin = 0, .size = size, .offset = offset, .id = remote.id, .rank = remote.rank, .doorbell = false},
               segment.address + offset);
}

std::uint64_t HostSegmentDriver::map_doorbell(unsigned rank)
{
    require_other(rank, "map the doorbell");
    if (is_here(rank)) {
        throw UserError(
            fmt::format("node {} cannot map the doorbell of node {}, another processor of its PC, to which "
                        "no card raises interrupts; choose one that polls, such as deck:notification=poll",
                        rank_, rank));
    }
    const PciCard::Properties card = cards_.front()->properties();
    return map({.begin = 0, .size = card.doorbell_bytes, .offset = 0, .id = 0, .rank = rank, .doorbell = true},
               card.doorbell);
}

/// @param offset in the memory of the mapping's node
std::uint64_t HostSegmentDriver::map(Mapping mapping, std::uint64_t offset)
{
    const Way way = way_to(mapping.rank);
    PciCard& card = *cards_.at(way.card);
    const auto window = card.map(way.node, offset, mapping.size);
    if (!window) {
        throw UserError(fmt::format("node {} cannot map {} bytes of {}: {}", rank_, mapping.size, name_of(mapping),
                                    card.no_room(offset, mapping.size)));
    }
    mapping.begin = window_of_card(way.card) + *window;
    mappings_.insert(above(mapping.begin), mapping);
    return mapping.begin;
}

void HostSegmentDriver::unmap_segment(std::uint64_t address)
{
    if (pcs_ != 0 && address < kCardWindow) return;  // in the memory of this PC
    const auto next = above(address);
    if (next == mappings_.begin() || std::prev(next)->begin != address) {
        throw UserError(
            fmt::format("node {} cannot unmap address {:#x}, where no mapping begins; give the address that "
                        "map_segment returned",
                        rank_, address));
    }
    const Mapping mapping = *std::prev(next);
    PciCard& card = *cards_[card_at(mapping.begin)];
    const std::uint64_t window = mapping.window();
    if (bridge_.has_posted(mapping.begin, mapping.end()) ||
        !card.let_go(mapping.begin - window, mapping.end() - window)) {
        throw UserError(
            fmt::format("node {} unmaps {} from address {:#x} while stores to it have not left the card; wait "
                        "for a barrier first",
                        rank_, name_of(mapping), address));
    }
    card.unmap(mapping.begin - window, mapping.size);
    mappings_.erase(std::prev(next));
    if (former_.size() == kRemembered) former_.erase(former_.begin());
    former_.push_back(mapping);
    hit_begin_ = 1;
    hit_end_ = 0;
}

std::vector<HostSegmentDriver::Mapping>::iterator HostSegmentDriver::above(std::uint64_t address)
{
    return std::upper_bound(mappings_.begin(), mappings_.end(), address,
                            [](std::uint64_t at, const Mapping& mapping) { return at < mapping.begin; });
}

void HostSegmentDriver::find_mapping(std::uint64_t address, std::uint64_t size)
{
    const auto next = above(address);
    if (next != mappings_.begin()) {
        const Mapping& mapping = *std::prev(next);
        if (address <= mapping.end() && size <= mapping.end() - address) {
            hit_begin_ = mapping.begin;
            hit_end_ = mapping.end();
            return;
        }
    }
    throw UserError(invalid_access(address, size));
}

std::string HostSegmentDriver::invalid_access(std::uint64_t address, std::uint64_t size)
{
    const std::string access = fmt::format("node {} accesses {} bytes at address {:#x}, ", rank_, size, address);
    const auto next = above(address);
    const Mapping* below = next == mappings_.begin() ? nullptr : &*std::prev(next);
    const bool begins_inside = below != nullptr && address < below->end();
    const auto former = std::find_if(former_.rbegin(), former_.rend(), [address](const Mapping& mapping) {
        return address >= mapping.begin && address < mapping.end();
    });
    if (!begins_inside && former != former_.rend()) {
        return access + fmt::format("where {} was mapped until it was unmapped; map it again", name_of(*former));
    }
    const Mapping* nearest = below;
    const bool above_is_nearer =
        next != mappings_.end() && (below == nullptr || next->begin - address < address - below->end());
    if (!begins_inside && above_is_nearer) nearest = &*next;
    if (nearest == nullptr) return access + "where nothing is mapped; import and map a segment first";
    return access + fmt::format(
                        "{} mapped; the nearest are {} bytes at {:#x} from offset {} of {}; stay inside or map "
                        "more",
                        begins_inside ? "which are not all" : "which are not", nearest->size, nearest->begin,
                        nearest->offset, name_of(*nearest));
}

std::string HostSegmentDriver::name_of(const Mapping& mapping)
{
    if (mapping.doorbell) return fmt::format("the doorbell of node {}", mapping.rank);
    return fmt::format("segment {} of node {}", mapping.id, mapping.rank);
}

}  // namespace ringmesh::hw
