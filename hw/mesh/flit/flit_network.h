// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "hw/mesh/flit/flit_fabric.h"

namespace ringmesh::hw {

/// A FlitFabric whose virtual channels and switches are allocated by an arbiter: stages 2 and 3 of a router. Arbiter
/// has
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
    struct SwitchUse {
        std::uint32_t inputs = 0, outputs = 0;  // a bit each
    };

    void run_router(const Router& router, std::int64_t cycle);
    void allocate_channels(const Router& router);
    void give_channels(const Router& router);
    void give_channels_of(const Router& router, unsigned output);
    void give_channel_to(const Router& router, unsigned output, unsigned port, unsigned number);
    /// The channel of an output that a head prefers.
    static std::uint8_t favourite(const InputChannel& channel, unsigned output)
    {
        return channel.turn_output == output ? channel.turn_channel : std::uint8_t{0};
    }
    SwitchUse allocate_switch(const Router& router, std::int64_t cycle);
    SwitchUse use_held_switch(const Router& router, PortPairs& requests, std::int64_t cycle);
    void allocate_speculatively(const Router& router, const SwitchUse& taken, std::int64_t cycle);
    Contest queue_turn(const Router& router, unsigned port) const;
    ArbitrationRequest request_of(const Router& router, unsigned port, unsigned channel);
    unsigned pick(const Router& router, unsigned port, ChannelMask among);

    [[no_unique_address]] Arbiter arbiter_;
    std::array<ChannelBid, kPorts * kStride> bids_;
};

template <class Arbiter>
void FlitNetwork<Arbiter>::run_routers(std::int64_t cycle)
{
    for (std::size_t word = 0; word < busy_.size(); ++word) {
        for (std::uint64_t rest = busy_[word]; rest != 0; rest &= rest - 1) {
            const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
            const Router router = this->router(RouterIndex(64 * word + bit));
            run_router(router, cycle);
            if (!router.state.busy()) busy_[word] &= ~(1ULL << bit);
        }
    }
}

/// One cycle of a router. Its switch is allocated before its channels, so that a head bids for the switch the cycle
/// after it got its channel; the other way round in short pipelines.
template <class Arbiter>
void FlitNetwork<Arbiter>::run_router(const Router& router, std::int64_t cycle)
{
    if (channel_first_) allocate_channels(router);
    const SwitchUse taken = allocate_switch(router, cycle);
    if (!channel_first_) {
        if (speculates_ && router.state.heads != 0) {
            allocate_speculatively(router, taken, cycle);
        } else {
            allocate_channels(router);
        }
    }
    give_freed_channels(router);
}

// Stage 2: heads get virtual channels.

template <class Arbiter>
void FlitNetwork<Arbiter>::allocate_channels(const Router& router)
{
    if (router.state.allocate == 0) return;
    if (params_.routing->adaptive) reconsider(router);
    give_channels(router);
}

template <class Arbiter>
void FlitNetwork<Arbiter>::give_channels(const Router& router)
{
    for_each_set(router.state.allocate, [&](unsigned output) { give_channels_of(router, output); });
}

template <class Arbiter>
void FlitNetwork<Arbiter>::give_channels_of(const Router& router, unsigned output)
{
    RouterState& state = router.state;
    const std::uint32_t ports = state.bids.of(output);
    if (ports == 0) {
        state.allocate = static_cast<std::uint8_t>(state.allocate & ~(1U << output));
        return;
    }
    if (is_single(ports)) {  // nearly always: it takes its preferred channel, whatever the policy
        const auto port = static_cast<unsigned>(std::countr_zero(ports));
        const ChannelMask channels = state.waiting[output][port];
        if (is_single(channels)) {
            give_channel_to(router, output, port, static_cast<unsigned>(std::countr_zero(channels)));
            return;
        }
    }
    const OutputChannelIndex first = router.output_port(output).channel(0);
    std::size_t count = 0;
    std::uint32_t wanted = 0;
    for_each_set(ports, [&](unsigned port) {
        for_each_set(state.waiting[output][port], [&](unsigned number) {
            const InputChannel& channel = router.input(port, number);
            ChannelBid& bid = bids_[count++];
            bid = {.packet = channel.front, .input = static_cast<std::uint16_t>(port * kStride + number)};
            bid.usable = usable(router.output(output), *bid.packet, 0);
            bid.favourite = favourite(channel, output);
            wanted |= bid.usable;
        });
    });
    const std::span bids(bids_.data(), count);
    if (wanted != 0) {
        hw::allocate_channels(bids, *params_.channel_choice, arbiter_, {&turns_[first], kStride}, first.number);
    }
    std::size_t granted = 0;
    for (const ChannelBid& bid : bids) {
        if (bid.granted == kNothing) continue;
        ++granted;
        take_channel(router, bid.input / kStride, bid.input % kStride, bid.granted);
    }
    channel_conflicts_ += count - granted;
    if (wanted == 0 || granted == count) state.allocate = static_cast<std::uint8_t>(state.allocate & ~(1U << output));
}

/// The only head that waits for a channel of an output.
template <class Arbiter>
void FlitNetwork<Arbiter>::give_channel_to(const Router& router, unsigned output, unsigned port, unsigned number)
{
    router.state.allocate = static_cast<std::uint8_t>(router.state.allocate & ~(1U << output));
    const InputChannel& channel = router.input(port, number);
    const ChannelMask usable = this->usable(router.output(output), *channel.front, 0);
    if (usable == 0) {
        ++channel_conflicts_;
        return;
    }
    const OutputChannelIndex first = router.output_port(output).channel(0);
    const unsigned granted = next_set(usable, favourite(channel, output));
    grant_channel(static_cast<std::uint16_t>(port * kStride + number), granted, arbiter_, {&turns_[first], kStride},
                  first.number);
    take_channel(router, port, number, static_cast<std::uint8_t>(granted));
}

// Stage 3: flits get the switch, and go.

/// @return the inputs and outputs that the switch joins in this cycle
template <class Arbiter>
typename FlitNetwork<Arbiter>::SwitchUse FlitNetwork<Arbiter>::allocate_switch(const Router& router, std::int64_t cycle)
{
    RouterState& state = router.state;
    PortPairs requests = state.requests;
    SwitchUse use;
    if (state.held_inputs != 0) use = use_held_switch(router, requests, cycle);
    if (!requests.any()) return use;
    const auto pick_ready = [&](unsigned port, unsigned output) {
        return pick(router, port, state.ready[port][output]);
    };
    const PortPairs match = match_switch(
        requests, arbiter_, state.turns, router.input_port(0).number,
        [&](unsigned port, unsigned output) { return request_of(router, port, pick_ready(port, output)); });
    std::uint32_t served = 0;
    match.for_each([&](unsigned port, std::uint32_t outputs) __attribute__((always_inline)) {
        const unsigned channel = pick_ready(port, static_cast<unsigned>(std::countr_zero(outputs)));
        tell_served(arbiter_, queue_turn(router, port), channel);
        state.turn_channel[port] = static_cast<std::uint8_t>((channel + 1) % kStride);
        served |= 1U << port;
        use.outputs |= outputs;
        traverse_switch(router, port, channel, cycle);
    });
    use.inputs |= served;
    for_each_set(requests.seconds() & ~served, [&](unsigned) { ++switch_conflicts_; });
    return use;
}

/// Inputs that hold the switch send their next flit. @param requests without theirs afterwards
template <class Arbiter>
typename FlitNetwork<Arbiter>::SwitchUse FlitNetwork<Arbiter>::use_held_switch(const Router& router,
                                                                               PortPairs& requests, std::int64_t cycle)
{
    RouterState& state = router.state;
    const std::uint8_t held = std::exchange(state.held_inputs, std::uint8_t{0});
    SwitchUse use;
    std::uint32_t held_outputs = 0;
    for_each_set(held, [&](unsigned port) {
        const std::uint8_t output = state.held_output[port];
        held_outputs |= 1U << output;
        // A packet that cannot proceed loses the held switch.
        if ((std::uint32_t{state.ready[port][output]} >> state.held_channel[port] & 1U) == 0) return;
        use.inputs |= 1U << port;
        use.outputs |= 1U << output;
        traverse_switch(router, port, state.held_channel[port], cycle);
    });
    requests = requests.without(held_outputs, held);
    return use;
}

/// Gives channels to heads, and in the same cycle what is left of the switch.
template <class Arbiter>
void FlitNetwork<Arbiter>::allocate_speculatively(const Router& router, const SwitchUse& taken, std::int64_t cycle)
{
    RouterState& state = router.state;
    if (state.allocate == 0) return;
    if (params_.routing->adaptive) reconsider(router);
    const auto pick_waiting = [&](unsigned port, unsigned output) {
        return pick(router, port, state.waiting[output][port]);
    };
    const PortPairs match = match_switch(
        state.bids.without(~std::uint32_t{state.allocate} & PortPairs::kAll, 0), arbiter_, state.speculative_turns,
        router.input_port(0).number,
        [&](unsigned port, unsigned output) { return request_of(router, port, pick_waiting(port, output)); });
    std::array<unsigned, kPorts> chosen{};
    match.for_each([&](unsigned port, std::uint32_t outputs) {
        chosen[port] = pick_waiting(port, static_cast<unsigned>(std::countr_zero(outputs)));
    });
    give_channels(router);
    match.for_each([&](unsigned port, std::uint32_t outputs) {
        const unsigned channel = chosen[port];
        const bool left = (taken.inputs >> port & 1U) == 0 && (taken.outputs & outputs) == 0;
        const std::uint32_t ready = state.ready[port][static_cast<std::size_t>(std::countr_zero(outputs))];
        if (!left || (ready >> channel & 1U) == 0) {
            ++lost_speculations_;
            return;
        }
        state.turn_channel[port] = static_cast<std::uint8_t>((channel + 1) % kStride);
        traverse_switch(router, port, channel, cycle);
    });
}

template <class Arbiter>
Contest FlitNetwork<Arbiter>::queue_turn(const Router& router, unsigned port) const
{
    return {Contest::Stage::kQueue, router.input_port(port).number, router.state.turn_channel[port]};
}

/// The packet at the front of an input channel; the caller fills in its number.
template <class Arbiter>
ArbitrationRequest FlitNetwork<Arbiter>::request_of(const Router& router, unsigned port, unsigned channel)
{
    return {router.input(port, channel).front, 0, port * kStride + channel};
}

/// Of an input's channels the one that goes first.
template <class Arbiter>
unsigned FlitNetwork<Arbiter>::pick(const Router& router, unsigned port, ChannelMask among)
{
    return first_of(arbiter_, among, queue_turn(router, port),
                    [&](unsigned channel) { return request_of(router, port, channel); });
}

template <class Arbiter>
std::unique_ptr<FlitFabric> make_flit_network(const FlitWiring& wiring, std::unique_ptr<MeshArbiter>)
{
    return std::make_unique<FlitNetwork<Arbiter>>(wiring);
}

}  // namespace ringmesh::hw
