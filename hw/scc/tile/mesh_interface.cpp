// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/tile/mesh_interface.h"

#include <fmt/format.h>

#include <utility>

#include "hw/scc/transaction.h"
#include "tlm/error.h"
#include "tlm/mesh/journey.h"
#include "tlm/pools/payload_pool.h"
#include "tlm/statistics/activity.h"
#include "tlm/time/kernel_time.h"
#include "tlm/time/require_now.h"

namespace ringmesh::hw {

using mesh::Class;
using mesh::Packet;
using mesh::PortPhase;

MeshInterface::MeshInterface(std::string component_name, Simulation& simulation, const Config& config,
                             TileTarget& target)
    : name_(std::move(component_name)),
      simulation_(simulation),
      packets_(simulation.pool<mesh::PacketPool>()),
      config_(config),
      request_(config.miu.request * config.clock),
      response_(config.miu.response * config.clock),
      incoming_(config.miu.incoming * config.clock),
      outgoing_(config.miu.outgoing * config.clock),
      flit_(config.miu.flit * config.clock),
      target_(target),
      slots_(to_mesh, config.miu.slots)
{
    to_mesh.register_nb_transport_bw(this, &MeshInterface::from_mesh);
    simulation.add(*this);
}

void MeshInterface::request(unsigned core, ::tlm::tlm_generic_payload& transaction, Duration leaves)
{
    const SystemAddress address = address_of(transaction);
    const std::size_t size = transaction.get_data_length();
    if (size == 0 || address.offset % kCacheLine + size > kCacheLine) {
        throw ModelError(fmt::format("{}: core {} requests {} bytes at {:#x}, which cross a line", name_, core, size,
                                     address.offset));
    }
    if (++outstanding_.at(core) > kMostOutstanding) {
        throw ModelError(
            fmt::format("{}: core {} has more than {} outstanding requests", name_, core, kMostOutstanding));
    }
    ++(transaction.is_read() ? reads_ : writes_);
    auto* tag = transaction.get_extension<PacketTag>();
    if (tag != nullptr && tag->packet == 0) tag->packet = ids_.next();

    const Duration time = now();
    Packet& packet = packets_.acquire();
    packet = {.id = tag != nullptr ? tag->packet : ids_.next(),
              .from = config_.here,
              .to = address.where,
              .kind = Class::kRequest,
              .flits = request_flits(transaction),
              .born_ps = time.ps(),
              .source = core,
              .payload = &transaction};
    mesh::report_birth(simulation_, *this, packet, time, transaction.is_write() ? transaction.get_data_length() : 0);

    const Duration asks = config_.clock.edge_from(leaves);
    if (config_.bypass && address.space == Space::kMessageBuffer && address.where == config_.here) {
        ++bypassed_;
        packet.source |= kBypass;
        const Duration next = collect();
        target_.serve(packet, asks);
        if (next != Duration::never()) target_.expects(next);
        return;
    }
    const auto turn = ways_out_[mesh::index(Class::kRequest)].take(asks, flit_ * packet.flits);
    wait_for_way(packet, asks, turn.start);
    mesh::report(simulation_, *this, "MIU, core to mesh", packet, turn.start, turn.start + request_);
    outlet_.send(packet, turn.start + request_, time);
}

::tlm::tlm_sync_enum MeshInterface::from_mesh(Packet& packet, PortPhase& phase, sc_core::sc_time& delay)
{
    require_now(delay);
    const Duration time = now();
    if (phase == PortPhase::kCredit) {
        const std::size_t taken = outlet_.resume(packet.kind, time);
        if (packet.kind == Class::kResponse) slots_.free(taken);
        return ::tlm::TLM_ACCEPTED;
    }
    if (packet.kind == Class::kResponse) {
        take_response(packet, time);
    } else if (!take_request(packet, time)) {
        phase = PortPhase::kFull;
        return ::tlm::TLM_UPDATED;
    }
    return ::tlm::TLM_ACCEPTED;
}

bool MeshInterface::expects(const Packet&, Duration at, std::size_t coming)
{
    if (slots_.taken() + coming > slots_.slots()) return false;
    target_.expects(config_.clock.edge_from(at) + incoming_);
    return true;
}

Duration MeshInterface::collect()
{
    const auto next = mesh::Collector::collect(now());
    return next.packet == nullptr ? Duration::never() : config_.clock.edge_from(next.at) + incoming_;
}

/// The flits of one packet go before those of the next.
void MeshInterface::wait_for_way(const Packet& packet, Duration from, Duration to)
{
    std::uint64_t& before = sent_before_[mesh::index(packet.kind)];
    mesh::report_wait(simulation_, *this, "way out taken", packet, from, to, before);
    before = packet.id;
}

bool MeshInterface::take_request(Packet& packet, Duration time)
{
    if (!slots_.take()) return false;
    const Duration ready = config_.clock.edge_from(time) + incoming_;
    mesh::report(simulation_, *this, "MIU, mesh to MPB", packet, time, ready);
    target_.serve(packet, ready);
    return true;
}

void MeshInterface::served(Packet& packet)
{
    const Duration time = now();
    simulation_.report_arrival(*this, packet.id, Leg::kRequest, time);
    turn_round(packet, time, simulation_, *this);
    if ((packet.source & kBypass) != 0) {
        packet.source &= ~kBypass;
        answer(packet, time);
        return;
    }
    ++served_;
    const auto turn = ways_out_[mesh::index(Class::kResponse)].take(time, flit_ * packet.flits);
    wait_for_way(packet, time, turn.start);
    mesh::report(simulation_, *this, "MIU, MPB to mesh", packet, turn.start, turn.start + outgoing_);
    slots_.free(outlet_.send(packet, turn.start + outgoing_, time));
}

void MeshInterface::take_response(Packet& packet, Duration time)
{
    const Duration at = config_.clock.edge_from(time) + response_;
    mesh::report(simulation_, *this, "MIU, mesh to core", packet, time, at);
    answer(packet, at);
}

void MeshInterface::answer(Packet& packet, Duration at)
{
    ::tlm::tlm_generic_payload& payload = *packet.payload;
    const unsigned core = packet.source;
    packets_.release(packet);
    if (outstanding_.at(core) == 0)
        throw ModelError(fmt::format("{}: a response that core {} did not request", name_, core));
    --outstanding_[core];
    cores_[core]->answered(payload, at);
}

std::string MeshInterface::pending() const
{
    PendingText text;
    const auto add = [&text](std::uint32_t count, std::string_view what, std::string_view of) {
        if (count != 0) text.add(fmt::format("{} {} {}{}", what, count, of, count == 1 ? "" : "s"));
    };
    add(outstanding_[0], "core 0 waits for", "response");
    add(outstanding_[1], "core 1 waits for", "response");
    add(outlet_.waiting(Class::kRequest), "the mesh has no room for", "request");
    add(outlet_.waiting(Class::kResponse), "the mesh has no room for", "response");
    add(slots_.taken(), "the tile holds", "request");
    return text.text();
}

void MeshInterface::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("reads", reads_, "requests", "reads of the tile's cores");
    visitor.counter("writes", writes_, "requests", "writes of the tile's cores");
    visitor.counter("bypassed", bypassed_, "requests", "of both, those that bypassed the mesh to the own MPB");
    visitor.counter("served", served_, "requests", "requests from the mesh that were served");
    slots_.statistics(visitor);
    visitor.time("requests_waited", ways_out_[mesh::index(Class::kRequest)].waited(),
                 "time that the cores' requests waited for one another's flits");
    visitor.time("responses_waited", ways_out_[mesh::index(Class::kResponse)].waited(),
                 "time that responses to others waited for one another's flits");
    outlet_.statistics(visitor);
}

void MeshInterface::places(PlaceVisitor& visitor) const
{
    visitor.level("core0_requests", "requests under way", outstanding_[0], kMostOutstanding);
    visitor.level("core1_requests", "requests under way", outstanding_[1], kMostOutstanding);
    visitor.level("requests_for_mesh", "queue", outlet_.waiting(Class::kRequest));
    visitor.level("responses_for_mesh", "queue", outlet_.waiting(Class::kResponse));
    visitor.level("slots_taken", "buffer", slots_.taken(), slots_.slots());
}

void MeshInterface::trace(sc_core::sc_trace_file* file) const
{
    trace_signal(file, outstanding_[0], name_ + ".core0_requests",
                 {"requests of this core without a response yet", "requests", SignalPlace::kWayOut});
    trace_signal(file, outstanding_[1], name_ + ".core1_requests",
                 {"requests of this core without a response yet", "requests", SignalPlace::kWayOut});
    trace_signal(file, outlet_.waiting(Class::kRequest), name_ + ".requests_for_mesh",
                 {"requests that the mesh has not taken", "packets", SignalPlace::kWayOut});
    trace_signal(file, outlet_.waiting(Class::kResponse), name_ + ".responses_for_mesh",
                 {"responses that the mesh has not taken", "packets", SignalPlace::kWayOut});
    trace_signal(file, slots_.taken(), name_ + ".slots_taken",
                 {"places taken by requests of others to this tile", "requests", SignalPlace::kWayIn});
}

}  // namespace ringmesh::hw
