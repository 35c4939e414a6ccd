// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/psb/policies/stream_assignment.h"

namespace ringmesh::hw::stream_assignment {

struct ByAddress {
    static constexpr PolicyName kPolicy{"by-address", "one buffer for each block: its address modulo their number"};

    static std::optional<std::uint16_t> find(std::uint64_t block, std::uint64_t free, std::size_t buffers)
    {
        const auto index = static_cast<std::uint16_t>(block % buffers);
        if ((free >> index & 1) == 0) return std::nullopt;
        return index;
    }
};

}  // namespace ringmesh::hw::stream_assignment
