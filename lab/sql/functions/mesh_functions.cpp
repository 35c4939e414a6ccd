// SPDX-License-Identifier: Apache-2.0
#include "analytic/scc.h"
#include "lab/sql/functions/functions.h"

/// Meshes of routers without load, and the bound of their links.
namespace ringmesh::lab {

std::vector<SqlFunction> mesh_functions()
{
    const std::string model = "docs/reference/machines/mesh.md";
    return {
        formula("mesh_latency_cycles", {"hops", "router_cycles", "terminal_cycles", "flits"}, "cycles",
                "until the last flit of a packet arrives on an empty mesh; a router with its link takes router_cycles",
                model, &analytic::mesh_latency),
        formula("mesh_mean_latency_cycles", {"columns", "rows", "router_cycles", "terminal_cycles", "flits"}, "cycles",
                "its mean over all pairs, nodes with themselves included", model, &analytic::mean_mesh_latency),
        formula("mesh_capacity", {"columns", "rows"}, "flits/cycle",
                "load of each node at which the fullest link is always busy: uniform traffic, one dimension after the "
                "other",
                model, &analytic::mesh_capacity),
        formula("torus_capacity", {"columns", "rows"}, "flits/cycle",
                "the same of a torus, with the shorter way around each ring", model, &analytic::torus_capacity),
        formula("mesh_channel_rate", {"buffer_flits", "pipeline", "link"}, "flits/cycle",
                "that one virtual channel carries: a buffer for each round trip of a credit, at most one", model,
                &analytic::mesh_channel_rate),
    };
}

}  // namespace ringmesh::lab
