// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "hw/mesh/flit_fabric.h"

namespace ringmesh::hw {

/// A FlitFabric whose outputs, virtual channels and switches are allocated by an arbiter. Arbiter has
///
///     bool before(const ArbitrationRequest& a, const ArbitrationRequest& b, const Contest& contest) const;
///
/// and optionally first(), the candidate (a bit each) to serve if it decides without the packets, and served(), a
/// notification:
///
///     unsigned first(std::uint32_t candidates, const Contest& contest) const;
///     void served(const Contest& contest, std::uint32_t number);
template <class Arbiter>
class FlitNetwork final : public FlitFabric {
public:
    explicit FlitNetwork(const FlitWiring& wiring, Arbiter arbiter = {})
        : FlitFabric(wiring), arbiter_(std::move(arbiter))
    {}

    void run_routers(std::int64_t cycle) override;

private:
    void allocate(std::uint32_t router);
    void allocate_output(std::uint32_t router, unsigned output);
    Contest queue_turn(std::uint32_t router, unsigned port) const;
    ArbitrationRequest request_of(std::uint32_t router, unsigned port, unsigned channel);
    std::uint32_t pick(std::uint32_t router, unsigned port, ChannelMask among);
    struct SwitchUse {
        std::uint32_t inputs = 0, outputs = 0;  // a bit each
    };
    SwitchUse run_switch(std::uint32_t router, std::int64_t cycle);
    void allocate_speculatively(std::uint32_t router, const SwitchUse& taken, std::int64_t cycle);
    void run_router(std::uint32_t router, std::int64_t cycle);

    [[no_unique_address]] Arbiter arbiter_;
    std::array<ChannelBid, kPorts * kStride> bids_;
};

template <class Arbiter>
void FlitNetwork<Arbiter>::allocate(std::uint32_t router)
{
    for_each_set(routers_[router].allocate, [&](unsigned output) { allocate_output(router, output); });
}

/// The packet at the front of an input channel; the caller fills in its number.
template <class Arbiter>
ArbitrationRequest FlitNetwork<Arbiter>::request_of(std::uint32_t router, unsigned port, unsigned channel)
{
    const std::uint32_t of_router = port * kStride + channel;
    const std::uint32_t input = router * kPorts * kStride + of_router;
    return {front(inputs_[input], input), 0, of_router};
}

template <class Arbiter>
void FlitNetwork<Arbiter>::allocate_output(std::uint32_t router, unsigned output)
{
    Router& x = routers_[router];
    const std::uint32_t number = router * kPorts + output;
    std::size_t count = 0;
    std::uint32_t wanted = 0;
    for (unsigned port = 0; port < kPorts; ++port) {
        for_each_set(x.waiting[output][port], [&](unsigned of_port) {
            const std::uint32_t input = (router * kPorts + port) * kStride + of_port;
            const Input& channel = inputs_[input];
            ChannelBid& bid = bids_[count++];
            bid = {.packet = front(channel, input), .input = static_cast<std::uint16_t>(port * kStride + of_port)};
            bid.usable = usable(outputs_[number], *bid.packet, 0);
            if (channel.turn_output == output) bid.favourite = channel.turn_channel;
            wanted |= bid.usable;
        });
    }
    const std::span bids(bids_.data(), count);
    if (wanted != 0) {
        allocate_channels(bids, *params_.channel_choice, arbiter_, {&turns_[number * kStride], kStride},
                          number * kStride);
    }
    std::size_t granted = 0;
    for (const ChannelBid& bid : bids) {
        if (bid.granted == kNothing) continue;
        ++granted;
        take_channel(router, router * kPorts * kStride + bid.input, bid.granted);
    }
    channel_conflicts_ += count - granted;
    if (wanted == 0 || granted == count) x.allocate = static_cast<std::uint8_t>(x.allocate & ~(1U << output));
}

template <class Arbiter>
Contest FlitNetwork<Arbiter>::queue_turn(std::uint32_t router, unsigned port) const
{
    return {Contest::Stage::kQueue, router * kPorts + port, routers_[router].turn_channel[port]};
}

/// Of an input's channels the one that goes first.
template <class Arbiter>
std::uint32_t FlitNetwork<Arbiter>::pick(std::uint32_t router, unsigned port, ChannelMask among)
{
    return (router * kPorts + port) * kStride +
           first_of(arbiter_, among, queue_turn(router, port),
                    [&](unsigned channel) { return request_of(router, port, channel); });
}

/// @return the inputs and outputs that the switch joins in this cycle
template <class Arbiter>
typename FlitNetwork<Arbiter>::SwitchUse FlitNetwork<Arbiter>::run_switch(std::uint32_t router, std::int64_t cycle)
{
    Router& x = routers_[router];
    SwitchUse use;
    const std::uint8_t held = std::exchange(x.held_inputs, std::uint8_t{0});
    std::uint32_t held_outputs = 0;
    for_each_set(held, [&](unsigned port) {
        const std::uint8_t output = x.held_output[port];
        held_outputs |= 1U << output;
        // A packet that cannot proceed loses the held switch.
        if ((std::uint32_t{x.ready[port][output]} >> x.held_channel[port] & 1U) == 0) return;
        use.inputs |= 1U << port;
        use.outputs |= 1U << output;
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
    if (asking == 0) return use;
    const auto pick_ready = [&](unsigned port, unsigned output) { return pick(router, port, x.ready[port][output]); };
    const SwitchMatch match = match_switch(
        requests, arbiter_, x.turns, router * kPorts,
        [&](unsigned port, unsigned output) { return request_of(router, port, pick_ready(port, output) % kStride); });
    for_each_set(asking, [&](unsigned port) {
        if (match[port] == kNothing) {
            ++switch_conflicts_;
            return;
        }
        const std::uint32_t input = pick_ready(port, match[port]);
        tell_served(arbiter_, queue_turn(router, port), input % kStride);
        x.turn_channel[port] = static_cast<std::uint8_t>((input + 1) % kStride);
        use.inputs |= 1U << port;
        use.outputs |= 1U << match[port];
        send(router, input, cycle);
    });
    return use;
}

/// Gives channels to heads, and in the same cycle what is left of the switch.
template <class Arbiter>
void FlitNetwork<Arbiter>::allocate_speculatively(std::uint32_t router, const SwitchUse& taken, std::int64_t cycle)
{
    Router& x = routers_[router];
    SwitchRequests requests;
    requests.outputs = x.allocate;
    for_each_set(x.allocate, [&](unsigned output) {
        for (unsigned port = 0; port < kPorts; ++port) {
            if (x.waiting[output][port] == 0) continue;
            requests.inputs[output] = static_cast<std::uint8_t>(requests.inputs[output] | 1U << port);
        }
        if (requests.inputs[output] == 0)
            requests.outputs = static_cast<std::uint8_t>(requests.outputs & ~(1U << output));
    });
    const auto pick_waiting = [&](unsigned port, unsigned output) {
        return pick(router, port, x.waiting[output][port]);
    };
    const SwitchMatch match = match_switch(
        requests, arbiter_, x.speculative_turns, router * kPorts,
        [&](unsigned port, unsigned output) { return request_of(router, port, pick_waiting(port, output) % kStride); });
    std::array<std::uint32_t, kPorts> chosen{};
    for (unsigned port = 0; port < kPorts; ++port) {
        if (match[port] != kNothing) chosen[port] = pick_waiting(port, match[port]);
    }
    allocate(router);
    for (unsigned port = 0; port < kPorts; ++port) {
        if (match[port] == kNothing) continue;
        const std::uint32_t input = chosen[port];
        const bool left = (taken.inputs >> port & 1U) == 0 && (taken.outputs >> match[port] & 1U) == 0;
        const bool ready = (std::uint32_t{x.ready[port][match[port]]} >> input % kStride & 1U) != 0;
        if (!left || !ready) {
            ++lost_speculations_;
            continue;
        }
        x.turn_channel[port] = static_cast<std::uint8_t>((input + 1) % kStride);
        send(router, input, cycle);
    }
}

template <class Arbiter>
void FlitNetwork<Arbiter>::run_router(std::uint32_t router, std::int64_t cycle)
{
    Router& x = routers_[router];
    const auto reconsidered = [&] {
        if (params_.routing->adaptive) reconsider(router);
    };
    if (channel_first_ && x.allocate != 0) {
        reconsidered();
        allocate(router);
    }
    const SwitchUse taken = run_switch(router, cycle);
    if (!channel_first_ && x.allocate != 0) {
        reconsidered();
        if (speculates_ && x.heads != 0) {
            allocate_speculatively(router, taken, cycle);
        } else {
            allocate(router);
        }
    }
    for (const Freed& freed : freed_) {
        outputs_[freed.output].free = static_cast<Mask>(outputs_[freed.output].free | 1U << freed.channel);
        if (x.heads != 0) x.allocate = static_cast<std::uint8_t>(x.allocate | 1U << freed.output % kPorts);
    }
    freed_.clear();
}

template <class Arbiter>
void FlitNetwork<Arbiter>::run_routers(std::int64_t cycle)
{
    for (std::size_t word = 0; word < busy_.size(); ++word) {
        for (std::uint64_t rest = busy_[word]; rest != 0; rest &= rest - 1) {
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
            const auto router = static_cast<std::uint32_t>(64 * word + bit);
            run_router(router, cycle);
            const Router& x = routers_[router];
            if ((x.allocate | x.ready_inputs | x.held_inputs) == 0) busy_[word] &= ~(1ULL << bit);
        }
    }
}

template <class Arbiter>
std::unique_ptr<FlitFabric> make_flit_network(const FlitWiring& wiring, std::unique_ptr<MeshArbiter>)
{
    return std::make_unique<FlitNetwork<Arbiter>>(wiring);
}

}  // namespace ringmesh::hw
