// SPDX-License-Identifier: Apache-2.0
#include "hw/ncube/faults/channel_faults.h"

#include <fmt/format.h>

#include <utility>

#include "tlm/time/kernel_time.h"

namespace ringmesh::hw {

std::unique_ptr<NcubeChannelFaults> NcubeChannelFaults::of(std::string unit, unsigned channels, Simulation& simulation,
                                                           NodeStop* stop)
{
    std::unique_ptr<NcubeChannelFaults> all(new NcubeChannelFaults(std::move(unit), simulation, stop));
    bool any = stop != nullptr;
    for (unsigned i = 0; i < channels; ++i) {
        all->outputs_.push_back(simulation.faults().of(fmt::format("{}.out_{}", all->unit_, i), kChannelFaults));
        any |= all->outputs_.back() != nullptr;
    }
    return any ? std::move(all) : nullptr;
}

std::string_view NcubeChannelFaults::strike(unsigned channel, ncube::Transfer& transfer, bool& lost, Duration end)
{
    BlockFaults* const faults = outputs_[channel].get();
    const auto strikes = [&](ChannelFault fault) {
        return faults != nullptr &&
               faults->strike(static_cast<std::size_t>(fault), now(), transfer.size, {transfer.id});
    };
    // Of a node that stops in the course of a transfer nobody gets the rest
    lost = strikes(ChannelFault::kCut) || (stop_ != nullptr && stop_->stops_by(end));
    transfer.bad = strikes(ChannelFault::kParity);
    if (lost) return "lost";
    return transfer.bad ? "parity error" : "";
}

void NcubeChannelFaults::lose(const ncube::Transfer& transfer, Duration at)
{
    ++lost_;
    if (stop_ != nullptr) stop_->loses(at, transfer.id);
    if (transfer.kind == ncube::TransferKind::kData && simulation_.counts_losses()) {
        simulation_.lost(fmt::format("{}: message {} is lost", unit_, transfer.id));
    }
}

std::uint64_t NcubeChannelFaults::struck() const
{
    std::uint64_t struck = stop_ == nullptr ? 0 : stop_->struck().count();
    for (const auto& faults : outputs_) {
        if (faults != nullptr) struck += faults->struck().count();
    }
    return struck;
}

}  // namespace ringmesh::hw
