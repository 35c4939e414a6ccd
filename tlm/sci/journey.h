// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/sci/packet.h"
#include "tlm/simulation/simulation.h"

namespace ringmesh::sci {

inline Leg leg_of(const Packet& packet)
{
    return class_of(packet.command) == Class::kRequest ? Leg::kRequest : Leg::kResponse;
}

[[gnu::cold, gnu::noinline]] inline void report_to(JourneyListener& journey, const Component& where,
                                                   std::string_view what, const Packet& packet, Duration from,
                                                   Duration to, StageKind kind)
{
    if (is_echo(packet.command)) return;
    journey.stage(where, {what, packet.id, leg_of(packet), kind, from, to});
}

/// Reports what a block does to a packet between two times; one pointer test without a listener. Echoes are left out:
/// they are not on a transaction's critical path.
inline void report(const Simulation& simulation, const Component& where, std::string_view what, const Packet& packet,
                   Duration from, Duration to, StageKind kind = StageKind::kWork)
{
    JourneyListener* journey = simulation.journey();
    if (journey != nullptr) report_to(*journey, where, what, packet, from, to, kind);
}

/// A packet is made by its source: for a traffic model, or for the workload.
inline void report_birth(const Simulation& simulation, const Component& where, const Packet& packet, Duration at,
                         const TrafficModel* model = nullptr)
{
    if (simulation.journey() == nullptr) return;
    simulation.report_birth(where, {.packet = packet.id,
                                    .leg = leg_of(packet),
                                    .source = std::to_string(packet.source),
                                    .target = std::to_string(packet.target),
                                    .bytes = static_cast<std::uint32_t>(data_bytes(packet.command)),
                                    .at = at,
                                    .stream = model == nullptr ? TrafficModel::kOfWorkload : model->stream_name()});
}

/// The same of a packet that waits; echoes are left out, too.
inline void report_wait(const Simulation& simulation, const Component& where, std::string_view what,
                        const Packet& packet, Duration from, Duration to, std::uint64_t other = 0)
{
    if (is_echo(packet.command)) return;
    simulation.report_wait(where, what, packet.id, from, to, other, leg_of(packet));
}

}  // namespace ringmesh::sci
