// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/parameters/parameters.h"
#include "tlm/units/units.h"

namespace ringmesh::hw {

/// The SCC's clocks without that of the mesh, which is in MeshParams. Each tile divides the chip's 1600 MHz [RCCE]. All
/// of them have an edge at time 0; a signal that crosses to another clock waits for that clock's next edge. Not
/// modelled: supply voltages and power (the published islands matter here only as groups of tiles), a change of
/// frequency during a run.
struct SccClockParams {
    /// One divider for all tiles, one for each voltage island, or one for each tile, numbered x + columns * y. Islands
    /// are blocks of 2x2 tiles, numbered row by row from the south-west as RCCE does it: on the SCC 0 1 2 in the south,
    /// 3 4 5 in the north, which the power controller calls 4 5 7 and 0 1 3 [RCCE, BF].
    std::vector<std::int64_t> tile_dividers = {3};
    Frequency memory = 800_MHz;  ///< of the data on the DDR3 bus: two transfers per clock of the DRAM

    void visit(ParameterVisitor& visitor);
};

/// Voltage islands of a chip of so many tiles.
unsigned voltage_islands(unsigned columns, unsigned rows);
/// The island of a tile. @pre it is on the chip
unsigned voltage_island(unsigned columns, unsigned x, unsigned y);

/// The divider of a tile's clock. @pre the tile is on the chip
/// @throws UserError if the list fits neither the chip, nor its islands, nor its tiles
std::int64_t tile_divider(const SccClockParams& params, unsigned columns, unsigned rows, unsigned x, unsigned y);
/// 1600 MHz by that divider, to the nearest hertz, for output. TileClock is exact.
Frequency tile_frequency(const SccClockParams& params, unsigned columns, unsigned rows, unsigned x, unsigned y);

/// The clock of a tile and its cores. Every period is a whole number of picoseconds, 625 times the divider.
class TileClock {
public:
    explicit constexpr TileClock(std::int64_t divider) : period_(625_ps * divider) {}

    constexpr Duration period() const { return period_; }
    /// The first edge at or after this time.
    constexpr Duration edge_from(Duration time) const
    {
        return period_ * ((time.ps() + period_.ps() - 1) / period_.ps());
    }
    friend constexpr Duration operator*(Cycles cycles, const TileClock& clock)
    {
        return clock.period_ * cycles.count();
    }

private:
    Duration period_;
};

}  // namespace ringmesh::hw
