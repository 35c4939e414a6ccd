// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/mesh/packet.h"
#include "tlm/simulation.h"

namespace ringmesh::mesh {

inline Leg leg_of(const Packet& packet) { return packet.kind == Class::kRequest ? Leg::kRequest : Leg::kResponse; }

/// Reports what a block does to a packet between two times; one pointer test without a listener.
inline void report(const Simulation& simulation, const Component& where, std::string_view what, const Packet& packet,
                   Duration from, Duration to, StageKind kind = StageKind::kWork)
{
    JourneyListener* journey = simulation.journey();
    if (journey == nullptr) return;
    journey->stage(where, {what, packet.id, leg_of(packet), kind, from, to});
}

/// The same of a packet that waits.
inline void report_wait(const Simulation& simulation, const Component& where, std::string_view what,
                        const Packet& packet, Duration from, Duration to, std::uint64_t other = 0)
{
    simulation.report_wait(where, what, packet.id, from, to, other, leg_of(packet));
}

}  // namespace ringmesh::mesh
