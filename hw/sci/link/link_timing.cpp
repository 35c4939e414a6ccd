// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link/link_timing.h"

#include <algorithm>

#include "hw/sci/blink/bus_passage.h"

namespace ringmesh::hw {

LinkTiming::LinkTiming(const LinkParams& link, const CableParams& cable, const LinkControllerParams& chip,
                       const std::optional<BLinkParams>& blink)
    : symbol(link.symbol_time),
      idle_gap(link.symbol_time * link.idle_symbols),
      propagation(cable.propagation()),
      bypass(chip.bypass_time(link.symbol_time)),
      bypass_bound(link.symbol_time * chip.bypass_capacity),
      own_goes_before(chip.own_before_passing == OwnBeforePassing::kLeaves ? bypass : Duration::zero()),
      decode(chip.decode_time(link.symbol_time)),
      in_fifo(chip.fifo_time(chip.in_fifo_to_blink, link.symbol_time)),
      out_fifo(chip.fifo_time(chip.blink_to_out_fifo, link.symbol_time)),
      retry(chip.retry_interval)
{
    if (chip.transit_share < 1) transit_share = chip.transit_share;
    for (std::size_t i = 0; i < sci::kCommands; ++i) {
        const auto command = static_cast<sci::Command>(i);
        length[i] = symbol * sci::symbols(command);
        if (chip.echo_place == EchoPlace::kTail) echo_behind[i] = symbol * (sci::symbols(command) - sci::kEchoSymbols);
        to_blink[i] = decode + length[i] - symbol + in_fifo;
        if (!blink) continue;
        arbitration = blink->arbitration * Clock(blink->clock);
        const BusPassage passage(*blink, command, symbol);
        to_blink[i] = decode + chip.switching->to_bus(passage) + in_fifo;
        const std::optional<Duration> behind = chip.switching->to_link(passage);
        cut_through_send = behind.has_value();
        if (behind) behind_blink[i] = *behind + out_fifo;
    }
}

Duration LinkTiming::from_blink(sci::Command command, Duration transfer) const
{
    return cut_through_send ? behind_blink[sci::index(command)] : transfer + out_fifo;
}

Duration LinkTiming::transit_to_blink(sci::Command command) const
{
    const Duration whole = to_blink[sci::index(command)];
    if (!transit_share) return whole;
    return std::max(decode, nanoseconds((whole + arbitration).ns() * *transit_share) - arbitration);
}

Duration LinkTiming::transit_from_blink(sci::Command command, Duration transfer) const
{
    const Duration whole = from_blink(command, transfer);
    return transit_share ? nanoseconds(whole.ns() * *transit_share) : whole;
}

}  // namespace ringmesh::hw
