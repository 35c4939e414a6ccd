// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/tile/registers/tile_clocks.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace ringmesh::hw {

void SccClockParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"tile_dividers",
                   "of 1600 MHz: one for all tiles, one for each voltage island of 2x2 tiles, or one for each tile"},
                  tile_dividers, {2, 16});
    visitor.field({"memory", "data clock of the DDR3 bus, twice that of the DRAM"}, memory, {100_MHz, 10'000_MHz});
}

unsigned voltage_islands(unsigned columns, unsigned rows) { return (columns + 1) / 2 * ((rows + 1) / 2); }

unsigned voltage_island(unsigned columns, unsigned x, unsigned y) { return x / 2 + (columns + 1) / 2 * (y / 2); }

std::int64_t tile_divider(const SccClockParams& params, unsigned columns, unsigned rows, unsigned x, unsigned y)
{
    const auto& dividers = params.tile_dividers;
    for (const std::int64_t divider : dividers) {
        if (divider >= 2 && divider <= 16) continue;
        throw UserError(fmt::format("tile_dividers has a {}; 1600 MHz can be divided by 2 to 16", divider));
    }
    if (dividers.size() == 1) return dividers.front();
    if (dividers.size() == std::size_t{columns} * rows) return dividers[x + std::size_t{columns} * y];
    if (dividers.size() == voltage_islands(columns, rows)) return dividers[voltage_island(columns, x, y)];
    throw UserError(
        fmt::format("tile_dividers has {} values, and the chip has {}x{} tiles in {} voltage islands; give one value "
                    "for all, {} for the islands or {} for the tiles",
                    dividers.size(), columns, rows, voltage_islands(columns, rows), voltage_islands(columns, rows),
                    std::size_t{columns} * rows));
}

Frequency tile_frequency(const SccClockParams& params, unsigned columns, unsigned rows, unsigned x, unsigned y)
{
    const std::int64_t divider = tile_divider(params, columns, rows, x, y);
    return Frequency::hertz(((1600_MHz).hz() + divider / 2) / divider);
}

}  // namespace ringmesh::hw
