// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tlm/statistics.h"

namespace ringmesh {

/// A block of hardware as seen by statistics and the watchdog: what it has counted and what it still holds.
class Component {
public:
    virtual ~Component() = default;
    /// Hierarchical name, e.g. "node3.lc2".
    virtual std::string component_name() const = 0;
    virtual void statistics(StatisticsVisitor& visitor) const = 0;
    /// What is stuck here when the run makes no progress: "2 requests wait for their echo". Empty if the block is idle.
    virtual std::string pending() const = 0;
};

}  // namespace ringmesh
