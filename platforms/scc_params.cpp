// SPDX-License-Identifier: Apache-2.0
#include "platforms/scc_params.h"

namespace ringmesh::platforms {

void SccParams::visit(ParameterVisitor& visitor)
{
    const auto of_the_chip = [&visitor](const auto& walk) {
        visitor.only_if(visitor.nodes() == NodeKind::kProcessor,
                        "packet sources stand in place of tiles and memory; choose a workload that runs programs",
                        walk);
    };
    of_the_chip([&] { visitor.group("clock", "Clocks of tiles and memory", clock); });
    visitor.group("mesh", "The mesh of routers, one for each tile", mesh);
    of_the_chip([&] {
        visitor.group("core", "The two cores of each tile, with their caches", core);
        tile.visit(visitor);
        visitor.group("memory", "Each memory controller with its memory", memory);
    });
}

}  // namespace ringmesh::platforms
