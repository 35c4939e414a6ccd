// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <utility>

#include "hw/ncube/port_contention.h"
#include "tlm/statistics/use.h"

namespace ringmesh::hw {

/// The memory port of a node, shared by the processor and the DMA of its channels.
///
/// Timing: no event per access. Which channels are active and whose code runs set the processor's speed
/// (PortContention).
class NcubeMemoryPort {
public:
    /// @param contention of all nodes with the same parameters
    explicit NcubeMemoryPort(std::shared_ptr<const PortContention> contention) : contention_(std::move(contention)) {}

    /// Callbacks before and after a change of the speed.
    void connect(std::function<void()> before, std::function<void()> after)
    {
        before_ = std::move(before);
        after_ = std::move(after);
    }
    void receiving(bool begins) { change(receiving_, begins); }
    void sending(bool begins) { change(sending_, begins); }

    /// Processor clocks done in one clock of time, above 0 and at most 1.
    double speed(PortCode code) const;
    /// Channels that transfer data now.
    const Level& active() const { return active_; }

private:
    void change(unsigned& count, bool begins);

    std::shared_ptr<const PortContention> contention_;
    std::function<void()> before_, after_;
    unsigned receiving_ = 0;
    unsigned sending_ = 0;
    Level active_;
    // Of either code; 0: not asked for since the last change
    mutable std::array<double, 2> speeds_{1, 1};
};

}  // namespace ringmesh::hw
