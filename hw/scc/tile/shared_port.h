// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "tlm/statistics.h"
#include "tlm/units.h"

namespace ringmesh::hw {

/// A resource that does one thing at a time: those who want it get it in the order in which they ask, so nobody
/// starves. Who asks may name a time a few cycles ahead, and keeps its place until then.
class SharedPort {
public:
    struct Turn {
        Duration start;
        Duration end;
    };

    /// The next turn, from `ready` on at the earliest.
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
        visitor.counter("turns", turns_, "accesses", "served one after the other");
        visitor.counter("waits", waits_, "accesses", "of them that found it busy");
        visitor.time("waited", waited_, "time that accesses waited for others");
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
