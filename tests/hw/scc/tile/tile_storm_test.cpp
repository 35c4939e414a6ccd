// SPDX-License-Identifier: Apache-2.0
/// Tiles under more requests than they can hold, and requests that cannot be served.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/hw/journey_probe.h"
#include "tests/hw/scc/tile/tile_bench.h"
#include "tlm/error.h"
#include "tlm/random.h"

using namespace ringmesh;
using namespace ringmesh::test;
namespace data = boost::unit_test::data;

namespace {

constexpr unsigned kEach = hw::MeshInterface::kMostOutstanding;

TileBench::Options tight(std::int64_t slots, std::vector<std::int64_t> dividers)
{
    TileBench::Options options;
    options.dividers = std::move(dividers);
    options.tile.miu.slots = slots;
    options.memory.slots = slots;
    return options;
}

auto says(std::vector<std::string> parts)
{
    return [parts = std::move(parts)](const std::exception& error) {
        const std::string text = error.what();
        for (const auto& part : parts) {
            BOOST_TEST(text.find(part) != std::string::npos, "'" << text << "' says nothing of '" << part << "'");
        }
        return true;
    };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(scc_tile_storm)

BOOST_DATA_TEST_CASE(many_to_one_mpb_queue_in_the_mesh_and_all_are_served, data::make({1, 2, 7}), slots)
{
    TileBench bench(tight(slots, {3, 2, 3, 7, 16}));
    bench.mesh.capacity = 1;
    for (std::size_t core = 0; core < 10; ++core) {
        for (std::uint64_t i = 0; i < kEach; ++i) {
            bench.write(core, bench.mpb(2, 32 * (kEach * core + i)), pattern(32, static_cast<unsigned>(core + 16 * i)),
                        1_us);
        }
    }
    bench.run();
    BOOST_TEST(bench.mesh.refused_by_us[0] > 0u);
    if (slots == 1) BOOST_TEST(bench.mesh.refused_by_terminals[0] > 0u);
    BOOST_TEST(bench.mesh.refused_by_terminals[1] == 0u);  // a core always takes its answer
    std::vector<std::byte> bytes(32);
    for (std::size_t core = 0; core < 10; ++core) {
        BOOST_TEST(bench.core(core).answers.size() == kEach);
        for (std::uint64_t i = 0; i < kEach; ++i) {
            bench.tiles[2]->message_buffer().read(32 * (kEach * core + i), bytes);
            BOOST_TEST((bytes == pattern(32, static_cast<unsigned>(core + 16 * i))));
        }
    }
}

/// Six requests arrive at one time.
BOOST_DATA_TEST_CASE(no_more_requests_are_held_than_there_are_slots, data::make({1, 5, 6}) * data::make({false, true}),
                     slots, memory)
{
    auto options = tight(slots, {3, 3, 3});
    options.tile.miu.flit = 0_cycles;
    TileBench bench(options);
    for (std::size_t core = 0; core < 6; ++core) {
        bench.read(core, memory ? bench.memory(0) : bench.mpb(0, 0), 32, 1_us);
    }
    const Duration arrived = bench.edge(0, 1_us) + bench.cycles(0, options.tile.miu.request) + bench.mesh.latency;
    bench.timetable.at(arrived + 1_ps, [&] {
        // The first refused one stays ahead of the others, which are not offered
        BOOST_TEST(bench.mesh.refused_by_terminals[0] == (slots < 6 ? 1U : 0U));
        BOOST_TEST(std::count_if(bench.mesh.passages.begin(), bench.mesh.passages.end(),
                                 [&](const auto& passage) { return passage.arrived == arrived; }) == slots);
    });
    bench.run();
}

BOOST_AUTO_TEST_CASE(packets_behind_a_refused_one_are_not_offered)
{
    TileBench bench;
    bench.mesh.capacity = 1;
    for (unsigned i = 0; i < kEach; ++i) bench.read(0, bench.mpb(1, 0), 32, 1_us);
    bench.run();
    // Each but the first is refused once, when the one before it has been accepted.
    BOOST_TEST(bench.mesh.refused_by_us[0] == kEach - 1);
}

/// All to all with one slot everywhere: requests block requests, but never responses.
BOOST_DATA_TEST_CASE(a_storm_of_requests_drains, data::xrange(4), seed)
{
    TileBench bench(tight(1, {3, 2, 5, 3, 4, 2}));
    bench.mesh.capacity = 1;
    Random random(static_cast<std::uint64_t>(seed));
    constexpr std::size_t kRounds = 20;
    for (std::size_t core = 0; core < 12; ++core) {
        for (std::size_t round = 0; round < kRounds; ++round) {
            for (unsigned i = 0; i < kEach; ++i) {
                // Rounds far enough apart for a core's responses
                const Duration when = 20_us * static_cast<std::int64_t>(1 + round);
                const auto to = random.below(7);
                const auto place =
                    to == 6 ? bench.memory(32 * random.below(1000)) : bench.mpb(to, 32 * random.below(512));
                if (random.below(2) == 0) {
                    bench.read(core, place, 32, when);
                } else {
                    bench.write(core, place, pattern(32, 0), when);
                }
            }
        }
    }
    bench.run();
    for (std::size_t core = 0; core < 12; ++core) BOOST_TEST(bench.core(core).answers.size() == kRounds * kEach);
}

/// The tile cannot send its responses: it stops accepting requests, but accepts responses for its own cores.
BOOST_AUTO_TEST_CASE(a_tile_whose_responses_are_blocked_still_accepts_responses)
{
    TileBench bench(tight(2, {3, 3}));
    bench.mesh.capacity = 1;
    bench.mesh.latency = 10_us;  // each response keeps the only place that long
    for (unsigned i = 0; i < kEach; ++i) bench.read(0, bench.mpb(1, 0), 32, 1_us);
    bench.read(2, bench.memory(0), 32, 1_us);
    bench.run();
    BOOST_TEST(bench.mesh.refused_by_us[1] > 0u);
    BOOST_TEST(bench.core(0).answers.size() == kEach);
    BOOST_TEST(bench.core(2).answers.at(0).heard < bench.core(0).answers.at(kEach - 1).heard);
}

BOOST_AUTO_TEST_CASE(a_request_across_a_line_is_an_error_of_the_core)
{
    TileBench bench;
    for (const auto& [offset, size] : std::vector<std::pair<std::uint64_t, std::size_t>>{{31, 2}, {0, 33}, {0, 0}}) {
        auto& payload = bench.simulation.pool<PayloadPool>().acquire_read(encode(bench.mpb(1, offset)), size);
        BOOST_CHECK_THROW(bench.tiles[0]->miu().request(0, payload, 0_ns), ModelError);
        payload.release();
    }
}

BOOST_AUTO_TEST_CASE(more_requests_than_a_core_can_have_are_an_error_of_the_core)
{
    TileBench bench;
    const auto ask = [&](unsigned core) {
        bench.tiles[0]->miu().request(
            core, bench.simulation.pool<PayloadPool>().acquire_read(encode(bench.mpb(1, 0)), 4), 0_ns);
    };
    bench.timetable.at(1_us, [&] {
        for (unsigned i = 0; i < kEach; ++i) ask(0);
        for (unsigned i = 0; i < kEach; ++i) ask(1);
        BOOST_CHECK_THROW(ask(0), ModelError);
    });
    bench.simulation.run();
}

BOOST_DATA_TEST_CASE(an_access_past_the_mpb_names_core_and_address, data::make({0x3FE0, 0x4000, 0x7FFF'FFE0}), offset)
{
    TileBench bench;
    bench.write(3, bench.mpb(0, static_cast<std::uint64_t>(offset)), pattern(32, 0), 1_us);
    if (offset < 0x4000) {
        bench.run();
        BOOST_TEST(bench.core(3).answers.size() == 1u);
    } else {
        BOOST_CHECK_EXCEPTION(bench.simulation.run(), UserError,
                              says({"tile0: core 1 of tile (1, 0)", fmt::format("{:#x}", offset), "look-up table"}));
    }
}

BOOST_AUTO_TEST_CASE(an_unknown_register_is_named_with_the_known_ones)
{
    TileBench bench;
    bench.read(0, bench.registers(1, 0x204), 4, 1_us);
    BOOST_CHECK_EXCEPTION(bench.simulation.run(), UserError,
                          says({"tile1: core 0 of tile (0, 0)", "0x204", "0x200 and 0x400", "0x100"}));
}

BOOST_AUTO_TEST_CASE(a_clock_that_a_program_writes_is_an_error)
{
    TileBench bench;
    bench.write(0, bench.registers(1, 0x80), pattern(4, 0), 1_us);
    BOOST_CHECK_EXCEPTION(bench.simulation.run(), UserError, says({"0x80", "is read-only"}));
}

BOOST_AUTO_TEST_CASE(memory_in_a_tile_is_an_error)
{
    TileBench bench;
    bench.read(0, {bench.place(1), hw::Space::kMemory, 0}, 4, 1_us);
    BOOST_CHECK_EXCEPTION(bench.simulation.run(), UserError, says({"tile1: core 0 of tile (0, 0)", "look-up table"}));
}

/// The stages of a read in causal order; without a gap unless a clock is crossed.
BOOST_AUTO_TEST_CASE(a_journey_names_miu_port_and_row)
{
    TileBench bench;
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    bench.read(0, bench.mpb(1, 0), 4, 1_us);
    bench.write(1, bench.memory(0), pattern(32, 0), 2_us);
    bench.run();
    const std::vector<std::string_view> whats{"MIU, core to mesh", "MIU, mesh to MPB",  "MPB",
                                              "MIU, MPB to mesh",  "MIU, mesh to core", "MIU, core to mesh",
                                              "memory controller", "row empty write",   "MIU, mesh to core"};
    BOOST_TEST_REQUIRE(probe.stages.size() == whats.size());
    for (std::size_t i = 0; i < whats.size(); ++i) {
        BOOST_TEST(probe.stages[i].what == whats[i]);
        BOOST_TEST(probe.stages[i].transaction ==
                   (i < 5 ? bench.core(0).answers.at(0).id : bench.core(1).answers.at(0).id));
        BOOST_TEST((probe.stages[i].leg == (i == 3 || i == 4 || i == 8 ? Leg::kResponse : Leg::kRequest)));
    }
    const auto& s = probe.stages;
    BOOST_TEST(s[0].to == bench.mesh.passages.at(0).entered);
    BOOST_TEST(s[1].from == bench.mesh.passages.at(0).arrived);
    BOOST_TEST(s[1].to == s[2].from);
    BOOST_TEST(s[2].to == s[3].from);
    BOOST_TEST(s[4].to == bench.core(0).answers.at(0).at);
    BOOST_TEST(s[6].to == s[7].from);
    BOOST_TEST(s[7].to == bench.mesh.passages.at(3).entered);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
