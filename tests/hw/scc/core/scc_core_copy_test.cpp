// SPDX-License-Identifier: Apache-2.0

#include <bit>

#include "tests/hw/scc/core/core_bench.h"
#include "tests/support/cases.h"

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(scc_core_copy)

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

/// Source or destination of a copy.
enum class End { kL1, kL2, kMemory, kUncached, kMessageBuffer };
constexpr std::array kEnds{End::kL1, End::kL2, End::kMemory, End::kUncached, End::kMessageBuffer};

struct Plan {
    CopyKind kind = CopyKind::kPlain;
    std::uint64_t to = 0;
    std::uint64_t from = 0;
    std::uint32_t size = 0;
    std::uint32_t width = 4;
    End to_end = End::kMemory;
    End from_end = End::kMemory;
    std::uint64_t elsewhere = 0;  // twice the size of L1
};

/// Prepares the cache state required by the plan: what is to be in L2 alone is loaded and driven out of L1.
Task<> prepare(SccProcessor& cpu, Plan plan)
{
    std::array<std::byte, 4> word{};
    const bool any_in_l2 = plan.to_end == End::kL2 || plan.from_end == End::kL2;
    for (const bool l2 : {true, false}) {
        for (const bool destination : {true, false}) {
            const End end = destination ? plan.to_end : plan.from_end;
            const std::uint64_t address = destination ? plan.to : plan.from;
            if (end != (l2 ? End::kL2 : End::kL1)) continue;
            const auto last = (address + plan.size - 1) / 32 * 32;
            for (auto line = address / 32 * 32; line <= last; line += 32) co_await load_bytes(cpu, line, word);
        }
        for (std::uint32_t at = 0; l2 && any_in_l2 && at < 32768; at += 32) {
            co_await load_bytes(cpu, plan.elsewhere + at, word);
        }
    }
}

Task<> copy_at_once(SccProcessor& cpu, Plan plan, Duration& took)
{
    co_await prepare(cpu, plan);
    const Duration began = cpu.time();
    const CopyRequest copy{plan.kind, plan.to, plan.from, plan.size, plan.width};
    co_await cpu.copy(copy);
    took = cpu.time() - began;
}

/// The loop, written out; what goes around each word takes no time here.
Task<> copy_by_hand(SccProcessor& cpu, Plan plan, Duration& took)
{
    co_await prepare(cpu, plan);
    const Duration began = cpu.time();
    std::array<std::byte, 8> word{}, unused{};
    std::uint64_t line = 0;
    for (std::uint32_t done = 0; done < plan.size;) {
        const auto size = std::bit_floor(std::min(plan.width, plan.size - done));
        const auto begin = plan.kind == CopyKind::kPrefetchDestination ? plan.to : plan.from;
        const auto here = begin + done;
        const bool new_line = done == 0 || here / 32 != line;
        line = here / 32;
        if (plan.kind != CopyKind::kPlain && new_line) {
            const auto next = plan.kind == CopyKind::kPrefetchDestination ? here : here / 32 * 32 + 32;
            if (next < begin + plan.size) {
                const auto bytes = std::bit_floor(std::min<std::uint64_t>(begin + plan.size - next, plan.width));
                co_await load_bytes(cpu, next, std::span(unused).first(bytes), plan.width);
            }
        }
        const auto piece = std::span(word).first(size);
        co_await load_bytes(cpu, plan.from + done, piece, plan.width);
        co_await store_bytes(cpu, plan.to + done, piece, plan.width);
        done += size;
    }
    took = cpu.time() - began;
}

struct Bench : CoreBench {
    explicit Bench(const std::string& prefix) : CoreBench(without_loop(), 100_ns, prefix) {}
    static hw::CoreParams without_loop()
    {
        auto params = contiguous();
        params.loop = params.copy_loop = 0_cycles;
        return params;
    }
    std::uint64_t place(End end, std::uint32_t offset, unsigned peer)
    {
        if (end == End::kMessageBuffer) return core.message_buffer(peer, 64 + offset);
        return core.allocate(8192, end == End::kUncached ? PageKind::kUncached : PageKind::kCached) + offset;
    }
    Plan plan(CopyKind kind, End to, End from, std::uint32_t to_offset, std::uint32_t from_offset, std::uint32_t size,
              std::uint32_t width)
    {
        Plan made{kind, place(to, to_offset, 2), place(from, from_offset, 7), size, width, to, from, 0};
        made.elsewhere = core.allocate(32768, PageKind::kCached);
        bytes = pattern(size, 3);
        core.poke(made.from, bytes);
        return made;
    }
    std::vector<std::byte> copied(const Plan& made)
    {
        std::vector<std::byte> seen(made.size);
        core.peek(made.to, seen);
        return seen;
    }
    std::vector<std::byte> bytes;
};

}  // namespace

namespace {

/// Until no write is outstanding and the write-combine buffer holds an unused line.
Task<> settle(SccProcessor& cpu)
{
    const std::byte one{1};
    co_await store_bytes(cpu, cpu.message_buffer(1, 8160), {&one, 1}, 1);
    co_await cpu.compute(10_us);
    co_await cpu.invalidate_message_buffers();
}

struct Shape {
    std::uint32_t to_offset, from_offset, size, width;
};
constexpr std::array<Shape, 6> kShapes{
    {{0, 0, 96, 4}, {4, 20, 100, 4}, {0, 0, 71, 8}, {8, 16, 5, 4}, {1, 3, 40, 1}, {24, 8, 64, 8}}};

Task<> copy_all(Bench& bench, End to, End from, CopyKind kind, bool by_hand, std::vector<Duration>& took)
{
    for (const Shape shape : kShapes) {
        const Plan plan = bench.plan(kind, to, from, shape.to_offset, shape.from_offset, shape.size, shape.width);
        Duration one;
        if (by_hand) {
            co_await copy_by_hand(bench.core, plan, one);
        } else {
            co_await copy_at_once(bench.core, plan, one);
        }
        took.push_back(one);
        BOOST_TEST((bench.copied(plan) == bench.bytes));
        co_await settle(bench.core);
    }
}

}  // namespace

BOOST_DATA_TEST_CASE(a_copy_takes_as_long_as_its_loop_of_instructions_and_moves_its_bytes,
                     data::make({0, 1, 2, 3, 4}) * data::make({0, 1, 2, 3, 4}) * data::make({0, 1, 2}), to, from, kind)
{
    Bench at_once("at_once_"), by_hand("by_hand_");
    const End to_end = kEnds[static_cast<std::size_t>(to)], from_end = kEnds[static_cast<std::size_t>(from)];
    std::vector<Duration> took, expected;
    at_once.core.run(copy_all(at_once, to_end, from_end, static_cast<CopyKind>(kind), false, took), "at once");
    by_hand.core.run(copy_all(by_hand, to_end, from_end, static_cast<CopyKind>(kind), true, expected), "by hand");
    at_once.simulation.run();
    BOOST_TEST(took == expected, boost::test_tools::per_element());
    BOOST_TEST_REQUIRE(took.size() == kShapes.size());
    const auto& stats = at_once.core.stats();
    const auto& reference = by_hand.core.stats();
    BOOST_TEST(stats.l1_hits.count() == reference.l1_hits.count());
    BOOST_TEST(stats.l2_hits.count() == reference.l2_hits.count());
    BOOST_TEST(stats.memory_writes.count() == reference.memory_writes.count());
    BOOST_TEST(stats.mpb_writes.count() == reference.mpb_writes.count());
    at_once.simulation.require_drained();
}

namespace {

Task<> copy_in_caches(SccProcessor& cpu, std::uint64_t to, std::uint64_t from, CopyKind kind, Duration& took)
{
    std::array<std::byte, 64> bytes{};
    co_await load_bytes(cpu, from, bytes);
    if (kind == CopyKind::kPlain) co_await load_bytes(cpu, to, bytes);
    const Duration began = cpu.time();
    const CopyRequest copy{kind, to, from, 64, 4};
    co_await cpu.copy(copy);
    took = cpu.time() - began;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_word_of_a_copy_that_hits_takes_a_load_a_store_and_one_turn_of_the_loop)
{
    CoreBench bench;
    const auto to = bench.core.allocate(4096, PageKind::kCached), from = bench.core.allocate(4096, PageKind::kCached);
    Duration took;
    bench.run(copy_in_caches(bench.core, to, from, CopyKind::kPlain, took));
    BOOST_TEST(took == bench.cycles(bench.params.load_issue + bench.params.store_issue + bench.params.copy_loop) * 16);
}

BOOST_AUTO_TEST_CASE(a_copy_that_prefetches_its_destination_pays_a_miss_for_each_line_instead_of_a_write_for_each_word)
{
    CoreBench bench;
    const auto to = bench.core.allocate(4096, PageKind::kCached), from = bench.core.allocate(4096, PageKind::kCached);
    Duration took;
    bench.run(copy_in_caches(bench.core, to, from, CopyKind::kPrefetchDestination, took));
    const Duration word = bench.cycles(bench.params.load_issue + bench.params.store_issue + bench.params.copy_loop);
    BOOST_TEST(took == word * 16 + (bench.miss() - bench.cycles(bench.params.loop)) * 2);
    BOOST_TEST(bench.core.stats().memory_writes.count() == 0u);
}

namespace {

Task<> copy_once(SccProcessor& cpu, CopyRequest request) { co_await cpu.copy(request); }

}  // namespace

BOOST_AUTO_TEST_CASE(words_across_lines_of_private_memory_reach_a_message_buffer_whole)
{
    CoreBench bench;
    const auto from = bench.core.allocate(4096, PageKind::kCached) + 29;
    const auto bytes = pattern(96);
    bench.core.poke(from, bytes);
    const CopyRequest copy{CopyKind::kPlain, bench.core.message_buffer(2, 32), from, 96, 4};
    bench.run(copy_once(bench.core, copy));
    BOOST_TEST((bench.bytes_at(CoreBench::buffer(2, 32), 96) == bytes));
    BOOST_TEST(bench.core.stats().mpb_writes.count() == 3u);
}

BOOST_AUTO_TEST_CASE(unaligned_words_in_a_message_buffer_are_refused)
{
    CoreBench bench;
    const auto from = bench.core.allocate(4096, PageKind::kCached);
    const CopyRequest copy{CopyKind::kPlain, bench.core.message_buffer(2, 2), from, 96, 4};
    bench.core.run(copy_once(bench.core, copy), "program");
    BOOST_CHECK_THROW(bench.simulation.run(), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
