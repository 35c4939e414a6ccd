// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/mesh.h"

#include <fmt/format.h>

#include "hw/mesh/flit/flit_mesh.h"
#include "hw/mesh/path/path_mesh.h"
#include "hw/route_graph.h"
#include "tlm/error.h"

namespace ringmesh::hw {

std::unique_ptr<Mesh> make_mesh(const sc_core::sc_module_name& name, Simulation& simulation, const MeshParams& params,
                                const std::vector<mesh::Terminal>& edges)
{
    try {
        params.check_routes();
    } catch (const GraphProblem& problem) {
        throw ModelError(fmt::format("mesh.{}: {}; {}", problem.key, problem.what, problem.cure));
    }
    switch (params.detail) {
        case MeshDetail::kPath: return std::make_unique<PathMesh>(name, simulation, params, edges);
        case MeshDetail::kFlit: break;
    }
    return std::make_unique<FlitMesh>(name, simulation, params, edges);
}

}  // namespace ringmesh::hw
