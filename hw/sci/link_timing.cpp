// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_timing.h"

namespace ringmesh::hw {

LinkTiming::LinkTiming(const LinkParams& link, const CableParams& cable, const LinkControllerParams& chip)
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
        length[i] = symbol * sci::symbols(static_cast<sci::Command>(i));
    }
}

}  // namespace ringmesh::hw
