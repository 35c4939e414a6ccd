// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/core/core_stats.h"

namespace ringmesh::hw {

void CoreStats::describe(StatisticsVisitor& visitor) const
{
    visitor.counter("l1_hits", l1_hits, "instructions", "loads and stores of cached pages and MPBT loads that hit L1");
    visitor.counter("l1_misses", l1_misses, "instructions", "those that missed L1");
    visitor.counter("l2_hits", l2_hits, "instructions", "those that missed L1 and hit L2");
    visitor.counter("l2_misses", l2_misses, "instructions", "those that missed both");
    visitor.counter("write_backs", write_backs, "lines", "dirty lines written to memory");
    visitor.counter("flushes", flushes, "flushes", "writes of the write-combine buffer");
    visitor.counter("invalidations", invalidations, "instructions", "CL1INVMB, those of polls included");
    visitor.counter("mpb_reads", mpb_reads, "reads", "reads of message-passing buffers");
    visitor.counter("mpb_writes", mpb_writes, "writes", "writes to message-passing buffers");
    visitor.counter("memory_reads", memory_reads, "reads", "reads of memory");
    visitor.counter("memory_writes", memory_writes, "writes", "writes to memory");
    visitor.counter("register_reads", register_reads, "reads", "reads of configuration registers");
    visitor.counter("register_writes", register_writes, "writes", "writes to configuration registers");
    visitor.counter("polls", polls, "requests", "polls of the program");
    visitor.counter("looks", looks, "looks", "simulated loads of polls; those that cannot see a change are skipped");
    visitor.time("computing", computing, "time in which the program computed");
    visitor.time("reading", reading, "time in which the program waited for reads from outside the core");
    visitor.time("writing", writing, "time in which the program waited for the acknowledgement of a write");
    visitor.time("polling", polling, "time in polls");
}

}  // namespace ringmesh::hw
