// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_timing.h"

#include <algorithm>

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
      retry(chip.retry_interval),
      cut_through_send(blink && chip.switching == Switching::kCutThrough)
{
    if (blink) {
        const Clock clock(blink->clock);
        blink_header = blink->header * clock;
        blink_trailer = blink->trailer * clock;
    }
    for (std::size_t i = 0; i < sci::kCommands; ++i) {
        const auto command = static_cast<sci::Command>(i);
        length[i] = symbol * sci::symbols(command);
        const Duration rest = length[i] - symbol;
        last_word[i] = length[i];
        if (const auto bytes = static_cast<std::int64_t>(sci::data_bytes(command)); blink && bytes > 0) {
            const std::int64_t in_last_cycle = (bytes - 1) % blink->bytes_per_cycle.count() + 1;
            last_word[i] = symbol * ((in_last_cycle + 1) / static_cast<std::int64_t>(sci::kSymbolBytes));
        }
        Duration wait = rest;
        if (blink && chip.switching != Switching::kStoreAndForward) {
            // From the request to the beginning of the last cycle that carries symbols of the packet
            const auto cycles = (blink->arbitration + blink->header + blink->data(command)).count();
            const Duration lead = Cycles(std::max<std::int64_t>(cycles - 1, 0)) * Clock(blink->clock);
            wait = std::max(Duration(), rest - lead);
        }
        to_blink[i] = decode + wait + in_fifo;
    }
}

Duration LinkTiming::from_blink(sci::Command command, Duration transfer) const
{
    if (!cut_through_send) return transfer + out_fifo;
    const Duration last_byte = transfer - blink_trailer;
    return std::max(blink_header, last_byte - (length[sci::index(command)] - last_word[sci::index(command)])) +
           out_fifo;
}

}  // namespace ringmesh::hw
