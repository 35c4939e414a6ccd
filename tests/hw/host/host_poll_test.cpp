// SPDX-License-Identifier: Apache-2.0
/// The poll loop: turns in the cache, misses, values.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/hw/host/host_bench.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

constexpr std::uint64_t kFlag = 0x1000;

std::vector<std::byte> little_endian(std::uint64_t value, std::size_t size)
{
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(value);
        value >>= 8;
    }
    return bytes;
}

Task<> poll_once(PcProcessor& cpu, Duration start, PollRequest request, Duration& woken)
{
    co_await cpu.compute(start);
    co_await cpu.poll(request);
    woken = cpu.time();
}

Task<> poll_for_each(PcProcessor& cpu, std::uint64_t last, std::vector<Duration>& woken)
{
    for (std::uint64_t value = 1; value <= last; ++value) {
        const PollRequest request{kFlag, 8, value};
        co_await cpu.poll(request);
        woken.push_back(cpu.time());
    }
}

hw::HostParams with_loop(Cycles loop, Duration miss)
{
    hw::HostParams params;
    params.poll_loop = loop;
    params.poll_miss = miss;
    return params;
}

/// The first turn of the loop at or after `time`, if one of its turns is at `known`.
Duration next_turn(Duration known, Duration loop, Duration time)
{
    while (known < time) known += loop;
    return known;
}

/// Some turn of the first poll of a processor that began it at `begin`.
Duration drawn_turn(const HostBench& bench, Duration begin)
{
    auto random = bench.simulation.random_for("cpu");
    return begin + Duration::picoseconds(
                       static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bench.loop().ps()))));
}

/// A poll that began long ago and the write that ends it. @return when the program resumed
Duration wakes_after(HostBench& bench, const PollRequest& request)
{
    Duration woken;
    bench.run(poll_once(bench.cpu, 1_us, request, woken));
    return woken;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(host_processor)

BOOST_DATA_TEST_CASE(a_poll_ends_a_miss_after_the_first_turn_behind_the_write,
                     data::make({1, 4, 1000}) * data::make({0_ns, 150_ns}) * data::make({50_us, 50'001_ns}), clocks,
                     miss, written)
{
    HostBench bench(with_loop(Cycles(clocks), miss));
    bench.write_at(written, kFlag, little_endian(7, 4));
    const Duration woken = wakes_after(bench, {kFlag, 4, 7});
    BOOST_TEST(woken >= written + miss);
    BOOST_TEST(woken < written + miss + bench.loop());
    BOOST_TEST(bench.statistic("poll_misses") == 1);
}

/// One value after the other: the time from the write to the program is uniform over one turn.
BOOST_DATA_TEST_CASE(the_phase_of_the_loop_averages_to_half_a_turn, data::make({4, 100}), clocks)
{
    constexpr std::uint64_t kPolls = 3000;
    HostBench bench(with_loop(Cycles(clocks), 150_ns));
    const auto written = [](std::uint64_t value) { return 10_us * static_cast<std::int64_t>(value); };
    for (std::uint64_t value = 1; value <= kPolls; ++value) {
        bench.write_at(written(value), kFlag, little_endian(value, 8));
    }
    std::vector<Duration> woken;
    bench.run(poll_for_each(bench.cpu, kPolls, woken));
    BOOST_TEST_REQUIRE(woken.size() == kPolls);
    double sum = 0;
    double least = 1;
    double most = 0;
    for (std::uint64_t value = 1; value <= kPolls; ++value) {
        const double turn = (woken[value - 1] - written(value) - bench.params.poll_miss) / bench.loop();
        sum += turn;
        least = std::min(least, turn);
        most = std::max(most, turn);
    }
    const double deviation = 1 / std::sqrt(12.0 * static_cast<double>(kPolls));
    BOOST_TEST(std::abs(sum / static_cast<double>(kPolls) - 0.5) < 4 * deviation);
    BOOST_TEST(least >= 0);
    BOOST_TEST(least < 0.01);
    BOOST_TEST(most < 1);
    BOOST_TEST(most > 0.99);
}

/// A write of another value makes the loop miss; when the line has arrived, the loop continues from there.
BOOST_DATA_TEST_CASE(the_turns_are_whole_loops_from_the_phase_that_was_drawn_or_from_the_last_miss, data::xrange(1, 6),
                     seed)
{
    HostBench bench(with_loop(1000_cycles, 150_ns), static_cast<std::uint64_t>(seed));  // turns of 2.5 us
    const Duration in_vain = 50_us;
    const Duration right = 90_us;
    bench.write_at(in_vain, kFlag, little_endian(1, 4));
    bench.write_at(right, kFlag, little_endian(7, 4));
    const Duration woken = wakes_after(bench, {kFlag, 4, 7});
    const Duration first = next_turn(drawn_turn(bench, 1_us), bench.loop(), in_vain) + bench.params.poll_miss;
    BOOST_TEST(woken == next_turn(first, bench.loop(), right) + bench.params.poll_miss);
    BOOST_TEST(bench.statistic("poll_misses") == 2);
}

/// The value is written while the line is fetched because of an earlier write: the miss returns it.
BOOST_AUTO_TEST_CASE(a_write_during_the_miss_is_seen_when_the_line_comes)
{
    HostBench bench(with_loop(4_cycles, 10_us));
    const Duration first = 50_us;
    bench.write_at(first, kFlag, little_endian(1, 4));
    bench.write_at(first + 5_us, kFlag, little_endian(7, 4));
    const Duration woken = wakes_after(bench, {kFlag, 4, 7});
    BOOST_TEST(woken >= first + bench.params.poll_miss);
    BOOST_TEST(woken < first + bench.params.poll_miss + bench.loop());
    BOOST_TEST(bench.statistic("poll_misses") == 1);
}

/// At the instant at which the line arrives, and just after.
BOOST_DATA_TEST_CASE(no_write_is_missed_at_any_phase_of_the_loop, data::xrange(0, 40), step)
{
    HostBench bench(with_loop(4_cycles, 150_ns), static_cast<std::uint64_t>(step));
    const Duration first = 50_us;
    const Duration second = first + bench.params.poll_miss - 5_ns + 500_ps * step;
    bench.write_at(first, kFlag, little_endian(1, 4));
    bench.write_at(second, kFlag, little_endian(7, 4));
    const Duration woken = wakes_after(bench, {kFlag, 4, 7});
    BOOST_TEST(bench.cpu.finished());
    BOOST_TEST(woken >= second);
    BOOST_TEST(woken < second + bench.params.poll_miss + bench.loop());
}

BOOST_AUTO_TEST_CASE(a_value_that_is_there_already_is_seen_by_the_first_load)
{
    HostBench bench;
    bench.cpu.poke(kFlag, little_endian(7, 4));
    const Duration woken = wakes_after(bench, {kFlag, 4, 7});
    BOOST_TEST(woken >= 1_us + bench.params.poll_miss);
    BOOST_TEST(woken < 1_us + bench.params.poll_miss + bench.loop());
}

BOOST_DATA_TEST_CASE(only_writes_to_the_polled_line_make_the_loop_miss, data::make({16, 32, 128}), line)
{
    hw::HostParams params;
    params.cache_line = Bytes(line);
    HostBench bench(params);
    const std::uint64_t size = static_cast<std::uint64_t>(line);
    bench.write_at(10_us, kFlag - 4, little_endian(9, 4));     // up to the line
    bench.write_at(20_us, kFlag + size, little_endian(9, 4));  // behind it
    bench.write_at(30_us, kFlag + size - 1, little_endian(9, 1));
    bench.write_at(40_us, kFlag - 4, little_endian(9, 5));
    bench.write_at(50_us, kFlag + 4, little_endian(7, 4));
    Duration woken;
    bench.run(poll_once(bench.cpu, 1_us, {kFlag + 4, 4, 7}, woken));
    BOOST_TEST(bench.statistic("poll_misses") == 3);
}

BOOST_AUTO_TEST_CASE(a_word_over_two_lines_is_watched_whole)
{
    HostBench bench;
    const std::uint64_t address = kFlag + static_cast<std::uint64_t>(bench.params.cache_line.count()) - 2;
    bench.write_at(10_us, address + 2, little_endian(0x0403, 2));
    bench.write_at(20_us, address, little_endian(0x0201, 2));
    const Duration woken = wakes_after(bench, {address, 4, 0x04030201});
    BOOST_TEST(woken >= 20_us);
    BOOST_TEST(bench.statistic("poll_misses") == 2);
}

BOOST_AUTO_TEST_CASE(a_poll_that_never_ends_is_reported)
{
    HostBench bench;
    Duration woken;
    bench.run(poll_once(bench.cpu, 1_us, {kFlag, 4, 7}, woken));
    BOOST_TEST(!bench.cpu.finished());
    BOOST_TEST(bench.cpu.pending() == "program polls 4 bytes at 0x1000 for 0x7");
    BOOST_CHECK_THROW(bench.simulation.require_drained(), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_waiting_poll_costs_no_events)
{
    HostBench bench;
    bench.write_at(1_ms * 100, kFlag, little_endian(7, 4));
    const auto before = bench.simulation.steps();
    wakes_after(bench, {kFlag, 4, 7});
    BOOST_TEST(bench.simulation.steps() - before < 20u);
    BOOST_TEST(bench.statistic("polling") > 99e6);  // ns
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
