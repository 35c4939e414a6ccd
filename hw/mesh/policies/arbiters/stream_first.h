// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/mesh/policies/arbiters/oldest.h"

/// Arbiter: serves the classes of traffic by priority.
namespace ringmesh::hw::arbiters {

struct StreamFirst {
    static constexpr PolicyName kPolicy{
        "stream-first", "the workload before its background, that before background2, ...; then the oldest packet"};

    static bool before(const ArbitrationRequest& a, const ArbitrationRequest& b, const Contest& contest)
    {
        const unsigned of_a = rank(*a.packet);
        const unsigned of_b = rank(*b.packet);
        return of_a != of_b ? of_a < of_b : Oldest::before(a, b, contest);
    }

private:
    /// Tiles' transactions come before all packets of sources.
    static unsigned rank(const mesh::Packet& packet)
    {
        return packet.payload != nullptr ? 0 : 1U + mesh::stream_of(packet);
    }
};

}  // namespace ringmesh::hw::arbiters
