// SPDX-License-Identifier: Apache-2.0
#include "hw/pci/params.h"

namespace ringmesh::hw {

void PciParams::visit(ParameterVisitor& visitor)
{
    const Bounds<Cycles> cycles{0_cycles, 64_cycles};
    visitor.field({"clock", "bus clock"}, clock, {1_MHz, 1000_MHz});
    visitor.field({"arbitration", "clocks from request to grant of a master on which the idle bus is not parked"},
                  arbitration, cycles);
    visitor.field({"address_phase", "clocks of the address phase"}, address_phase, {1_cycles, 64_cycles});
    visitor.field({"write_wait", "wait states of a write target before its first data phase"}, write_wait, cycles);
    visitor.field({"read_turnaround", "clocks between the address phase and the first data phase of a read"},
                  read_turnaround, cycles);
    visitor.field({"data_phase", "clocks of each data phase"}, data_phase, {1_cycles, 64_cycles});
    visitor.field({"width", "bytes of each data phase"}, width, {4_B, 8_B});
    visitor.field({"turnaround", "idle clocks between two transactions"}, turnaround, cycles);
    visitor.field({"retry_response", "clocks from the address phase to the target's stop of a retried transaction"},
                  retry_response, {1_cycles, 64_cycles});
    visitor.field({"retry_gap", "clocks that a retried master stays off the bus"}, retry_gap, cycles);
}

}  // namespace ringmesh::hw
