// SPDX-License-Identifier: Apache-2.0
#include "analytic/scc.h"
#include "lab/sql/functions.h"

/// Meshes of routers without load, and the bound of their links.
namespace ringmesh::lab {

std::vector<SqlFunction> mesh_functions()
{
    const std::string model = "docs/reference/mesh.md";
    return {
        formula("mesh_latency_cycles", {"hops", "router_cycles", "terminal_cycles", "flits"}, "cycles",
                "until the last flit of a packet arrives on an empty mesh; a router with its link takes router_cycles",
                model,
                [](int hops, int router, int terminal, int flits) {
                    return analytic::mesh_latency(hops, router, terminal, flits);
                }),
        formula("mesh_mean_latency_cycles", {"columns", "rows", "router_cycles", "terminal_cycles", "flits"}, "cycles",
                "its mean over all pairs, nodes with themselves included", model,
                [](int columns, int rows, int router, int terminal, int flits) {
                    return analytic::mean_mesh_latency(columns, rows, router, terminal, flits);
                }),
        formula("mesh_capacity", {"columns", "rows"}, "flits/cycle",
                "load of each node at which the fullest link is always busy: uniform traffic, one dimension after the "
                "other",
                model, [](int columns, int rows) { return analytic::mesh_capacity(columns, rows); }),
        formula("torus_capacity", {"columns", "rows"}, "flits/cycle",
                "the same of a torus, with the shorter way around each ring", model,
                [](int columns, int rows) { return analytic::torus_capacity(columns, rows); }),
        formula("mesh_channel_rate", {"buffer_flits", "pipeline", "link"}, "flits/cycle",
                "that one virtual channel carries: a buffer for each round trip of a credit, at most one", model,
                [](int buffer, int pipeline, int link) { return analytic::mesh_channel_rate(buffer, pipeline, link); }),
    };
}

}  // namespace ringmesh::lab
