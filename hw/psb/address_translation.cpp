// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/address_translation.h"

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::hw {

AddressTranslation::AddressTranslation(const PsbParams& params)
    : page_(static_cast<std::uint64_t>(params.att_page.count())),
      entries_(static_cast<std::uint64_t>(params.att_entries)),
      gaps_{{0, entries_}}
{}

std::uint64_t AddressTranslation::entries_of(std::uint64_t offset, std::uint64_t size) const
{
    return (offset % page_ + std::max<std::uint64_t>(size, 1) - 1) / page_ + 1;
}

std::optional<std::uint64_t> AddressTranslation::map(sci::NodeId node, std::uint64_t offset, std::uint64_t size)
{
    if (offset >= sci::kOffsetEnd || size > sci::kOffsetEnd - offset) {
        throw ModelError("a map beyond the 48 bits of an SCI address's offset");
    }
    const std::uint64_t count = entries_of(offset, size);
    const auto gap = std::find_if(gaps_.begin(), gaps_.end(), [count](const Gap& g) { return g.count >= count; });
    if (gap == gaps_.end()) return std::nullopt;
    const std::uint64_t first = take(gap, count);
    for (std::uint64_t i = 0; i < count; ++i) {
        table_[first + i] = sci::Address{node, (offset / page_ + i) * page_}.packed();
    }
    return first * page_ + offset % page_;
}

std::uint64_t AddressTranslation::take(std::vector<Gap>::iterator gap, std::uint64_t count)
{
    const std::uint64_t first = gap->first;
    gap->first += count;
    gap->count -= count;
    if (gap->count == 0) gaps_.erase(gap);
    used_ += count;
    if (table_.size() < first + count) table_.resize(first + count, kUnmapped);
    return first;
}

void AddressTranslation::unmap(std::uint64_t window_offset, std::uint64_t size)
{
    const std::uint64_t first = window_offset / page_;
    const std::uint64_t count = entries_of(window_offset, size);
    for (std::uint64_t i = first; i < first + count; ++i) {
        if (i >= table_.size() || table_[i] == kUnmapped) throw ModelError("an unmap of what is not mapped");
        table_[i] = kUnmapped;
    }
    give_back(first, count);
}

void AddressTranslation::give_back(std::uint64_t first, std::uint64_t count)
{
    used_ -= count;
    auto next = std::find_if(gaps_.begin(), gaps_.end(), [first](const Gap& gap) { return gap.first > first; });
    if (next != gaps_.end() && first + count == next->first) {
        count += next->count;
        next = gaps_.erase(next);
    }
    if (next != gaps_.begin() && std::prev(next)->first + std::prev(next)->count == first) {
        std::prev(next)->count += count;
        return;
    }
    gaps_.insert(next, {first, count});
}

std::optional<sci::Address> AddressTranslation::translate(std::uint64_t window_offset) const
{
    const std::uint64_t page = window_offset / page_;
    if (page >= table_.size() || table_[page] == kUnmapped) return std::nullopt;
    sci::Address address = sci::Address::unpacked(table_[page]);
    address.offset += window_offset % page_;
    return address;
}

}  // namespace ringmesh::hw
