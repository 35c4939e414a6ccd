// SPDX-License-Identifier: Apache-2.0

#include <numeric>

#include "tests/hw/scc/core/core_bench.h"
#include "tests/support/cases.h"

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(scc_core_load_store)

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

/// Loads the same bytes again and again; notes how long each time took.
Task<> load_often(SccProcessor& cpu, std::uint64_t address, std::span<std::byte> into, std::uint32_t width,
                  std::vector<Duration>& took, std::size_t times)
{
    for (std::size_t i = 0; i < times; ++i) {
        const Duration began = cpu.time();
        co_await load_bytes(cpu, address, into, width);
        took.push_back(cpu.time() - began);
    }
}

/// Stores, and notes when each store returned.
Task<> store_words(SccProcessor& cpu, std::uint64_t address, std::span<const std::byte> from, std::uint32_t width,
                   std::vector<Duration>& returned)
{
    for (std::size_t i = 0; i < from.size(); i += width) {
        co_await store_bytes(cpu, address + i, from.subspan(i, width), width);
        returned.push_back(cpu.time());
    }
}

/// Loads a line, stores a word elsewhere, then loads the line again, which needs no access outside the core.
Task<> hit_behind_a_store(SccProcessor& cpu, std::uint64_t cached, std::uint64_t stored, Duration& hit,
                          Duration& missed)
{
    std::array<std::byte, 4> word{};
    co_await load_bytes(cpu, cached, word);
    co_await store_bytes(cpu, stored, word);
    const Duration began = cpu.time();
    co_await load_bytes(cpu, cached, word);
    hit = cpu.time() - began;
    co_await load_bytes(cpu, cached + 4096, word);
    missed = cpu.time() - began;
}

Task<> work_on(SccProcessor& cpu, std::uint64_t address, std::span<std::byte> bytes, std::vector<Duration>& ahead)
{
    co_await load_bytes(cpu, address, bytes);
    const Duration kernel = now();
    for (int i = 0; i < 100; ++i) {
        co_await cpu.compute(1_ns);
        co_await load_bytes(cpu, address, bytes);
        co_await store_bytes(cpu, address, bytes);
        if (now() == kernel) ahead.push_back(cpu.time() - kernel);
    }
}

Task<> walk_twice(SccProcessor& cpu, std::uint64_t address, std::uint32_t size)
{
    std::array<std::byte, 32> line{};
    for (int round = 0; round < 2; ++round) {
        for (std::uint32_t at = 0; at < size; at += 32) co_await load_bytes(cpu, address + at, line);
    }
}

Task<> store_to_what_left_l1(SccProcessor& cpu, std::uint64_t address, std::uint32_t size, Duration& took)
{
    co_await walk_twice(cpu, address, size);
    const Duration began = cpu.time();
    std::array<std::byte, 4> word{};
    co_await store_bytes(cpu, address, word);
    took = cpu.time() - began;
}

Task<> store_and_drive_out(SccProcessor& cpu, std::uint64_t address, std::span<const std::byte> bytes,
                           std::uint32_t step, std::uint32_t count)
{
    std::array<std::byte, 4> word{};
    co_await load_bytes(cpu, address, word);
    co_await store_bytes(cpu, address, bytes);
    for (std::uint32_t i = 1; i <= count; ++i) co_await load_bytes(cpu, address + i * step, word);
}

}  // namespace

BOOST_DATA_TEST_CASE(a_load_misses_both_caches_once_for_each_line_and_then_hits_the_first,
                     data::make({1, 4, 7, 32, 40, 100}) * data::make({0, 12, 31}), size, offset)
{
    CoreBench bench;
    const auto address = bench.core.allocate(4096, PageKind::kCached) + static_cast<unsigned>(offset);
    const auto bytes = pattern(static_cast<std::size_t>(size));
    bench.core.poke(address, bytes);
    std::vector<std::byte> into(bytes.size());
    std::vector<Duration> took;
    bench.run(load_often(bench.core, address, into, 4, took, 2));
    std::int64_t instructions = 0, lines = 0;
    for (int at = 0; at < size; ++lines) {
        const int piece = std::min(size - at, 32 - (offset + at) % 32);
        instructions += load_instructions(static_cast<std::uint32_t>(piece), 4);
        at += piece;
    }
    BOOST_TEST(took.at(0) == bench.hit() * (instructions - lines) + bench.miss() * lines);
    BOOST_TEST(took.at(1) == bench.hit() * instructions);
    BOOST_TEST((into == bytes));
    const auto count = static_cast<std::uint64_t>(lines);
    BOOST_TEST(bench.core.stats().l2_misses.count() == count);
    BOOST_TEST(bench.core.stats().l1_misses.count() == count);
    BOOST_TEST(bench.core.stats().l1_hits.count() == static_cast<std::uint64_t>(2 * instructions) - count);
    BOOST_TEST(bench.core.stats().memory_reads.count() == count);
    BOOST_TEST(bench.core.finished());
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(lines_evicted_from_the_first_cache_come_from_the_second)
{
    CoreBench bench;
    const auto l1 = static_cast<std::uint32_t>(bench.params.l1.size.count());
    const auto address = bench.core.allocate(2 * l1, PageKind::kCached);
    bench.run(walk_twice(bench.core, address, 2 * l1));
    const std::int64_t lines = 2 * l1 / 32;
    const Duration second = bench.hit() + bench.cycles(bench.params.l2_hit);
    BOOST_TEST(bench.core.time() == (bench.miss() + second + bench.hit() * 14) * lines);
    BOOST_TEST(bench.core.stats().l2_hits.count() == static_cast<std::uint64_t>(lines));
}

BOOST_AUTO_TEST_CASE(a_store_to_a_line_of_the_second_cache_costs_its_own_time_and_stays_there)
{
    CoreBench bench;
    const auto l1 = static_cast<std::uint32_t>(bench.params.l1.size.count());
    const auto address = bench.core.allocate(2 * l1, PageKind::kCached);
    Duration took;
    bench.run(store_to_what_left_l1(bench.core, address, 2 * l1, took));
    BOOST_TEST(took == bench.store_hit() + bench.cycles(bench.params.l2_store));
    BOOST_TEST((bench.params.l2_store != bench.params.l2_hit));
    BOOST_TEST(bench.core.stats().memory_writes.count() == 0u);
}

BOOST_DATA_TEST_CASE(an_uncached_load_goes_out_for_each_instruction, data::make({1, 2, 4, 8}), width)
{
    CoreBench bench;
    const auto address = bench.core.allocate(4096, PageKind::kUncached);
    const auto bytes = pattern(16);
    bench.core.poke(address, bytes);
    std::vector<std::byte> into(bytes.size());
    std::vector<Duration> took;
    bench.run(load_often(bench.core, address, into, static_cast<std::uint32_t>(width), took, 2));
    for (const Duration time : took) BOOST_TEST(time == (bench.hit() + bench.read_trip()) * (16 / width));
    for (const auto& access : bench.chip.accesses) BOOST_TEST(access.size == static_cast<std::uint32_t>(width));
    BOOST_TEST((into == bytes));
}

BOOST_DATA_TEST_CASE(stores_that_miss_are_a_memory_write_each_one_at_a_time, data::make({1, 4, 8}) * data::make({0, 1}),
                     width, uncached)
{
    CoreBench bench;
    const auto kind = uncached != 0 ? PageKind::kUncached : PageKind::kCached;
    const auto address = bench.core.allocate(4096, kind);
    const auto bytes = pattern(32);
    std::vector<Duration> returned;
    bench.run(store_words(bench.core, address, bytes, static_cast<std::uint32_t>(width), returned));
    const Duration issue = bench.cycles(bench.params.store_issue + (uncached != 0 ? 0_cycles : bench.params.l2_miss));
    const Duration loop = bench.cycles(bench.params.loop);
    const Duration turn = std::max(bench.write_trip(), issue + loop);
    for (std::size_t i = 0; i < returned.size(); ++i) {
        BOOST_TEST(returned[i] == issue + turn * static_cast<std::int64_t>(i) + loop);
    }
    BOOST_TEST(bench.chip.accesses.size() == static_cast<std::size_t>(32 / width));
    BOOST_TEST(bench.chip.most_writes_out == 1u);
    BOOST_TEST((bench.bytes_at(CoreBench::memory(address), 32) == bytes));
    BOOST_TEST(bench.core.stats().memory_writes.count() == static_cast<std::uint64_t>(32 / width));
    // Nothing was allocated: all of them missed.
    BOOST_TEST(bench.core.stats().l1_hits.count() == 0u);
}

BOOST_AUTO_TEST_CASE(cache_hits_do_not_wait_for_a_write_and_misses_do)
{
    CoreBench bench;
    const auto address = bench.core.allocate(3 * 4096, PageKind::kCached);
    Duration hit, missed;
    bench.run(hit_behind_a_store(bench.core, address, address + 8192, hit, missed));
    BOOST_TEST(hit == bench.hit());
    // The write left before its store's loop; the miss leaves when it is acknowledged.
    const Duration free = bench.write_trip() - bench.cycles(bench.params.loop);
    const Duration asks = bench.hit() + bench.cycles(bench.params.load_issue + bench.params.l2_miss);
    BOOST_TEST_REQUIRE(free > asks);
    BOOST_TEST(missed == free + bench.read_trip() + bench.cycles(bench.params.loop));
    BOOST_TEST(bench.core.stats().writing.total() == free - asks);
}

BOOST_AUTO_TEST_CASE(hits_and_computing_run_ahead_of_the_kernel_and_the_program_ends_at_its_own_time)
{
    CoreBench bench;
    const auto address = bench.core.allocate(4096, PageKind::kCached);
    std::vector<std::byte> bytes(16);
    std::vector<Duration> ahead;
    const auto before = bench.simulation.steps();
    bench.run(work_on(bench.core, address, bytes, ahead));
    BOOST_TEST_REQUIRE(ahead.size() == 100u);
    const Duration turn = 1_ns + (bench.hit() + bench.store_hit()) * 4;
    for (std::size_t i = 1; i < ahead.size(); ++i) BOOST_TEST(ahead[i] == ahead[i - 1] + turn);
    BOOST_TEST(now() == bench.core.time());
    BOOST_TEST(now() == bench.miss() + bench.hit() * 3 + turn * 100);
    // Start, the miss (the kernel catches up, the chip's two events), the end.
    BOOST_TEST(bench.simulation.steps() - before <= 7u);
}

BOOST_AUTO_TEST_CASE(a_program_that_only_hits_its_caches_does_not_stop_the_kernel)
{
    CoreBench bench;
    struct Forever {
        static Task<> loop(SccProcessor& cpu)
        {
            for (;;) co_await cpu.compute(100_us);
        }
    };
    bench.core.run(Forever::loop(bench.core), "program");
    bench.simulation.run_until(10_ms);
    BOOST_TEST(bench.core.time() >= 10_ms);
    BOOST_TEST(bench.core.time() <= 10_ms + hw::SccCore::kMostAhead + 100_us);
    BOOST_TEST(!bench.core.finished());
}

BOOST_DATA_TEST_CASE(a_dirty_line_reaches_memory_when_both_caches_have_lost_it, data::make({64, 256}), step_kib)
{
    // Lines 64 KB apart share a set in both caches.
    CoreBench bench;
    const auto step = static_cast<std::uint32_t>(step_kib) * 1024;
    constexpr std::uint32_t kCount = 8;
    const auto address = bench.core.allocate(std::uint64_t{step} * (kCount + 1), PageKind::kCached);
    const auto bytes = pattern(32);
    bench.run(store_and_drive_out(bench.core, address, bytes, step, kCount));
    BOOST_TEST((bench.bytes_at(CoreBench::memory(address), 32) == bytes));
    BOOST_TEST(bench.core.stats().write_backs.count() == 1u);
    const auto& write = *std::find_if(bench.chip.accesses.begin(), bench.chip.accesses.end(),
                                      [](const auto& access) { return !access.read; });
    BOOST_TEST(write.size == 32u);
    BOOST_TEST((write.where == CoreBench::memory(address)));
    // It leaves when the line that evicted it has arrived, and the next miss waits for its acknowledgement.
    const auto& fetch = *(&write - 1);
    const auto& next = *(&write + 1);
    BOOST_TEST(write.leaves == fetch.answered + bench.cycles(bench.params.from_miu + bench.params.to_miu));
    BOOST_TEST(next.asked >= write.answered);
    BOOST_TEST(next.leaves == write.answered + bench.cycles(bench.params.acknowledge + bench.params.to_miu));
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(memory_keeps_its_old_bytes_while_a_line_is_dirty_and_the_core_sees_its_own)
{
    CoreBench bench;
    const auto address = bench.core.allocate(4096, PageKind::kCached);
    const auto bytes = pattern(32);
    bench.run(store_and_drive_out(bench.core, address, bytes, 4, 1));
    BOOST_TEST((bench.bytes_at(CoreBench::memory(address), 32) == std::vector<std::byte>(32)));
    std::vector<std::byte> seen(32);
    bench.core.peek(address, seen);
    BOOST_TEST((seen == bytes));
}

BOOST_DATA_TEST_CASE(with_random_pages_a_buffer_smaller_than_the_cache_misses_on_its_second_walk, data::make({0, 1}),
                     random)
{
    auto params = CoreBench::contiguous();
    params.memory = 512_MiB;
    if (random != 0) params.page_placement = "random";
    CoreBench bench(params, 10_ns);
    constexpr std::uint32_t kSize = 192 * 1024;
    const auto address = bench.core.allocate(kSize, PageKind::kCached);
    bench.run(walk_twice(bench.core, address, kSize));
    const std::uint64_t again = bench.core.stats().l2_misses.count() - kSize / 32;
    if (random == 0) BOOST_TEST(again == 0u);
    if (random != 0) BOOST_TEST(again > kSize / 32 / 20);
    if (random != 0) BOOST_TEST(again < kSize / 32);
}

BOOST_AUTO_TEST_CASE(one_read_and_one_write_at_most_are_outside_the_core)
{
    CoreBench bench;
    const auto cached = bench.core.allocate(1 << 20, PageKind::kCached);
    const auto uncached = bench.core.allocate(4096, PageKind::kUncached);
    struct Mixed {
        static Task<> run(SccProcessor& cpu, std::uint64_t in, std::uint64_t out)
        {
            std::array<std::byte, 64> bytes{};
            for (std::uint32_t i = 0; i < 200; ++i) {
                const auto at = i * 7919 * 64 % (1 << 20);
                co_await load_bytes(cpu, in + at, bytes);
                co_await store_bytes(cpu, in + at, bytes);
                co_await store_bytes(cpu, out + i * 4, std::span(bytes).first(4));
                co_await store_bytes(cpu, cpu.message_buffer(0, i * 36 % 8192 / 4 * 4), std::span(bytes).first(4));
            }
        }
    };
    bench.run(Mixed::run(bench.core, cached, uncached));
    BOOST_TEST(bench.chip.most_reads_out == 1u);
    BOOST_TEST(bench.chip.most_writes_out == 1u);
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
