// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

/// Sets of small numbers, a bit for each.
namespace ringmesh::hw {

/// The lowest set bit from bit `from` on, with wrap-around. @pre mask is not 0
inline unsigned next_set(std::uint32_t mask, unsigned from)
{
    const std::uint32_t above = mask >> from << from;
    return static_cast<unsigned>(std::countr_zero(above != 0 ? above : mask));
}

/// Calls `call` with the number of each set bit, the lowest first.
template <class Call>
[[gnu::always_inline]] inline void for_each_set(std::uint32_t mask, Call&& call)
{
    for (; mask != 0; mask &= mask - 1) call(static_cast<unsigned>(std::countr_zero(mask)));
}

}  // namespace ringmesh::hw
