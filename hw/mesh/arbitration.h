// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "hw/mesh/params.h"
#include "tlm/mesh/packet.h"

/// Who gets what in a router: decisions of one cycle, without time and kernel.
namespace ringmesh::hw {

inline constexpr std::uint8_t kNothing = 255;

/// The lowest set bit from bit `from` on, round the corner. @pre mask is not 0
inline unsigned next_set(std::uint32_t mask, unsigned from)
{
    const std::uint32_t above = mask >> from << from;
    return static_cast<unsigned>(std::countr_zero(above != 0 ? above : mask));
}

/// Calls with the number of each set bit, the lowest first.
template <class Call>
[[gnu::always_inline]] inline void for_each_set(std::uint32_t mask, Call&& call)
{
    for (; mask != 0; mask &= mask - 1) call(static_cast<unsigned>(std::countr_zero(mask)));
}

/// A head that waits for a virtual channel of one output.
struct ChannelBid {
    std::int64_t born_ps = 0;         ///< of its packet
    std::uint16_t input = 0;          ///< which of the router's input channels
    std::uint16_t usable = 0;         ///< a bit for each channel that it could take
    std::uint16_t offered = 0;        ///< of them, those that picked this bid
    std::uint8_t favourite = 0;       ///< the channel that it takes first
    std::uint8_t granted = kNothing;  ///< the channel that it got
};

/// Matches heads with virtual channels of an output, once: who comes off badly bids again in the next cycle.
/// @param turns of each channel: the input channel whose turn it is first (round-robin); moves on where a match is made
void allocate_channels(std::span<ChannelBid> bids, ChannelChoice choice, Arbitration arbitration,
                       std::span<std::uint16_t> turns);

/// Whose turn it is in a switch, for round-robin.
struct SwitchTurns {
    std::array<std::uint8_t, mesh::kPorts> input{};   ///< of each output: the input that is served first
    std::array<std::uint8_t, mesh::kPorts> output{};  ///< of each input: the output that it takes first
};

/// What a switch is asked for in one cycle.
struct SwitchRequests {
    std::array<std::uint8_t, mesh::kPorts> inputs{};  ///< of each output: a bit for each input that wants it
    std::uint8_t outputs = 0;                         ///< a bit for each output that is wanted
};

/// Of each input: the output that it got, or kNothing.
using SwitchMatch = std::array<std::uint8_t, mesh::kPorts>;

/// Matches inputs with outputs, once, as one round of iSLIP: each output grants one input, each input accepts one of
/// the outputs that granted it. Turns move on where a match is made, so that outputs get out of step with each other.
/// @param better whether the first request goes before the second, each given as input and output; not asked for
/// round-robin
template <class Better>
SwitchMatch match_switch(const SwitchRequests& requests, Arbitration arbitration, SwitchTurns& turns, Better&& better)
{
    std::array<std::uint8_t, mesh::kPorts> grants{};  // of each input: outputs
    std::uint32_t granted = 0;
    const bool in_turn = arbitration == Arbitration::kRoundRobin;
    for_each_set(requests.outputs, [&](unsigned output) {
        unsigned winner = next_set(requests.inputs[output], in_turn ? turns.input[output] : 0);
        if (!in_turn) {
            for_each_set(requests.inputs[output], [&](unsigned input) {
                if (better(input, output, winner, output)) winner = input;
            });
        }
        grants[winner] = static_cast<std::uint8_t>(grants[winner] | 1U << output);
        granted |= 1U << winner;
    });
    SwitchMatch match;
    match.fill(kNothing);
    for_each_set(granted, [&](unsigned input) {
        unsigned winner = next_set(grants[input], in_turn ? turns.output[input] : 0);
        if (!in_turn) {
            for_each_set(grants[input], [&](unsigned output) {
                if (better(input, output, input, winner)) winner = output;
            });
        }
        match[input] = static_cast<std::uint8_t>(winner);
        turns.input[winner] = static_cast<std::uint8_t>(input + 1);  // behind the last one stands the first
        turns.output[input] = static_cast<std::uint8_t>(winner + 1);
    });
    return match;
}

}  // namespace ringmesh::hw
