// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/error.h"
#include "tlm/sci/packet.h"

namespace ringmesh::sci {

/// Bits of the offset in an SCI address; the 16 above are the node [IEEE 1596].
inline constexpr unsigned kOffsetBits = 48;
inline constexpr std::uint64_t kOffsetEnd = std::uint64_t{1} << kOffsetBits;

/// Bytes of each node's doorbell, at kDoorbellOffset.
inline constexpr std::uint64_t kDoorbellBytes = 4;

/// A byte in the global address space.
struct Address {
    NodeId node = 0;
    std::uint64_t offset = 0;  ///< below kOffsetEnd

    /// The address in its 64 bits. @throws ModelError if the offset does not fit into its 48
    constexpr std::uint64_t packed() const
    {
        if (offset >= kOffsetEnd) throw ModelError("the offset of an SCI address has 48 bits");
        return std::uint64_t{node} << kOffsetBits | offset;
    }
    static constexpr Address unpacked(std::uint64_t bits)
    {
        return {static_cast<NodeId>(bits >> kOffsetBits), bits & (kOffsetEnd - 1)};
    }
    constexpr bool operator==(const Address&) const = default;
};

}  // namespace ringmesh::sci
