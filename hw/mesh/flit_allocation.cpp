// SPDX-License-Identifier: Apache-2.0
/// Who gets an output, a virtual channel of it, and the switch.
#include <algorithm>
#include <bit>
#include <utility>

#include "hw/mesh/flit_network.h"
#include "hw/mesh/routing.h"

namespace ringmesh::hw {

using mesh::Class;
using mesh::Packet;

/// Channels of an output that this packet may have now.
/// @param least flits for which there must be room in any case
ChannelMask FlitNetwork::usable(const Output& output, const Packet& packet, std::uint32_t least) const
{
    const bool response = packet.kind == Class::kResponse;
    const auto own = static_cast<Mask>(response ? output.responses : ~output.responses);
    auto mask = static_cast<Mask>(output.free & output.allowed[mesh::index(packet.kind)] & (output.empty | own));
    if (params_.flow == MeshFlow::kCutThrough) least = std::max(least, std::min(packet.flits, buffer_));
    if (least == 0 || (mask & ~output.empty) == 0) return mask;
    for_each_set(mask, [&](unsigned channel) {
        if (output.credits[channel] < least) mask = static_cast<Mask>(mask & ~(1U << channel));
    });
    return mask;
}

/// Flits that an output has room for, in the channels that this packet may have now.
std::uint32_t FlitNetwork::room(const Output& output, const Packet& packet) const
{
    std::uint32_t sum = 0;
    for_each_set(usable(output, packet, 0), [&](unsigned channel) { sum += output.credits[channel]; });
    return sum;
}

void FlitNetwork::take(Output& output, unsigned channel, const Packet& packet)
{
    const unsigned bit = 1U << channel;
    output.free = static_cast<Mask>(output.free & ~bit);
    output.responses =
        static_cast<Mask>(packet.kind == Class::kResponse ? output.responses | bit : output.responses & ~bit);
}

void FlitNetwork::set_open(std::uint32_t terminal, Class kind, bool open)
{
    const std::uint32_t number = outputs_[first_entry_ + terminal].input / kStride;
    const auto& allowed = outputs_[first_entry_ + terminal].allowed;  // as those of all outputs were at first
    outputs_[number].allowed[mesh::index(kind)] = open ? allowed[mesh::index(kind)] : Mask{0};
    const std::uint32_t router = number / kPorts;
    if (!open || routers_[router].heads == 0) return;
    routers_[router].allocate = static_cast<std::uint8_t>(routers_[router].allocate | 1U << number % kPorts);
    wake(router);
}

/// The packet at the front has its route: it wants a channel of an output.
void FlitNetwork::bid(std::uint32_t input)
{
    Input& channel = inputs_[input];
    const std::uint32_t router = router_of(input);
    Router& x = routers_[router];
    const Packet& packet = *front(channel, input);
    const MeshWays ways = mesh_ways(params_.routing, grid_.x(router), grid_.y(router), packet.to);
    channel.output = static_cast<std::uint8_t>(ways.port[0]);
    channel.other = ways.count > 1 ? static_cast<std::uint8_t>(ways.port[1]) : kNothing;
    prefer(router, channel, packet);
    x.waiting[channel.output][port_of(input)] |= static_cast<Mask>(1U << input % kStride);
    x.allocate = static_cast<std::uint8_t>(x.allocate | 1U << channel.output);
    ++x.heads;
    wake(router);
}

/// Takes the other output if that has more room. @return whether it does
bool FlitNetwork::prefer(std::uint32_t router, Input& channel, const Packet& packet)
{
    if (channel.other == kNothing) return false;
    if (room(outputs_[router * kPorts + channel.other], packet) <=
        room(outputs_[router * kPorts + channel.output], packet))
        return false;
    std::swap(channel.output, channel.other);
    return true;
}

/// Adaptive routing: heads that wait look around.
void FlitNetwork::reconsider(std::uint32_t router)
{
    Router& x = routers_[router];
    for (unsigned port = 0; port < kPorts; ++port) {
        for (unsigned output = 0; output < kPorts; ++output) {
            for_each_set(x.waiting[output][port], [&](unsigned number) {
                const std::uint32_t input = (router * kPorts + port) * kStride + number;
                Input& channel = inputs_[input];
                // Those that have moved to a later output are looked at again there, and stay.
                if (!prefer(router, channel, *front(channel, input))) return;
                x.waiting[output][port] = static_cast<Mask>(x.waiting[output][port] & ~(1U << number));
                x.waiting[channel.output][port] |= static_cast<Mask>(1U << number);
                x.allocate = static_cast<std::uint8_t>(x.allocate | 1U << channel.output);
            });
        }
    }
}

void FlitNetwork::allocate_output(std::uint32_t router, unsigned output)
{
    Router& x = routers_[router];
    const std::uint32_t number = router * kPorts + output;
    bids_.clear();
    std::uint32_t wanted = 0;
    for (unsigned port = 0; port < kPorts; ++port) {
        for_each_set(x.waiting[output][port], [&](unsigned of_port) {
            const std::uint32_t input = (router * kPorts + port) * kStride + of_port;
            const Input& channel = inputs_[input];
            const Packet& packet = *front(channel, input);
            ChannelBid bid;
            bid.born_ps = packet.born_ps;
            bid.input = static_cast<std::uint16_t>(port * kStride + of_port);
            bid.usable = usable(outputs_[number], packet, 0);
            bid.favourite = channel.turn_output == output ? channel.turn_channel : std::uint8_t{0};
            wanted |= bid.usable;
            bids_.push_back(bid);
        });
    }
    if (wanted != 0) {
        allocate_channels(bids_, params_.channel_choice, params_.arbitration, {&turns_[number * kStride], kStride});
    }
    std::size_t granted = 0;
    for (const ChannelBid& bid : bids_) {
        if (bid.granted == kNothing) continue;
        ++granted;
        take_channel(router, router * kPorts * kStride + bid.input, bid.granted);
    }
    channel_conflicts_ += bids_.size() - granted;
    if (wanted == 0 || granted == bids_.size()) x.allocate = static_cast<std::uint8_t>(x.allocate & ~(1U << output));
}

void FlitNetwork::take_channel(std::uint32_t router, std::uint32_t input, std::uint8_t granted)
{
    Router& x = routers_[router];
    Input& channel = inputs_[input];
    const std::uint32_t number = router * kPorts + channel.output;
    take(outputs_[number], granted, *front(channel, input));
    owner_[number * kStride + granted] = input;
    channel.channel = granted;
    channel.turn_output = channel.output;
    channel.turn_channel = static_cast<std::uint8_t>((granted + 1U) % kStride);
    Mask& waiting = x.waiting[channel.output][port_of(input)];
    waiting = static_cast<Mask>(waiting & ~(1U << input % kStride));
    --x.heads;
    if (outputs_[number].credits[granted] != 0) set_ready(router, input);
}

std::pair<std::int64_t, std::uint32_t> FlitNetwork::age(std::uint32_t input)
{
    return {front(inputs_[input], input)->born_ps, input};
}

/// Which of the input's channels goes to this output.
template <Arbitration kArbitration>
std::uint32_t FlitNetwork::pick(std::uint32_t router, unsigned port, unsigned output)
{
    Router& x = routers_[router];
    const std::uint32_t first = (router * kPorts + port) * kStride;
    const Mask ready = x.ready[port][output];
    if constexpr (kArbitration == Arbitration::kRoundRobin) return first + next_set(ready, x.turn_channel[port]);
    std::uint32_t winner = first + next_set(ready, 0);
    if constexpr (kArbitration == Arbitration::kOldest) {
        for_each_set(ready, [&](unsigned channel) {
            if (age(first + channel) < age(winner)) winner = first + channel;
        });
    }
    return winner;
}

template <Arbitration kArbitration>
void FlitNetwork::run_switch(std::uint32_t router, std::int64_t cycle)
{
    Router& x = routers_[router];
    const std::uint8_t held = std::exchange(x.held_inputs, std::uint8_t{0});
    std::uint32_t held_outputs = 0;
    for_each_set(held, [&](unsigned port) {
        const std::uint8_t output = x.held_output[port];
        held_outputs |= 1U << output;
        // A packet that cannot go on has lost its way through the switch.
        if ((std::uint32_t{x.ready[port][output]} >> x.held_channel[port] & 1U) == 0) return;
        send(router, (router * kPorts + port) * kStride + x.held_channel[port], cycle);
    });

    SwitchRequests requests;
    std::uint32_t asking = 0;
    for_each_set(std::uint32_t{x.ready_inputs} & ~std::uint32_t{held}, [&](unsigned port) {
        for_each_set(std::uint32_t{x.ready_outputs[port]} & ~held_outputs, [&](unsigned output) {
            requests.inputs[output] = static_cast<std::uint8_t>(requests.inputs[output] | 1U << port);
            requests.outputs = static_cast<std::uint8_t>(requests.outputs | 1U << output);
            asking |= 1U << port;
        });
    });
    if (asking == 0) return;
    const SwitchMatch match = match_switch(
        requests, kArbitration, x.turns, [&](unsigned in_a, unsigned out_a, unsigned in_b, unsigned out_b) {
            if constexpr (kArbitration == Arbitration::kOldest) {
                return age(pick<kArbitration>(router, in_a, out_a)) < age(pick<kArbitration>(router, in_b, out_b));
            }
            return std::pair(in_a, out_a) < std::pair(in_b, out_b);
        });
    for_each_set(asking, [&](unsigned port) {
        if (match[port] == kNothing) {
            ++switch_conflicts_;
            return;
        }
        const std::uint32_t input = pick<kArbitration>(router, port, match[port]);
        x.turn_channel[port] = static_cast<std::uint8_t>((input + 1) % kStride);
        send(router, input, cycle);
    });
}

template <Arbitration kArbitration>
void FlitNetwork::run_router(std::uint32_t router, std::int64_t cycle)
{
    Router& x = routers_[router];
    const auto allocate = [&] {
        if (x.allocate == 0) return;
        if (params_.routing == MeshRouting::kWestFirst) reconsider(router);
        for_each_set(x.allocate, [&](unsigned output) { allocate_output(router, output); });
    };
    if (channel_first_) allocate();
    run_switch<kArbitration>(router, cycle);
    if (!channel_first_) allocate();
    for (const Freed& freed : freed_) {
        outputs_[freed.output].free = static_cast<Mask>(outputs_[freed.output].free | 1U << freed.channel);
        if (x.heads != 0) x.allocate = static_cast<std::uint8_t>(x.allocate | 1U << freed.output % kPorts);
    }
    freed_.clear();
}

template <Arbitration kArbitration>
void FlitNetwork::run_all(std::int64_t cycle)
{
    for (std::size_t word = 0; word < busy_.size(); ++word) {
        for (std::uint64_t rest = busy_[word]; rest != 0; rest &= rest - 1) {
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
            const auto router = static_cast<std::uint32_t>(64 * word + bit);
            run_router<kArbitration>(router, cycle);
            const Router& x = routers_[router];
            if ((x.allocate | x.ready_inputs | x.held_inputs) == 0) busy_[word] &= ~(1ULL << bit);
        }
    }
}

void FlitNetwork::run_routers(std::int64_t cycle)
{
    switch (params_.arbitration) {
        case Arbitration::kRoundRobin: run_all<Arbitration::kRoundRobin>(cycle); break;
        case Arbitration::kOldest: run_all<Arbitration::kOldest>(cycle); break;
        case Arbitration::kFixed: run_all<Arbitration::kFixed>(cycle); break;
    }
}

}  // namespace ringmesh::hw
