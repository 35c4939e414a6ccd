// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tlm/units/units.h"

namespace ringmesh::hw {

/// Numbers the edges of a clock that runs from the start of the run, edge 0 being at time 0. A clock whose period is no
/// whole number of picoseconds has each edge at the nearest one, and does not drift.
class MeshClock {
public:
    explicit MeshClock(Frequency frequency)
        : clock_(frequency),
          period_ps_((1_cycles * clock_).ps()),
          edges_of_a_ps_(1 / static_cast<double>(period_ps_)),
          exact_(clock_.is_whole())
    {}

    Duration time(std::int64_t edge) const
    {
        if (exact_) return Duration::picoseconds(edge * period_ps_);
        return Cycles(edge) * clock_;
    }
    /// The first edge that is not before this time.
    std::int64_t edge_from(Duration time) const
    {
        if (exact_) return divided(time.ps() + period_ps_ - 1);
        return inexact_edge_from(time);
    }
    const Clock& clock() const { return clock_; }
    Duration span(std::int64_t cycles) const { return Cycles(cycles) * clock_; }

private:
    [[gnu::cold, gnu::noinline]] std::int64_t inexact_edge_from(Duration time) const
    {
        return clock_.edge_from(time).count();
    }
    /// By the period, rounded down: a division by integers would be felt. @pre not negative
    std::int64_t divided(std::int64_t ps) const
    {
        auto edge = static_cast<std::int64_t>(static_cast<double>(ps) * edges_of_a_ps_);
        while (edge * period_ps_ > ps) --edge;
        while (ps - edge * period_ps_ >= period_ps_) ++edge;
        return edge;
    }

    Clock clock_;
    std::int64_t period_ps_;
    double edges_of_a_ps_;
    bool exact_;
};

}  // namespace ringmesh::hw
