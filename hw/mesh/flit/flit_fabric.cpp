// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/flit/flit_fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "tlm/error.h"

namespace ringmesh::hw {

using mesh::Class;
using mesh::Packet;
using mesh::Port;

namespace {

/// The policy's required free flits for packets of 0, 1, ... flits up to a whole buffer, as a table.
std::vector<std::uint32_t> needed_by_flits(const MeshFlowPolicy& flow, std::uint32_t buffer)
{
    std::vector<std::uint32_t> needed;
    for (std::uint32_t flits = 0; flits <= buffer; ++flits) needed.push_back(flow.needs(flits, buffer));
    return needed;
}

/// A bit for each number of flits sent: whether the packet then holds the switch.
std::uint64_t flits_that_hold(const SwitchHoldPolicy& hold)
{
    std::uint64_t holds = 0;
    for (std::uint32_t sent = 1; sent < mesh::kMostFlits; ++sent) holds |= std::uint64_t{hold.keeps(sent)} << sent;
    return holds;
}

template <class Index>
std::int64_t longest(const Indexed<Index, std::int64_t>& times)
{
    return *std::max_element(times.begin(), times.end());
}

}  // namespace

FlitFabric::FlitFabric(const FlitWiring& wiring)
    : params_(wiring.params),
      grid_(wiring.grid),
      routes_(wiring.routes),
      times_(wiring.times),
      routing_(std::max<std::int64_t>(0, params_.pipeline.count() - 3)),
      to_wires_(std::min<std::int64_t>(2, params_.pipeline.count())),
      entry_(params_.terminal.count()),
      channel_first_(params_.pipeline < MeshParams::kFewestToSpeculate),
      speculates_(params_.speculates()),
      buffer_(*std::max_element(times_.buffer.begin(), times_.buffer.end())),
      ring_(std::bit_ceil(buffer_)),
      first_entry_(grid_.outputs()),
      needed_(needed_by_flits(*params_.flow, buffer_)),
      holds_(flits_that_hold(*params_.switch_hold)),
      waits_for_buffer_(std::any_of(needed_.begin(), needed_.end(), [](std::uint32_t flits) { return flits != 0; })),
      routers_(grid_.routers()),
      inputs_(grid_.outputs() * kStride),
      packets_(inputs_.size() * ring_),
      outputs_(grid_.outputs() + wiring.terminals.size()),
      owner_(outputs_.size() * kStride),
      turns_(outputs_.size() * kStride),
      feeders_(grid_.outputs()),
      terminal_at_(grid_.outputs()),
      busy_((grid_.routers() + 63) / 64),
      entry_news_((wiring.terminals.size() + 63) / 64),
      output_flits_(wiring.output_flits),
      levels_(grid_.routers()),
      filled_(busy_.size()),
      flits_(std::max(to_wires_ + longest(times_.link), entry_) + (wiring.faults ? 1 : 0)),
      credit_wires_(1 + longest(times_.link)),
      routing_wheel_(routing_ + 1 + longest(times_.pipeline) - params_.head_pipeline().count()),
      ejections_(to_wires_ + longest(times_.link) + (wiring.faults ? 1 : 0))
{
    const auto all = static_cast<ChannelMask>((1U << params_.virtual_channels) - 1);
    const auto shared = static_cast<unsigned>(params_.virtual_channels - params_.reserved_channels);
    const auto reserved = static_cast<unsigned>(params_.reserved_channels);
    for (OutputPort& output : outputs_) {
        output.free = output.empty = all;
        output.to_next = static_cast<std::uint16_t>(to_wires_ + params_.link.count());
        output.buffer = static_cast<std::uint16_t>(params_.buffer_flits);
        output.credits.fill(output.buffer);
        output.allowed[mesh::index(Class::kRequest)] = static_cast<ChannelMask>((1U << shared) - 1);
        output.allowed[mesh::index(Class::kResponse)] = static_cast<ChannelMask>(all >> reserved << reserved);
    }
    for (OutputIndex index; index.number < grid_.outputs(); ++index.number) {
        const RouterIndex next = grid_.neighbour(index);
        OutputPort& output = outputs_[index];
        output.link = next != MeshGrid::kNone;
        if (!output.link) continue;
        output.to_next = static_cast<std::uint16_t>(to_wires_ + times_.link[index]);
        lead(index, grid_.input_behind(index), times_.link[index]);
        const Port port = index.direction();
        const bool along_row = port == Port::kEast || port == Port::kWest;
        // Routes of a table are without deadlock as they are
        if (routes_.has_table() || (along_row ? grid_.row_ring() : grid_.column_ring()) == 0) continue;
        output.ring = along_row ? OutputPort::Ring::kRow : OutputPort::Ring::kColumn;
        output.up = port == Port::kEast || port == Port::kNorth;
        output.next = along_row ? grid_.x(next) : grid_.y(next);
        output.size = static_cast<std::uint16_t>(along_row ? grid_.row_ring() : grid_.column_ring());
    }
    for (std::size_t number = 0; number < wiring.terminals.size(); ++number) {
        const TerminalIndex terminal(number);
        const OutputIndex port = grid_.output(wiring.terminals[number]);
        lead(entry(terminal), InputIndex(port.number), params_.link.count());
        terminal_at_[port] = terminal;
    }
}

/// From an output or entry to an input of a router. @param link cycles that a credit is on its way back
void FlitFabric::lead(OutputIndex index, InputIndex input, std::int64_t link)
{
    OutputPort& output = outputs_[index];
    output.input = input;
    output.buffer = static_cast<std::uint16_t>(times_.buffer[input.router()]);
    output.credits.fill(output.buffer);
    feeders_[input] = {.output = index, .to_credit = static_cast<std::uint16_t>(1 + link)};
}

void FlitFabric::cut(const std::function<bool(RouterIndex)>& own)
{
    for (OutputIndex index; index.number < grid_.outputs(); ++index.number) {
        OutputPort& output = outputs_[index];
        if (!output.link || own(index.router()) == own(output.input.router())) continue;
        output.cut = feeders_[output.input].cut = true;
    }
}

// From terminals into their routers.

std::uint8_t FlitFabric::open_entry(TerminalIndex terminal, const Packet& packet)
{
    OutputPort& output = outputs_[entry(terminal)];
    std::uint32_t free = usable(output, packet, 1);
    if (free == 0) return kNothing;
    std::uint16_t& turn = turns_[entry(terminal).channel(0)];
    const unsigned channel = next_set(free, turn);
    turn = static_cast<std::uint16_t>((channel + 1) % kStride);
    take(output, channel, packet);
    return static_cast<std::uint8_t>(channel);
}

bool FlitFabric::enter(TerminalIndex terminal, Packet& packet, std::uint8_t channel, bool head, bool tail,
                       std::int64_t cycle)
{
    OutputPort& output = outputs_[entry(terminal)];
    std::uint16_t& credits = output.credits[channel];
    if (credits == 0) return false;
    --credits;
    output.empty = static_cast<ChannelMask>(output.empty & ~(1U << channel));
    if (tail) output.free = static_cast<ChannelMask>(output.free | 1U << channel);
    flits_.add(cycle + entry_, {head ? &packet : nullptr, output.input.channel(channel)});
    return true;
}

void FlitFabric::set_open(TerminalIndex terminal, Class kind, bool open)
{
    const OutputPort& into = outputs_[entry(terminal)];
    const OutputIndex index(into.input.number);                   // the output beside this input leads to the terminal
    const ChannelMask allowed = into.allowed[mesh::index(kind)];  // initially the same for all outputs
    outputs_[index].allowed[mesh::index(kind)] = open ? allowed : ChannelMask{0};
    if (open) allocate_again(index);
}

// Stage 1: flits come into buffers; a head at the front of its channel gets its route.

void FlitFabric::write_buffers(std::int64_t cycle)
{
    flits_.bring(cycle);
    for (const Flit& flit : flits_.at(cycle)) {
        InputChannel& channel = inputs_[flit.input];
        const RouterIndex router = flit.input.router();
        ++routers_[router].fill;
        note_fill(router);
        if (++channel.fill > buffer_) throw ModelError("a flit arrives at a full buffer");
        if (flit.head != nullptr) {
            if (channel.packets++ == 0) {
                channel.front = flit.head;
                come_to_front(channel, flit.input, cycle + routing(router));
            } else {
                const std::uint32_t last = (channel.first + channel.packets - 1U) & (ring_ - 1);
                packets_[flit.input.number * ring_ + last] = flit.head;
            }
        } else if (channel.fill == 1 && channel.channel != kNothing) {
            if (outputs_[OutputIndex(router, channel.output)].credits[channel.channel] == 0) continue;
            routers_[router].set_ready(flit.input.port().port(), flit.input.channel(), channel.output);
            wake(router);
        }
    }
    flits_.clear(cycle);
    for (const InputChannelIndex index : routing_wheel_.at(cycle)) route(index);
    routing_wheel_.clear(cycle);
}

/// The packet at the front gets its route, and bids for a channel of an output.
inline void FlitFabric::route(InputChannelIndex index)
{
    const Router router = this->router(index.router());
    InputChannel& channel = inputs_[index];
    const Packet& packet = *channel.front;
    const MeshWays ways = routes_.ways(router.index(), packet.to, routes_.lots_of(packet.id));
    channel.output = static_cast<std::uint8_t>(ways.first);
    channel.other = ways.other != ways.first ? static_cast<std::uint8_t>(ways.other) : kNothing;
    if (channel.other != kNothing) prefer(router, channel, packet);
    router.state.set_waiting(index.port().port(), index.channel(), channel.output);
    ++router.state.heads;
    wake(router.index());
}

/// Switches to the other output if that has more free buffer. @return whether it does
bool FlitFabric::prefer(const Router& router, InputChannel& channel, const Packet& packet)
{
    if (channel.other == kNothing) return false;
    if (free_flits(router.output(channel.other), packet) <= free_flits(router.output(channel.output), packet))
        return false;
    std::swap(channel.output, channel.other);
    return true;
}

/// Free flits behind an output, in the channels that this packet may use now.
std::uint32_t FlitFabric::free_flits(const OutputPort& output, const Packet& packet) const
{
    std::uint32_t sum = 0;
    for_each_set(usable(output, packet, 0), [&](unsigned channel) { sum += output.credits[channel]; });
    return sum;
}

/// Adaptive routing: waiting heads reconsider their output.
void FlitFabric::reconsider(const Router& router)
{
    RouterState& state = router.state;
    for (unsigned port = 0; port < kPorts; ++port) {
        for (unsigned output = 0; output < kPorts; ++output) {
            for_each_set(state.waiting[output][port], [&](unsigned number) {
                InputChannel& channel = router.input(port, number);
                // Heads that moved to a later output are visited again there, and stay.
                if (!prefer(router, channel, *channel.front)) return;
                state.clear_waiting(port, number, output);
                state.set_waiting(port, number, channel.output);
            });
        }
    }
}

// Stage 2: heads get virtual channels, by FlitNetwork::allocate_channels().

void FlitFabric::take_channel(const Router& router, unsigned port, unsigned number, std::uint8_t granted)
{
    InputChannel& channel = router.input(port, number);
    OutputPort& output = router.output(channel.output);
    const OutputChannelIndex taken = router.output_port(channel.output).channel(granted);
    take(output, granted, *channel.front);
    owner_[taken] = router.input_port(port).channel(number);
    if (listener_ != nullptr) listener_->gets_channel(taken, *channel.front);
    channel.channel = granted;
    channel.turn_output = channel.output;
    channel.turn_channel = static_cast<std::uint8_t>((granted + 1U) % kStride);
    router.state.clear_waiting(port, number, channel.output);
    --router.state.heads;
    if (output.credits[granted] != 0) router.state.set_ready(port, number, channel.output);
}

void FlitFabric::take(OutputPort& output, unsigned channel, const Packet& packet)
{
    const unsigned bit = 1U << channel;
    output.free = static_cast<ChannelMask>(output.free & ~bit);
    output.responses =
        static_cast<ChannelMask>(packet.kind == Class::kResponse ? output.responses | bit : output.responses & ~bit);
}

// Back: credits come to the outputs and entries that feed a buffer.

void FlitFabric::take_credits(std::int64_t cycle)
{
    for (const OutputChannelIndex index : credit_wires_.at(cycle)) {
        const OutputIndex port = index.port();
        const auto bit = static_cast<ChannelMask>(1U << index.channel());
        OutputPort& output = outputs_[port];
        const std::uint32_t credits = ++output.credits[index.channel()];
        if (credits > output.buffer) throw ModelError("a virtual channel has more credits than buffer slots");
        const bool empty = credits == output.buffer;
        if (empty) output.empty |= bit;
        if (is_entry(port)) {
            const std::uint32_t terminal = port.number - first_entry_.number;
            entry_news_[terminal / 64] |= 1ULL << terminal % 64;
            continue;
        }
        if (credits == 1 && (output.free & bit) == 0) has_credit(index);
        // By policy heads wait for free flits, and for a channel of the other class until it is empty.
        if (empty || waits_for_buffer_) allocate_again(port);
    }
    credit_wires_.clear(cycle);
}

/// A channel that belongs to a packet has a credit after it had none.
void FlitFabric::has_credit(OutputChannelIndex index)
{
    const InputChannelIndex owner = owner_[index];
    const InputChannel& channel = inputs_[owner];
    if (channel.fill == 0) return;
    routers_[index.router()].set_ready(owner.port().port(), owner.channel(), channel.output);
    wake(index.router());
    if (listener_ != nullptr) listener_->gets_credit(index, *channel.front);
}

void FlitFabric::tell_levels(Duration time)
{
    for (std::size_t word = 0; word < filled_.size(); ++word) {
        for (std::uint64_t rest = std::exchange(filled_[word], 0); rest != 0; rest &= rest - 1) {
            const RouterIndex router(64 * word + static_cast<std::size_t>(std::countr_zero(rest)));
            levels_[router].set(routers_[router].fill, time);
        }
    }
}

std::int64_t FlitFabric::next_work(std::int64_t cycle) const
{
    for (const std::uint64_t word : busy_) {
        if (word != 0) return cycle + 1;
    }
    const std::int64_t ejection = ejections_.next(cycle + 1);
    return std::min({flits_.next(cycle), credit_wires_.next(cycle), routing_wheel_.next(cycle),
                     ejection == INT64_MAX ? INT64_MAX : ejection - 1});
}

}  // namespace ringmesh::hw
