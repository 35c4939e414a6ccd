// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>

#include "tlm/mesh/packet.h"
#include "tlm/simulation/simulation.h"

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

/// "r2_0", or "r0_2.west" if it is no local port.
inline std::string port_name(Terminal place)
{
    if (place.port == Port::kLocal) return fmt::format("r{}_{}", place.x, place.y);
    return fmt::format("r{}_{}.{}", place.x, place.y, word(place.port));
}

/// A packet is made by its terminal: for a traffic model, or for the workload.
inline void report_birth(const Simulation& simulation, const Component& where, const Packet& packet, Duration at,
                         std::size_t bytes, const TrafficModel* model = nullptr)
{
    if (simulation.journey() == nullptr) return;
    simulation.report_birth(where, {.packet = packet.id,
                                    .leg = leg_of(packet),
                                    .source = port_name(packet.from),
                                    .target = port_name(packet.to),
                                    .bytes = static_cast<std::uint32_t>(bytes),
                                    .at = at,
                                    .stream = model == nullptr ? TrafficModel::kOfWorkload : model->stream_name()});
}

/// The same of a packet that waits.
inline void report_wait(const Simulation& simulation, const Component& where, std::string_view what,
                        const Packet& packet, Duration from, Duration to, std::uint64_t other = 0)
{
    simulation.report_wait(where, what, packet.id, from, to, other, leg_of(packet));
}

}  // namespace ringmesh::mesh
