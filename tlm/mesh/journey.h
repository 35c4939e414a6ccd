// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/mesh/packet.h"
#include "tlm/simulation.h"

namespace ringmesh::mesh {

/// Reports what a block does to a packet between two times; one pointer test without a listener.
inline void report(const Simulation& simulation, const Component& where, std::string_view what, const Packet& packet,
                   Duration from, Duration to, StageKind kind = StageKind::kWork)
{
    JourneyListener* journey = simulation.journey();
    if (journey == nullptr) return;
    const Leg leg = packet.kind == Class::kRequest ? Leg::kRequest : Leg::kResponse;
    journey->stage(where, {what, packet.id, leg, kind, from, to});
}

}  // namespace ringmesh::mesh
