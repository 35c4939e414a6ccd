// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "hw/ncube/faults/ncube_faults.h"
#include "tlm/statistics/statistics.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// What faults do to a node's processor: interrupts are lost, or it stops with its node. The processor asks when an
/// interrupt comes and when it would go on; one without faults has none of these.
class NcubeProcessorFaults {
public:
    /// Null if the processor has none and the node never stops. @param stop null: it never does
    static std::unique_ptr<NcubeProcessorFaults> of(std::string_view processor, FaultPlan& plan, NodeStop* stop)
    {
        auto faults = plan.of(processor, kNcubeProcessorFaults);
        if (faults == nullptr && stop == nullptr) return nullptr;
        return std::unique_ptr<NcubeProcessorFaults>(new NcubeProcessorFaults(std::move(faults), stop));
    }

    /// Whether it goes on no more.
    bool stopped(Duration at) { return stop_ != nullptr && stop_->stopped(at); }
    bool has_stopped() const { return stop_ != nullptr && stop_->has_stopped(); }
    /// Whether the interrupt that comes for this message is lost.
    bool loses_interrupt(Duration at, std::uint64_t message)
    {
        if (faults_ == nullptr || !faults_->strike(0, at, 0, {message})) return false;
        ++interrupts_lost_;
        return true;
    }
    void statistics(StatisticsVisitor& visitor) const
    {
        if (faults_ == nullptr) return;
        visitor.counter("faults", faults_->struck(), "times", "that a fault of the processor struck");
        visitor.counter("interrupts_lost", interrupts_lost_, "interrupts", "of channels, whose handlers did not run");
    }

private:
    NcubeProcessorFaults(std::unique_ptr<BlockFaults> faults, NodeStop* stop) : faults_(std::move(faults)), stop_(stop)
    {}

    const std::unique_ptr<BlockFaults> faults_;  // the processor's own; null if there are none
    NodeStop* const stop_;
    Counter interrupts_lost_;
};

}  // namespace ringmesh::hw
