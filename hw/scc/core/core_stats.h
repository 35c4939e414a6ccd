// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/scc/system_address.h"
#include "tlm/statistics.h"

namespace ringmesh::hw {

/// Counters of an SCC core. Hits and misses are instructions.
struct CoreStats {
    Counter l1_hits, l1_misses, l2_hits, l2_misses;
    Counter write_backs, flushes, invalidations;
    Counter mpb_reads, mpb_writes, memory_reads, memory_writes, register_reads, register_writes;
    Counter polls, looks;
    BusyTime computing, reading, writing, polling;

    void read(Space space)
    {
        ++(space == Space::kMessageBuffer ? mpb_reads : space == Space::kMemory ? memory_reads : register_reads);
    }
    void written(Space space)
    {
        ++(space == Space::kMessageBuffer ? mpb_writes : space == Space::kMemory ? memory_writes : register_writes);
    }
    void describe(StatisticsVisitor& visitor) const;
};

}  // namespace ringmesh::hw
