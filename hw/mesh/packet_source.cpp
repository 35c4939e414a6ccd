// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/packet_source.h"

#include <fmt/format.h>

#include "tlm/mesh/journey.h"
#include "tlm/statistics/activity.h"
#include "tlm/time/kernel_time.h"
#include "tlm/time/require_now.h"

namespace ringmesh::hw {

using mesh::Class;
using mesh::Packet;
using mesh::PortPhase;

MeshPacketSource::MeshPacketSource(const sc_core::sc_module_name& module_name, Simulation& simulation,
                                   std::uint32_t number, const std::vector<mesh::Terminal>& places)
    : TrafficSource(module_name, simulation, number, simulation.packet_numbers(number)),
      packets_(simulation.pool<mesh::PacketPool>()),
      places_(places)
{
    port.register_nb_transport_bw(this, &MeshPacketSource::from_mesh);
}

void MeshPacketSource::offer(const Injection& injection)
{
    Queue& queue = queues_[mesh::index(mesh::class_of(injection))];
    if (queue.waiting.size() >= kSourceQueue && mesh::class_of(injection) == Class::kRequest) {
        drop(injection, queue.fill);
        return;
    }
    Born born{injection, ids_.next(), injection.at};
    const Leg leg = mesh::class_of(injection) == Class::kRequest ? Leg::kRequest : Leg::kResponse;
    simulation_.report(*this,
                       {.what = "born", .transaction = born.id, .leg = leg, .from = injection.at, .to = injection.at});
    if (queue.waiting.empty() && send(born)) return;
    ++waited_;
    queue.waiting.push_back(born);
    ++queue.fill;
}

bool MeshPacketSource::send(Born& born)
{
    const Injection& injection = born.injection;
    Packet& packet = packets_.acquire();
    packet = {.id = born.id,
              .from = places_[number_],
              .to = places_[injection.to],
              .kind = mesh::class_of(injection),
              .flits = injection.size,
              .born_ps = injection.at.ps(),
              .source = mesh::source_and_stream(number_, injection.stream)};
    mesh::report_wait(simulation_, *this, "source queue", packet, born.since, now(),
                      queues_[mesh::index(packet.kind)].sent);
    mesh::report_birth(simulation_, *this, packet, injection.at, std::size_t{packet.flits} * mesh::kFlitBytes,
                       &model(injection.stream));
    PortPhase phase = PortPhase::kPacket;
    sc_core::sc_time delay;
    if (port->nb_transport_fw(packet, phase, delay) == ::tlm::TLM_ACCEPTED) {
        queues_[mesh::index(mesh::class_of(injection))].sent = born.id;
        return true;
    }
    packets_.release(packet);
    born.since = now();
    return false;
}

void MeshPacketSource::send_waiting(Class kind)
{
    Queue& queue = queues_[mesh::index(kind)];
    while (!queue.waiting.empty() && send(queue.waiting.front())) {
        queue.waiting.pop_front();
        --queue.fill;
    }
}

::tlm::tlm_sync_enum MeshPacketSource::from_mesh(Packet& packet, PortPhase& phase, sc_core::sc_time& delay)
{
    require_now(delay);
    if (phase == PortPhase::kCredit) {
        send_waiting(packet.kind);
        return ::tlm::TLM_ACCEPTED;
    }
    ++taken_;
    simulation_.report_arrival(*this, packet.id, mesh::leg_of(packet), now());
    model(mesh::stream_of(packet))
        .delivered({.source = mesh::source_of(packet),
                    .target = number_,
                    .born = Duration::picoseconds(packet.born_ps),
                    .size = packet.flits},
                   now());
    packets_.release(packet);
    return ::tlm::TLM_ACCEPTED;
}

void MeshPacketSource::trace(sc_core::sc_trace_file* file) const
{
    trace_signal(file, queues_[mesh::index(Class::kRequest)].fill, std::string(name()) + ".requests_fill",
                 {"requests born and not yet taken by the mesh", "packets", SignalPlace::kProgram});
    trace_signal(file, queues_[mesh::index(Class::kResponse)].fill, std::string(name()) + ".responses_fill",
                 {"responses born and not yet taken by the mesh", "packets", SignalPlace::kProgram});
}

void MeshPacketSource::places(PlaceVisitor& visitor) const
{
    visitor.level("requests_fill", "source queue", queues_[mesh::index(Class::kRequest)].fill);
    visitor.level("responses_fill", "source queue", queues_[mesh::index(Class::kResponse)].fill);
}

std::string MeshPacketSource::pending() const
{
    const auto requests = queues_[mesh::index(Class::kRequest)].waiting.size();
    const auto responses = queues_[mesh::index(Class::kResponse)].waiting.size();
    if (requests + responses == 0) return {};
    return fmt::format("{} requests and {} responses wait for the mesh", requests, responses);
}

void MeshPacketSource::statistics(StatisticsVisitor& visitor) const
{
    TrafficSource::statistics(visitor);
    visitor.counter("waited", waited_, "packets", "of them found no room in the mesh when they were born");
    visitor.counter("taken", taken_, "packets", "packets that arrived here");
}

}  // namespace ringmesh::hw
