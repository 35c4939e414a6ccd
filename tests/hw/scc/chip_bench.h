// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hw/mesh/mesh.h"
#include "hw/scc/memory_controller.h"
#include "hw/scc/system_interface.h"
#include "hw/scc/tile.h"
#include "hw/scc/transaction.h"
#include "tests/hw/timetable.h"
#include "tlm/kernel_time.h"

namespace ringmesh::test {

/// In the place of a core: goes through a list of reads and writes with so many under way at once.
class SteppingCore final : public hw::CoreSide {
public:
    struct Step {
        hw::SystemAddress place;
        int value = -1;  ///< to fill the line with; -1: a read
        std::size_t size = hw::kLineBytes;
    };
    struct Answer {
        std::uint64_t id = 0;
        Duration at;
    };

    std::vector<Answer> answers;
    std::vector<int> values;  ///< of the first byte of each read, in the order of the steps

    SteppingCore(Simulation& simulation, hw::CorePort& port, unsigned place)
        : simulation_(simulation), port_(port), place_(place)
    {}

    /// Before the simulation or during it.
    void start(std::vector<Step> steps, std::size_t at_once, Duration leaves = Duration::zero())
    {
        steps_ = std::move(steps);
        reads_before_.clear();
        std::size_t reads = 0;
        for (const Step& step : steps_) {
            reads_before_.push_back(reads);
            if (step.value < 0) ++reads;
        }
        values.assign(reads, -1);
        for (std::size_t i = 0; i < at_once && i < steps_.size(); ++i) issue(leaves);
    }

    void answered(::tlm::tlm_generic_payload& transaction, Duration at) override
    {
        answers.push_back({packet_of(transaction), at});
        const std::size_t step = under_way_.at(&transaction);
        under_way_.erase(&transaction);
        if (transaction.is_read()) values[reads_before_[step]] = std::to_integer<int>(bytes_of(transaction)[0]);
        transaction.release();
        if (next_ < steps_.size()) issue(at);
    }
    void changed(const hw::SystemAddress&, std::uint64_t) override {}

private:
    void issue(Duration leaves)
    {
        const Step& step = steps_[next_];
        const std::vector<std::byte> bytes(step.size, static_cast<std::byte>(step.value));
        auto& payload = step.value < 0 ? simulation_.payloads.acquire_read(encode(step.place), step.size)
                                       : simulation_.payloads.acquire_write(encode(step.place), bytes);
        under_way_[&payload] = next_++;
        port_.request(place_, payload, leaves);
    }

    Simulation& simulation_;
    hw::CorePort& port_;
    unsigned place_;
    std::vector<Step> steps_;
    std::vector<std::size_t> reads_before_;
    std::map<const ::tlm::tlm_generic_payload*, std::size_t> under_way_;
    std::size_t next_ = 0;
};

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
