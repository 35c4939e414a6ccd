// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/address_translation.h"

namespace ringmesh::hw {

AddressTranslation::AddressTranslation(const PsbParams& params)
    : page_(static_cast<std::uint64_t>(params.att_page.count())),
      entries_(static_cast<std::uint64_t>(params.att_entries))
{}

std::optional<std::uint64_t> AddressTranslation::map(sci::NodeId node, std::uint64_t offset, std::uint64_t size)
{
    const std::uint64_t first = offset / page_;
    const std::uint64_t last = (offset + (size == 0 ? 0 : size - 1)) / page_;
    if (last - first + 1 > entries_ - used_) return std::nullopt;
    const std::uint64_t window = used_ * page_ + offset % page_;
    for (std::uint64_t page = first; page <= last; ++page) table_[used_++] = {node, page * page_};
    return window;
}

std::optional<SciAddress> AddressTranslation::translate(std::uint64_t window_offset) const
{
    const auto entry = table_.find(window_offset / page_);
    if (entry == table_.end()) return std::nullopt;
    return SciAddress{entry->second.node, entry->second.offset + window_offset % page_};
}

}  // namespace ringmesh::hw
