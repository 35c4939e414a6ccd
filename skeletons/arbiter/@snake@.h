#pragma once

#include <ringmesh/hw/mesh/flit_network.h>

namespace @snake@ {

/// Packets with a lower number go first, whatever they wait for; of one packet's requests the one of the lower place. It
/// is compiled into the routers. An arbiter that remembers what it served derives from MeshArbiter instead and is added by
/// ArbitrationPolicy::of_own.
struct @Pascal@ {
    static constexpr ringmesh::PolicyName kPolicy{"@name@", "the packet with the lower number"};

    static bool before(const ringmesh::hw::ArbitrationRequest& a, const ringmesh::hw::ArbitrationRequest& b,
                       const ringmesh::hw::Contest&)
    {
        return a.packet->id != b.packet->id ? a.packet->id < b.packet->id : a.number < b.number;
    }
};

}  // namespace @snake@
