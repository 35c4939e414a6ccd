// SPDX-License-Identifier: Apache-2.0
#include "workloads/broadcast/dopl_grid.h"

#include <fmt/format.h>

#include <cmath>

#include "tlm/error.h"
#include "tlm/scc/scc_machine.h"
#include "tlm/sci/sci_machine.h"

namespace ringmesh::workloads::broadcast {
namespace {

/// Whether the lines of DOPL's grid are those of the mesh, by the distances from core 0.
bool has_rows_of_dopl(const SccMachine& machine)
{
    constexpr unsigned kNextRow = DoplGrid::kCoresOfTileRow;
    return machine.hops(0, kNextRow - 1) == DoplGrid::kTileColumns - 1 &&
           (machine.nodes() <= kNextRow || machine.hops(0, kNextRow) == 1);
}

DoplGrid grid_of_tiles(const SccMachine& machine, unsigned ranks)
{
    if (!DoplGrid::fits_tiles(ranks)) {
        throw UserError(fmt::format(
            "broadcast: ranks = {}: DOPL needs full rows of tiles, which are 12 cores each; write 12, 24, 36 or 48",
            ranks));
    }
    if (has_rows_of_dopl(machine)) return DoplGrid::of_tiles(ranks);
    throw UserError(
        fmt::format("broadcast: algorithm = dopl: its pipelines follow rows of {} tiles, and this mesh has others; set "
                    "mesh.columns={}, or choose another algorithm",
                    DoplGrid::kTileColumns, DoplGrid::kTileColumns));
}

}  // namespace

std::optional<DoplGrid> square_grid(unsigned ranks)
{
    for (auto rows = static_cast<unsigned>(std::sqrt(ranks)); rows >= 2; --rows) {
        if (ranks % rows == 0) return DoplGrid(rows, ranks / rows);
    }
    return std::nullopt;
}

DoplGrid grid_for(Machine& machine, unsigned ranks)
{
    if (const auto* scc = dynamic_cast<SccMachine*>(&machine)) return grid_of_tiles(*scc, ranks);
    const auto* sci = dynamic_cast<SciMachine*>(&machine);
    if (sci != nullptr && sci->torus() != nullptr && sci->torus()->dimensions() == 2 && ranks == machine.nodes()) {
        const auto columns = static_cast<unsigned>(sci->torus()->size(0));
        return {ranks / columns, columns};
    }
    if (const auto square = square_grid(ranks)) return *square;
    throw UserError(fmt::format(
        "broadcast: ranks = {}: DOPL needs rows and columns of two ranks or more; write a product of two such numbers",
        ranks));
}

}  // namespace ringmesh::workloads::broadcast
