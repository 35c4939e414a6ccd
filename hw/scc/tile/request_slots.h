// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/scc/tile/mesh_outlet.h"
#include "tlm/statistics.h"

namespace ringmesh::hw {

/// The slots in which a terminal holds requests from the mesh until the mesh has accepted their responses. Without a
/// free slot a request is refused with kFull; the next free slot is announced with kRoom. Takes no time itself.
class RequestSlots {
public:
    RequestSlots(MeshOutlet::Socket& socket, std::int64_t slots) : socket_(socket), slots_(slots)
    {
        room_.kind = mesh::Class::kRequest;
    }

    /// A request arrives. @return whether there is a slot for it
    bool take();
    /// The mesh has accepted so many responses. It may call back with another request.
    void free(std::size_t responses);

    const std::uint32_t& held() const { return held_; }
    void statistics(StatisticsVisitor& visitor) const;

private:
    MeshOutlet::Socket& socket_;
    const std::int64_t slots_;
    std::uint32_t held_ = 0;
    bool room_owed_ = false;  // kFull was returned
    mesh::Packet room_;       // carries the class only
    Counter refused_;
};

}  // namespace ringmesh::hw
