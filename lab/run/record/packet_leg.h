// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "tlm/simulation/journey.h"

namespace ringmesh::lab {

/// A packet, or its response, which counts for itself.
struct PacketLeg {
    std::uint64_t packet = 0;
    Leg leg = Leg::kRequest;
    bool operator==(const PacketLeg&) const = default;
};
struct PacketLegHash {
    std::size_t operator()(const PacketLeg& key) const { return 2 * key.packet + (key.leg == Leg::kResponse ? 1 : 0); }
};

}  // namespace ringmesh::lab
