// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/scc/memory/memory_controller.h"
#include "hw/scc/tile/tile.h"
#include "hw/scc/transaction.h"
#include "tests/hw/printing.h"
#include "tests/hw/scc/tile/constant_mesh.h"
#include "tests/hw/timetable.h"
#include "tlm/pools/payload_pool.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::test {

/// Replaces a core: issues requests and records their results.
class CoreProbe final : public hw::CoreSide {
public:
    struct Answer {
        std::uint64_t id = 0;
        Duration heard;
        Duration at;
        std::vector<std::byte> bytes;
    };
    struct Change {
        hw::SystemAddress place;
        std::uint64_t id = 0;
        Duration time;
    };

    std::vector<Answer> answers;
    std::vector<Change> changes;

    void answered(::tlm::tlm_generic_payload& transaction, Duration at) override
    {
        BOOST_TEST(transaction.is_response_ok());
        const auto bytes = bytes_of(transaction);
        answers.push_back({packet_of(transaction), now(), at, {bytes.begin(), bytes.end()}});
        transaction.release();
    }
    void changed(const hw::SystemAddress& place, std::uint64_t id) override { changes.push_back({place, id, now()}); }
};

inline std::vector<std::byte> pattern(std::size_t size, unsigned first)
{
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(first + i);
    return bytes;
}

struct TileBenchOptions {
    std::vector<std::int64_t> dividers = {3, 3};
    hw::TileParams tile;
    hw::MemoryParams memory;
    Frequency memory_clock = 800_MHz;
};

/// A row of tiles and a memory controller at its west end, joined by a fake mesh.
struct TileBench {
    using Options = TileBenchOptions;

    explicit TileBench(const Options& made = {}) : options(made), mesh("mesh", terminals(made.dividers.size()))
    {
        for (std::size_t i = 0; i < options.dividers.size(); ++i) {
            hw::Tile::Config config{place(i), options.dividers[i], options.tile};
            tiles.push_back(std::make_unique<hw::Tile>(("tile" + std::to_string(i)).c_str(), simulation, config));
            tiles.back()->to_mesh().bind(mesh.port(place(i)));
            for (unsigned core = 0; core < 2; ++core) {
                probes.push_back(std::make_unique<CoreProbe>());
                tiles.back()->miu().connect(core, *probes.back());
            }
        }
        controller.to_mesh.bind(mesh.port(kController));
    }

    static constexpr mesh::Terminal kController{0, 0, mesh::Port::kWest};
    static mesh::Terminal place(std::size_t tile) { return {static_cast<std::uint16_t>(tile), 0, mesh::Port::kLocal}; }
    static std::vector<mesh::Terminal> terminals(std::size_t tiles)
    {
        std::vector<mesh::Terminal> all{kController};
        for (std::size_t i = 0; i < tiles; ++i) all.push_back(place(i));
        return all;
    }
    static hw::SystemAddress mpb(std::size_t tile, std::uint64_t offset)
    {
        return {place(tile), hw::Space::kMessageBuffer, offset};
    }
    static hw::SystemAddress registers(std::size_t tile, std::uint64_t offset)
    {
        return {place(tile), hw::Space::kRegisters, offset};
    }
    static hw::SystemAddress memory(std::uint64_t offset) { return {kController, hw::Space::kMemory, offset}; }

    /// Core 0 or 1 of each tile, numbered through.
    CoreProbe& core(std::size_t i) { return *probes[i]; }

    void read(std::size_t core, const hw::SystemAddress& from, std::size_t size, Duration at, Duration ahead = 0_ns)
    {
        timetable.at(at, [=, this] {
            tiles[core / 2]->miu().request(core % 2, simulation.pool<PayloadPool>().acquire_read(encode(from), size),
                                           at + ahead);
        });
    }
    void write(std::size_t core, const hw::SystemAddress& to, std::vector<std::byte> bytes, Duration at,
               const std::vector<unsigned char>* mask = nullptr)
    {
        timetable.at(at, [=, this] {
            auto& payload = simulation.pool<PayloadPool>().acquire_write(encode(to), bytes);
            payload.set_byte_enable_ptr(mask == nullptr ? nullptr : const_cast<unsigned char*>(mask->data()));
            payload.set_byte_enable_length(mask == nullptr ? 0 : static_cast<unsigned>(mask->size()));
            tiles[core / 2]->miu().request(core % 2, payload, at);
        });
    }

    Duration edge(std::size_t tile, Duration time) const { return tiles[tile]->clock().edge_from(time); }
    Duration cycles(std::size_t tile, Cycles count) const { return count * tiles[tile]->clock(); }
    /// When an uncontended access takes effect, and when its response arrives.
    struct Times {
        Duration effect;
        Duration answer;
    };
    /// Of a tile's access to a tile's MPB or registers over the mesh.
    Times over_mesh(std::size_t from, std::size_t to, Duration leaves, Cycles access) const
    {
        const auto& miu = options.tile.miu;
        const Duration there = edge(from, leaves) + cycles(from, miu.request) + mesh.latency;
        const Duration effect = edge(to, there) + cycles(to, miu.incoming + access);
        const Duration back = effect + cycles(to, miu.outgoing) + mesh.latency;
        return {effect, edge(from, back) + cycles(from, miu.response)};
    }

    void run()
    {
        simulation.run();
        simulation.require_drained();
    }

    Options options;
    Simulation simulation{1};
    ConstantMesh mesh;
    Timetable timetable{"bench"};
    hw::MemoryController controller{"mc0", simulation, options.memory, options.memory_clock};
    std::vector<std::unique_ptr<hw::Tile>> tiles;
    std::vector<std::unique_ptr<CoreProbe>> probes;
};

}  // namespace ringmesh::test
