// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "hw/scc/core/core_params.h"
#include "tlm/scc/scc_processor.h"
#include "tlm/simulation/random.h"

namespace ringmesh::hw {

/// A core's pages of 4 KB: translates its 32-bit virtual addresses to physical ones with their caching mode. Also the
/// operating system's allocator of private memory, page by page.
///
/// Not modelled: the time of page walks and TLB misses, freeing of memory.
class PageTable {
public:
    static constexpr std::uint32_t kPage = 4096;
    struct Place {
        std::uint32_t address = 0;  ///< physical
        PageKind kind = PageKind::kCached;
    };

    /// @param core for messages @param memory bytes of private memory, at physical addresses from 0 on
    PageTable(unsigned core, Bytes memory, PagePlacement placement, Random random);

    /// Allocates whole pages of private memory, contiguous in virtual addresses; an unmapped guard page follows.
    /// @throws UserError if there is not enough memory
    std::uint32_t allocate(std::uint64_t size, PageKind kind);
    /// Maps whole pages to `physical`. @pre all are multiples of a page
    void map(std::uint32_t address, std::uint32_t physical, std::uint32_t size, PageKind kind);
    /// @throws UserError if the address is not mapped
    Place translate(std::uint64_t address) const
    {
        const std::uint64_t page = address / kPage;
        const Known& known = known_[page % kKnown];
        if (known.page != page) look_up(address);
        return {known.place.address + static_cast<std::uint32_t>(address % kPage), known.place.kind};
    }

private:
    static constexpr std::uint32_t kPresent = 1;
    using Leaf = std::array<std::uint32_t, 1024>;  // physical address of the page, kind << 1, kPresent

    void look_up(std::uint64_t address) const;
    std::uint32_t free_page();
    void enter(std::uint32_t page, std::uint32_t physical, PageKind kind);

    const unsigned core_;
    const PagePlacement placement_;
    Random random_;
    std::array<std::unique_ptr<Leaf>, 1024> leaves_;
    std::vector<bool> taken_;  // pages of private memory
    std::uint32_t left_;       // of them
    std::uint32_t next_ = 0;   // behind the one that was given last
    std::uint32_t heap_;       // next virtual page of allocate()
    struct Known {
        std::uint64_t page = ~std::uint64_t{0};
        Place place;
    };
    static constexpr std::size_t kKnown = 16;
    mutable std::array<Known, kKnown> known_;  // looked up before: a cache, for speed
};

}  // namespace ringmesh::hw
