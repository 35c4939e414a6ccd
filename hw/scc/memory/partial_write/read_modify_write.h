// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/scc/memory/partial_write.h"

namespace ringmesh::hw::partial_write {

struct ReadModifyWrite {
    static constexpr PolicyName kPolicy{"read-modify-write",
                                        "a read before it, as memory with error correction needs it"};
    static constexpr bool kReadsFirst = true;
};

}  // namespace ringmesh::hw::partial_write
