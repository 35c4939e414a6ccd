// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/link_timing.h"

#include <algorithm>

namespace ringmesh::hw {

namespace {

/// A packet's symbols on the cycles of the B-Link: the header spread over its cycles, then data of the bus's width.
class Layout {
public:
    Layout(const BLinkParams& blink, sci::Command command)
        : header_(blink.header.count()),
          cycles_(header_ + blink.data(command).count()),
          width_(blink.bytes_per_cycle.count()),
          bytes_(static_cast<std::int64_t>(sci::data_bytes(command)))
    {}
    std::int64_t cycles() const { return cycles_; }
    /// The first symbol of a cycle of data.
    std::int64_t first_symbol(std::int64_t cycle) const
    {
        return sci::kHeaderSymbols + (cycle - header_) * width_ / kSymbolBytes;
    }
    /// The last symbol of any cycle.
    std::int64_t last_symbol(std::int64_t cycle) const
    {
        if (cycle < header_) return (sci::kHeaderSymbols * (cycle + 1) + header_ - 1) / header_ - 1;
        const std::int64_t bytes = std::min(bytes_, (cycle - header_ + 1) * width_);
        return sci::kHeaderSymbols + (bytes + kSymbolBytes - 1) / kSymbolBytes - 1;
    }

private:
    static constexpr auto kSymbolBytes = static_cast<std::int64_t>(sci::kSymbolBytes);

    std::int64_t header_;
    std::int64_t cycles_;
    std::int64_t width_;
    std::int64_t bytes_;
};

/// From a packet's head to its bus request such that the bus does not underrun on the link.
Duration wait_for_symbols(const BLinkParams& blink, sci::Command command, Duration symbol)
{
    const Layout layout(blink, command);
    const Clock clock(blink.clock);
    if (layout.cycles() == 0) return symbol * (sci::symbols(command) - 1);
    Duration wait;
    for (std::int64_t cycle = 0; cycle < layout.cycles(); ++cycle) {
        const Duration begin = (blink.arbitration + Cycles(cycle)) * clock;
        wait = std::max(wait, symbol * layout.last_symbol(cycle) - begin);
    }
    return wait;
}

/// From the start of a transfer to the output FIFO such that the link does not underrun on the bus. The whole header is
/// needed first.
Duration wait_for_cycles(const BLinkParams& blink, sci::Command command, Duration symbol)
{
    const Layout layout(blink, command);
    const Clock clock(blink.clock);
    Duration wait = blink.header * clock;
    for (std::int64_t cycle = blink.header.count(); cycle < layout.cycles(); ++cycle) {
        wait = std::max(wait, Cycles(cycle + 1) * clock - symbol * layout.first_symbol(cycle));
    }
    return wait;
}

}  // namespace

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
    const bool cut_through_receive = blink && chip.switching != Switching::kStoreAndForward;
    for (std::size_t i = 0; i < sci::kCommands; ++i) {
        const auto command = static_cast<sci::Command>(i);
        length[i] = symbol * sci::symbols(command);
        const Duration wait = cut_through_receive ? wait_for_symbols(*blink, command, symbol) : length[i] - symbol;
        to_blink[i] = decode + wait + in_fifo;
        if (cut_through_send) behind_blink[i] = wait_for_cycles(*blink, command, symbol) + out_fifo;
    }
}

Duration LinkTiming::from_blink(sci::Command command, Duration transfer) const
{
    return cut_through_send ? behind_blink[sci::index(command)] : transfer + out_fifo;
}

}  // namespace ringmesh::hw
