// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/ncube/faults/ncube_faults.h"
#include "tlm/ncube/channel.h"
#include "tlm/simulation/simulation.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// Faults of a node's output channels and of the wires behind them. The channel unit calls this object when a transfer
/// starts, and when one arrives or fails to arrive. A node without faults has no such object.
class NcubeChannelFaults {
public:
    /// Null if none of these channels has any and the node never stops. @param stop null: it never does
    static std::unique_ptr<NcubeChannelFaults> of(std::string unit, unsigned channels, Simulation& simulation,
                                                  NodeStop* stop);

    /// A transfer starts. Marks it as bad, if it is. @param lost is set: it will not arrive
    /// @return what is on the wire in place of data or control; empty: nothing is wrong
    std::string_view strike(unsigned channel, ncube::Transfer& transfer, bool& lost, Duration end);
    /// Nothing that comes arrives any more.
    bool stopped(Duration at) { return stop_ != nullptr && stop_->stopped(at); }
    bool has_stopped() const { return stop_ != nullptr && stop_->has_stopped(); }
    /// The end of a transfer that does not arrive. Nobody notices but who counts the packets of a traffic model.
    void lose(const ncube::Transfer& transfer, Duration at);

    std::uint64_t struck() const;
    const Counter& lost() const { return lost_; }

private:
    NcubeChannelFaults(std::string unit, Simulation& simulation, NodeStop* stop)
        : unit_(std::move(unit)), simulation_(simulation), stop_(stop)
    {}

    const std::string unit_;
    Simulation& simulation_;
    NodeStop* const stop_;
    std::vector<std::unique_ptr<BlockFaults>> outputs_;
    Counter lost_;
};

}  // namespace ringmesh::hw
