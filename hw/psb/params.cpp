// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/params.h"

namespace ringmesh::hw {

void PsbParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"stream_buffers", "write stream buffers of 64 bytes", seed("002 II.D")}, stream_buffers, {1, 64});
    visitor.choice({"stream_assignment", "which stream buffer takes a block: one by its address, or any free one",
                    calibrated("wulfkit.one_way.api_1B")},
                   stream_assignment, kStreamAssignments);
    visitor.field({"flush_timeout", "age at which a partly filled stream buffer leaves by itself", assumed()},
                  flush_timeout, {100_ns, 1_ms});
    visitor.field({"inbound_slots", "requests from the network that wait for the PCI bus", assumed()}, inbound_slots,
                  {1, 1024});
    visitor.field({"att_page", "bytes of address space that one translation entry maps", assumed()}, att_page,
                  {4_KiB, 16_MiB});
    visitor.field({"att_entries", "entries of the address translation table", assumed()}, att_entries, {1, 1'048'576});
}

}  // namespace ringmesh::hw
