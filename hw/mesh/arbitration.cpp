// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/arbitration.h"

namespace ringmesh::hw {

namespace {

constexpr std::uint16_t kInputs = 256;  // more than a router's input channels: turns go round the corner here

bool goes_before(const ChannelBid& a, const ChannelBid& b, Arbitration arbitration, std::uint16_t turn)
{
    switch (arbitration) {
        case Arbitration::kRoundRobin:
            return (a.input + kInputs - turn) % kInputs < (b.input + kInputs - turn) % kInputs;
        case Arbitration::kOldest:
            if (a.born_ps != b.born_ps) return a.born_ps < b.born_ps;
            break;
        case Arbitration::kFixed: break;
    }
    return a.input < b.input;
}

}  // namespace

void allocate_channels(std::span<ChannelBid> bids, ChannelChoice choice, Arbitration arbitration,
                       std::span<std::uint16_t> turns)
{
    if (bids.size() == 1 && bids[0].usable != 0) {  // nearly always: all channels pick it, it takes its favourite
        ChannelBid& bid = bids[0];
        bid.granted = static_cast<std::uint8_t>(next_set(bid.usable, bid.favourite));
        turns[bid.granted] = static_cast<std::uint16_t>((bid.input + 1) % kInputs);
        return;
    }
    std::uint32_t wanted = 0;
    for (ChannelBid& bid : bids) {
        if (choice == ChannelChoice::kPerInput && bid.usable != 0) {
            bid.usable = static_cast<std::uint16_t>(1U << next_set(bid.usable, bid.favourite));
        }
        wanted |= bid.usable;
    }
    for_each_set(wanted, [&](unsigned channel) {
        ChannelBid* winner = nullptr;
        for (ChannelBid& bid : bids) {
            if ((bid.usable >> channel & 1U) == 0) continue;
            if (winner == nullptr || goes_before(bid, *winner, arbitration, turns[channel])) winner = &bid;
        }
        winner->offered = static_cast<std::uint16_t>(winner->offered | 1U << channel);
    });
    for (ChannelBid& bid : bids) {
        if (bid.offered == 0) continue;
        const unsigned channel = next_set(bid.offered, bid.favourite);
        bid.granted = static_cast<std::uint8_t>(channel);
        turns[channel] = static_cast<std::uint16_t>((bid.input + 1) % kInputs);
    }
}

}  // namespace ringmesh::hw
