// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/hw/scc/core/core_bench.h"
#include "tests/support/cases.h"

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(scc_core_message_buffer)

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

constexpr unsigned kPeer = 6;
constexpr std::uint32_t kOffset = 0x140;

struct Loads {
    std::vector<unsigned> values;
    std::vector<Duration> took;
};

/// Loads a byte, again at `later`, then behind a CL1INVMB.
Task<> load_before_and_after_invalidating(SccProcessor& cpu, std::uint64_t address, Duration later, Loads& loads)
{
    for (int i = 0; i < 3; ++i) {
        if (i == 1) co_await cpu.compute(later - cpu.time());
        if (i == 2) co_await cpu.invalidate_message_buffers();
        std::byte byte{};
        const Duration began = cpu.time();
        co_await load_bytes(cpu, address, {&byte, 1}, 1);
        loads.took.push_back(cpu.time() - began);
        loads.values.push_back(std::to_integer<unsigned>(byte));
    }
}

struct Piece {
    std::uint32_t offset;
    std::uint32_t size;
};

Task<> store_pieces(SccProcessor& cpu, std::uint64_t buffer, std::span<const Piece> pieces,
                    std::span<const std::byte> bytes, std::vector<Duration>& returned)
{
    for (const Piece piece : pieces) {
        co_await store_bytes(cpu, buffer + piece.offset, bytes.subspan(piece.offset, piece.size));
        returned.push_back(cpu.time());
    }
}

Task<> store_then_load(SccProcessor& cpu, std::uint64_t address, bool load_first, std::vector<unsigned>& seen)
{
    const std::byte one{1};
    std::byte byte{};
    if (load_first) co_await load_bytes(cpu, address, {&byte, 1}, 1);
    co_await store_bytes(cpu, address, {&one, 1}, 1);
    co_await load_bytes(cpu, address, {&byte, 1}, 1);
    seen.push_back(std::to_integer<unsigned>(byte));
    co_await store_bytes(cpu, address + 32, {&one, 1}, 1);  // flushes
    co_await cpu.invalidate_message_buffers();
    co_await load_bytes(cpu, address, {&byte, 1}, 1);
    seen.push_back(std::to_integer<unsigned>(byte));
}

Task<> access_once(SccProcessor& cpu, std::uint64_t address, std::uint32_t size, std::uint32_t width, bool store)
{
    std::array<std::byte, 64> bytes{};
    const auto piece = std::span(bytes).first(size);
    if (store) {
        co_await store_bytes(cpu, address, piece, width);
    } else {
        co_await load_bytes(cpu, address, piece, width);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_line_of_a_message_buffer_is_stale_until_cl1invmb)
{
    CoreBench bench;
    Loads loads;
    bench.chip.set_at(1_us, CoreBench::buffer(kPeer, kOffset), 9);
    bench.run(load_before_and_after_invalidating(bench.core, bench.core.message_buffer(kPeer, kOffset), 2_us, loads));
    BOOST_TEST(loads.values == (std::vector<unsigned>{0, 0, 9}), boost::test_tools::per_element());
    const std::vector<Duration> took{bench.buffer_miss(), bench.hit(), bench.buffer_miss()};
    BOOST_TEST(loads.took == took, boost::test_tools::per_element());
    BOOST_TEST(bench.chip.accesses.at(0).size == 32u);
    BOOST_TEST(bench.core.stats().mpb_reads.count() == 2u);
    // L2 never has them.
    BOOST_TEST(bench.core.stats().l2_misses.count() + bench.core.stats().l2_hits.count() == 0u);
}

BOOST_AUTO_TEST_CASE(stores_to_one_line_leave_together_when_the_line_is_full)
{
    CoreBench bench;
    const auto bytes = pattern(64);
    const std::vector<Piece> pieces{{32, 4}, {40, 24}, {36, 4}};
    std::vector<Duration> returned;
    bench.run(store_pieces(bench.core, bench.core.message_buffer(kPeer, 0), pieces, bytes, returned));
    const std::vector<Duration> expected{bench.store_hit(), bench.store_hit() * 7, bench.store_hit() * 8};
    BOOST_TEST(returned == expected, boost::test_tools::per_element());
    BOOST_TEST_REQUIRE(bench.chip.accesses.size() == 1u);
    const auto& write = bench.chip.accesses[0];
    BOOST_TEST(write.size == 32u);
    BOOST_TEST(write.leaves == bench.store_hit() * 8 + bench.cycles(bench.params.to_miu));
    BOOST_TEST((write.where == CoreBench::buffer(kPeer, 32)));
    const auto there = bench.bytes_at(CoreBench::buffer(kPeer, 32), 32);
    BOOST_TEST((there == std::vector(bytes.begin() + 32, bytes.end())));
}

BOOST_AUTO_TEST_CASE(a_store_to_another_line_flushes_and_goes_on_when_the_flush_is_acknowledged)
{
    CoreBench bench;
    const auto bytes = pattern(128);
    const std::vector<Piece> pieces{{4, 4}, {64, 4}};
    std::vector<Duration> returned;
    bench.run(store_pieces(bench.core, bench.core.message_buffer(kPeer, 0), pieces, bytes, returned));
    BOOST_TEST(returned.at(0) == bench.store_hit());
    BOOST_TEST(returned.at(1) == bench.store_hit() * 2 + bench.write_trip());
    BOOST_TEST_REQUIRE(bench.chip.accesses.size() == 1u);
    BOOST_TEST(bench.chip.accesses[0].size == 4u);
    BOOST_TEST((bench.bytes_at(CoreBench::buffer(kPeer, 0), 8) ==
                std::vector<std::byte>{{}, {}, {}, {}, bytes[4], bytes[5], bytes[6], bytes[7]}));
    // The second one is still in the buffer.
    BOOST_TEST((bench.bytes_at(CoreBench::buffer(kPeer, 64), 4) == std::vector<std::byte>(4)));
    std::vector<std::byte> seen(4);
    bench.core.peek(bench.core.message_buffer(kPeer, 64), seen);
    BOOST_TEST((seen == std::vector(bytes.begin() + 64, bytes.begin() + 68)));
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(stores_wait_for_a_flush_under_way)
{
    CoreBench bench;
    const auto bytes = pattern(96);
    std::vector<Duration> returned;
    const std::vector<Piece> pieces{{0, 32}, {32, 4}, {36, 28}, {64, 32}};
    bench.run(store_pieces(bench.core, bench.core.message_buffer(kPeer, 0), pieces, bytes, returned));
    // The first of a line waits, its issue does not.
    const Duration eight = bench.store_hit() * 8;
    const Duration freed = eight + bench.write_trip();
    BOOST_TEST(returned.at(0) == eight);
    BOOST_TEST(returned.at(1) == freed + bench.cycles(bench.params.loop));
    BOOST_TEST(returned.at(2) == returned[1] + bench.store_hit() * 7);
    BOOST_TEST(returned.at(3) ==
               returned[2] + bench.write_trip() + bench.cycles(bench.params.loop) + bench.store_hit() * 7);
    BOOST_TEST(bench.chip.most_writes_out == 1u);
}

BOOST_AUTO_TEST_CASE(overlapped_stores_are_gathered_while_a_flush_is_under_way_and_the_next_flush_waits)
{
    hw::CoreParams params = CoreBench::contiguous();
    params.write_combine = hw::WriteCombine::kOverlapped;
    CoreBench bench(params);
    const auto bytes = pattern(96);
    std::vector<Duration> returned;
    const std::vector<Piece> pieces{{0, 32}, {32, 4}, {36, 28}, {64, 4}};
    bench.run(store_pieces(bench.core, bench.core.message_buffer(kPeer, 0), pieces, bytes, returned));
    const Duration eight = bench.store_hit() * 8;
    const Duration freed = eight + bench.write_trip();
    BOOST_TEST(returned.at(0) == eight);
    BOOST_TEST(returned.at(1) == eight + bench.store_hit());
    BOOST_TEST(returned.at(2) == freed);
    BOOST_TEST(returned.at(3) == freed + bench.store_hit());
    BOOST_TEST(bench.chip.most_writes_out == 1u);
    BOOST_TEST((bench.bytes_at(CoreBench::buffer(kPeer, 0), 64) == std::vector(bytes.begin(), bytes.begin() + 64)));
}

BOOST_AUTO_TEST_CASE(an_overlapped_store_to_another_line_does_not_wait_for_the_flush_that_it_causes)
{
    hw::CoreParams params = CoreBench::contiguous();
    params.write_combine = hw::WriteCombine::kOverlapped;
    CoreBench bench(params);
    const auto bytes = pattern(96);
    const std::vector<Piece> pieces{{4, 4}, {64, 4}, {32, 4}};
    std::vector<Duration> returned;
    bench.run(store_pieces(bench.core, bench.core.message_buffer(kPeer, 0), pieces, bytes, returned));
    BOOST_TEST(returned.at(1) == bench.store_hit() * 2);
    // The third one's flush waits for the first.
    const Duration issued = bench.store_hit() + bench.cycles(bench.params.store_issue);
    BOOST_TEST(returned.at(2) == issued + bench.write_trip() + bench.cycles(bench.params.loop));
    BOOST_TEST(bench.chip.accesses.size() == 2u);
}

BOOST_AUTO_TEST_CASE(bytes_that_were_not_stored_are_not_written)
{
    CoreBench bench;
    const auto bytes = pattern(64);
    const auto before = pattern(32, 5);
    bench.chip.write(CoreBench::buffer(kPeer, 0), before);
    const std::vector<Piece> pieces{{4, 4}, {12, 1}, {20, 2}, {32, 1}};
    std::vector<Duration> returned;
    bench.run(store_pieces(bench.core, bench.core.message_buffer(kPeer, 0), pieces, bytes, returned));
    auto expected = before;
    for (const std::size_t i : {4U, 5U, 6U, 7U, 12U, 20U, 21U}) expected[i] = bytes[i];
    BOOST_TEST((bench.bytes_at(CoreBench::buffer(kPeer, 0), 32) == expected));
    BOOST_TEST_REQUIRE(bench.chip.accesses.size() == 1u);
    BOOST_TEST(bench.chip.accesses[0].size == 18u);  // from 4 to 21
    BOOST_TEST(bench.chip.accesses[0].where.offset == CoreBench::buffer(kPeer, 4).offset);
    BOOST_TEST(std::count(bench.chip.accesses[0].enabled.begin(), bench.chip.accesses[0].enabled.end(), true) == 7);
}

BOOST_DATA_TEST_CASE(loads_see_what_was_stored_and_not_flushed_in_the_first_cache_alone, data::make({0, 1}), cached)
{
    CoreBench bench;
    std::vector<unsigned> seen;
    bench.run(store_then_load(bench.core, bench.core.message_buffer(kPeer, kOffset), cached != 0, seen));
    BOOST_TEST(seen.at(0) == (cached != 0 ? 1u : 0u));
    BOOST_TEST(seen.at(1) == 1u);
}

BOOST_DATA_TEST_CASE(a_core_on_either_place_finds_every_message_buffer, data::make({0, 1, 4, 5, 7}), of)
{
    CoreBench bench;
    const auto core = static_cast<unsigned>(of);
    const auto bytes = pattern(32, core);
    bench.chip.write(CoreBench::buffer(core, 8160), bytes);
    std::vector<std::byte> seen(32);
    bench.core.peek(bench.core.message_buffer(core, 8160), seen);
    BOOST_TEST((seen == bytes));
}

BOOST_DATA_TEST_CASE(unaligned_accesses_to_a_message_buffer_are_refused, data::make({0, 1}) * data::make({0, 1, 2, 3}),
                     store, which)
{
    struct Bad {
        std::uint32_t offset, size, width, instruction;
    };
    constexpr std::array<Bad, 4> kBad{{{2, 4, 4, 4}, {30, 4, 4, 4}, {1, 2, 4, 2}, {4, 16, 8, 8}}};
    const Bad bad = kBad[static_cast<std::size_t>(which)];
    CoreBench bench;
    const auto address = bench.core.message_buffer(kPeer, bad.offset);
    bench.core.run(access_once(bench.core, address, bad.size, bad.width, store != 0), "program");
    const std::string expected = fmt::format(
        "core 5: unaligned MPBT access: a {} of {} bytes at {:#x}, which is no multiple of {}; use narrower "
        "instructions or align it",
        store != 0 ? "store" : "load", bad.instruction, address, bad.instruction);
    BOOST_CHECK_EXCEPTION(bench.simulation.run(), UserError,
                          [&](const UserError& error) { return error.what() == expected; });
}

BOOST_AUTO_TEST_CASE(narrow_instructions_may_begin_anywhere)
{
    CoreBench bench;
    bench.run(access_once(bench.core, bench.core.message_buffer(kPeer, 29), 7, 1, true));
    BOOST_TEST(bench.chip.accesses.size() == 1u);
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
