// SPDX-License-Identifier: Apache-2.0
#include "hw/pci/params.h"

namespace ringmesh::hw {

void PciParams::visit(ParameterVisitor& visitor)
{
    const Bounds<Cycles> cycles{0_cycles, 64_cycles};
    visitor.field({"clock", "bus clock", seed("000 ch.5")}, clock, {1_MHz, 1000_MHz});
    visitor.field(
        {"arbitration", "clocks from request to grant of a master on which the idle bus is not parked", assumed()},
        arbitration, cycles);
    visitor.field({"address_phase", "clocks of the address phase", spec("PCI")}, address_phase, {1_cycles, 64_cycles});
    visitor.field({"write_wait", "wait states of a write target before its first data phase",
                   calibrated("wulfkit.component.overhead_slope")},
                  write_wait, cycles);
    visitor.field(
        {"read_turnaround", "clocks between the address phase and the first data phase of a read", spec("PCI")},
        read_turnaround, cycles);
    visitor.field({"data_phase", "clocks of each data phase", spec("PCI")}, data_phase, {1_cycles, 64_cycles});
    visitor.field({"width", "bytes of each data phase", seed("000 ch.5")}, width, {4_B, 8_B});
    visitor.field({"turnaround", "idle clocks between two transactions", spec("PCI")}, turnaround, cycles);
    visitor.field(
        {"retry_response", "clocks from the address phase to the target's stop of a retried transaction", assumed()},
        retry_response, {1_cycles, 64_cycles});
    visitor.field({"retry_gap", "clocks that a retried master stays off the bus", assumed()}, retry_gap, cycles);
}

}  // namespace ringmesh::hw
