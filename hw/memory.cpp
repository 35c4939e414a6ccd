// SPDX-License-Identifier: Apache-2.0
#include "hw/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tlm/error.h"

namespace ringmesh::hw {

void Memory::check(std::uint64_t address, std::size_t size) const
{
    if (address <= size_ && size <= size_ - address) return;
    throw ModelError(fmt::format("access to {} bytes at {:#x}, outside a memory of {:#x} bytes", size, address, size_));
}

Memory::Page& Memory::make(std::uint64_t number)
{
    const std::uint64_t leaf = number / kLeaf;
    if (leaf >= leaves_.size()) leaves_.resize(leaf + 1);
    if (!leaves_[leaf]) leaves_[leaf] = std::make_unique<Leaf>();
    auto& page = (*leaves_[leaf])[number % kLeaf];
    if (!page) page = std::make_unique<Page>();
    return *page;
}

void Memory::write(std::uint64_t address, std::span<const std::byte> bytes)
{
    check(address, bytes.size());
    while (!bytes.empty()) {
        const auto at = static_cast<std::size_t>(address % kPage);
        const auto count = std::min(bytes.size(), kPage - at);
        std::memcpy(make(address / kPage).data() + at, bytes.data(), count);
        bytes = bytes.subspan(count);
        address += count;
    }
}

void Memory::read(std::uint64_t address, std::span<std::byte> bytes) const
{
    check(address, bytes.size());
    while (!bytes.empty()) {
        const auto at = static_cast<std::size_t>(address % kPage);
        const auto count = std::min(bytes.size(), kPage - at);
        if (const Page* page = find(address / kPage)) {
            std::memcpy(bytes.data(), page->data() + at, count);
        } else {
            std::fill_n(bytes.begin(), count, std::byte{0});
        }
        bytes = bytes.subspan(count);
        address += count;
    }
}

}  // namespace ringmesh::hw
