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
      to_credit_(1 + params_.link.count()),
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
      feeder_(grid_.outputs()),
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
        lead(index, grid_.input_behind(index));
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
        lead(entry(terminal), InputIndex(port.number));
        terminal_at_[port] = terminal;
    }
}

/// From an output or entry to an input of a router.
void FlitFabric::lead(OutputIndex index, InputIndex input)
{
    OutputPort& output = outputs_[index];
    output.input = input;
    output.buffer = static_cast<std::uint16_t>(times_.buffer[input.router()]);
    output.credits.fill(output.buffer);
    feeder_[input] = index;
}

inline std::int64_t FlitFabric::routing(RouterIndex router) const
{
    return times_.uniform ? routing_ : routing_ + times_.pipeline[router] - params_.head_pipeline().count();
}

inline std::int64_t FlitFabric::to_feeder(InputIndex input) const
{
    const OutputIndex feeder = feeder_[input];
    return times_.uniform || is_entry(feeder) ? to_credit_ : 1 + times_.link[feeder];
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
    flits_.add(cycle + entry_, {&packet, output.input.channel(channel), head});
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
        ++channel.fill;
        ++routers_[router].fill;
        note_fill(router);
        if (channel.fill > buffer_) throw ModelError("a flit arrives at a full buffer");
        if (flit.head) {
            packets_[flit.input.number * ring_ + ((channel.first + channel.packets) & (ring_ - 1))] = flit.packet;
            if (++channel.packets == 1) come_to_front(flit.input, cycle + routing(router), cycle);
        } else if (channel.fill == 1 && channel.channel != kNothing) {
            if (outputs_[OutputIndex(router, channel.output)].credits[channel.channel] != 0) {
                set_ready(router, flit.input);
            }
        }
    }
    flits_.clear(cycle);
    for (const InputChannelIndex index : routing_wheel_.at(cycle)) route(index);
    routing_wheel_.clear(cycle);
}

/// @param at the cycle of its bid for a virtual channel
void FlitFabric::come_to_front(InputChannelIndex index, std::int64_t at, std::int64_t now)
{
    InputChannel& channel = inputs_[index];
    channel.left = static_cast<std::uint16_t>(front(channel, index)->flits);
    channel.head = true;
    if (at == now) {
        route(index);
    } else {
        routing_wheel_.add(at, index);
    }
}

/// The packet at the front gets its route, and bids for a channel of an output.
void FlitFabric::route(InputChannelIndex index)
{
    const Router router = this->router(index.router());
    InputChannel& channel = inputs_[index];
    const Packet& packet = *front(channel, index);
    const MeshWays ways = routes_.ways(router.index(), packet.to, routes_.lots_of(packet.id));
    channel.output = static_cast<std::uint8_t>(ways.first);
    channel.other = ways.other != ways.first ? static_cast<std::uint8_t>(ways.other) : kNothing;
    prefer(router, channel, packet);
    router.state.waiting[channel.output][index.port().port()] |= static_cast<ChannelMask>(1U << index.channel());
    router.state.allocate = static_cast<std::uint8_t>(router.state.allocate | 1U << channel.output);
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
                if (!prefer(router, channel, *front(channel, router.input_port(port).channel(number)))) return;
                state.waiting[output][port] = static_cast<ChannelMask>(state.waiting[output][port] & ~(1U << number));
                state.waiting[channel.output][port] |= static_cast<ChannelMask>(1U << number);
                state.allocate = static_cast<std::uint8_t>(state.allocate | 1U << channel.output);
            });
        }
    }
}

// Stage 2: heads get virtual channels, by FlitNetwork::allocate_channels().

void FlitFabric::take_channel(const Router& router, InputChannelIndex index, std::uint8_t granted)
{
    InputChannel& channel = inputs_[index];
    OutputPort& output = router.output(channel.output);
    const OutputChannelIndex taken = router.output_port(channel.output).channel(granted);
    take(output, granted, *front(channel, index));
    owner_[taken] = index;
    if (listener_ != nullptr) listener_->gets_channel(taken, *front(channel, index));
    channel.channel = granted;
    channel.turn_output = channel.output;
    channel.turn_channel = static_cast<std::uint8_t>((granted + 1U) % kStride);
    ChannelMask& waiting = router.state.waiting[channel.output][index.port().port()];
    waiting = static_cast<ChannelMask>(waiting & ~(1U << index.channel()));
    --router.state.heads;
    if (output.credits[granted] != 0) set_ready(router.index(), index);
}

void FlitFabric::take(OutputPort& output, unsigned channel, const Packet& packet)
{
    const unsigned bit = 1U << channel;
    output.free = static_cast<ChannelMask>(output.free & ~bit);
    output.responses =
        static_cast<ChannelMask>(packet.kind == Class::kResponse ? output.responses | bit : output.responses & ~bit);
}

// Stage 3: flits get the switch, by FlitNetwork::allocate_switch(), if their channel is ready.

void FlitFabric::set_ready(RouterIndex router, InputChannelIndex index)
{
    RouterState& state = routers_[router];
    const InputChannel& channel = inputs_[index];
    const unsigned port = index.port().port();
    state.ready[port][channel.output] |= static_cast<ChannelMask>(1U << index.channel());
    state.ready_outputs[port] = static_cast<std::uint8_t>(state.ready_outputs[port] | 1U << channel.output);
    state.ready_inputs = static_cast<std::uint8_t>(state.ready_inputs | 1U << port);
    wake(router);
}

void FlitFabric::clear_ready(const Router& router, InputChannelIndex index)
{
    RouterState& state = router.state;
    const std::uint8_t output = inputs_[index].output;
    const unsigned port = index.port().port();
    ChannelMask& ready = state.ready[port][output];
    ready = static_cast<ChannelMask>(ready & ~(1U << index.channel()));
    if (ready != 0) return;
    state.ready_outputs[port] = static_cast<std::uint8_t>(state.ready_outputs[port] & ~(1U << output));
    if (state.ready_outputs[port] == 0) {
        state.ready_inputs = static_cast<std::uint8_t>(state.ready_inputs & ~(1U << port));
    }
}

// Stage 4: a flit leaves its buffer through the switch.

/// The first flit of an input channel. Its credit goes back; behind a tail the next packet comes to the front.
void FlitFabric::traverse_switch(const Router& router, InputChannelIndex index, std::int64_t cycle)
{
    RouterState& state = router.state;
    InputChannel& channel = inputs_[index];
    const InputIndex input = index.port();
    const OutputIndex out = router.output_port(channel.output);
    Packet& packet = *front(channel, index);
    const bool head = std::exchange(channel.head, false);
    --channel.fill;
    --channel.left;
    --state.fill;
    note_fill(router.index());
    const bool tail = channel.left == 0;
    traverse_link(input, out, channel.channel, packet, head, tail, cycle);
    credit_wires_.add(cycle + to_feeder(input), feeder_[input].channel(index.channel()));

    if (tail) {
        clear_ready(router, index);
        freed_.push_back(out.channel(std::exchange(channel.channel, kNothing)));
        channel.first = static_cast<std::uint16_t>((channel.first + 1U) & (ring_ - 1));
        if (--channel.packets == 0) return;
        come_to_front(index, cycle + 1 + routing(router.index()), cycle);
        if (listener_ != nullptr) listener_->comes_to_front(*front(channel, index), packet, cycle + 1);
        return;
    }
    const OutputPort& output = router.output(channel.output);
    const bool credit = !output.link || output.credits[channel.channel] != 0;
    if (channel.fill == 0 || !credit) clear_ready(router, index);
    if (holds_ != 0 && channel.fill != 0 && (holds_ >> (packet.flits - channel.left) & 1) != 0) {
        const unsigned port = input.port();
        state.held_inputs = static_cast<std::uint8_t>(state.held_inputs | 1U << port);
        state.held_output[port] = channel.output;
        state.held_channel[port] = static_cast<std::uint8_t>(index.channel());
    }
}

// Stage 5: it goes over the link into the next buffer, or to the terminal.

inline void FlitFabric::traverse_link(InputIndex input, OutputIndex index, std::uint8_t channel, Packet& packet,
                                      bool head, bool tail, std::int64_t cycle)
{
    OutputPort& output = outputs_[index];
    ++output_flits_[index];
    std::int64_t arrives = cycle + output.to_next;
    std::int64_t late = 0;
    if (wires_ != nullptr) {
        late = wires_->flit_leaves(input, index, packet, head, cycle + to_wires_);
        arrives += late;
    }
    if (output.link) {
        --output.credits[channel];
        output.empty = static_cast<ChannelMask>(output.empty & ~(1U << channel));
        flits_.add(arrives, {&packet, output.input.channel(channel), head}, late > 1);
    } else if (tail) {
        ejections_.add(arrives, {&packet, terminal_at_[index]}, late > 1);
    }
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
    if (inputs_[owner].fill == 0) return;
    set_ready(index.router(), owner);
    if (listener_ != nullptr) listener_->gets_credit(index, *front(inputs_[owner], owner));
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
