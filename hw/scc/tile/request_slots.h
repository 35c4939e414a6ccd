// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/scc/tile/mesh_outlet.h"
#include "tlm/statistics.h"

namespace ringmesh::hw {

/// The places in which a terminal holds requests from the mesh until the mesh has their responses. One that finds none
/// is to be refused with kFull; as soon as a place is free the mesh is told kRoom. Takes no time itself.
class RequestSlots {
public:
    RequestSlots(MeshOutlet::Socket& socket, std::int64_t slots) : socket_(socket), slots_(slots)
    {
        room_.kind = mesh::Class::kRequest;
    }

    /// A request has come. @return whether there is a place for it
    bool take();
    /// The mesh has taken so many responses. May call back with another request.
    void free(std::size_t responses);

    const std::uint32_t& held() const { return held_; }
    void statistics(StatisticsVisitor& visitor) const;

private:
    MeshOutlet::Socket& socket_;
    const std::int64_t slots_;
    std::uint32_t held_ = 0;
    bool room_owed_ = false;  // the mesh was told kFull
    mesh::Packet room_;       // for its class alone
    Counter refused_;
};

}  // namespace ringmesh::hw
