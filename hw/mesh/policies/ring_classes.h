// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "tlm/parameters/policy.h"

namespace ringmesh::hw {

/// A packet on a link of a ring of a torus. Routes go along each dimension once and the shorter way, so that it came
/// onto the ring at its sender's coordinate.
struct RingHop {
    std::uint16_t from = 0;  ///< coordinates on the ring: of the sender
    std::uint16_t to = 0;    ///< of the target
    std::uint16_t next = 0;  ///< of the router to which the link leads
    std::uint16_t size = 0;  ///< routers of the ring
    bool up = false;         ///< the link leads upwards
    bool lot = false;        ///< drawn for the packet: the same on all links

    /// Whether the packet crosses the link between the last router and the first, here, before or later.
    bool wraps() const { return up ? to < from : to > from; }
};

/// Which half of the virtual channels packets take on a ring of a torus, so that their waits around it do not close.
struct RingClassPolicy : PolicyName {
    /// Whether the packet takes the upper class, that of odd channels, on this link.
    bool (*upper)(const RingHop& hop);

    static constexpr PolicyKindName kKind{"ring-classes", "hw/mesh/policies/ring_classes"};
    static std::span<const RingClassPolicy> table();
    template <class Policy>
    static constexpr RingClassPolicy of()
    {
        return {Policy::kPolicy, &Policy::upper};
    }
};

using RingClasses = PolicyChoice<RingClassPolicy>;

}  // namespace ringmesh::hw
