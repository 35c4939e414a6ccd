// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>

#include "hw/psb/policies/stream_assignment.h"

namespace ringmesh::hw::stream_assignment {

struct AnyFree {
    static constexpr PolicyName kPolicy{"any-free", "the first free buffer"};

    static std::optional<std::uint16_t> find(std::uint64_t, std::uint64_t free, std::size_t)
    {
        return static_cast<std::uint16_t>(std::countr_zero(free));
    }
};

}  // namespace ringmesh::hw::stream_assignment
