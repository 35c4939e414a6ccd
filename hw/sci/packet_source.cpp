// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/packet_source.h"

#include <fmt/format.h>

#include "tlm/sci/journey.h"
#include "tlm/sci/packet.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

using sci::Class;
using sci::Packet;

SciPacketSource::SciPacketSource(const sc_core::sc_module_name& module_name, Simulation& simulation, sci::NodeId node,
                                 std::shared_ptr<const CardRouting> card)
    : TrafficSource(module_name, simulation, node, simulation.packet_numbers()),
      packets_(simulation.pool<sci::PacketPool>()),
      card_(std::move(card))
{}

void SciPacketSource::offer(const Injection& injection)
{
    if (queue(Class::kRequest).size() >= kSourceQueue) {
        drop(injection, fill_[sci::index(Class::kRequest)]);
        return;
    }
    Packet& packet = packets_.acquire();
    packet.command = sci::command_of(injection);
    packet.target = static_cast<sci::NodeId>(injection.to);
    packet.source = static_cast<sci::NodeId>(number_);
    packet.id = ids_.next();
    packet.tag = sci::tag_of_source(injection.stream);
    packet.born_ps = injection.at.ps();
    simulation_.report(*this, "born", packet.id, injection.at, injection.at);
    sci::report_birth(simulation_, *this, packet, injection.at, &model(injection.stream));
    offer(packet, Class::kRequest);
}

void SciPacketSource::offer(Packet& packet, Class kind)
{
    queue(kind).push_back(&packet);
    ++fill_[sci::index(kind)];
    to_network.offer(kind);
}

blink::Transfer SciPacketSource::blink_front(Class kind)
{
    if (queue(kind).empty()) return {};
    Packet& packet = *queue(kind).front();
    return {&packet, kind, card_->port(packet.target, kind)};
}

void SciPacketSource::blink_took(Class kind, std::uint64_t gone, Duration)
{
    queue(kind).pop_front();
    --fill_[sci::index(kind)];
    if (!queue(kind).empty()) {
        const Packet& next = *queue(kind).front();
        const std::int64_t since = kind == Class::kRequest ? next.born_ps : next.written_ps;
        sci::report_wait(simulation_, *this, "source queue", next, Duration::picoseconds(since), now(), gone);
    }
    if (kind == Class::kResponse) from_network.freed(Class::kRequest);
}

/// A request needs room for its response.
bool SciPacketSource::reserve(Class kind)
{
    if (kind == Class::kResponse) return true;
    if (queue(Class::kResponse).size() + promised_ >= kResponseQueue) return false;
    ++promised_;
    return true;
}

void SciPacketSource::receive(Packet& packet, Duration at)
{
    if (sci::is_response(packet.command)) {
        ++answered_;
        simulation_.report_arrival(*this, packet.id, Leg::kResponse, at);
        model(sci::stream_of(packet))
            .answered({.source = packet.target, .target = packet.source, .born = Duration::picoseconds(packet.born_ps)},
                      at);
        packets_.release(packet);
        return;
    }
    --promised_;
    simulation_.report_arrival(*this, packet.id, Leg::kRequest, at);
    model(sci::stream_of(packet))
        .delivered({.source = packet.source, .target = packet.target, .born = Duration::picoseconds(packet.born_ps)},
                   at);
    if (sci::wants_response(packet.command)) {
        answer(packet);
    } else {
        packets_.release(packet);
    }
}

/// Turns a request into its response and sends it back.
void SciPacketSource::answer(Packet& request)
{
    request.command = request.command == sci::Command::kRead64   ? sci::Command::kResponse64
                      : request.command == sci::Command::kRead16 ? sci::Command::kResponse16
                                                                 : sci::Command::kResponse0;
    request.target = request.source;
    request.source = static_cast<sci::NodeId>(number_);
    request.written_ps = now().ps();
    sci::report(simulation_, *this, "born", request, now(), now());
    sci::report_birth(simulation_, *this, request, now(), &model(sci::stream_of(request)));
    offer(request, Class::kResponse);
}

std::string SciPacketSource::pending() const
{
    const auto requests = queues_[sci::index(Class::kRequest)].size();
    const auto responses = queues_[sci::index(Class::kResponse)].size();
    if (requests + responses == 0) return {};
    return fmt::format("{} requests and {} responses wait for the link controller", requests, responses);
}

void SciPacketSource::places(PlaceVisitor& visitor) const
{
    visitor.level("requests_fill", "source queue", fill_[0]);
    visitor.level("responses_fill", "source queue", fill_[1]);
}

void SciPacketSource::statistics(StatisticsVisitor& visitor) const
{
    TrafficSource::statistics(visitor);
    visitor.counter("answered", answered_, "packets", "responses that came back");
}

}  // namespace ringmesh::hw
