// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_timing.h"

#include "hw/sci/bus_passage.h"

namespace ringmesh::hw {

LinkTiming::LinkTiming(const LinkParams& link, const CableParams& cable, const LinkControllerParams& chip,
                       const std::optional<BLinkParams>& blink)
    : symbol(link.symbol_time),
      idle_gap(link.symbol_time * link.idle_symbols),
      propagation(cable.propagation()),
      bypass(link.symbol_time * chip.bypass.count()),
      bypass_bound(link.symbol_time * chip.bypass_capacity),
      decode(chip.decode),
      in_fifo(chip.in_fifo_to_blink),
      out_fifo(chip.blink_to_out_fifo),
      retry(chip.retry_interval)
{
    for (std::size_t i = 0; i < sci::kCommands; ++i) {
        const auto command = static_cast<sci::Command>(i);
        length[i] = symbol * sci::symbols(command);
        to_blink[i] = decode + length[i] - symbol + in_fifo;
        if (!blink) continue;
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

}  // namespace ringmesh::hw
