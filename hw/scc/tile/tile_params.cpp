// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/tile/tile_params.h"

namespace ringmesh::hw {

void MeshInterfaceParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"request", "tile cycles of a core's request through the mesh interface unit"}, request,
                  {0_cycles, 1000_cycles});
    visitor.field({"response", "tile cycles of the answer from the mesh to the core"}, response,
                  {0_cycles, 1000_cycles});
    visitor.field({"incoming", "tile cycles of a request from the mesh to the MPB or the registers"}, incoming,
                  {0_cycles, 1000_cycles});
    visitor.field({"outgoing", "tile cycles of the response back to the mesh"}, outgoing, {0_cycles, 1000_cycles});
    visitor.field({"flit", "tile cycles for which a flit keeps the way of its class to the mesh"}, flit,
                  {0_cycles, 100_cycles});
    visitor.field({"slots", "requests from the mesh that a tile holds until the mesh has taken their responses"}, slots,
                  {1, 1024});
}

void MessageBufferParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"access", "tile cycles for which an access of up to a line keeps the port"}, access,
                  {1_cycles, 1000_cycles});
    visitor.field({"bypass", "a core reaches its own tile's MPB without the mesh; off because of a hardware bug"},
                  bypass);
}

void RegisterParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"access", "tile cycles for which an access keeps the configuration registers"}, access,
                  {1_cycles, 1000_cycles});
}

void TileParams::visit(ParameterVisitor& visitor)
{
    visitor.group("miu", "mesh interface unit of each tile", miu);
    visitor.group("mpb", "message-passing buffer of each tile", mpb);
    visitor.group("registers", "configuration registers of each tile", registers);
}

}  // namespace ringmesh::hw
