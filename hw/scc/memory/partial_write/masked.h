// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/scc/memory/partial_write.h"

namespace ringmesh::hw::partial_write {

struct Masked {
    static constexpr PolicyName kPolicy{"masked",
                                        "as much as a whole line: the DRAM's data masks leave the other bytes alone"};
    static constexpr bool kReadsFirst = false;
};

}  // namespace ringmesh::hw::partial_write
