// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/memory/memory_params.h"

namespace ringmesh::hw {

void DramParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"t_rcd", "from opening a row to its first read or write"}, t_rcd, {0_ns, 1_us});
    visitor.field({"t_rp", "closing a row"}, t_rp, {0_ns, 1_us});
    visitor.field({"t_cl", "from a read command to its data"}, t_cl, {0_ns, 1_us});
    visitor.field({"t_rc", "between two openings of rows of one bank, at least t_rcd + t_rp"}, t_rc, {0_ns, 10_us});
    visitor.field({"t_cwl", "from a write command to its data: 5 clocks of a DDR3-800"}, t_cwl, {0_ns, 1_us});
    visitor.field({"t_wr", "from the last byte written to closing the row"}, t_wr, {0_ns, 1_us});
    visitor.field({"t_wtr", "from the end of a written burst to the next read: 4 clocks of a DDR3-800"}, t_wtr,
                  {0_ns, 1_us});
    visitor.field({"burst", "memory cycles of a line's 32 bytes on the data bus of 64 bits"}, burst,
                  {1_cycles, 100_cycles});
    visitor.field({"t_ccd", "memory cycles between two lines, 4 clocks of the DRAM: a burst cut short frees nothing"},
                  t_ccd, {1_cycles, 100_cycles});
    visitor.field({"turn", "memory cycles that the data bus is free between what is read and what is written next"},
                  turn, {0_cycles, 100_cycles});
    visitor.field({"banks", "of each memory; rows follow one another through them"}, banks, {1, 1024});
    visitor.field({"row", "bytes of a bank that are open together"}, row, {32_B, Bytes(1 << 20)});
    visitor.choice({"partial_write", "what a write of less than a line costs"}, partial_write);
}

void MemoryParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"size", "bytes behind each controller"}, size, {Bytes(1 << 20), Bytes(std::int64_t{1} << 40)});
    visitor.field({"latency", "memory cycles of a request through the controller to the DRAM and back"}, latency,
                  {0_cycles, 1000_cycles});
    visitor.field({"slots", "requests that a controller holds until the mesh has taken their responses"}, slots,
                  {1, 1024});
    visitor.only_if(slots > 1, "a controller holds one request; set more memory.slots", [&] {
        visitor.choice({"order", "which of the waiting requests is served next"}, order);
        visitor.when("order", {"row-hit-first"}, [&] {
            visitor.field({"patience", "younger requests that may go before one"}, patience, {0, 1'000'000});
        });
    });
    visitor.group("dram", "DDR3 memory behind each controller", dram);
}

}  // namespace ringmesh::hw
