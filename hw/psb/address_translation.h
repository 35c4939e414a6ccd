// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/psb/params.h"
#include "tlm/sci/address.h"

namespace ringmesh::hw {

/// ATT: maps pages of the card's window in I/O space to SCI addresses. Takes no time itself: the PSB's crossing
/// includes it.
class AddressTranslation {
public:
    /// @pre a page is whole blocks of 64 bytes
    explicit AddressTranslation(const PsbParams& params);

    /// Maps the pages that hold `size` bytes from `offset` of `node`, first-fit in the window.
    /// @return the window offset of that first byte; empty if there are not enough consecutive free entries
    /// @throws ModelError if the range does not lie within the 48 bits of an offset
    std::optional<std::uint64_t> map(sci::NodeId node, std::uint64_t offset, std::uint64_t size);
    /// Frees the entries of a map. @param window_offset returned by map() @param size as passed to map()
    /// @throws ModelError if one of them is not mapped
    void unmap(std::uint64_t window_offset, std::uint64_t size);
    /// @return the SCI address of an offset in the window; empty if the page is not mapped
    std::optional<sci::Address> translate(std::uint64_t window_offset) const;

    /// Number of entries for a map of this range.
    std::uint64_t entries_of(std::uint64_t offset, std::uint64_t size) const;
    std::uint64_t entries() const { return entries_; }
    std::uint64_t entries_left() const { return entries_ - used_; }

private:
    static constexpr std::uint64_t kUnmapped = ~std::uint64_t{0};  // the first byte of no page

    /// A run of free entries.
    struct Gap {
        std::uint64_t first;
        std::uint64_t count;
    };
    std::uint64_t take(std::vector<Gap>::iterator gap, std::uint64_t count);
    void give_back(std::uint64_t first, std::uint64_t count);

    std::uint64_t page_;
    std::uint64_t entries_;
    std::uint64_t used_ = 0;
    std::vector<std::uint64_t> table_;  // packed address of each page's first byte, up to the highest one ever mapped
    std::vector<Gap> gaps_;             // in the order of the window, never adjacent
};

}  // namespace ringmesh::hw
