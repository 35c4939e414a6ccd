// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/packet_source.h"

#include <fmt/format.h>

namespace ringmesh::hw {

using mesh::Class;
using mesh::Injection;
using mesh::Packet;
using mesh::PortPhase;

MeshPacketSource::MeshPacketSource(const sc_core::sc_module_name& module_name, Simulation& simulation,
                                   std::uint32_t number, std::uint32_t columns)
    : sc_module(module_name),
      simulation_(simulation),
      packets_(simulation.pool<mesh::PacketPool>()),
      number_(number),
      columns_(columns)
{
    port.register_nb_transport_bw(this, &MeshPacketSource::from_mesh);
    SC_METHOD(inject);
    sensitive << wakeup_.event();
    dont_initialize();
    simulation.add(*this);
}

void MeshPacketSource::start(mesh::TrafficModel& model)
{
    model_ = &model;
    next_ = model.next(number_);
    wakeup_.at(next_.at);
}

void MeshPacketSource::inject()
{
    const Duration present = now();
    wakeup_.taken(present);
    while (next_.at <= present) {
        ++offered_;
        Queue& queue = queues_[mesh::index(next_.kind)];
        if (!queue.waiting.empty() || !offer(next_)) {
            ++waited_;
            queue.waiting.push_back(next_);
            ++queue.fill;
        }
        next_ = model_->next(number_);
    }
    wakeup_.at(next_.at, present);
}

bool MeshPacketSource::offer(const Injection& injection)
{
    Packet& packet = packets_.acquire();
    packet = {.id = simulation_.next_packet_id(),
              .from = mesh::local_port(number_, columns_),
              .to = mesh::local_port(injection.to, columns_),
              .kind = injection.kind,
              .flits = injection.flits,
              .born_ps = injection.at.ps(),
              .source = number_};
    PortPhase phase = PortPhase::kPacket;
    sc_core::sc_time delay;
    if (port->nb_transport_fw(packet, phase, delay) == ::tlm::TLM_ACCEPTED) return true;
    packets_.release(packet);
    return false;
}

void MeshPacketSource::send_waiting(Class kind)
{
    Queue& queue = queues_[mesh::index(kind)];
    while (!queue.waiting.empty() && offer(queue.waiting.front())) {
        queue.waiting.pop_front();
        --queue.fill;
    }
}

::tlm::tlm_sync_enum MeshPacketSource::from_mesh(Packet& packet, PortPhase& phase, sc_core::sc_time&)
{
    if (phase == PortPhase::kRoom) {
        send_waiting(packet.kind);
        return ::tlm::TLM_ACCEPTED;
    }
    ++taken_;
    model_->delivered(packet, now());
    packets_.release(packet);
    return ::tlm::TLM_ACCEPTED;
}

void MeshPacketSource::trace(sc_core::sc_trace_file* file) const
{
    sc_core::sc_trace(file, queues_[mesh::index(Class::kRequest)].fill, std::string(name()) + ".requests_fill");
    sc_core::sc_trace(file, queues_[mesh::index(Class::kResponse)].fill, std::string(name()) + ".responses_fill");
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
    visitor.counter("offered", offered_, "packets", "packets that the traffic model offered");
    visitor.counter("waited", waited_, "packets", "of them found no room in the mesh when they were born");
    visitor.counter("taken", taken_, "packets", "packets that arrived here");
}

}  // namespace ringmesh::hw
