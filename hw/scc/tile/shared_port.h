// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "tlm/statistics/statistics.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// A resource that serves one request at a time, FCFS, so that none starves. A request may lie a few cycles ahead and
/// keeps its place in the queue until then.
class SharedPort {
public:
    struct Turn {
        Duration start;
        Duration end;
    };

    /// The next turn, not before `ready`.
    Turn take(Duration ready, Duration span)
    {
        const Turn turn{std::max(ready, free_at_), std::max(ready, free_at_) + span};
        free_at_ = turn.end;
        busy_.add(span);
        ++turns_;
        const Duration wait = turn.start - ready;
        if (wait > Duration::zero()) ++waits_;
        waited_.add(wait);
        longest_wait_ = std::max(longest_wait_, wait);
        return turn;
    }

    const BusyTime& waited() const { return waited_; }
    void statistics(StatisticsVisitor& visitor) const
    {
        visitor.counter("turns", turns_, "accesses", "accesses served");
        visitor.counter("waits", waits_, "accesses", "accesses that waited for the port");
        visitor.time("waited", waited_, "waiting time of accesses");
        visitor.value("longest_wait", longest_wait_.ns(), "ns", "the longest of these waits");
        visitor.time("busy", busy_, "time that accesses took");
    }

private:
    Duration free_at_;
    Counter turns_, waits_;
    BusyTime busy_, waited_;
    Duration longest_wait_;
};

}  // namespace ringmesh::hw
