// SPDX-License-Identifier: Apache-2.0
#include "hw/scc/tile/tile.h"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

#include "tests/hw/journey_probe.h"
#include "tests/hw/scc/tile/tile_bench.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/traces/read_vcd.h"
#include "tests/traces/waveform_bench.h"
#include "tlm/error.h"
#include "tlm/simulation/random.h"
#include "traces/recorder.h"

using namespace ringmesh;
using namespace ringmesh::test;

namespace {

/// Latencies that end on and off the edges of both tiles.
const auto kLatencies = data::make({0, 1, 1875, 5000, 12'345});

TileBench::Options with_dividers(std::int64_t first, std::int64_t second)
{
    TileBench::Options options;
    options.dividers = {first, second};
    options.tile.miu = {.request = 7_cycles, .response = 5_cycles, .incoming = 3_cycles, .outgoing = 2_cycles};
    options.tile.mpb.access = 4_cycles;
    options.tile.registers.access = 6_cycles;
    return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(scc_tile)

BOOST_DATA_TEST_CASE(a_read_crosses_both_mius_and_the_mesh_twice,
                     (data::make({2, 3, 16}) ^ data::make({3, 3, 2})) * kLatencies, mine, other, latency)
{
    const auto options = with_dividers(mine, other);
    TileBench bench(options);
    bench.mesh.latency = 1_ps * latency;
    bench.tiles[1]->message_buffer().write(0x40, pattern(32, 7));
    bench.read(1, bench.mpb(1, 0x44), 4, 1_us, 3_ns);
    bench.run();
    const auto times = bench.over_mesh(0, 1, 1_us + 3_ns, options.tile.mpb.access);
    BOOST_TEST_REQUIRE(bench.core(1).answers.size() == 1u);
    BOOST_TEST(bench.core(0).answers.empty());
    const auto& answer = bench.core(1).answers[0];
    BOOST_TEST(answer.at == times.answer);
    BOOST_TEST((answer.bytes == pattern(4, 11)));
    BOOST_TEST_REQUIRE(bench.mesh.passages.size() == 2u);
    BOOST_TEST(answer.heard == bench.mesh.passages[1].arrived);  // the core hears of it at once, ahead of `at`
    BOOST_TEST(answer.at >= answer.heard + bench.cycles(0, options.tile.miu.response));
}

BOOST_DATA_TEST_CASE(a_write_has_its_effect_at_the_end_of_its_access_and_is_acknowledged, kLatencies, latency)
{
    const auto options = with_dividers(3, 2);
    TileBench bench(options);
    bench.mesh.latency = 1_ps * latency;
    bench.write(0, bench.mpb(1, 0x60), pattern(32, 1), 1_us);
    const auto times = bench.over_mesh(0, 1, 1_us, options.tile.mpb.access);
    std::vector<std::byte> before(32), at(32);
    bench.timetable.at(times.effect - 1_ps, [&] { bench.tiles[1]->message_buffer().read(0x60, before); });
    bench.timetable.at(times.effect + 1_ps, [&] { bench.tiles[1]->message_buffer().read(0x60, at); });
    bench.run();
    BOOST_TEST((before == std::vector<std::byte>(32)));
    BOOST_TEST((at == pattern(32, 1)));
    BOOST_TEST_REQUIRE(bench.core(0).answers.size() == 1u);
    BOOST_TEST(bench.core(0).answers[0].at == times.answer);
}

BOOST_DATA_TEST_CASE(packets_have_a_header_and_a_flit_for_16_bytes, data::make({1, 4, 8, 15, 16, 17, 31, 32}), size)
{
    TileBench bench;
    const auto bytes = static_cast<std::size_t>(size);
    bench.read(0, bench.mpb(1, 0), bytes, 1_us);
    bench.write(0, bench.mpb(1, 0), pattern(bytes, 0), 2_us);
    bench.run();
    const std::uint32_t with_data = size <= 16 ? 2 : 3;
    BOOST_TEST_REQUIRE(bench.mesh.passages.size() == 4u);
    BOOST_TEST(bench.mesh.passages[0].packet.flits == 1u);
    BOOST_TEST(bench.mesh.passages[1].packet.flits == with_data);
    BOOST_TEST(bench.mesh.passages[2].packet.flits == with_data);
    BOOST_TEST(bench.mesh.passages[3].packet.flits == 1u);
    for (std::size_t i = 0; i < 4; ++i) {
        const auto& packet = bench.mesh.passages[i].packet;
        BOOST_TEST((packet.kind == (i % 2 == 0 ? mesh::Class::kRequest : mesh::Class::kResponse)));
        BOOST_TEST((packet.from == bench.place(i % 2) && packet.to == bench.place(1 - i % 2)));
        BOOST_TEST(packet.id == bench.core(0).answers[i / 2].id);
    }
}

BOOST_AUTO_TEST_CASE(an_own_mpb_is_reached_over_the_own_router)
{
    const auto options = with_dividers(3, 3);
    TileBench bench(options);
    bench.read(0, bench.mpb(0, 0x20), 8, 1_us);
    bench.run();
    BOOST_TEST(bench.mesh.passages.size() == 2u);
    BOOST_TEST(bench.core(0).answers.at(0).at == bench.over_mesh(0, 0, 1_us, options.tile.mpb.access).answer);
}

BOOST_AUTO_TEST_CASE(the_bypass_skips_the_own_router)
{
    auto options = with_dividers(3, 3);
    options.tile.mpb.bypass = true;
    TileBench bench(options);
    bench.tiles[0]->message_buffer().write(0x20, pattern(8, 9));
    bench.read(0, bench.mpb(0, 0x20), 8, 1_us);
    bench.run();
    const Duration end = bench.edge(0, 1_us) + bench.cycles(0, options.tile.mpb.access);
    BOOST_TEST(bench.mesh.passages.empty());
    BOOST_TEST(bench.core(0).answers.at(0).at == end);
    BOOST_TEST(bench.core(0).answers.at(0).heard == end);
    BOOST_TEST((bench.core(0).answers.at(0).bytes == pattern(8, 9)));
}

BOOST_AUTO_TEST_CASE(the_bypass_is_for_the_own_mpb_alone)
{
    auto options = with_dividers(3, 3);
    options.tile.mpb.bypass = true;
    TileBench bench(options);
    bench.read(0, bench.mpb(1, 0x20), 8, 1_us);
    bench.read(1, bench.registers(0, 0x100), 4, 2_us);
    bench.run();
    BOOST_TEST(bench.mesh.passages.size() == 4u);
}

/// Both cores and the mesh at one port: they are served back to back, FCFS.
BOOST_DATA_TEST_CASE(accesses_to_one_mpb_queue_at_its_port, data::make({1, 4, 20}), access)
{
    auto options = with_dividers(3, 3);
    options.dividers = {3, 3, 3, 3};
    options.tile.mpb.access = Cycles(access);
    TileBench bench(options);
    for (std::size_t core = 0; core < 8; ++core) bench.write(core, bench.mpb(2, 32 * core), pattern(32, 0), 1_us);
    bench.run();
    std::vector<Duration> answers;
    for (std::size_t core = 0; core < 8; ++core) answers.push_back(bench.core(core).answers.at(0).at);
    const Duration turn = bench.cycles(2, Cycles(access));
    const Duration first = bench.over_mesh(0, 2, 1_us, Cycles(access)).answer;
    const Duration line = bench.cycles(0, 3_cycles);  // the second core of a tile waits for the first one's flits
    std::sort(answers.begin(), answers.end());
    for (std::size_t i = 0; i < 8; ++i) {
        const auto n = static_cast<std::int64_t>(i);
        // Four come together, and three cycles later the other four.
        const Duration queued = first + turn * n;
        const Duration second_group = first + line + turn * (n - 4);
        BOOST_TEST(answers[i] == (i < 4 ? queued : std::max(queued, second_group)));
    }
}

BOOST_AUTO_TEST_CASE(with_the_bypass_cores_and_mesh_share_the_port)
{
    auto options = with_dividers(3, 3);
    options.tile.mpb.bypass = true;
    options.tile.mpb.access = 40_cycles;
    TileBench bench(options);
    bench.write(2, bench.mpb(0, 0), pattern(4, 0), 1_us);
    const auto alone = bench.over_mesh(1, 0, 1_us, 40_cycles);
    // While the one from the mesh has the port
    bench.read(0, bench.mpb(0, 0), 4, alone.effect - 30_ns);
    bench.read(1, bench.mpb(0, 0), 4, alone.effect - 20_ns);
    bench.run();
    BOOST_TEST(bench.core(2).answers.at(0).at == alone.answer);
    BOOST_TEST(bench.core(0).answers.at(0).at == alone.effect + bench.cycles(0, 40_cycles));
    BOOST_TEST(bench.core(1).answers.at(0).at == alone.effect + bench.cycles(0, 80_cycles));
    BOOST_TEST((bench.core(0).answers.at(0).bytes == pattern(4, 0)));
}

BOOST_DATA_TEST_CASE(the_second_core_waits_for_the_flits_of_the_first, data::make({0, 1, 3}), flit)
{
    auto options = with_dividers(2, 2);
    options.tile.miu.flit = Cycles(flit);
    TileBench bench(options);
    bench.write(0, bench.mpb(1, 0), pattern(32, 0), 1_us);
    bench.read(1, bench.memory(0), 32, 1_us);
    bench.run();
    const Duration first = bench.edge(0, 1_us) + bench.cycles(0, options.tile.miu.request);
    BOOST_TEST(bench.mesh.passages.at(0).entered == first);
    BOOST_TEST(bench.mesh.passages.at(1).entered == first + bench.cycles(0, Cycles(3 * flit)));
}

BOOST_AUTO_TEST_CASE(only_enabled_bytes_are_written)
{
    TileBench bench;
    bench.tiles[1]->message_buffer().write(0, pattern(32, 100));
    std::vector<unsigned char> mask(32, TLM_BYTE_DISABLED);
    mask[0] = mask[7] = mask[8] = mask[31] = TLM_BYTE_ENABLED;
    bench.write(0, bench.mpb(1, 0), pattern(32, 0), 1_us, &mask);
    bench.write(0, bench.memory(0x1000), pattern(32, 0), 1_us, &mask);
    bench.run();
    std::vector<std::byte> buffer(32), memory(32);
    bench.tiles[1]->message_buffer().read(0, buffer);
    bench.controller.memory().read(0x1000, memory);
    for (std::size_t i = 0; i < 32; ++i) {
        const bool enabled = mask[i] == TLM_BYTE_ENABLED;
        BOOST_TEST((buffer[i] == static_cast<std::byte>(enabled ? i : 100 + i)));
        BOOST_TEST((memory[i] == static_cast<std::byte>(enabled ? i : 0)));
    }
}

BOOST_AUTO_TEST_CASE(a_watching_core_is_notified_when_a_write_takes_effect)
{
    const auto options = with_dividers(3, 2);
    TileBench bench(options);
    const auto place = bench.mpb(1, 0x45);
    bench.tiles[1]->message_buffer().watch(place, bench.core(2));
    bench.write(0, bench.mpb(1, 0x40), pattern(4, 0), 1_us);   // the line of that byte
    bench.write(1, bench.mpb(1, 0x60), pattern(32, 0), 2_us);  // another one
    bench.read(0, bench.mpb(1, 0x45), 1, 3_us);
    bench.run();
    BOOST_TEST_REQUIRE(bench.core(2).changes.size() == 1u);
    BOOST_TEST((bench.core(2).changes[0].place == place));
    BOOST_TEST(bench.core(2).changes[0].id == bench.core(0).answers.at(0).id);
    BOOST_TEST(bench.core(2).changes[0].time == bench.over_mesh(0, 1, 1_us, options.tile.mpb.access).effect);
}

/// As many as a core may have, from both, all at once.
BOOST_DATA_TEST_CASE(one_of_many_takes_a_test_and_set_bit, data::make({0u, 1u}), which)
{
    TileBench::Options options;
    options.dividers = {3, 2, 5, 3};
    TileBench bench(options);
    const auto bit = bench.registers(1, hw::ConfigurationRegisters::kTestAndSet[which]);
    for (std::size_t core = 0; core < 8; ++core)
        bench.read(core, bit, 4, 1_us + 1_ns * static_cast<std::int64_t>(core));
    bench.run();
    unsigned taken = 0;
    for (std::size_t core = 0; core < 8; ++core) {
        const auto& bytes = bench.core(core).answers.at(0).bytes;
        taken += std::to_integer<unsigned>(bytes[0]);
        BOOST_TEST((bytes[1] == std::byte{0} && bytes[2] == std::byte{0} && bytes[3] == std::byte{0}));
    }
    BOOST_TEST(taken == 1u);
    BOOST_TEST(bench.tiles[1]->registers().taken(which));
    BOOST_TEST(!bench.tiles[1]->registers().taken(1 - which));
}

BOOST_AUTO_TEST_CASE(a_released_bit_can_be_taken_again)
{
    const auto options = with_dividers(3, 3);
    TileBench bench(options);
    const auto bit = bench.registers(1, 0x200);
    bench.read(0, bit, 4, 1_us);
    bench.read(1, bit, 4, 2_us);
    bench.write(0, bit, pattern(4, 1), 3_us);
    bench.read(1, bit, 4, 4_us);
    bench.run();
    BOOST_TEST((bench.core(0).answers.at(0).bytes[0] == std::byte{1}));
    BOOST_TEST((bench.core(1).answers.at(0).bytes[0] == std::byte{0}));
    BOOST_TEST((bench.core(1).answers.at(1).bytes[0] == std::byte{1}));
    BOOST_TEST(bench.core(0).answers.at(0).at == bench.over_mesh(0, 1, 1_us, options.tile.registers.access).answer);
}

BOOST_AUTO_TEST_CASE(every_core_reads_its_own_number_in_the_tile_id)
{
    TileBench bench(with_dividers(3, 2));
    for (const std::size_t core : {0u, 1u, 2u, 3u}) bench.read(core, bench.registers(core / 2, 0x100), 4, 1_us);
    bench.run();
    for (const std::size_t core : {0u, 1u, 2u, 3u}) {
        const auto low = std::to_integer<unsigned>(bench.core(core).answers.at(0).bytes[0]);
        BOOST_TEST((low & 7) == core % 2);
        BOOST_TEST((low >> 3) == core / 2);
    }
}

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

BOOST_AUTO_TEST_CASE(a_waveform_shows_flags_ports_and_locks_when_they_change)
{
    const TemporaryFolder folder;
    TileBench bench;
    Recorder file(to_vcd("run.vcd"));
    bench.tiles[1]->trace(&file);
    bench.controller.trace(&file);
    bench.write(0, bench.mpb(1, hw::MessageBuffer::kHalf + 32 + 8), {std::byte{5}}, 1_us);
    bench.read(1, bench.registers(1, 0x400), 4, 1_us);
    bench.read(2, bench.memory(0), 32, 1_us);
    bench.run();
    file.close();
    auto signals = read_vcd("run.vcd");

    const Duration access = bench.cycles(1, bench.options.tile.mpb.access);
    const Duration effect = bench.over_mesh(0, 1, 1_us, bench.options.tile.mpb.access).effect;
    BOOST_TEST(first_time(signals["tile1.mpb.core1_line1_word1"], "101") == effect);
    BOOST_TEST(signals["tile1.mpb.core0_line1_word1"].size() == 1u);  // never changes
    BOOST_TEST(first_time(signals["tile1.mpb.port"], "write") == effect - access);
    BOOST_TEST(signals["tile1.mpb.port"].back().second == "idle");
    BOOST_TEST(signals["tile1.mpb.port"].back().first == effect);
    BOOST_TEST(first_time(signals["tile1.registers.test_and_set1"], "1") != Duration::never());
    BOOST_TEST(first_time(signals["tile1.registers.test_and_set0"], "1") == Duration::never());
    BOOST_TEST(first_time(signals["tile1.miu.core0_requests"], "1") == 1_us);
    BOOST_TEST(first_time(signals["mc0.data_bus"], "row_empty_read") != Duration::never());
    BOOST_TEST(first_time(signals["mc0.slots_taken"], "1") == bench.mesh.passages.at(2).arrived);
}

BOOST_AUTO_TEST_CASE(what_arrives_later_than_it_is_told_is_refused)
{
    TileBench bench;
    bench.timetable.at(1_ns, [&] {
        for (const mesh::Terminal& where : {TileBench::place(0), TileBench::kController}) {
            mesh::Packet packet;
            mesh::PortPhase phase = mesh::PortPhase::kPacket;
            sc_core::sc_time later(1, sc_core::SC_NS);
            BOOST_CHECK_THROW(bench.mesh.port(where)->nb_transport_bw(packet, phase, later), std::domain_error);
        }
    });
    bench.run();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
