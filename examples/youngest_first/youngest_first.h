// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ringmesh/hw/mesh/flit/flit_network.h>
#include <ringmesh/hw/mesh/policies/arbiters/oldest.h>

namespace youngest_first {

/// The packet that was born last goes first: what an arbiter should not do, to see what it costs. Compiled into the
/// routers, so it runs at the speed of the built-in arbiters.
struct YoungestFirst {
    static constexpr ringmesh::PolicyName kPolicy{"youngest-first", "the packet that was born last"};

    static bool before(const ringmesh::hw::ArbitrationRequest& a, const ringmesh::hw::ArbitrationRequest& b,
                       const ringmesh::hw::Contest& contest)
    {
        return ringmesh::hw::arbiters::Oldest::before(b, a, contest);
    }
};

}  // namespace youngest_first
