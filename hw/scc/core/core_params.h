// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/scc/core/policies/page_placement.h"
#include "hw/scc/core/policies/replacement.h"
#include "tlm/parameters/names.h"
#include "tlm/parameters/parameters.h"
#include "tlm/units/units.h"

/// Parameters of an SCC core with its caches. Costs are cycles of the tile's clock.
namespace ringmesh::hw {

struct CacheParams {
    Bytes size = 16_KiB;
    std::int64_t ways = 4;
    CacheReplacement replacement = "pseudo-lru";

    void visit(ParameterVisitor& visitor);
};

/// What the core does while a flush of its write-combine buffer is out. Either way one write is outstanding at most.
enum class WriteCombine : std::uint8_t {
    kBlocking,    ///< the next store to a message-passing buffer waits for the acknowledgement
    kOverlapped,  ///< it is gathered; the next access that leaves the core waits
};

inline constexpr NameTable<WriteCombine, 2> kWriteCombines{
    {{{"blocking", WriteCombine::kBlocking}, {"overlapped", WriteCombine::kOverlapped}}}};

struct CoreParams {
    CacheParams l1;
    CacheParams l2{.size = 256_KiB};
    Bytes memory = 640_MiB;  ///< private to each core
    PagePlacement page_placement = "random";
    WriteCombine write_combine = WriteCombine::kBlocking;

    Cycles load_issue = 1_cycles;   ///< a load instruction that hits L1
    Cycles store_issue = 1_cycles;  ///< a store instruction that hits L1 or the write-combine buffer
    Cycles loop = 2_cycles;         ///< loop overhead of each of them: address, compare, branch
    Cycles copy_loop = 4_cycles;    ///< of each word of a copy, which has two addresses
    Cycles l2_hit = 18_cycles;      ///< additional, for a load that misses L1 and hits L2
    Cycles l2_store = 7_cycles;     ///< additional, for a store that misses L1 and hits L2: it waits for no bytes
    Cycles l2_miss = 4_cycles;      ///< until L2 has detected a miss
    Cycles to_miu = 6_cycles;       ///< of each access that leaves the core, to the mesh interface unit
    Cycles from_miu = 9_cycles;     ///< of the bytes of a read, from there into the register
    Cycles acknowledge = 9_cycles;  ///< from the acknowledgement there until another access may leave
    Cycles invalidate = 1_cycles;   ///< CL1INVMB

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh::hw
