// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/sci/packet.h"
#include "tlm/simulation.h"

namespace ringmesh::sci {

[[gnu::cold, gnu::noinline]] inline void report_to(JourneyListener& journey, const Component& where,
                                                   std::string_view what, const Packet& packet, Duration from,
                                                   Duration to, StageKind kind)
{
    if (is_echo(packet.command)) return;
    const Leg leg = class_of(packet.command) == Class::kRequest ? Leg::kRequest : Leg::kResponse;
    journey.stage(where, {what, packet.id, leg, kind, from, to});
}

/// Reports what a block does to a packet between two times; one pointer test without a listener. Echoes are left out:
/// they are not on a transaction's critical path.
inline void report(const Simulation& simulation, const Component& where, std::string_view what, const Packet& packet,
                   Duration from, Duration to, StageKind kind = StageKind::kWork)
{
    JourneyListener* journey = simulation.journey();
    if (journey != nullptr) report_to(*journey, where, what, packet, from, to, kind);
}

}  // namespace ringmesh::sci
