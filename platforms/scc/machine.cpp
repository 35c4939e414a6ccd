// SPDX-License-Identifier: Apache-2.0
#include "platforms/scc/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "platforms/machine_kinds.h"
#include "tlm/error.h"

namespace ringmesh::platforms {

namespace {

constexpr std::string_view kNoChip =
    "packet sources stand in place of tiles and memory; choose a workload that runs programs";

/// What counts only if the machine has faults.
struct Recovery {
    hw::MeshRecoveryParams& mesh;
    Cycles& slow_memory;

    void visit(ParameterVisitor& visitor)
    {
        mesh.visit(visitor);
        visitor.only_if(visitor.nodes() == NodeKind::kProcessor, kNoChip, [&] {
            visitor.field({"slow_memory", "memory cycles for which a request takes a controller with the fault slow"},
                          slow_memory, {1_cycles, 100'000_cycles});
        });
    }
};

}  // namespace

void SccParams::visit(ParameterVisitor& visitor)
{
    const auto of_the_chip = [&visitor](const auto& walk) {
        visitor.only_if(visitor.nodes() == NodeKind::kProcessor, kNoChip, walk);
    };
    of_the_chip([&] { visitor.group("clock", "Clocks of tiles and memory", clock); });
    visitor.group("mesh", "The mesh of routers, one for each tile", mesh);
    of_the_chip([&] {
        visitor.group("layout", "Where memory controllers stand", layout);
        visitor.group("core", "The two cores of each tile, with their caches", core);
        tile.visit(visitor);
        visitor.group("memory", "Each memory controller with its memory", memory);
    });
    visitor.group("fault", "Faults of the hardware, under any names", faults);
    visitor.only_if(!faults.all.empty(), kNoFaults, [&] {
        Recovery recovery{mesh.recovery, memory.slow};
        visitor.group("recovery", "What faults cost", recovery);
    });
}

SccChip::SccChip(Simulation& simulation, const SccParams& params)
    : simulation_(simulation),
      layout_(params.mesh.grid(), params.layout),
      mesh_(hw::make_mesh("mesh", simulation, params.mesh, layout_.edges())),
      bytes_(layout_.grid().columns(), layout_.grid().rows())
{
    add_tiles(params);
    add_controllers(params);
    system_interface_ = std::make_unique<hw::SystemInterface>("system_interface", simulation);
    system_interface_->to_mesh.bind(mesh_->port(layout_.system_interface()));
    add_cores(params);
    if (!params.sources) return;
    sources_ = std::make_unique<BareMesh>(simulation, params.mesh, *mesh_,
                                          [this](hw::MeshPacketSource& source, const mesh::Terminal& place) {
                                              source.port.bind(forks_.at(place).source);
                                          });
}

void SccChip::add_tiles(const SccParams& params)
{
    for (unsigned i = 0; i < layout_.tiles(); ++i) {
        const mesh::Terminal here = layout_.terminal(i);
        const hw::Tile::Config config{
            .here = here,
            .divider = hw::tile_divider(params.clock, layout_.grid().columns(), layout_.grid().rows(), here.x, here.y),
            .params = params.tile};
        tiles_.push_back(std::make_unique<hw::Tile>(fmt::format("tile{}", i).c_str(), simulation_, config));
        if (params.sources) {
            hw::TerminalFork& fork = forks_.try_emplace(here, fmt::format("fork{}", i).c_str()).first->second;
            tiles_[i]->to_mesh().bind(fork.tile);
            fork.to_mesh.bind(mesh_->port(here));
        } else {
            tiles_[i]->to_mesh().bind(mesh_->port(here));
            mesh_->look_ahead(here, tiles_[i]->miu());
        }
        bytes_.add(here, tiles_[i]->message_buffer(), tiles_[i]->registers());
    }
}

void SccChip::add_controllers(const SccParams& params)
{
    for (unsigned i = 0; i < layout_.controllers(); ++i) {
        controllers_.push_back(std::make_unique<hw::MemoryController>(fmt::format("mc{}", i).c_str(), simulation_,
                                                                      params.memory, params.clock.memory));
        controllers_[i]->to_mesh.bind(mesh_->port(layout_.controller_terminal(i)));
        mesh_->look_ahead(layout_.controller_terminal(i), *controllers_[i]);
        bytes_.add(layout_.controller_terminal(i), controllers_[i]->memory());
    }
}

/// Behind the private memories of a controller's cores, as much as a look-up table's entry maps.
std::vector<hw::SharedMemory> SccChip::shared_memory(const SccParams& params) const
{
    std::vector<hw::SharedMemory> all;
    for (unsigned i = 0; i < layout_.controllers(); ++i) {
        const std::int64_t used = params.core.memory.count() * static_cast<std::int64_t>(layout_.cores_of(i).size());
        const std::int64_t left =
            std::clamp<std::int64_t>(params.memory.size.count() - used, 0, hw::LookUpTable::kEntryBytes);
        all.push_back({{.where = layout_.controller_terminal(i),
                        .space = hw::Space::kMemory,
                        .offset = static_cast<std::uint64_t>(used)},
                       Bytes(left)});
    }
    return all;
}

/// The private memories of a controller's cores are consecutive in its memory.
void SccChip::add_cores(const SccParams& params)
{
    std::vector<mesh::Terminal> tiles;
    for (unsigned i = 0; i < layout_.tiles(); ++i) tiles.push_back(layout_.terminal(i));
    const auto shared = shared_memory(params);
    std::vector<std::uint64_t> used(layout_.controllers());
    tables_.reserve(layout_.cores());
    for (unsigned i = 0; i < layout_.cores(); ++i) {
        const unsigned controller = layout_.controller_of(i);
        const hw::SystemAddress memory{
            .where = layout_.controller_terminal(controller), .space = hw::Space::kMemory, .offset = used[controller]};
        used[controller] += static_cast<std::uint64_t>(params.core.memory.count());
        hw::map_chip(tables_.emplace_back(i), tiles, memory, params.core.memory, shared);
        hw::Tile& tile = *tiles_[layout_.tile_of(i)];
        const unsigned place = i % SccLayout::kCoresPerTile;
        const hw::SccCore::Config config{
            .rank = i, .place = place, .cores = layout_.cores(), .cycle = tile.clock().period(), .core = params.core};
        cores_.push_back(std::make_unique<hw::SccCore>(fmt::format("core{}", i).c_str(), simulation_, config,
                                                       tables_.back(), tile.miu(), bytes_));
        tile.miu().connect(place, *cores_.back());
    }
}

SccProcessor& SccChip::processor(unsigned core)
{
    if (core >= cores_.size()) throw ModelError(fmt::format("this chip has no core {}", core));
    return *cores_[core];
}

}  // namespace ringmesh::platforms
