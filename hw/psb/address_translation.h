// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "hw/psb/params.h"
#include "tlm/sci/packet.h"

namespace ringmesh::hw {

struct SciAddress {
    sci::NodeId node = 0;
    std::uint64_t offset = 0;
};

/// ATT: maps pages of the card's window in I/O space to SCI addresses. Lookup costs no time of its own: it is part of
/// the passage through the PSB.
class AddressTranslation {
public:
    /// @pre a page is whole blocks of 64 bytes
    explicit AddressTranslation(const PsbParams& params);

    /// Maps the pages that hold `size` bytes from `offset` of `node`, at the next free place in the window.
    /// @return the window offset of that first byte; nothing if too few entries are left
    std::optional<std::uint64_t> map(sci::NodeId node, std::uint64_t offset, std::uint64_t size);
    /// @return the SCI address behind an offset in the window; nothing if the page is not mapped
    std::optional<SciAddress> translate(std::uint64_t window_offset) const;

private:
    std::uint64_t page_;
    std::uint64_t entries_;
    std::uint64_t used_ = 0;
    std::unordered_map<std::uint64_t, SciAddress> table_;  // looked up only, never walked
};

}  // namespace ringmesh::hw
