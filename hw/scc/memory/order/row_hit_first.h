// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/scc/memory/memory_controller.h"

namespace ringmesh::hw::memory_order {

/// Unless the oldest has been bypassed `patience` times.
struct RowHitFirst {
    static constexpr PolicyName kPolicy{"row-hit-first", "the oldest row hit, else the oldest request"};
    static constexpr bool kReorders = true;

    static std::size_t choose(std::span<const WaitingRequest> waiting, const Dram& dram, std::int64_t patience)
    {
        if (waiting.front().passed >= patience) return 0;
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            if (dram.row_state(waiting[i].request.offset) == RowState::kHit) return i;
        }
        return 0;
    }
};

}  // namespace ringmesh::hw::memory_order
