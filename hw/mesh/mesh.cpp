// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/mesh.h"

#include <fmt/format.h>

#include "hw/mesh/path_mesh.h"
#include "tlm/error.h"

namespace ringmesh::hw {

std::unique_ptr<Mesh> make_mesh(const sc_core::sc_module_name& name, Simulation& simulation, const MeshParams& params,
                                const std::vector<mesh::Terminal>& edges)
{
    switch (params.detail) {
        case MeshDetail::kPath: return std::make_unique<PathMesh>(name, simulation, params, edges);
        case MeshDetail::kFlit: break;
    }
    throw ModelError("the mesh is not available flit by flit");
}

}  // namespace ringmesh::hw
