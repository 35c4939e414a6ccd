// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/packet_source.h"

#include <fmt/format.h>

#include "tlm/kernel_time.h"
#include "tlm/sci/traffic.h"

namespace ringmesh::hw {

using sci::Class;
using sci::Packet;

SciPacketSource::SciPacketSource(const sc_core::sc_module_name& module_name, Simulation& simulation, sci::NodeId node,
                                 std::shared_ptr<const CardRouting> card)
    : sc_module(module_name), simulation_(simulation), card_(std::move(card)), node_(node), injector_(node)
{
    to_network.register_nb_transport_bw(this, &SciPacketSource::granted);
    from_network.register_nb_transport_fw(this, &SciPacketSource::deliver);
    SC_METHOD(inject);
    sensitive << injector_.event();
    dont_initialize();
    simulation.add(*this);
}

blink::Transfer SciPacketSource::transfer_of(Packet& packet, Class kind) const
{
    return {&packet, kind, card_->port(packet.target, kind)};
}

void SciPacketSource::inject()
{
    injector_.offer_due([this](const Injection& injection) { offer(injection); });
}

void SciPacketSource::offer(const Injection& injection)
{
    ++offered_;
    if (queue(Class::kRequest).size() >= kSourceQueue) {
        ++dropped_;
        injector_.model().dropped(node_, injection.at);
        return;
    }
    Packet& packet = simulation_.packets.acquire();
    packet.command = sci::command_of(injection);
    packet.target = static_cast<sci::NodeId>(injection.to);
    packet.source = node_;
    packet.id = simulation_.next_packet_id();
    packet.born_ps = injection.at.ps();
    packet.old = false;
    offer(packet, Class::kRequest);
}

void SciPacketSource::offer(Packet& packet, Class kind)
{
    queue(kind).push_back(&packet);
    ask(kind);
}

void SciPacketSource::ask(Class kind)
{
    bool& asked = asked_[sci::index(kind)];
    while (!asked && !queue(kind).empty()) {
        blink::Transfer transfer = transfer_of(*queue(kind).front(), kind);
        blink::Phase phase = blink::Phase::kRequest;
        sc_core::sc_time delay;
        asked = to_network->nb_transport_fw(transfer, phase, delay) != ::tlm::TLM_COMPLETED;
        if (!asked) send_front(kind);
    }
}

::tlm::tlm_sync_enum SciPacketSource::granted(blink::Transfer& transfer, blink::Phase&, sc_core::sc_time&)
{
    asked_[sci::index(transfer.kind)] = false;
    send_front(transfer.kind);
    ask(transfer.kind);
    return ::tlm::TLM_COMPLETED;
}

void SciPacketSource::send_front(Class kind)
{
    blink::Transfer transfer = transfer_of(*queue(kind).pop_front(), kind);
    blink::Phase phase = blink::Phase::kData;
    sc_core::sc_time delay;
    to_network->nb_transport_fw(transfer, phase, delay);
    if (kind != Class::kResponse || !grant_owed_) return;
    grant_owed_ = false;
    ++promised_;
    blink::Transfer room{nullptr, Class::kRequest, 0};
    phase = blink::Phase::kGrant;
    from_network->nb_transport_bw(room, phase, delay);
}

::tlm::tlm_sync_enum SciPacketSource::deliver(blink::Transfer& transfer, blink::Phase& phase, sc_core::sc_time& delay)
{
    if (phase == blink::Phase::kData) {
        receive(*transfer.packet, now() + from_kernel(delay));
        return ::tlm::TLM_COMPLETED;
    }
    if (transfer.kind == Class::kResponse) return ::tlm::TLM_COMPLETED;
    if (queue(Class::kResponse).size() + promised_ >= kResponseQueue) {
        grant_owed_ = true;
        return ::tlm::TLM_ACCEPTED;
    }
    ++promised_;
    return ::tlm::TLM_COMPLETED;
}

void SciPacketSource::receive(Packet& packet, Duration at)
{
    if (sci::is_response(packet.command)) {
        ++answered_;
        injector_.model().answered(
            {.source = packet.target, .target = packet.source, .born = Duration::picoseconds(packet.born_ps)}, at);
        simulation_.packets.release(packet);
        return;
    }
    --promised_;
    injector_.model().delivered(
        {.source = packet.source, .target = packet.target, .born = Duration::picoseconds(packet.born_ps)}, at);
    if (sci::wants_response(packet.command)) {
        answer(packet);
    } else {
        simulation_.packets.release(packet);
    }
}

/// Turns a request into its response and sends it back.
void SciPacketSource::answer(Packet& request)
{
    request.command = request.command == sci::Command::kRead64   ? sci::Command::kResponse64
                      : request.command == sci::Command::kRead16 ? sci::Command::kResponse16
                                                                 : sci::Command::kResponse0;
    request.target = request.source;
    request.source = node_;
    offer(request, Class::kResponse);
}

std::string SciPacketSource::pending() const
{
    const auto requests = queues_[sci::index(Class::kRequest)].size();
    const auto responses = queues_[sci::index(Class::kResponse)].size();
    if (requests + responses == 0) return {};
    return fmt::format("{} requests and {} responses wait for the link controller", requests, responses);
}

void SciPacketSource::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("offered", offered_, "packets", "packets that the traffic model offered");
    visitor.counter("dropped", dropped_, "packets", "of them dropped because the source queue was full");
    visitor.counter("answered", answered_, "packets", "responses that came back");
}

}  // namespace ringmesh::hw
