// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/scc/memory/order.h"
#include "hw/scc/memory/partial_write.h"
#include "tlm/parameters/parameters.h"
#include "tlm/units/units.h"

/// Parameters of the SCC's memory controllers and of the DDR3 memory behind each.
namespace ringmesh::hw {

/// Timings of the DRAM by their names in the standard.
struct DramParams {
    Duration t_rcd = 15_ns;
    Duration t_rp = 15_ns;
    Duration t_cl = 15_ns;
    Duration t_rc = Duration::picoseconds(52'500);
    Duration t_cwl = Duration::picoseconds(12'500);
    Duration t_wr = 15_ns;
    Duration t_wtr = 10_ns;
    Cycles burst = 4_cycles;
    Cycles t_ccd = 8_cycles;
    Cycles turn = 4_cycles;
    std::int64_t banks = 8;
    Bytes row = 8_KiB;
    PartialWrite partial_write = "masked";

    void visit(ParameterVisitor& visitor);
};

struct MemoryParams {
    Bytes size = Bytes(std::int64_t{8} << 30);
    Cycles latency = 54_cycles;
    std::int64_t slots = 24;
    MemoryOrder order = "fcfs";
    std::int64_t patience = 16;
    DramParams dram;
    Cycles slow = 100_cycles;  ///< of `recovery`: what a request takes more at a controller with the fault "slow"

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh::hw
