// SPDX-License-Identifier: Apache-2.0
#include "hw/memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"

namespace ringmesh::hw {

void Memory::check(std::uint64_t address, std::size_t size) const
{
    if (address <= size_ && size <= size_ - address) return;
    throw ModelError(fmt::format("access to {} bytes at {:#x}, outside a memory of {:#x} bytes", size, address, size_));
}

void Memory::write(std::uint64_t address, std::span<const std::byte> bytes)
{
    check(address, bytes.size());
    while (!bytes.empty()) {
        const auto at = static_cast<std::size_t>(address % kPage);
        const auto count = std::min(bytes.size(), kPage - at);
        auto& page = pages_[address / kPage];
        if (!page) page = std::make_unique<Page>();
        std::copy_n(bytes.begin(), count, page->begin() + static_cast<std::ptrdiff_t>(at));
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
        const auto page = pages_.find(address / kPage);
        if (page == pages_.end()) {
            std::fill_n(bytes.begin(), count, std::byte{0});
        } else {
            std::copy_n(page->second->begin() + static_cast<std::ptrdiff_t>(at), count, bytes.begin());
        }
        bytes = bytes.subspan(count);
        address += count;
    }
}

}  // namespace ringmesh::hw
