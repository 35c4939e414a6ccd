// SPDX-License-Identifier: Apache-2.0
#include "hw/ncube/packet_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "tlm/error.h"
#include "tlm/statistics/activity.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

CubePacketSource::CubePacketSource(const sc_core::sc_module_name& module_name, Simulation& simulation, unsigned number,
                                   Memory& memory)
    : TrafficSource(module_name, simulation, number, simulation.packet_numbers()), memory_(memory)
{}

void CubePacketSource::connect(NcubeChannelUnit& channels)
{
    channels_ = &channels;
    outputs_.resize(channels.channels());
}

void CubePacketSource::start(TrafficModel& model, std::uint32_t size)
{
    size_ = std::max(size_, size);
    for (unsigned channel = 0; channel < outputs_.size(); ++channel) {
        channels_->expect_always(channel, place_in(channel), size_);
    }
    TrafficSource::start(model);
}

unsigned CubePacketSource::channel_to(unsigned target) const
{
    const auto channel = static_cast<unsigned>(std::countr_zero(number_ ^ target));
    if (channel < outputs_.size()) return channel;
    throw ModelError(fmt::format("{}: a message for node {}, which no channel reaches", name(), target));
}

void CubePacketSource::offer(const Injection& injection)
{
    const unsigned channel = channel_to(injection.to);
    if (outputs_[channel].waiting.size() >= kSourceQueue) {
        drop(injection, waiting_);
        return;
    }
    const std::uint64_t id = ids_.next();
    simulation_.report(*this, "born", id, injection.at, injection.at);
    if (simulation_.journey() != nullptr) {
        simulation_.report_birth(*this, {.packet = id,
                                         .source = std::to_string(number_),
                                         .target = std::to_string(injection.to),
                                         .bytes = injection.size,
                                         .at = injection.at,
                                         .stream = model(injection.stream).stream_name()});
    }
    const Header header{.source = static_cast<std::uint16_t>(number_),
                        .target = static_cast<std::uint16_t>(injection.to),
                        .size = injection.size & kMostBytes,
                        .stream = injection.stream,
                        .born_ps = injection.at.ps()};
    queue(channel, {header, id, injection.at});
}

void CubePacketSource::queue(unsigned channel, const Waiting& packet)
{
    outputs_[channel].waiting.push_back(packet);
    most_waiting_ = std::max<std::uint32_t>(most_waiting_, ++waiting_);
    if (!outputs_[channel].busy) send(channel);
}

void CubePacketSource::send(unsigned channel)
{
    Output& output = outputs_[channel];
    const Waiting packet = output.waiting.pop_front();
    --waiting_;
    output.busy = true;
    simulation_.report_wait(*this, "channel taken", packet.id, packet.since, now(), output.sent);
    output.sent = packet.id;
    memory_.write(place_out(channel), std::as_bytes(std::span(&packet.header, 1)));
    channels_->send(channel, place_out(channel), packet.header.size, packet.id);
}

void CubePacketSource::interrupted(const ChannelInterrupt& interrupt)
{
    if (interrupt.kind == ChannelInterrupt::Kind::kInput) {
        take(interrupt.channel, interrupt.message);
        return;
    }
    if (interrupt.kind == ChannelInterrupt::Kind::kError) {
        simulation_.lost(fmt::format("{}: a parity error in message {}", name(), interrupt.message));
        return;
    }
    Output& output = outputs_[interrupt.channel];
    output.busy = false;
    if (!output.waiting.empty()) send(interrupt.channel);
}

void CubePacketSource::take(unsigned channel, std::uint64_t id)
{
    Header header;
    memory_.read(place_in(channel), std::as_writable_bytes(std::span(&header, 1)));
    if (header.target != number_) {
        ++forwarded_;
        queue(channel_to(header.target), {header, id, now()});
        return;
    }
    ++taken_;
    simulation_.report_arrival(*this, id, Leg::kRequest, now());
    model(static_cast<std::uint8_t>(header.stream))
        .delivered({.source = header.source,
                    .target = number_,
                    .born = Duration::picoseconds(header.born_ps),
                    .size = header.size},
                   now());
}

void CubePacketSource::trace(sc_core::sc_trace_file* file) const
{
    trace_signal(file, waiting_, std::string(name()) + ".fill",
                 {"packets born and not yet sent", "packets", SignalPlace::kProgram});
}

void CubePacketSource::places(PlaceVisitor& visitor) const { visitor.level("fill", "source queue", waiting_); }

std::string CubePacketSource::pending() const
{
    if (waiting_ == 0) return {};
    return fmt::format("{} messages wait for a channel", waiting_.value());
}

void CubePacketSource::statistics(StatisticsVisitor& visitor) const
{
    TrafficSource::statistics(visitor);
    visitor.counter("forwarded", forwarded_, "packets", "packets forwarded to other nodes");
    visitor.counter("taken", taken_, "packets", "packets that arrived here");
    visitor.value("most_waiting", most_waiting_, "packets", "maximum of packets waiting for channels");
}

}  // namespace ringmesh::hw
