// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/mesh/packet.h"
#include "tlm/units.h"

namespace ringmesh::mesh {

/// One packet that a source is to offer to the mesh.
struct Injection {
    Duration at = Duration::never();  ///< when; never() ends this source
    std::uint32_t to = 0;             ///< number of the tile it goes to
    std::uint32_t flits = 1;
    Class kind = Class::kRequest;
};

/// Decides what the packet sources of a mesh offer, and hears of what becomes of it. Called in the order of simulated
/// time. Sources stand at the routers' local ports, numbered x + columns * y.
class TrafficModel {
public:
    virtual ~TrafficModel() = default;
    /// The next packet of this source after the one it offered last. Its queue has no bound: what the network does not
    /// take waits, and its latency counts from Injection::at.
    virtual Injection next(std::uint32_t source) = 0;
    /// The last flit has reached its target. `born_ps` is Injection::at.
    virtual void delivered(const Packet& packet, Duration at) = 0;
};

}  // namespace ringmesh::mesh
