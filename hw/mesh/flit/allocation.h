// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "hw/mesh/policies/arbitration.h"
#include "hw/mesh/policies/bits.h"
#include "hw/mesh/policies/flow.h"
#include "tlm/mesh/packet.h"

/// Allocation in a router: decisions of one cycle, without time and kernel. The arbiter decides between requests.
namespace ringmesh::hw {

inline constexpr std::uint8_t kNothing = 255;

/// Notifies the arbiter of a served request, if it has served().
template <class Arbiter>
void tell_served(Arbiter& arbiter, const Contest& contest, std::uint32_t number)
{
    if constexpr (requires { arbiter.served(contest, number); }) arbiter.served(contest, number);
}

/// The one of `candidates`, a bit for each, that the arbiter serves first.
/// @param request_of the ArbitrationRequest of a candidate, without its number; not called if the arbiter has first()
template <class Arbiter, class RequestOf>
unsigned first_of(const Arbiter& arbiter, std::uint32_t candidates, const Contest& contest, RequestOf&& request_of)
{
    if constexpr (requires { arbiter.first(candidates, contest); }) {
        return arbiter.first(candidates, contest);
    } else {
        auto winner = static_cast<unsigned>(std::countr_zero(candidates));
        candidates &= candidates - 1;
        if (candidates == 0) return winner;
        ArbitrationRequest best = request_of(winner);
        best.number = winner;
        for_each_set(candidates, [&](unsigned number) {
            ArbitrationRequest request = request_of(number);
            request.number = number;
            if (!arbiter.before(request, best, contest)) return;
            best = request;
            winner = number;
        });
        return winner;
    }
}

/// A head that waits for a virtual channel of one output.
struct ChannelBid {
    const mesh::Packet* packet = nullptr;
    std::uint16_t input = 0;          ///< input port * 16 + virtual channel, of the router
    std::uint16_t usable = 0;         ///< a bit for each usable channel
    std::uint16_t offered = 0;        ///< of these, the channels that selected this bid
    std::uint8_t favourite = 0;       ///< the preferred channel
    std::uint8_t granted = kNothing;  ///< the granted channel

    ArbitrationRequest request() const { return {packet, input, input}; }
};

/// A channel of an output, out of turns.size(), is given to an input channel.
/// @param turns, place see allocate_channels()
template <class Arbiter>
void grant_channel(std::uint16_t input, unsigned channel, Arbiter& arbiter, std::span<std::uint16_t> turns,
                   std::uint32_t place)
{
    tell_served(arbiter, Contest{Contest::Stage::kChannel, place + channel, turns[channel]}, input);
    turns[channel] = static_cast<std::uint16_t>(input + 1);
}

/// Matches heads with virtual channels of an output, in one iteration: losers rebid in the next cycle.
/// @param turns of each channel: the input channel after the last granted one; advances on a match
/// @param place of the output's first channel, see Contest
template <class Arbiter>
void allocate_channels(std::span<ChannelBid> bids, const ChannelChoicePolicy& choice, Arbiter& arbiter,
                       std::span<std::uint16_t> turns, std::uint32_t place)
{
    const auto contest = [turns, place](unsigned channel) {
        return Contest{Contest::Stage::kChannel, place + channel, turns[channel]};
    };
    const auto grant = [&](ChannelBid& bid, unsigned channel) {
        bid.granted = static_cast<std::uint8_t>(channel);
        grant_channel(bid.input, channel, arbiter, turns, place);
    };
    std::uint32_t wanted = 0;
    for (ChannelBid& bid : bids) {
        if (bid.usable != 0) bid.usable = choice.propose(bid.usable, bid.favourite);
        wanted |= bid.usable;
    }
    for_each_set(wanted, [&](unsigned channel) {
        ChannelBid* winner = nullptr;
        for (ChannelBid& bid : bids) {
            if ((bid.usable >> channel & 1U) == 0) continue;
            if (winner == nullptr || arbiter.before(bid.request(), winner->request(), contest(channel))) winner = &bid;
        }
        winner->offered = static_cast<std::uint16_t>(winner->offered | 1U << channel);
    });
    for (ChannelBid& bid : bids) {
        if (bid.offered != 0) grant(bid, next_set(bid.offered, bid.favourite));
    }
}

/// Round-robin pointers of a switch.
struct SwitchTurns {
    std::array<std::uint8_t, mesh::kPorts> input{};   ///< of each output: the input after the one served last
    std::array<std::uint8_t, mesh::kPorts> output{};  ///< of each input: the output after the one accepted last
};

/// Matches inputs with outputs in one iteration of iSLIP: each output grants one input, each input accepts one of its
/// grants. Pointers advance on a match, so that outputs desynchronise.
/// @param requests outputs, and the inputs that request them
/// @param place of the router's first port, see Contest
/// @param request_of the ArbitrationRequest of an input for an output, but for its number
/// @return inputs, each with the one output that it gets
template <class Arbiter, class RequestOf>
[[gnu::always_inline]] inline PortPairs match_switch(const PortPairs& requests, Arbiter& arbiter, SwitchTurns& turns,
                                                     std::uint32_t place, RequestOf&& request_of)
{
    const auto for_output = [&](unsigned output) {
        return Contest{Contest::Stage::kOutput, place + output, turns.input[output]};
    };
    const auto for_input = [&](unsigned input) {
        return Contest{Contest::Stage::kInput, place + input, turns.output[input]};
    };
    PortPairs grants;  // inputs and outputs
    requests.for_each([&](unsigned output, std::uint32_t inputs) {
        grants.set(
            first_of(arbiter, inputs, for_output(output), [&](unsigned input) { return request_of(input, output); }),
            output);
    });
    PortPairs match;
    grants.for_each([&](unsigned input, std::uint32_t outputs) {
        const unsigned winner =
            first_of(arbiter, outputs, for_input(input), [&](unsigned output) { return request_of(input, output); });
        match.set(input, winner);
        tell_served(arbiter, for_output(winner), input);
        tell_served(arbiter, for_input(input), winner);
        turns.input[winner] = static_cast<std::uint8_t>(input + 1);  // the first follows the last
        turns.output[input] = static_cast<std::uint8_t>(winner + 1);
    });
    return match;
}

}  // namespace ringmesh::hw
