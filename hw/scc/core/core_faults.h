// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "hw/scc/scc_faults.h"
#include "tlm/statistics/statistics.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// What a fault does to a core: it halts. The core asks whenever it would go on; one without faults has none of these.
class CoreFaults {
public:
    /// Null if it has none.
    static std::unique_ptr<CoreFaults> of(std::string_view core, FaultPlan& plan)
    {
        auto faults = plan.of(core, kCoreFaults);
        return faults == nullptr ? nullptr : std::unique_ptr<CoreFaults>(new CoreFaults(std::move(faults)));
    }

    /// Whether it goes on no more.
    bool halts(Duration at)
    {
        if (!halted_) halted_ = faults_->meets(0, at) != Duration::zero();
        return halted_;
    }
    bool halted() const { return halted_; }
    void statistics(StatisticsVisitor& visitor) const
    {
        visitor.counter("faults", faults_->struck(), "times", "that the core halted");
    }

private:
    explicit CoreFaults(std::unique_ptr<BlockFaults> faults) : faults_(std::move(faults)) {}

    const std::unique_ptr<BlockFaults> faults_;
    bool halted_ = false;
};

}  // namespace ringmesh::hw
