// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "hw/scc/scc_faults.h"
#include "tlm/mesh/packet.h"
#include "tlm/statistics/statistics.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// What faults do to a memory controller: it is slow, or it stops. The controller asks when a request comes and when it
/// would go on; one without faults has none of these.
class MemoryFaults {
public:
    /// Null if it has none. @param slow what each request takes more of a slow controller, in cycles
    static std::unique_ptr<MemoryFaults> of(std::string_view controller, FaultPlan& plan, std::int64_t slow)
    {
        auto faults = plan.of(controller, kMemoryFaults);
        return faults == nullptr ? nullptr : std::unique_ptr<MemoryFaults>(new MemoryFaults(std::move(faults), slow));
    }

    /// A request comes that the DRAM could serve from a cycle on. @return from which one it can
    std::int64_t delay(std::int64_t ready, Duration time, const mesh::Packet& request)
    {
        const FaultVictim victim{request.id, Leg::kRequest};
        if (has_stopped(time)) faults_->tell(index(MemoryFault::kStop), time, victim);
        if (faults_->meets(index(MemoryFault::kSlow), time, victim) == Duration::zero()) return ready;
        slow_until_ = std::max(slow_until_, ready) + slow_;
        return slow_until_;
    }
    /// The controller would go on at this time, which is a strike if it has stopped.
    bool stops(Duration time) { return faults_->meets(index(MemoryFault::kStop), time) != Duration::zero(); }
    bool has_stopped(Duration time) const
    {
        return faults_->until(index(MemoryFault::kStop), time) != Duration::zero();
    }
    void statistics(StatisticsVisitor& visitor) const
    {
        visitor.counter("faults", faults_->struck(), "times", "that a fault struck");
    }

private:
    MemoryFaults(std::unique_ptr<BlockFaults> faults, std::int64_t slow) : faults_(std::move(faults)), slow_(slow) {}
    static constexpr std::size_t index(MemoryFault fault) { return static_cast<std::size_t>(fault); }

    const std::unique_ptr<BlockFaults> faults_;
    const std::int64_t slow_;
    std::int64_t slow_until_ = 0;  // cycle in which the last request leaves a controller that is slow
};

}  // namespace ringmesh::hw
