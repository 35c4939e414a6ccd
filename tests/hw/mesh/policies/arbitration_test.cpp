// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/flit/allocation.h"

#include <bit>
#include <deque>
#include <numeric>
#include <vector>

#include "hw/mesh/policies/arbiters/fixed.h"
#include "hw/mesh/policies/arbiters/oldest.h"
#include "hw/mesh/policies/arbiters/round_robin.h"
#include "hw/mesh/policies/arbiters/stream_first.h"
#include "tests/hw/mesh/mesh_probe.h"
#include "tests/support/cases.h"
#include "tests/support/policies.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::ArbitrationRequest;
using hw::ChannelBid;
using hw::kNothing;

const auto kArbitrations = data::make(all_policies<hw::ArbitrationPolicy>());
const auto kChoices = data::make(all_policies<hw::ChannelChoicePolicy>());

template <class Call>
void with_arbiter(hw::Arbitration arbitration, const Call& call)
{
    if (arbitration == "round-robin") return call(hw::arbiters::RoundRobin{});
    if (arbitration == "oldest") return call(hw::arbiters::Oldest{});
    if (arbitration == "stream-first") return call(hw::arbiters::StreamFirst{});
    BOOST_TEST_REQUIRE((arbitration == "fixed"));
    call(hw::arbiters::Fixed{});
}

const mesh::Packet kPacket;

ChannelBid bid(std::uint16_t input, std::uint16_t usable, const mesh::Packet& packet = kPacket,
               std::uint8_t favourite = 0)
{
    return {.packet = &packet, .input = input, .usable = usable, .favourite = favourite};
}

/// Requests of packets that were all born at one time.
constexpr auto kSameAge = [](unsigned input, unsigned) { return ArbitrationRequest{&kPacket, 0, input * 16}; };

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(mesh_arbitration)

BOOST_AUTO_TEST_CASE(the_round_robin_search_wraps_around)
{
    for (unsigned from = 0; from < 16; ++from) {
        for (unsigned bit = 0; bit < 16; ++bit) BOOST_TEST(hw::next_set(1U << bit, from) == bit);
        BOOST_TEST(hw::next_set(0xffff, from) == from);
        BOOST_TEST(hw::next_set(0b1001, from) == (from == 0 || from > 3 ? 0u : 3u));
    }
}

/// For any requests: only requested channels are granted, none twice, and at least one is granted.
BOOST_DATA_TEST_CASE(each_channel_is_granted_once_to_a_requester_that_can_use_it, kChoices* kArbitrations, choice,
                     arbitration)
{
    Random random(3);
    std::vector<std::uint16_t> turns(16, 0);
    for (int round = 0; round < 2000; ++round) {
        std::vector<ChannelBid> bids;
        std::deque<mesh::Packet> packets;
        std::uint32_t asked = 0;
        for (std::uint64_t i = 1 + random.below(20); i-- > 0;) {
            const auto usable = static_cast<std::uint16_t>(random.next() & random.next() & 0xff);
            packets.emplace_back().born_ps = static_cast<std::int64_t>(random.below(9));
            bids.push_back(bid(static_cast<std::uint16_t>(79 - 3 * i), usable, packets.back(),
                               static_cast<std::uint8_t>(random.below(8))));
            asked |= usable;
        }
        const auto before = bids;
        with_arbiter(arbitration, [&](auto arbiter) { hw::allocate_channels(bids, *choice, arbiter, turns, 0); });
        std::uint32_t given = 0;
        for (std::size_t i = 0; i < bids.size(); ++i) {
            if (bids[i].granted == kNothing) continue;
            const std::uint32_t channel = 1U << bids[i].granted;
            BOOST_TEST((before[i].usable & channel) != 0u);
            BOOST_TEST((given & channel) == 0u);
            given |= channel;
        }
        BOOST_TEST((given != 0) == (asked != 0));
    }
}

BOOST_AUTO_TEST_CASE(a_lone_head_gets_its_preferred_channel)
{
    hw::arbiters::RoundRobin round_robin;
    for (const auto choice : all_policies<hw::ChannelChoicePolicy>()) {
        for (std::uint8_t favourite = 0; favourite < 8; ++favourite) {
            std::vector<std::uint16_t> turns(16, 5);
            std::vector<ChannelBid> bids{bid(7, 0b10010100, kPacket, favourite)};
            hw::allocate_channels(bids, *choice, round_robin, turns, 0);
            BOOST_TEST(bids[0].granted == (favourite <= 2 ? 2 : favourite <= 4 ? 4 : 7));
            BOOST_TEST(turns[bids[0].granted] == 8);
        }
    }
}

/// Two heads that prefer the same channel: per input they collide, and one gets none; per output each free channel is
/// granted to the next in turn.
BOOST_AUTO_TEST_CASE(choosing_per_input_collides_where_choosing_per_output_does_not)
{
    hw::arbiters::RoundRobin round_robin;
    for (const auto choice : all_policies<hw::ChannelChoicePolicy>()) {
        std::vector<std::uint16_t> turns(16, 0);
        turns[1] = 2;  // of channel 1 it is the second one's turn
        std::vector<ChannelBid> bids{bid(1, 0b11), bid(2, 0b11)};
        hw::allocate_channels(bids, *choice, round_robin, turns, 0);
        BOOST_TEST(bids[0].granted == 0);
        BOOST_TEST(bids[1].granted == (choice == "per-input" ? kNothing : 1));
    }
}

BOOST_DATA_TEST_CASE(the_policy_decides_which_requester_wins_a_channel, kArbitrations, arbitration)
{
    std::vector<std::uint16_t> turns(16, 20);
    std::array<mesh::Packet, 3> packets;
    for (std::size_t i = 0; i < packets.size(); ++i) packets[i].born_ps = 300 - 100 * static_cast<std::int64_t>(i);
    std::vector<ChannelBid> bids{bid(10, 1, packets[0]), bid(20, 1, packets[1]), bid(30, 1, packets[2])};
    with_arbiter(arbitration, [&](auto arbiter) {
        hw::allocate_channels(bids, *hw::ChannelChoice("per-input"), arbiter, turns, 0);
    });
    const std::size_t winner = arbitration == "fixed" ? 0 : arbitration == "round-robin" ? 1 : 2;
    for (std::size_t i = 0; i < bids.size(); ++i) BOOST_TEST((bids[i].granted == 0) == (i == winner));
    BOOST_TEST(turns[0] == bids[winner].input + 1);
}

/// All inputs request all outputs permanently.
BOOST_AUTO_TEST_CASE(round_robin_gets_a_full_switch_into_step_and_serves_all_alike)
{
    hw::PortPairs all;
    for (unsigned output = 0; output < mesh::kPorts; ++output) {
        for (unsigned input = 0; input < mesh::kPorts; ++input) all.set(output, input);
    }
    hw::SwitchTurns turns;
    hw::arbiters::RoundRobin round_robin;
    std::array<std::array<int, mesh::kPorts>, mesh::kPorts> served{};
    for (int cycle = 0; cycle < 35; ++cycle) {
        const auto match = hw::match_switch(all, round_robin, turns, 0, kSameAge);
        std::uint32_t taken = 0;
        match.for_each([&](unsigned input, std::uint32_t outputs) {
            BOOST_TEST(std::has_single_bit(outputs));
            BOOST_TEST((taken & outputs) == 0u);
            taken |= outputs;
            if (cycle >= 10) ++served[input][static_cast<std::size_t>(std::countr_zero(outputs))];
        });
        if (cycle >= 10) BOOST_TEST(taken == 0b11111u);
    }
    for (const auto& row : served) BOOST_TEST(row == served[0]);
    BOOST_TEST(std::accumulate(served[0].begin(), served[0].end(), 0) == 25);
}

BOOST_DATA_TEST_CASE(the_switch_grants_only_requests_and_each_output_once, kArbitrations, arbitration)
{
    Random random(5);
    hw::SwitchTurns turns;
    for (int round = 0; round < 2000; ++round) {
        hw::PortPairs requests;
        for (unsigned output = 0; output < mesh::kPorts; ++output) {
            for (unsigned input = 0; input < mesh::kPorts; ++input) {
                if (random.below(4) == 0) requests.set(output, input);
            }
        }
        hw::PortPairs match;
        with_arbiter(arbitration,
                     [&](auto arbiter) { match = hw::match_switch(requests, arbiter, turns, 0, kSameAge); });
        std::uint32_t taken = 0;
        match.for_each([&](unsigned input, std::uint32_t outputs) {
            BOOST_TEST(std::has_single_bit(outputs));
            BOOST_TEST((requests.of(static_cast<unsigned>(std::countr_zero(outputs))) >> input & 1U) == 1u);
            BOOST_TEST((taken & outputs) == 0u);
            taken |= outputs;
        });
        BOOST_TEST(match.any() == requests.any());
    }
}

BOOST_AUTO_TEST_CASE(an_age_based_switch_grants_the_better_request_first)
{
    hw::PortPairs requests;
    for (const unsigned input : {1U, 2U, 3U}) requests.set(0, input);
    requests.set(2, 1);
    std::array<mesh::Packet, mesh::kPorts> packets;
    constexpr std::array<int, mesh::kPorts> kBorn{9, 6, 0, 4, 9};
    for (std::size_t i = 0; i < packets.size(); ++i) packets[i].born_ps = kBorn[i];
    hw::SwitchTurns turns;
    hw::arbiters::Oldest oldest;
    const auto match = hw::match_switch(requests, oldest, turns, 0, [&](unsigned input, unsigned) {
        return ArbitrationRequest{&packets[input], 0, input * 16};
    });
    BOOST_TEST(match.of(2) == 0b00001u);
    BOOST_TEST(match.of(1) == 0b00100u);
    BOOST_TEST(match.of(3) == 0u);
}

BOOST_AUTO_TEST_CASE(pairs_of_ports_are_found_by_either_of_them)
{
    hw::PortPairs pairs;
    pairs.set(4, 0);
    pairs.set(4, 3);
    pairs.set(1, 2);
    BOOST_TEST(pairs.of(4) == 0b01001u);
    BOOST_TEST(pairs.of(0) == 0u);
    BOOST_TEST(pairs.seconds() == 0b01101u);
    std::vector<unsigned> firsts;
    pairs.for_each([&](unsigned first, std::uint32_t) { firsts.push_back(first); });
    BOOST_TEST(firsts == (std::vector<unsigned>{1, 4}));
    BOOST_TEST(pairs.without(0b00010, 0b01000).seconds() == 0b00001u);
    pairs.clear(4, 0);
    BOOST_TEST(pairs.of(4) == 0b01000u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
