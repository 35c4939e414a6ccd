// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/flit_fabric.h"

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

/// The policy's required room for packets of 0, 1, ... flits up to a whole buffer, as a table.
std::vector<std::uint32_t> room_by_flits(const MeshFlowPolicy& flow, std::uint32_t buffer)
{
    std::vector<std::uint32_t> room;
    for (std::uint32_t flits = 0; flits <= buffer; ++flits) room.push_back(flow.room(flits, buffer));
    return room;
}

/// A bit for each number of flits sent: whether the packet then holds the switch.
std::uint64_t flits_that_hold(const SwitchHoldPolicy& hold)
{
    std::uint64_t holds = 0;
    for (std::uint32_t sent = 1; sent < mesh::kMostFlits; ++sent) holds |= std::uint64_t{hold.keeps(sent)} << sent;
    return holds;
}

std::int64_t longest(const std::vector<std::int64_t>& times) { return *std::max_element(times.begin(), times.end()); }

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
      first_entry_(static_cast<std::uint32_t>(grid_.outputs())),
      room_(room_by_flits(*params_.flow, buffer_)),
      holds_(flits_that_hold(*params_.switch_hold)),
      waits_for_room_(std::any_of(room_.begin(), room_.end(), [](std::uint32_t room) { return room != 0; })),
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
    const auto all = static_cast<Mask>((1U << params_.virtual_channels) - 1);
    const auto shared = static_cast<unsigned>(params_.virtual_channels - params_.reserved_channels);
    const auto reserved = static_cast<unsigned>(params_.reserved_channels);
    for (Output& output : outputs_) {
        output.free = output.empty = all;
        output.to_next = static_cast<std::uint16_t>(to_wires_ + params_.link.count());
        output.buffer = static_cast<std::uint16_t>(params_.buffer_flits);
        output.credits.fill(output.buffer);
        output.allowed[mesh::index(Class::kRequest)] = static_cast<Mask>((1U << shared) - 1);
        output.allowed[mesh::index(Class::kResponse)] = static_cast<Mask>(all >> reserved << reserved);
    }
    for (std::uint32_t number = 0; number < first_entry_; ++number) {
        const std::uint32_t next = grid_.neighbour(number);
        outputs_[number].link = next != MeshGrid::kNone;
        if (next == MeshGrid::kNone) continue;
        const auto port = static_cast<Port>(number % kPorts);
        Output& output = outputs_[number];
        output.to_next = static_cast<std::uint16_t>(to_wires_ + times_.link[number]);
        lead(number, grid_.input_behind(number));
        const bool along_row = port == Port::kEast || port == Port::kWest;
        // Routes of a table are without deadlock as they are
        if (routes_.has_table() || (along_row ? grid_.row_ring() : grid_.column_ring()) == 0) continue;
        output.ring = along_row ? Output::Ring::kRow : Output::Ring::kColumn;
        output.up = port == Port::kEast || port == Port::kNorth;
        output.next = along_row ? grid_.x(next) : grid_.y(next);
    }
    for (std::uint32_t terminal = 0; terminal < wiring.terminals.size(); ++terminal) {
        const auto input = static_cast<std::uint32_t>(grid_.output(wiring.terminals[terminal]));
        lead(first_entry_ + terminal, input);
        terminal_at_[input] = terminal;
    }
}

/// From an output or entry to an input of a router.
void FlitFabric::lead(std::uint32_t number, std::uint32_t input)
{
    Output& output = outputs_[number];
    output.input = input * kStride;
    output.buffer = static_cast<std::uint16_t>(times_.buffer[input / kPorts]);
    output.credits.fill(output.buffer);
    feeder_[input] = number;
}

inline std::int64_t FlitFabric::routing(std::uint32_t router) const
{
    return times_.uniform ? routing_ : routing_ + times_.pipeline[router] - params_.head_pipeline().count();
}

inline std::int64_t FlitFabric::to_feeder(std::uint32_t input) const
{
    const std::uint32_t feeder = feeder_[input];
    return times_.uniform || feeder >= first_entry_ ? to_credit_ : 1 + times_.link[feeder];
}

void FlitFabric::take_credits(std::int64_t cycle)
{
    if (!held_.empty()) [[unlikely]]
        keep_credits_of_held(cycle);
    for (const std::uint32_t slot : credit_wires_.at(cycle)) {
        const std::uint32_t number = slot / kStride;
        const auto bit = static_cast<Mask>(1U << slot % kStride);
        Output& output = outputs_[number];
        const std::uint32_t credits = ++output.credits[slot % kStride];
        if (credits > output.buffer) throw ModelError("a virtual channel has more credits than buffer slots");
        const bool empty = credits == output.buffer;
        if (empty) output.empty |= bit;
        if (number >= first_entry_) {
            const std::uint32_t terminal = number - first_entry_;
            entry_news_[terminal / 64] |= 1ULL << terminal % 64;
            continue;
        }
        const std::uint32_t router = number / kPorts;
        if (credits == 1 && (output.free & bit) == 0 && inputs_[owner_[slot]].fill != 0) {
            set_ready(router, owner_[slot]);
            if (listener_ != nullptr) listener_->gets_credit(slot, *front(inputs_[owner_[slot]], owner_[slot]));
        }
        // By policy heads wait for room, and for a channel of the other class until it is empty.
        if (routers_[router].heads != 0 && (empty || waits_for_room_)) {
            routers_[router].allocate = static_cast<std::uint8_t>(routers_[router].allocate | 1U << number % kPorts);
            wake(router);
        }
    }
    credit_wires_.clear(cycle);
}

std::uint8_t FlitFabric::open_entry(std::uint32_t terminal, const Packet& packet)
{
    const std::uint32_t number = first_entry_ + terminal;
    Output& output = outputs_[number];
    std::uint32_t free = usable(output, packet, 1);
    if (free == 0) return kNothing;
    std::uint16_t& turn = turns_[number * kStride];
    const unsigned channel = next_set(free, turn);
    turn = static_cast<std::uint16_t>((channel + 1) % kStride);
    take(output, channel, packet);
    return static_cast<std::uint8_t>(channel);
}

bool FlitFabric::enter(std::uint32_t terminal, Packet& packet, std::uint8_t channel, bool head, bool tail,
                       std::int64_t cycle)
{
    const std::uint32_t number = first_entry_ + terminal;
    Output& output = outputs_[number];
    std::uint16_t& credits = output.credits[channel];
    if (credits == 0) return false;
    --credits;
    output.empty = static_cast<Mask>(output.empty & ~(1U << channel));
    if (tail) output.free = static_cast<Mask>(output.free | 1U << channel);
    flits_.add(cycle + entry_, {&packet, output.input + channel, head});
    return true;
}

void FlitFabric::tell_levels(Duration time)
{
    for (std::size_t word = 0; word < filled_.size(); ++word) {
        for (std::uint64_t rest = std::exchange(filled_[word], 0); rest != 0; rest &= rest - 1) {
            const std::size_t router = 64 * word + static_cast<std::size_t>(std::countr_zero(rest));
            levels_[router].set(routers_[router].fill, time);
        }
    }
}

void FlitFabric::take_flits(std::int64_t cycle)
{
    flits_.bring(cycle);
    for (const Flit& flit : flits_.at(cycle)) {
        Input& channel = inputs_[flit.input];
        const std::uint32_t router = router_of(flit.input);
        ++channel.fill;
        ++routers_[router].fill;
        if (measured_) filled_[router / 64] |= 1ULL << router % 64;
        if (channel.fill > buffer_) throw ModelError("a flit arrives at a full buffer");
        if (flit.head) {
            packets_[flit.input * ring_ + ((channel.first + channel.packets) & (ring_ - 1))] = flit.packet;
            if (++channel.packets == 1) come_to_front(flit.input, cycle + routing(router), cycle);
        } else if (channel.fill == 1 && channel.channel != kNothing) {
            if (outputs_[router * kPorts + channel.output].credits[channel.channel] != 0) {
                set_ready(router, flit.input);
            }
        }
    }
    flits_.clear(cycle);
    for (const std::uint32_t input : routing_wheel_.at(cycle)) bid(input);
    routing_wheel_.clear(cycle);
}

/// @param at the cycle of its bid for a virtual channel
void FlitFabric::come_to_front(std::uint32_t input, std::int64_t at, std::int64_t now)
{
    Input& channel = inputs_[input];
    channel.left = static_cast<std::uint16_t>(front(channel, input)->flits);
    channel.head = true;
    if (at == now) {
        bid(input);
    } else {
        routing_wheel_.add(at, input);
    }
}

void FlitFabric::set_ready(std::uint32_t router, std::uint32_t input)
{
    Router& x = routers_[router];
    const Input& channel = inputs_[input];
    const std::uint8_t port = port_of(input);
    x.ready[port][channel.output] |= static_cast<Mask>(1U << input % kStride);
    x.ready_outputs[port] = static_cast<std::uint8_t>(x.ready_outputs[port] | 1U << channel.output);
    x.ready_inputs = static_cast<std::uint8_t>(x.ready_inputs | 1U << port);
    wake(router);
}

void FlitFabric::clear_ready(std::uint32_t router, std::uint32_t input)
{
    Router& x = routers_[router];
    const std::uint8_t output = inputs_[input].output;
    const std::uint8_t port = port_of(input);
    Mask& ready = x.ready[port][output];
    ready = static_cast<Mask>(ready & ~(1U << input % kStride));
    if (ready != 0) return;
    x.ready_outputs[port] = static_cast<std::uint8_t>(x.ready_outputs[port] & ~(1U << output));
    if (x.ready_outputs[port] == 0) x.ready_inputs = static_cast<std::uint8_t>(x.ready_inputs & ~(1U << port));
}

/// The first flit of an input channel traverses the switch and the link.
void FlitFabric::send(std::uint32_t router, std::uint32_t input, std::int64_t cycle)
{
    Router& x = routers_[router];
    Input& channel = inputs_[input];
    const std::uint32_t number = router * kPorts + channel.output;
    Output& output = outputs_[number];
    Packet& packet = *front(channel, input);
    const bool head = std::exchange(channel.head, false);
    --channel.fill;
    --channel.left;
    --x.fill;
    if (measured_) filled_[router / 64] |= 1ULL << router % 64;
    ++output_flits_[number];
    std::int64_t arrives = cycle + output.to_next;
    std::int64_t late = 0;
    if (link_listener_ != nullptr &&
        (calm_ == nullptr || !calm_->passes(number, head ? 1 : 0, head ? packet.flits : 0, cycle + to_wires_))) {
        late = link_listener_->flit_leaves(input / kStride, number, packet, head, cycle + to_wires_);
        arrives += late;
    }

    bool credit = true;
    if (output.link) {
        credit = --output.credits[channel.channel] != 0;
        output.empty = static_cast<Mask>(output.empty & ~(1U << channel.channel));
        flits_.add(arrives, {&packet, output.input + channel.channel, head}, late > 1);
    } else if (channel.left == 0) {
        ejections_.add(arrives, {&packet, terminal_at_[number]}, late > 1);
    }
    credit_wires_.add(cycle + to_feeder(input / kStride), feeder_[input / kStride] * kStride + input % kStride);

    if (channel.left == 0) {
        clear_ready(router, input);
        freed_.push_back({number, std::exchange(channel.channel, kNothing)});
        channel.first = static_cast<std::uint16_t>((channel.first + 1U) & (ring_ - 1));
        if (--channel.packets == 0) return;
        come_to_front(input, cycle + 1 + routing(router), cycle);
        if (listener_ != nullptr) listener_->comes_to_front(*front(channel, input), packet, cycle + 1);
        return;
    }
    if (channel.fill == 0 || !credit) clear_ready(router, input);
    if (holds_ != 0 && channel.fill != 0 && (holds_ >> (packet.flits - channel.left) & 1) != 0) {
        const std::uint8_t port = port_of(input);
        x.held_inputs = static_cast<std::uint8_t>(x.held_inputs | 1U << port);
        x.held_output[port] = channel.output;
        x.held_channel[port] = static_cast<std::uint8_t>(input % kStride);
    }
}

/// Room of an output in flits, in the channels that this packet may use now.
std::uint32_t FlitFabric::room(const Output& output, const Packet& packet) const
{
    std::uint32_t sum = 0;
    for_each_set(usable(output, packet, 0), [&](unsigned channel) { sum += output.credits[channel]; });
    return sum;
}

void FlitFabric::take(Output& output, unsigned channel, const Packet& packet)
{
    const unsigned bit = 1U << channel;
    output.free = static_cast<Mask>(output.free & ~bit);
    output.responses =
        static_cast<Mask>(packet.kind == Class::kResponse ? output.responses | bit : output.responses & ~bit);
}

void FlitFabric::set_open(std::uint32_t terminal, Class kind, bool open)
{
    const std::uint32_t number = outputs_[first_entry_ + terminal].input / kStride;
    const auto& allowed = outputs_[first_entry_ + terminal].allowed;  // initially the same for all outputs
    outputs_[number].allowed[mesh::index(kind)] = open ? allowed[mesh::index(kind)] : Mask{0};
    const std::uint32_t router = number / kPorts;
    if (!open || routers_[router].heads == 0) return;
    routers_[router].allocate = static_cast<std::uint8_t>(routers_[router].allocate | 1U << number % kPorts);
    wake(router);
}

/// The packet at the front has its route: it bids for a channel of an output.
void FlitFabric::bid(std::uint32_t input)
{
    Input& channel = inputs_[input];
    const std::uint32_t router = router_of(input);
    Router& x = routers_[router];
    const Packet& packet = *front(channel, input);
    const MeshWays ways = routes_.ways(router, packet.to);
    channel.output = static_cast<std::uint8_t>(ways.first);
    channel.other = ways.other != ways.first ? static_cast<std::uint8_t>(ways.other) : kNothing;
    prefer(router, channel, packet);
    x.waiting[channel.output][port_of(input)] |= static_cast<Mask>(1U << input % kStride);
    x.allocate = static_cast<std::uint8_t>(x.allocate | 1U << channel.output);
    ++x.heads;
    wake(router);
}

/// Switches to the other output if that has more room. @return whether it does
bool FlitFabric::prefer(std::uint32_t router, Input& channel, const Packet& packet)
{
    if (channel.other == kNothing) return false;
    if (room(outputs_[router * kPorts + channel.other], packet) <=
        room(outputs_[router * kPorts + channel.output], packet))
        return false;
    std::swap(channel.output, channel.other);
    return true;
}

/// Adaptive routing: waiting heads reconsider their output.
void FlitFabric::reconsider(std::uint32_t router)
{
    Router& x = routers_[router];
    for (unsigned port = 0; port < kPorts; ++port) {
        for (unsigned output = 0; output < kPorts; ++output) {
            for_each_set(x.waiting[output][port], [&](unsigned number) {
                const std::uint32_t input = (router * kPorts + port) * kStride + number;
                Input& channel = inputs_[input];
                // Heads that moved to a later output are visited again there, and stay.
                if (!prefer(router, channel, *front(channel, input))) return;
                x.waiting[output][port] = static_cast<Mask>(x.waiting[output][port] & ~(1U << number));
                x.waiting[channel.output][port] |= static_cast<Mask>(1U << number);
                x.allocate = static_cast<std::uint8_t>(x.allocate | 1U << channel.output);
            });
        }
    }
}

void FlitFabric::take_channel(std::uint32_t router, std::uint32_t input, std::uint8_t granted)
{
    Router& x = routers_[router];
    Input& channel = inputs_[input];
    const std::uint32_t number = router * kPorts + channel.output;
    take(outputs_[number], granted, *front(channel, input));
    owner_[number * kStride + granted] = input;
    if (listener_ != nullptr) listener_->gets_channel(number * kStride + granted, *front(channel, input));
    channel.channel = granted;
    channel.turn_output = channel.output;
    channel.turn_channel = static_cast<std::uint8_t>((granted + 1U) % kStride);
    Mask& waiting = x.waiting[channel.output][port_of(input)];
    waiting = static_cast<Mask>(waiting & ~(1U << input % kStride));
    --x.heads;
    if (outputs_[number].credits[granted] != 0) set_ready(router, input);
}

void FlitFabric::hold(std::uint32_t number)
{
    Output& output = outputs_[number];
    held_.push_back({number, output.credits});
    output.credits.fill(0);
    const std::uint32_t router = number / kPorts;
    for (unsigned port = 0; port < kPorts; ++port) {
        for_each_set(routers_[router].ready[port][number % kPorts],
                     [&](unsigned channel) { clear_ready(router, (router * kPorts + port) * kStride + channel); });
    }
}

void FlitFabric::release(std::uint32_t number)
{
    const auto held = std::find_if(held_.begin(), held_.end(), [&](const Held& each) { return each.output == number; });
    Output& output = outputs_[number];
    output.credits = held->credits;
    held_.erase(held);
    const std::uint32_t router = number / kPorts;
    for (std::uint32_t channel = 0; channel < kStride; ++channel) {
        const std::uint32_t slot = number * kStride + channel;
        const bool owned = channel < params_.virtual_channels && (output.free >> channel & 1U) == 0;
        if (owned && output.credits[channel] != 0 && inputs_[owner_[slot]].fill != 0) {
            set_ready(router, owner_[slot]);
            if (listener_ != nullptr) listener_->gets_credit(slot, *front(inputs_[owner_[slot]], owner_[slot]));
        }
    }
    if (routers_[router].heads == 0) return;
    routers_[router].allocate = static_cast<std::uint8_t>(routers_[router].allocate | 1U << number % kPorts);
    wake(router);
}

void FlitFabric::keep_credits_of_held(std::int64_t cycle)
{
    std::vector<std::uint32_t>& slots = credit_wires_.at(cycle);
    for (Held& held : held_) {
        const auto kept = std::partition(slots.begin(), slots.end(),
                                         [&](std::uint32_t slot) { return slot / kStride != held.output; });
        Output& output = outputs_[held.output];
        for (auto slot = kept; slot != slots.end(); ++slot) {
            const std::uint32_t credits = ++held.credits[*slot % kStride];
            if (credits > output.buffer) throw ModelError("a virtual channel has more credits than buffer slots");
            if (credits == output.buffer) output.empty |= static_cast<Mask>(1U << *slot % kStride);
        }
        slots.erase(kept, slots.end());
    }
}

std::vector<const Packet*> FlitFabric::waiting_for(std::uint32_t number) const
{
    std::vector<const Packet*> waiting;
    const std::uint32_t router = number / kPorts;
    for (std::uint32_t i = 0; i < kPorts * kStride; ++i) {
        const std::uint32_t input = router * kPorts * kStride + i;
        const Input& channel = inputs_[input];
        if (channel.packets == 0 || channel.output != number % kPorts) continue;
        waiting.push_back(packets_[input * ring_ + channel.first]);
    }
    return waiting;
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
