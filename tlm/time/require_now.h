// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <systemc>

namespace ringmesh {

namespace detail {
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_delay()
{
    throw std::domain_error("a phase that happens when it is told came with a delay");
}
}  // namespace detail

/// For phases of a protocol that happen when they are told. @throws std::domain_error if a delay is annotated
inline void require_now(const sc_core::sc_time& delay)
{
    if (delay.value() != 0) [[unlikely]]
        detail::throw_delay();
}

}  // namespace ringmesh
