// SPDX-License-Identifier: Apache-2.0
#include "hw/ncube/channel_unit.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {
namespace {

/// A request, a reply and data of each direction may be outstanding, and one request behind them.
constexpr std::size_t kMostQueued = 4;

}  // namespace

NcubeChannelUnit::NcubeChannelUnit(const sc_core::sc_module_name& module_name, Simulation& simulation,
                                   const NcubeNodeParams& params, unsigned channels, Memory& memory,
                                   NcubeMemoryPort& port, std::function<void(const ChannelInterrupt&)> interrupt,
                                   NodeStop* stop)
    : sc_module(module_name),
      out("out", channels),
      in("in", channels),
      simulation_(simulation),
      clock_(params.processor.clock),
      byte_(params.channel.byte),
      memory_(memory),
      port_(port),
      interrupt_(std::move(interrupt)),
      outputs_(channels),
      inputs_(channels),
      faults_(NcubeChannelFaults::of(name(), channels, simulation, stop))
{
    for (unsigned i = 0; i < channels; ++i)
        in[i].register_nb_transport_fw(this, &NcubeChannelUnit::arrive, static_cast<int>(i));
    simulation.add(*this);
}

void NcubeChannelUnit::send(unsigned channel, std::uint64_t address, std::uint32_t size, std::uint64_t message)
{
    Order order;
    order.transfer.kind = ncube::TransferKind::kData;
    order.transfer.size = size;
    order.transfer.id = message;
    order.address = address;
    queue(channel, order);
}

void NcubeChannelUnit::send_control(unsigned channel, const ncube::ControlWord& word, std::uint32_t size,
                                    std::uint64_t message)
{
    Order order;
    order.transfer.kind = ncube::TransferKind::kControl;
    order.transfer.size = size;
    order.transfer.id = message;
    order.transfer.control = word;
    queue(channel, order);
}

void NcubeChannelUnit::queue(unsigned channel, Order& order)
{
    Output& output = outputs_.at(channel);
    if (output.queue.size() == kMostQueued) {
        throw ModelError(fmt::format("{}: more than {} transfers wait for channel {}", name(), kMostQueued, channel));
    }
    order.since = now();
    output.queue.push_back(order);
    if (!output.busy) start(channel);
}

void NcubeChannelUnit::expect(unsigned channel, std::uint64_t address, std::uint32_t size)
{
    Input& input = inputs_.at(channel);
    if (input.expected) {
        throw ModelError(fmt::format("{}: channel {} was given two addresses for its next data", name(), channel));
    }
    input.address = address;
    input.size = size;
    input.expected = true;
}

void NcubeChannelUnit::expect_always(unsigned channel, std::uint64_t address, std::uint32_t size)
{
    Input& input = inputs_.at(channel);
    if (input.always) input.expected = false;
    expect(channel, address, size);
    input.always = true;
}

void NcubeChannelUnit::start(unsigned channel)
{
    Output& output = outputs_[channel];
    ncube::Transfer& transfer = output.queue.front().transfer;
    const bool data = transfer.kind == ncube::TransferKind::kData;
    simulation_.report_wait(*this, "channel taken", transfer.id, output.queue.front().since, now(), output.sent);
    output.sent = transfer.id;
    output.busy = true;
    const Duration span = transfer_time(transfer.size);
    output.end = now() + span;
    output.sending += span;
    output.wire.wait(now() - output.queue.front().since);
    std::string_view what = data ? "data" : "control";
    if (faults_ != nullptr) [[unlikely]] {
        const auto wrong = faults_->strike(channel, transfer, output.queue.front().lost, output.end);
        if (!wrong.empty()) what = wrong;
    }
    output.wire.busy(now(), output.end, what, transfer.id, {.bytes = transfer.size});
    simulation_.report(*this, what, transfer.id, now(), output.end);
    if (data) {
        simulation_.report_injection(transfer.id, Leg::kRequest, now());
        port_.sending(true);
        sending_.add(span);
    }
    wakeup_.at(output.end);
    if (output.queue.front().lost) [[unlikely]]
        return;
    if (data) {
        if (wire_.size() < transfer.size) wire_.resize(transfer.size);
        const std::span<std::byte> bytes{wire_.data(), transfer.size};
        memory_.read(output.queue.front().address, bytes);
        transfer.data = bytes;
    }
    transfer.began = now();
    auto phase = ncube::ChannelPhase::kBegin;
    sc_core::sc_time delay = to_kernel(span);
    out[channel]->nb_transport_fw(transfer, phase, delay);
}

void NcubeChannelUnit::step()
{
    const Duration present = now();
    ++wakeups_;
    wakeup_.taken(present);
    Duration next = Duration::never();
    for (unsigned channel = 0; channel < inputs_.size(); ++channel) {
        RingBuffer<Arrival>& arrivals = inputs_[channel].arrivals;
        while (!arrivals.empty() && arrivals.front().end <= present) {
            Arrival arrival = arrivals.pop_front();
            arrival.transfer.data = arrival.data;
            take(channel, arrival.transfer);
        }
        if (!arrivals.empty()) next = std::min(next, arrivals.front().end);
    }
    for (unsigned channel = 0; channel < outputs_.size(); ++channel) {
        if (outputs_[channel].busy && outputs_[channel].end <= present) finish(channel);
        if (outputs_[channel].busy) next = std::min(next, outputs_[channel].end);
    }
    wakeup_.at(next, present);
}

void NcubeChannelUnit::finish(unsigned channel)
{
    Output& output = outputs_[channel];
    Order order = output.queue.pop_front();
    output.busy = false;
    ncube::Transfer& transfer = order.transfer;
    bytes_ += transfer.size;
    const bool data = transfer.kind == ncube::TransferKind::kData;
    if (data) {
        ++transfers_;
        port_.sending(false);
    } else {
        ++controls_;
    }
    if (order.lost) [[unlikely]]
        faults_->lose(transfer, now());
    if (data) {
        interrupt_(
            {.kind = ChannelInterrupt::Kind::kOutput, .channel = channel, .message = transfer.id, .control = {}});
    }
    // Who is interrupted may have begun the next transfer itself
    if (!output.busy && !output.queue.empty()) start(channel);
}

::tlm::tlm_sync_enum NcubeChannelUnit::arrive(int tag, ncube::Transfer& transfer, ncube::ChannelPhase& /*phase*/,
                                              sc_core::sc_time& delay)
{
    const auto channel = static_cast<unsigned>(tag);
    const Duration end = now() + from_kernel(delay);
    const bool stopped = faults_ != nullptr && faults_->stopped(now());
    try {
        if (transfer.kind == ncube::TransferKind::kData && !stopped) begin_to_receive(channel, transfer, end);
    } catch (...) {
        simulation_.fail(std::current_exception());
        return ::tlm::TLM_COMPLETED;
    }
    inputs_[channel].arrivals.push_back({transfer, {transfer.data.begin(), transfer.data.end()}, end});
    wakeup_.at(end);
    return ::tlm::TLM_COMPLETED;
}

void NcubeChannelUnit::begin_to_receive(unsigned channel, const ncube::Transfer& transfer, Duration end)
{
    Input& input = inputs_[channel];
    const bool fits = input.always ? transfer.size <= input.size : transfer.size == input.size;
    if (!input.expected || !fits) {
        throw ModelError(
            fmt::format("{}: {} bytes of message {} come to channel {}, which {}", name(), transfer.size, transfer.id,
                        channel, input.expected ? fmt::format("waits for {}", input.size) : "has no address for them"));
    }
    port_.receiving(true);
    receiving_.add(end - transfer.began);
    input.dma.busy(transfer.began, end, "data", transfer.id, {.bytes = transfer.size});
}

/// The last byte has arrived.
void NcubeChannelUnit::take(unsigned channel, const ncube::Transfer& transfer)
{
    if (faults_ != nullptr && faults_->stopped(now())) [[unlikely]] {
        faults_->lose(transfer, now());
        return;
    }
    if (transfer.bad) [[unlikely]] {
        ++parity_errors_;
        if (transfer.kind == ncube::TransferKind::kData) {
            inputs_[channel].expected = inputs_[channel].always;
            port_.receiving(false);
        }
        interrupt_({.kind = ChannelInterrupt::Kind::kError, .channel = channel, .message = transfer.id, .control = {}});
        return;
    }
    if (transfer.kind == ncube::TransferKind::kControl) {
        interrupt_({.kind = ChannelInterrupt::Kind::kControl,
                    .channel = channel,
                    .message = transfer.id,
                    .control = transfer.control});
        return;
    }
    Input& input = inputs_[channel];
    memory_.write(input.address, transfer.data);
    input.expected = input.always;
    port_.receiving(false);
    interrupt_({.kind = ChannelInterrupt::Kind::kInput, .channel = channel, .message = transfer.id, .control = {}});
}

void NcubeChannelUnit::trace(sc_core::sc_trace_file* file) const
{
    const std::string scope = name();
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        trace_signal(file, outputs_[i].wire, fmt::format("{}.out_{}", scope, i),
                     {"the serial wire of this channel to the neighbour in this dimension",
                      "data, control, lost, parity error", SignalPlace::kLink});
        trace_signal(
            file, inputs_[i].dma, fmt::format("{}.in_{}", scope, i),
            {"the input channel of this dimension writes what it received into memory", "data", SignalPlace::kWayIn});
    }
    trace_signal(file, port_.active(), scope + ".active_dma",
                 {"channels whose DMA takes memory cycles from the processor", "channels", SignalPlace::kWayIn});
}

void NcubeChannelUnit::places(PlaceVisitor& visitor) const
{
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        visitor.busy(fmt::format("out_{}", i), "link", outputs_[i].wire);
        visitor.busy(fmt::format("in_{}", i), "DMA", inputs_[i].dma);
    }
    visitor.level("active_dma", "memory port", port_.active(), 2 * outputs_.size());
}

void NcubeChannelUnit::statistics(StatisticsVisitor& visitor) const
{
    visitor.counter("transfers", transfers_, "transfers", "messages that left over the channels");
    visitor.counter("controls", controls_, "transfers", "requests and replies that left");
    visitor.counter("bytes", bytes_, "bytes", "bytes that left, requests and replies included");
    visitor.time("sending", sending_, "time in which channels sent data, summed over them");
    visitor.time("receiving", receiving_, "time in which channels received data, summed over them");
    visitor.counter("wakeups", wakeups_, "events", "simulation events of this block");
    if (simulation_.faults().empty()) return;
    const Counter none;
    const auto struck = static_cast<double>(faults_ == nullptr ? 0 : faults_->struck());
    visitor.value("faults", struck, "times", "that a fault of a channel or of the node struck");
    visitor.counter("lost", faults_ == nullptr ? none : faults_->lost(), "transfers",
                    "that left over an open wire, or at or for a node that had stopped");
    visitor.counter("parity_errors", parity_errors_, "transfers", "that came with a byte of the wrong parity");
}

std::string NcubeChannelUnit::pending() const
{
    if (faults_ != nullptr && faults_->has_stopped()) return {};
    for (unsigned i = 0; i < outputs_.size(); ++i) {
        if (!outputs_[i].queue.empty()) return fmt::format("channel {} has not sent all", i);
        if (!inputs_[i].arrivals.empty()) return fmt::format("channel {} has not received all", i);
        if (inputs_[i].expected && !inputs_[i].always)
            return fmt::format("channel {} waits for {} bytes", i, inputs_[i].size);
    }
    return {};
}

}  // namespace ringmesh::hw
