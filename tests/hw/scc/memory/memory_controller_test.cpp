// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/memory/memory_controller.h"

#include "tests/hw/scc/tile/tile_bench.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

using namespace ringmesh;
using namespace ringmesh::test;

namespace {

/// One memory cycle is 1250 ps; all timings differ.
TileBench::Options distinct()
{
    TileBench::Options options;
    options.memory.latency = 11_cycles;
    options.memory.dram.t_rcd = 13_ns;
    options.memory.dram.t_rp = 17_ns;
    options.memory.dram.t_cl = 19_ns;
    return options;
}

struct Cost {
    std::int64_t rcd, cl, cwl, burst, ccd;
};

Cost cost(const hw::MemoryParams& params)
{
    const auto up = [](Duration time) { return (time.ps() + 1249) / 1250; };
    return {up(params.dram.t_rcd), up(params.dram.t_cl), up(params.dram.t_cwl), params.dram.burst.count(),
            params.dram.t_ccd.count()};
}

Duration memory_edge(Duration time) { return 1250_ps * ((time.ps() + 1249) / 1250); }

/// When a request issued by core 0 at that time arrives.
Duration arrives(const TileBench& bench, Duration leaves)
{
    return bench.edge(0, leaves) + bench.cycles(0, bench.options.tile.miu.request) + bench.mesh.latency;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(scc_memory_controller)

BOOST_DATA_TEST_CASE(a_first_read_opens_its_row_and_a_second_one_finds_it_open,
                     data::make({0, 1, 1250, 7777}) * data::make({4, 32}), latency, size)
{
    const auto options = distinct();
    TileBench bench(options);
    bench.mesh.latency = 1_ps * latency;
    bench.controller.memory().write(0x2000, pattern(64, 3));
    bench.read(0, bench.memory(0x2000), static_cast<std::size_t>(size), 1_us);
    bench.read(0, bench.memory(0x2020), static_cast<std::size_t>(size), 2_us);
    bench.run();
    const auto [rcd, cl, cwl, burst, ccd] = cost(options.memory);
    const std::int64_t before = options.memory.latency.count();
    for (std::size_t i = 0; i < 2; ++i) {
        const Duration ready = memory_edge(arrives(bench, i == 0 ? 1_us : 2_us)) + 1250_ps * before;
        const Duration end = ready + 1250_ps * ((i == 0 ? rcd : 0) + cl + burst);
        BOOST_TEST(bench.mesh.passages.at(2 * i + 1).entered == end);
        const auto& answer = bench.core(0).answers.at(i);
        BOOST_TEST(answer.at == bench.edge(0, end + bench.mesh.latency) + bench.cycles(0, options.tile.miu.response));
        BOOST_TEST((answer.bytes == pattern(static_cast<std::size_t>(size), i == 0 ? 3 : 35)));
    }
}

BOOST_DATA_TEST_CASE(a_write_is_acknowledged_when_its_bytes_are_in_memory, data::make({1, 31, 32}), size)
{
    const auto options = distinct();
    TileBench bench(options);
    const auto bytes = pattern(static_cast<std::size_t>(size), 5);
    bench.write(0, bench.memory(0x40), bytes, 1_us);
    const auto [rcd, cl, cwl, burst, ccd] = cost(options.memory);
    const Duration end =
        memory_edge(arrives(bench, 1_us)) + 1250_ps * (options.memory.latency.count() + rcd + cwl + burst);
    std::vector<std::byte> before(bytes.size()), after(bytes.size());
    bench.timetable.at(end - 1_ps, [&] { bench.controller.memory().read(0x40, before); });
    bench.timetable.at(end + 1_ps, [&] { bench.controller.memory().read(0x40, after); });
    bench.run();
    BOOST_TEST((before == std::vector<std::byte>(bytes.size())));
    BOOST_TEST((after == bytes));
    BOOST_TEST(bench.mesh.passages.at(1).entered == end);
    BOOST_TEST(bench.mesh.passages.at(1).packet.flits == 1u);
}

BOOST_AUTO_TEST_CASE(a_partial_write_costs_a_read_before_it_if_it_has_to)
{
    auto options = distinct();
    options.memory.dram.partial_write = "read-modify-write";
    TileBench bench(options);
    bench.read(0, bench.memory(0), 32, 1_us);
    bench.write(0, bench.memory(0), pattern(32, 0), 2_us);
    bench.write(0, bench.memory(4), pattern(4, 200), 3_us);
    bench.run();
    const auto [rcd, cl, cwl, burst, ccd] = cost(options.memory);
    const std::int64_t before = options.memory.latency.count();
    const Duration whole = memory_edge(arrives(bench, 2_us)) + 1250_ps * (before + cwl + burst);
    const Duration part = memory_edge(arrives(bench, 3_us)) + 1250_ps * (before + cl + burst + cwl + burst);
    BOOST_TEST(bench.mesh.passages.at(3).entered == whole);
    BOOST_TEST(bench.mesh.passages.at(5).entered == part);
    std::vector<std::byte> bytes(8);
    bench.controller.memory().read(0, bytes);
    for (std::size_t i = 0; i < 8; ++i) BOOST_TEST((bytes[i] == static_cast<std::byte>(i < 4 ? i : 200 + i - 4)));
}

/// Row hits follow one another at the rate of the data bus.
BOOST_DATA_TEST_CASE(requests_to_one_controller_queue_at_its_data_bus, data::make({4, 8, 20}), ccd)
{
    auto options = distinct();
    options.dividers = {2, 2, 2, 2, 2, 2};
    options.memory.dram.t_ccd = Cycles(ccd);
    options.tile.miu.flit = 0_cycles;
    TileBench bench(options);
    for (std::size_t core = 0; core < 12; ++core) bench.read(core, bench.memory(64 * core), 32, 1_us);
    bench.run();
    const auto times = cost(options.memory);
    const Duration first = memory_edge(arrives(bench, 1_us)) +
                           1250_ps * (options.memory.latency.count() + times.rcd + times.cl + times.burst);
    for (std::int64_t i = 0; i < 12; ++i) {
        BOOST_TEST(bench.mesh.passages.at(static_cast<std::size_t>(12 + i)).entered == first + 1250_ps * ccd * i);
    }
}

/// With row-hit-first the two hits are served before the conflict between them, which must precharge their row.
BOOST_DATA_TEST_CASE(row_hit_first_serves_a_hit_before_an_older_conflict, data::make({false, true}), reorders)
{
    auto options = distinct();
    options.dividers = {2, 2, 2};
    options.memory.order = reorders ? hw::MemoryOrder("row-hit-first") : hw::MemoryOrder("fcfs");
    TileBench bench(options);
    const std::uint64_t other_row = 8192 * 8;
    const std::uint64_t offsets[] = {0, 32, other_row, 64, other_row + 32, 96};
    for (std::size_t core = 0; core < 6; ++core) {
        bench.read(core, bench.memory(offsets[core]), 32, 1_us + 1_ns * static_cast<std::int64_t>(core));
    }
    bench.run();
    std::vector<std::uint64_t> order_of_answers;
    for (std::size_t i = 6; i < 12; ++i) order_of_answers.push_back(bench.mesh.passages.at(i).packet.id);
    const auto expected =
        reorders ? std::vector<std::uint64_t>{1, 2, 4, 6, 3, 5} : std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6};
    BOOST_TEST(order_of_answers == expected, boost::test_tools::per_element());
}

/// One slot: requests wait in the mesh until there is room, and all are answered.
BOOST_DATA_TEST_CASE(a_full_controller_makes_the_mesh_wait_and_loses_nothing, data::make({1, 2, 5}), slots)
{
    auto options = distinct();
    options.dividers = {2, 3, 4, 5};
    options.memory.slots = slots;
    TileBench bench(options);
    bench.mesh.capacity = 2;
    for (std::size_t core = 0; core < 8; ++core) {
        for (std::uint64_t i = 0; i < 4; ++i) {
            bench.write(core, bench.memory(4096 * core + 32 * i), pattern(32, static_cast<unsigned>(40 * i + core)),
                        1_us);
        }
    }
    bench.run();
    BOOST_TEST(bench.mesh.refused_by_terminals[0] > 0u);
    BOOST_TEST(bench.mesh.refused_by_us[0] > 0u);
    std::vector<std::byte> bytes(32);
    for (std::size_t core = 0; core < 8; ++core) {
        BOOST_TEST(bench.core(core).answers.size() == 4u);
        for (std::uint64_t i = 0; i < 4; ++i) {
            bench.controller.memory().read(4096 * core + 32 * i, bytes);
            BOOST_TEST((bytes == pattern(32, static_cast<unsigned>(40 * i + core))));
        }
    }
}

BOOST_DATA_TEST_CASE(an_access_beyond_the_memory_names_controller_core_and_address, data::make({0, 1, 31}), inside)
{
    TileBench::Options options;
    options.memory.size = Bytes(1 << 20);
    TileBench bench(options);
    bench.read(3, bench.memory((1 << 20) - 32), 32, 500_ns);  // the last line is there
    if (inside == 0) {
        bench.read(3, bench.memory(1 << 20), 32, 1_us);
    } else {
        bench.read(3, bench.memory(1 << 21), static_cast<std::size_t>(inside), 1_us);
    }
    BOOST_CHECK_EXCEPTION(bench.simulation.run(), UserError, [&](const UserError& error) {
        const std::string text = error.what();
        const std::string address = inside == 0 ? "0x100000 " : "0x200000 ";
        return text.find("mc0: core 1 of tile (1, 0)") == 0 && text.find(address) != std::string::npos &&
               text.find("look-up table") != std::string::npos;
    });
    BOOST_TEST(bench.core(3).answers.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_message_buffer_at_a_controller_is_an_error)
{
    TileBench bench;
    bench.read(0, {bench.kController, hw::Space::kMessageBuffer, 0}, 32, 1_us);
    BOOST_CHECK_THROW(bench.simulation.run(), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
