// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/scc/memory/memory_controller.h"

namespace ringmesh::hw::memory_order {

struct Fcfs {
    static constexpr PolicyName kPolicy{"fcfs", "first come, first served"};
    static constexpr bool kReorders = false;

    static std::size_t choose(std::span<const WaitingRequest>, const Dram&, std::int64_t) { return 0; }
};

}  // namespace ringmesh::hw::memory_order
