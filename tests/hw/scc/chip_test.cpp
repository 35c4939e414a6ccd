// SPDX-License-Identifier: Apache-2.0
/// Tiles and memory controllers on a real mesh.

#include "tests/hw/mesh/mesh_bench.h"
#include "tests/hw/printing.h"
#include "tests/hw/scc/chip_bench.h"
#include "tests/support/cases.h"
#include "tlm/simulation/random.h"

using namespace ringmesh;
using namespace ringmesh::test;

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(scc_chip)

/// The way of a read, clock by clock: tile, mesh, tile or memory, mesh, tile.
BOOST_DATA_TEST_CASE(a_read_takes_the_sum_of_its_parts, data::make({0u, 1u, 5u, 6u, 14u, 23u}) * data::make({4u, 32u}),
                     to, size)
{
    ChipBench bench;
    const Duration leaves = 3_us;  // an edge of all clocks
    bench.read(0, bench.mpb(to, 64), size, leaves);
    bench.run();
    const auto& miu = bench.options.tile.miu;
    const hw::MeshClock mesh_clock(bench.options.mesh.clock);
    const auto on_mesh = [&](Duration time) { return mesh_clock.time(mesh_clock.edge_from(time)); };
    const hw::TileClock tile = bench.tiles[0]->clock();
    const auto there = bench.mesh->zero_load_latency(bench.place(0), bench.place(to), 1);
    const auto back = bench.mesh->zero_load_latency(bench.place(to), bench.place(0), hw::flits_with(size));
    Duration at = on_mesh(leaves + miu.request * tile) + there;
    at = tile.edge_from(at) + (miu.incoming + bench.options.tile.mpb.access + miu.outgoing) * tile;
    at = on_mesh(at) + back;
    BOOST_TEST(bench.cores[0]->answers.at(0).at == tile.edge_from(at) + miu.response * tile);
}

/// One at the target, and one for each of the two packets; none while a chip of 24 tiles is idle.
BOOST_DATA_TEST_CASE(a_transaction_is_three_kernel_events, data::make({false, true}) * data::make({-1, 5}), memory,
                     value)
{
    constexpr std::size_t kMany = 200;
    ChipBench bench;
    const std::vector<ChipBench::Step> steps(kMany, {memory ? bench.memory(3, 64) : bench.mpb(20, 64), value});
    bench.timetable.at(1_us, [&] { bench.cores[0]->start({steps.front()}, 1, 1_us); });
    sc_dt::uint64 before = 0;
    bench.timetable.at(1_ms, [&] {
        before = bench.simulation.steps();
        bench.cores[2]->start(steps, 1, 1_ms);
    });
    bench.run();
    BOOST_TEST(bench.cores[2]->answers.size() == kMany);
    BOOST_TEST(bench.simulation.steps() - before <= 3 * kMany + 1);
    BOOST_TEST(before < 10U);
}

/// Random reads and writes of each core's own locations, one at a time, because packets of one terminal may overtake
/// each other; each read returns the last write.
BOOST_DATA_TEST_CASE(all_cores_read_what_they_wrote,
                     data::make({hw::MeshDetail::kPath, hw::MeshDetail::kFlit}) * data::make({false, true}), detail,
                     tight)
{
    ChipBench::Options options;
    options.mesh.detail = detail;
    options.clocks.tile_dividers = {2, 3, 4, 5, 6, 7};
    if (tight) {
        options.tile.miu.slots = options.memory.slots = options.mesh.injection_slots = 1;
        options.memory.order = "row-hit-first";
    }
    ChipBench bench(options);
    Random random(7);
    constexpr std::size_t kEach = 60;
    std::vector<std::vector<int>> expected(48);  // of each read, in its order
    for (std::size_t core = 0; core < 48; ++core) {
        std::map<std::uint64_t, int> written;
        std::vector<ChipBench::Step> steps;
        for (std::size_t i = 0; i < kEach; ++i) {
            const bool memory = random.below(2) == 0;
            // Two hot spots: tile 9 and controller 0
            const auto tile = random.below(3) == 0 ? 9 : random.below(24);
            const auto line = 8 * core + random.below(4);
            const auto place = memory ? bench.memory(random.below(3) == 0 ? 0 : random.below(4),
                                                     0x100 * line + 0x20000 * random.below(3))
                                      : bench.mpb(tile, 32 * line);
            const auto key = encode(place);
            if (random.below(2) == 0) {
                const auto value = static_cast<int>(random.below(256));
                written[key] = value;
                steps.push_back({place, value});
            } else {
                expected[core].push_back(written.count(key) == 0 ? 0 : written[key]);
                steps.push_back({place, -1});
            }
        }
        bench.cores[core]->start(steps, 1);
    }
    bench.run();
    for (std::size_t core = 0; core < 48; ++core) {
        BOOST_TEST(bench.cores[core]->answers.size() == kEach);
        BOOST_TEST(bench.cores[core]->values == expected[core], boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
