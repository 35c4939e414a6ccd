// SPDX-License-Identifier: Apache-2.0
#include "hw/sci/blink/bus_passage.h"

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

}  // namespace

Duration BusPassage::bus_follows_link() const
{
    const Layout layout(blink_, command_);
    const Clock clock(blink_.clock);
    if (layout.cycles() == 0) return whole();
    Duration wait;
    for (std::int64_t cycle = 0; cycle < layout.cycles(); ++cycle) {
        const Duration begin = (blink_.arbitration + Cycles(cycle)) * clock;
        wait = std::max(wait, symbol_ * layout.last_symbol(cycle) - begin);
    }
    return wait;
}

Duration BusPassage::link_follows_bus() const
{
    const Layout layout(blink_, command_);
    const Clock clock(blink_.clock);
    Duration wait = blink_.header * clock;
    for (std::int64_t cycle = blink_.header.count(); cycle < layout.cycles(); ++cycle) {
        wait = std::max(wait, Cycles(cycle + 1) * clock - symbol_ * layout.first_symbol(cycle));
    }
    return wait;
}

}  // namespace ringmesh::hw
