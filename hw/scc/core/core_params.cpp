// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/core/core_params.h"

namespace ringmesh::hw {

void CacheParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"size", "bytes of the cache, in lines of 32"}, size, {64_B, 16_MiB});
    visitor.field({"ways", "lines of each set"}, ways, {1, 32});
    visitor.only_if(ways > 1, "each set has one line; set more ways", [&] {
        visitor.choice({"replacement", "which line of a full set is replaced"}, replacement);
    });
}

void CoreParams::visit(ParameterVisitor& visitor)
{
    visitor.group("l1", "first-level data cache of each core", l1);
    visitor.group("l2", "second-level cache of each core", l2);
    visitor.field({"memory", "private memory of each core behind its memory controller"}, memory,
                  {4_KiB, Bytes(std::int64_t{3} << 30)});
    visitor.choice({"page_placement", "where in its private memory a core's 4 KB pages lie"}, page_placement);
    visitor.choice(
        {"write_combine",
         "while a flush of the write-combine buffer is out, the next store to a message-passing buffer waits "
         "for its acknowledgement (blocking) or is gathered (overlapped)"},
        write_combine, kWriteCombines);
    visitor.field({"load_issue", "tile cycles of a load instruction that hits L1"}, load_issue,
                  {0_cycles, 1000_cycles});
    visitor.field({"store_issue", "tile cycles of a store instruction that hits L1 or the write-combine buffer"},
                  store_issue, {0_cycles, 1000_cycles});
    visitor.field({"loop", "tile cycles of the loop around each load, store or look of a poll"}, loop,
                  {0_cycles, 1000_cycles});
    visitor.field({"copy_loop", "tile cycles of the loop around each word of a copy"}, copy_loop,
                  {0_cycles, 1000_cycles});
    visitor.field({"l2_hit", "further tile cycles of a load that misses L1 and hits L2"}, l2_hit,
                  {0_cycles, 1000_cycles});
    visitor.field({"l2_store", "further tile cycles of a store that misses L1 and hits L2"}, l2_store,
                  {0_cycles, 1000_cycles});
    visitor.field({"l2_miss", "tile cycles until L2 passes on what it does not hold"}, l2_miss,
                  {0_cycles, 1000_cycles});
    visitor.field({"to_miu", "tile cycles of an access from the core to the mesh interface unit"}, to_miu,
                  {0_cycles, 1000_cycles});
    visitor.field({"from_miu", "tile cycles of a read's bytes from the mesh interface unit into the core"}, from_miu,
                  {0_cycles, 1000_cycles});
    visitor.field(
        {"acknowledge",
         "tile cycles from a write's acknowledgement in the mesh interface unit until the core lets another access go"},
        acknowledge, {0_cycles, 1000_cycles});
    visitor.field({"invalidate", "tile cycles of CL1INVMB"}, invalidate, {0_cycles, 1000_cycles});
}

}  // namespace ringmesh::hw
