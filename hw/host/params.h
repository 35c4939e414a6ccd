// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/parameters.h"
#include "tlm/units.h"

namespace ringmesh::hw {

struct HostParams {
    Frequency clock = 400_MHz;
    Duration crossing = 187_ns;
    Cycles store_issue = 4_cycles;
    Cycles poll_loop = 4_cycles;
    Duration poll_miss = 150_ns;
    Duration local_access = 100_ns;
    Bytes cache_line = 32_B;
    Bytes memory = 128_MiB;
    std::int64_t posted_writes = 8;
    std::int64_t inbound_writes = 8;
    Bytes single_gather = 4_B;
    Bytes memcpy_gather = 4_B;
    Bytes mmx_gather = 64_B;

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh::hw
