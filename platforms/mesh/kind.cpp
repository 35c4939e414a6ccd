// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "hw/mesh/border/mesh_faults.h"
#include "hw/mesh/topology/place_graph.h"
#include "hw/route_graph.h"
#include "platforms/machine_kinds.h"
#include "platforms/mesh/bare_mesh.h"
#include "tlm/error.h"

namespace ringmesh::platforms {
namespace {

struct BareMeshParams {
    struct Bare : hw::MeshParams {
        void visit(ParameterVisitor& visitor) { MeshParams::visit(visitor, true); }
    };
    Bare mesh;
    FaultTable faults;

    void visit(ParameterVisitor& visitor)
    {
        visitor.group("mesh", "Routers and links of the mesh", mesh);
        visitor.group("fault", "Faults of the hardware, under any names", faults);
        visitor.only_if(!faults.all.empty(), kNoFaults,
                        [&] { visitor.group("recovery", "What links do about faults", mesh.recovery); });
    }
};

class MeshKind final : public KindWith<BareMeshParams> {
public:
    std::string name() const override { return "mesh"; }
    std::string description() const override
    {
        return "routers with packet sources: a mesh, a torus, or a graph of them";
    }
    UsualTraffic usual_traffic() const override { return BareMesh::usual_traffic(); }
    std::vector<std::string_view> offers() const override { return {TrafficMachine::kIs}; }
    std::vector<RouteRow> routes(const Configuration& configuration) const override
    {
        return mesh_routes(read(configuration, NodeKind::kPacketSource).mesh);
    }
    Bytes memory(const Configuration& configuration, NodeKind) const override
    {
        const hw::MeshParams params = read(configuration, NodeKind::kPacketSource).mesh;
        const std::int64_t routers = params.grid().routers();
        // A pointer for each flit that a buffer can hold, of all virtual channels, used or not
        const auto flits = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(params.buffer_flits)));
        const std::int64_t buffers = params.detail == hw::MeshDetail::kFlit ? 8 * 16 * 5 * flits : 0;
        const std::int64_t table = params.routes_by == hw::MeshRoutesBy::kRouting ? 0 : routers;
        return Bytes(routers * ((9 << 10) + buffers + table));
    }
    std::vector<WaitCheck> waits(const Configuration& configuration, NodeKind) const override
    {
        return {mesh_waits(configuration, read(configuration, NodeKind::kPacketSource).mesh, {}, false)};
    }
    std::vector<FaultSort> faults() const override { return mesh_faults(); }
    std::string undivided(const Configuration& configuration, NodeKind /*nodes*/, bool /*watched*/) const override
    {
        const BareMeshParams params = read(configuration, NodeKind::kPacketSource);
        if (params.mesh.detail == hw::MeshDetail::kPath) {
            return "by path a packet books all links of its way at once; set mesh.detail=flit";
        }
        if (params.mesh.arbitration->own != nullptr) return "an arbiter of your own may know all routers";
        return {};
    }
    PlaceGraph place_graph(const Configuration& configuration) const override
    {
        const hw::MeshParams params = read(configuration, NodeKind::kPacketSource).mesh;
        const hw::MeshGrid grid = params.grid();
        return hw::place_graph(params, grid, params.routes_on(grid), params.times_on(grid));
    }
    std::unique_ptr<Machine> build(const Configuration& configuration, const NodeUse& nodes,
                                   Simulation& simulation) const override
    {
        if (nodes.kind == NodeKind::kProcessor) {
            throw configuration.problem("machine", "a bare mesh has no processors", "choose workload traffic");
        }
        const BareMeshParams params = read(configuration, nodes);
        return with_faults(configuration, params.faults, simulation,
                           [&] { return std::make_unique<BareMesh>(simulation, params.mesh); });
    }

private:
    void check_together(const Configuration& configuration, const BareMeshParams& params) const override
    {
        check_mesh(configuration, "mesh", params.mesh);
    }
};

}  // namespace

std::vector<MachineKind::FaultSort> mesh_faults()
{
    return {{"mesh.r*.east, .north, ..., .local", hw::kMeshLinkFaults}, {"mesh.r*", hw::kRouterFaults}};
}

hw::MeshParams mesh_of(const Configuration& configuration)
{
    BareMeshParams params;
    configuration.read_into(params, NodeKind::kPacketSource);
    return params.mesh;
}

std::vector<RouteRow> mesh_routes(const hw::MeshParams& params)
{
    const hw::MeshGrid grid = params.grid();
    const hw::MeshRoutes routes = params.routes_on(grid);
    std::vector<RouteRow> rows;
    for (const hw::RouterIndex router : grid.here()) {
        std::vector<std::string> ways;
        for (const hw::RouterIndex target : grid.here()) {
            const mesh::Port port = routes.ways(router, grid.local_port(target)).first;
            ways.push_back(router == target ? "" : fmt::format("\"{}\"", mesh::word(port)));
        }
        add_rows(rows, "mesh.routes." + grid.router_name(router), ways);
    }
    return rows;
}

WaitCheck mesh_waits(const Configuration& configuration, const hw::MeshParams& params,
                     const std::vector<mesh::Terminal>& ends, bool answered)
{
    const bool by_path = params.detail == hw::MeshDetail::kPath;
    const hw::MeshRoutes::Classes classes{.apart = by_path || params.reserved_channels > 0, .answered = answered};
    const hw::MeshGrid grid = params.grid();
    const hw::MeshRoutes routes = params.routes_on(grid);
    std::vector<hw::RouterIndex> routers;
    for (const mesh::Terminal& end : ends) routers.push_back(grid.router(end));
    WaitCheck check{.network = "mesh",
                    .channels = classes.apart ? "links, of requests and of responses" : "links, of both classes",
                    .graph = hw::WaitGraph(0),
                    .names = {},
                    .rests_on = answered ? "A terminal takes each response, and requests while its own wait."
                                         : "Terminals take what arrives."};
    if (by_path) check.rests_on += " By path a packet holds no link while it waits.";
    try {
        check.graph = routes.waits(std::move(routers), classes);
    } catch (const hw::GraphProblem& wrong) {
        throw configuration.problem("mesh." + wrong.key, wrong.what, wrong.cure);
    }
    for (const unsigned vertex : check.graph.cycle()) check.names.push_back(routes.link_name(vertex, classes));
    return check;
}

void check_mesh(const Configuration& configuration, const std::string& group, const hw::MeshParams& params,
                const std::vector<mesh::Terminal>& ends)
{
    try {
        params.check_routes(ends);
    } catch (const hw::GraphProblem& wrong) {
        // A table is to blame for its routes, not what is absent
        const bool by_table = params.routes_by == hw::MeshRoutesBy::kTable;
        const std::string key = !wrong.key.empty()  ? group + "." + wrong.key
                                : by_table          ? group + ".routes"
                                : params.is_graph() ? group + ".shape"
                                                    : configuration.last_set({group + ".holes", group + ".cut_links"});
        throw configuration.problem(key, wrong.what, wrong.cure);
    }
    const auto wrong = params.problem();
    if (wrong.empty()) return;
    throw configuration.problem(configuration.last_set({group + ".reserved_channels", group + ".virtual_channels",
                                                        group + ".detail", group + ".wrap", group + ".routing"}),
                                wrong);
}

const MachineKind& mesh_kind()
{
    static const MeshKind kind;
    return kind;
}

}  // namespace ringmesh::platforms
