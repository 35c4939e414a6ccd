// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hw/mesh/mesh.h"
#include "hw/scc/memory/memory_controller.h"
#include "hw/scc/system_interface.h"
#include "hw/scc/tile/tile.h"
#include "hw/scc/transaction.h"
#include "tests/hw/scc/core/stepping_core.h"
#include "tests/hw/timetable.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::test {

struct ChipBenchOptions {
    hw::MeshParams mesh;
    hw::TileParams tile;
    hw::MemoryParams memory;
    hw::SccClockParams clocks;
};

/// The SCC without its cores.
struct ChipBench {
    using Options = ChipBenchOptions;
    using Step = SteppingCore::Step;

    explicit ChipBench(const Options& made = {}) : options(made)
    {
        mesh = hw::make_mesh("mesh", simulation, options.mesh,
                             {kControllers[0], kControllers[1], kControllers[2], kControllers[3], kSystemInterface});
        for (unsigned i = 0; i < 24; ++i) {
            const auto divider = hw::tile_divider(options.clocks, 6, 4, i % 6, i / 6);
            tiles.push_back(std::make_unique<hw::Tile>(("tile" + std::to_string(i)).c_str(), simulation,
                                                       hw::Tile::Config{place(i), divider, options.tile}));
            tiles.back()->to_mesh().bind(mesh->port(place(i)));
            for (unsigned core = 0; core < 2; ++core) {
                cores.push_back(std::make_unique<SteppingCore>(simulation, tiles.back()->miu(), core));
                tiles.back()->miu().connect(core, *cores.back());
            }
        }
        for (unsigned i = 0; i < 4; ++i) {
            controllers.push_back(std::make_unique<hw::MemoryController>(("mc" + std::to_string(i)).c_str(), simulation,
                                                                         options.memory, options.clocks.memory));
            controllers.back()->to_mesh.bind(mesh->port(kControllers[i]));
        }
        board.to_mesh.bind(mesh->port(kSystemInterface));
    }

    static constexpr mesh::Terminal kControllers[] = {
        {0, 0, mesh::Port::kWest}, {5, 0, mesh::Port::kEast}, {0, 2, mesh::Port::kWest}, {5, 2, mesh::Port::kEast}};
    static constexpr mesh::Terminal kSystemInterface{3, 0, mesh::Port::kSouth};

    static mesh::Terminal place(std::uint64_t tile)
    {
        return {static_cast<std::uint16_t>(tile % 6), static_cast<std::uint16_t>(tile / 6), mesh::Port::kLocal};
    }
    static hw::SystemAddress mpb(std::uint64_t tile, std::uint64_t offset)
    {
        return {place(tile), hw::Space::kMessageBuffer, offset};
    }
    static hw::SystemAddress memory(std::uint64_t controller, std::uint64_t offset)
    {
        return {kControllers[controller], hw::Space::kMemory, offset};
    }

    void read(std::size_t core, const hw::SystemAddress& from, std::size_t size, Duration at)
    {
        timetable.at(at, [=, this] { cores[core]->start({{from, -1, size}}, 1, at); });
    }
    void run()
    {
        simulation.run();
        simulation.require_drained();
    }

    Options options;
    Simulation simulation{1};
    Timetable timetable{"bench"};
    std::unique_ptr<hw::Mesh> mesh;
    std::vector<std::unique_ptr<hw::Tile>> tiles;
    std::vector<std::unique_ptr<SteppingCore>> cores;
    std::vector<std::unique_ptr<hw::MemoryController>> controllers;
    hw::SystemInterface board{"system_interface", simulation};
};

}  // namespace ringmesh::test
