// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/parameters/parameters.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {
/// Timing of a PCI bus. All cycles are those of its clock.
struct PciParams {
    Frequency clock = 33_MHz;
    Cycles arbitration = 2_cycles;
    Cycles address_phase = 1_cycles;
    Cycles write_wait = 0_cycles;
    Cycles read_turnaround = 1_cycles;
    Cycles data_phase = 1_cycles;
    Bytes width = 4_B;
    Cycles turnaround = 1_cycles;
    Cycles retry_response = 1_cycles;
    Cycles retry_gap = 2_cycles;

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh::hw
