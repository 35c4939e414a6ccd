// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/core/page_table.h"

#include <fmt/format.h>

#include "hw/scc/address_map.h"
#include "tlm/error.h"

namespace ringmesh::hw {

namespace {
constexpr std::uint32_t kLastPage = address_map::kMessageBuffers / PageTable::kPage;  // the heap ends before it
}  // namespace

PageTable::PageTable(unsigned core, Bytes memory, PagePlacement placement, Random random)
    : core_(core),
      placement_(placement),
      random_(random),
      taken_(static_cast<std::size_t>(memory.count()) / kPage),
      left_(static_cast<std::uint32_t>(taken_.size())),
      heap_(address_map::kHeap / kPage)
{}

std::uint32_t PageTable::allocate(std::uint64_t size, PageKind kind)
{
    const std::uint64_t pages = size / kPage + (size % kPage != 0);
    const std::uint32_t room = kLastPage - heap_;
    if (pages > left_ || pages >= room) {
        throw UserError(
            fmt::format("core {}: {} bytes of private memory are requested, and {} are free; raise the core's `memory`",
                        core_, size, std::uint64_t{kPage} * std::min(left_, room)));
    }
    const std::uint32_t address = heap_ * kPage;
    for (std::uint64_t i = 0; i < pages; ++i) enter(heap_++, free_page() * kPage, kind);
    ++heap_;
    return address;
}

std::uint32_t PageTable::free_page()
{
    const auto pages = static_cast<std::uint32_t>(taken_.size());
    std::uint32_t page = placement_->begin(taken_, next_, random_);
    while (taken_[page]) page = (page + 1) % pages;
    taken_[page] = true;
    --left_;
    next_ = page + 1 == pages ? 0 : page + 1;
    return page;
}

void PageTable::map(std::uint32_t address, std::uint32_t physical, std::uint32_t size, PageKind kind)
{
    if ((address | physical | size) % kPage != 0) throw ModelError("a mapping must be whole pages");
    for (std::uint32_t done = 0; done < size; done += kPage) enter((address + done) / kPage, physical + done, kind);
}

void PageTable::enter(std::uint32_t page, std::uint32_t physical, PageKind kind)
{
    auto& leaf = leaves_[page / 1024];
    if (!leaf) leaf = std::make_unique<Leaf>();
    (*leaf)[page % 1024] = physical | static_cast<std::uint32_t>(kind) << 1 | kPresent;
    known_[page % kKnown] = {};
}

void PageTable::look_up(std::uint64_t address) const
{
    if (address >> 32 != 0) {
        throw UserError(fmt::format("core {}: address {:#x} has more than 32 bits", core_, address));
    }
    const auto page = static_cast<std::uint32_t>(address / kPage);
    const auto& leaf = leaves_[page / 1024];
    const std::uint32_t entry = leaf ? (*leaf)[page % 1024] : 0;
    if ((entry & kPresent) == 0) {
        throw UserError(
            fmt::format("core {}: address {:#x} is not mapped; use what allocate(), message_buffer() and "
                        "test_and_set() return, and stay within it",
                        core_, address));
    }
    known_[page % kKnown] = {page, {entry & ~(kPage - 1), static_cast<PageKind>(entry >> 1 & 3)}};
}

}  // namespace ringmesh::hw
