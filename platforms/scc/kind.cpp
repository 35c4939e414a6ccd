// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "hw/scc/address_map.h"
#include "hw/scc/core/cache.h"
#include "hw/scc/memory/dram.h"
#include "hw/scc/scc_faults.h"
#include "platforms/machine_kinds.h"
#include "platforms/mesh/bare_mesh.h"
#include "platforms/scc/machine.h"
#include "tlm/error.h"
#include "tlm/units/quantity.h"

namespace ringmesh::platforms {
namespace {

void check_cache(const Configuration& configuration, const std::string& group, const hw::CacheParams& cache)
{
    const auto wrong = hw::Cache::problem_of(cache);
    if (!wrong.empty()) throw configuration.problem(group + ".size", wrong);
}

/// Runs a check of the hardware classes, whose message is "what; cure".
void check_block(const Configuration& configuration, std::string_view key, const std::function<void()>& make)
{
    try {
        make();
    } catch (const UserError& error) {
        throw configuration.problem(key, error.what());
    }
}

/// The largest number of MiB below, if there is one.
Bytes whole_mib(std::int64_t bytes)
{
    constexpr std::int64_t kMib = 1 << 20;
    return Bytes(bytes < kMib ? bytes : bytes / kMib * kMib);
}

/// Checks combinations of keys.
void check_scc(const Configuration& configuration, const SccParams& params)
{
    const SccLayout layout = [&] {
        try {
            return SccLayout(params.mesh.grid(), params.layout);
        } catch (const hw::GraphProblem& wrong) {
            const bool places = wrong.key.starts_with("layout.");
            if (wrong.key == "layout.controllers" && params.layout.controllers.empty()) {
                const bool graph = params.mesh.is_graph();
                throw configuration.problem(graph ? "mesh.shape" : "mesh.holes",
                                            graph ? wrong.what : wrong.what + ", where a memory controller stands",
                                            "write layout.controllers, which says where they stand");
            }
            throw configuration.problem(places ? wrong.key : "mesh." + wrong.key, wrong.what, wrong.cure);
        }
    }();
    const std::uint32_t columns = layout.grid().columns();
    const std::uint32_t rows = layout.grid().rows();
    if (layout.tiles() > hw::address_map::kMostTiles) {
        throw configuration.problem("mesh.columns",
                                    fmt::format("there are {} tiles, and a core's look-up table has entries for {}",
                                                layout.tiles(), hw::address_map::kMostTiles),
                                    "write fewer columns or rows, or ask a bare mesh (platform mesh-8x8)");
    }
    const std::int64_t entries = hw::address_map::first_entries(layout.tiles()).message_buffer;
    const Bytes room(entries * hw::LookUpTable::kEntryBytes);
    if (params.core.memory > room) {
        throw configuration.problem(
            "core.memory",
            fmt::format("with {} tiles a core's look-up table has {} entries left for it", layout.tiles(), entries),
            fmt::format("write {} or less", to_string(room)));
    }
    check_block(configuration, "clock.tile_dividers", [&] { hw::tile_divider(params.clock, columns, rows, 0, 0); });
    check_mesh(configuration, "mesh", params.mesh, layout.edges());
    check_cache(configuration, "core.l1", params.core.l1);
    check_cache(configuration, "core.l2", params.core.l2);
    check_block(configuration, "core.l1.replacement", [&] { hw::Cache("l1", params.core.l1, Random(1)); });
    check_block(configuration, "core.l2.replacement", [&] { hw::Cache("l2", params.core.l2, Random(1)); });
    check_block(configuration, "memory.dram.t_rc", [&] { hw::Dram(params.memory.dram, Clock(params.clock.memory)); });
    std::size_t most = 0;
    for (unsigned i = 0; i < layout.controllers(); ++i) most = std::max(most, layout.cores_of(i).size());
    const auto needed = params.core.memory.count() * static_cast<std::int64_t>(most);
    if (needed > params.memory.size.count()) {
        throw configuration.problem(
            "core.memory",
            fmt::format("{} cores share a controller, whose memory.size is {}", most, to_string(params.memory.size)),
            fmt::format("write {} or less",
                        to_string(whole_mib(params.memory.size.count() / static_cast<std::int64_t>(most)))));
    }
}

class SccKind final : public KindWith<SccParams> {
public:
    std::string name() const override { return "scc"; }
    std::string description() const override { return "the SCC chip: tiles of two cores on a mesh, and its memory"; }
    std::vector<RouteRow> routes(const Configuration& configuration) const override
    {
        return mesh_routes(read(configuration, NodeKind::kProcessor).mesh);
    }
    std::vector<WaitCheck> waits(const Configuration& configuration, NodeKind nodes) const override
    {
        const SccParams params = read(configuration, nodes);
        if (nodes != NodeKind::kProcessor) return {mesh_waits(configuration, params.mesh, {}, false)};
        return {mesh_waits(configuration, params.mesh, SccLayout(params.mesh.grid(), params.layout).edges(), true)};
    }
    UsualTraffic usual_traffic() const override { return BareMesh::usual_traffic(); }
    std::vector<std::string_view> offers() const override { return {SccMachine::kIs, TrafficMachine::kIs}; }
    std::vector<FaultSort> faults() const override
    {
        std::vector<FaultSort> all = mesh_faults();
        all.insert(all.end(), {{"core*", hw::kCoreFaults},
                               {"mc*", hw::kMemoryFaults},
                               {"tile*.mpb", hw::kBufferFaults},
                               {"tile*.registers", hw::kRegisterFaults}});
        return all;
    }
    std::unique_ptr<Machine> build(const Configuration& configuration, const NodeUse& nodes,
                                   Simulation& simulation) const override
    {
        SccParams params = read(configuration, nodes);
        params.sources = nodes.sources;
        return with_faults(configuration, params.faults, simulation, [&]() -> std::unique_ptr<Machine> {
            if (nodes.kind == NodeKind::kProcessor) return std::make_unique<SccChip>(simulation, params);
            return std::make_unique<BareMesh>(simulation, params.mesh);
        });
    }

private:
    void check_together(const Configuration& configuration, const SccParams& params) const override
    {
        check_scc(configuration, params);
    }
};

}  // namespace

const MachineKind& scc_kind()
{
    static const SccKind kind;
    return kind;
}

}  // namespace ringmesh::platforms
