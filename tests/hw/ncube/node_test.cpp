// SPDX-License-Identifier: Apache-2.0
#include "hw/ncube/node.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <span>
#include <stdexcept>

#include "tests/hw/ncube/node_bench.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

constexpr Duration kRounding = 2_ns;

bool near(Duration a, Duration b) { return a - b < kRounding && b - a < kRounding; }

Task<> compute(NcubeProcessor& cpu, Duration span, Duration& done)
{
    co_await cpu.compute(span);
    done = now();
}

Task<> compute_and_call(NcubeProcessor& cpu, Duration span, Cycles call, Duration& done)
{
    co_await cpu.compute(span);
    co_await cpu.work({.clocks = call, .system = true});
    done = now();
}

constexpr std::uint64_t kPlace = 0x1000;

Task<> store_and_load(NcubeProcessor& cpu, std::span<const std::byte> from, std::span<std::byte> into, Duration* ends)
{
    const auto size = static_cast<std::uint32_t>(from.size());
    StoreRequest store;
    store.address = kPlace;
    store.data = from.data();
    store.size = size;
    co_await cpu.store(store);
    ends[0] = now();
    LoadRequest load;
    load.address = kPlace;
    load.data = into.data();
    load.size = size;
    co_await cpu.load(load);
    ends[1] = now();
}

Task<> send(NcubeProcessor& cpu, unsigned channel, std::uint32_t size)
{
    co_await cpu.work({.clocks = Cycles(700), .system = false});
    cpu.send(channel, 0x1000, size, 1);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(ncube_node)

BOOST_DATA_TEST_CASE(a_transfer_takes_its_bytes_times_the_clocks_of_a_byte, data::make({1u, 16u, 500u, 2000u}), size)
{
    NodeBench bench;
    std::vector<std::byte> bytes(size);
    for (std::uint32_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + 1);
    bench.nodes[0]->cpu.poke(0x1000, bytes);
    bench.nodes[1]->cpu.expect(1, 0x3000, size);
    bench.nodes[0]->cpu.run(send(bench.nodes[0]->cpu, 1, size), "send");
    bench.simulation.run();
    const Duration end = bench.clocks(700) + bench.clocks(9 * size);
    for (const NotingService& service : bench.services) {
        BOOST_TEST_REQUIRE(service.noted.size() == 1u);
        BOOST_TEST(near(service.noted[0].began, end));
        BOOST_TEST(service.noted[0].interrupt.channel == 1u);
    }
    BOOST_TEST((bench.services[0].noted[0].interrupt.kind == ChannelInterrupt::Kind::kOutput));
    BOOST_TEST((bench.services[1].noted[0].interrupt.kind == ChannelInterrupt::Kind::kInput));
    std::vector<std::byte> got(size);
    bench.nodes[1]->cpu.peek(0x3000, got);
    BOOST_TEST((got == bytes));
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(a_receiving_channel_slows_the_program_underneath_and_a_sending_one_less)
{
    NodeBench bench;
    Duration done[2];
    constexpr std::uint32_t kSize = 2000;
    const Duration span = 10_ms;
    bench.nodes[1]->cpu.expect(0, 0x3000, kSize);
    bench.nodes[0]->cpu.send(0, 0x1000, kSize, 1);
    for (unsigned i = 0; i < 2; ++i) bench.nodes[i]->cpu.run(compute(bench.nodes[i]->cpu, span, done[i]), "compute");
    bench.simulation.run();
    const double transfer = bench.clocks(9 * kSize).us();
    const hw::PortContention contention(bench.params);
    BOOST_TEST((done[0] - span).us() == transfer * (1 - contention.speed(0, 1)), boost::test_tools::tolerance(1e-3));
    BOOST_TEST((done[1] - span).us() == transfer * (1 - contention.speed(1, 0)), boost::test_tools::tolerance(1e-3));
    BOOST_TEST((done[1] > done[0]));
    // Computing time is the same; the slowdown is counted separately
    for (unsigned i = 0; i < 2; ++i) {
        const auto exact = boost::test_tools::tolerance(1e-5);
        BOOST_TEST(bench.statistic(i, "program_clocks") == span / bench.clocks(1), exact);
        BOOST_TEST(bench.statistic(i, "lost_clocks") == (done[i] - span) / bench.clocks(1), exact);
        BOOST_TEST(bench.statistic(i, "system_clocks") == 0);
        BOOST_TEST(bench.statistic(i, "interrupt_clocks") == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_receiving_channel_slows_the_system_by_what_its_own_code_wants_of_the_port)
{
    NodeBench bench;
    Duration done;
    constexpr std::uint32_t kSize = 2000;
    constexpr Cycles kWork(10'000);
    bench.nodes[1]->cpu.expect(0, 0x3000, kSize);
    bench.nodes[0]->cpu.send(0, 0x1000, kSize, 1);
    bench.nodes[1]->cpu.run(compute_and_call(bench.nodes[1]->cpu, {}, kWork, done), "work");
    bench.simulation.run();
    const double speed = hw::PortContention(bench.params).speed(1, 0, hw::PortCode::kSystem);
    BOOST_TEST(done.us() == bench.clocks(kWork.count()).us() / speed, boost::test_tools::tolerance(1e-3));
}

BOOST_DATA_TEST_CASE(a_handler_takes_its_time_from_the_program, data::make({0, 100, 5000}), clocks)
{
    NodeBench bench;
    Duration done;
    const Duration span = 10_ms;
    constexpr std::int64_t kCall = 300;
    bench.services[1].clocks = Cycles(clocks);
    bench.nodes[0]->cpu.send_control(0, {}, 16, 1);
    bench.nodes[1]->cpu.run(compute_and_call(bench.nodes[1]->cpu, span, Cycles(kCall), done), "compute");
    bench.simulation.run();
    BOOST_TEST(near(done, span + bench.clocks(kCall + clocks)));
    BOOST_TEST(near(bench.services[1].noted.at(0).began, bench.clocks(9 * 16)));
    const auto exact = boost::test_tools::tolerance(1e-5);
    BOOST_TEST(bench.statistic(1, "program_clocks") == span / bench.clocks(1), exact);
    BOOST_TEST(bench.statistic(1, "system_clocks") == static_cast<double>(kCall), exact);
    BOOST_TEST(bench.statistic(1, "interrupt_clocks") == static_cast<double>(clocks), exact);
    BOOST_TEST(std::abs(bench.statistic(1, "lost_clocks")) < 0.01);
    BOOST_TEST(bench.statistic(1, "interrupts") == 1);
}

/// Each word of 4 bytes is an instruction with two accesses.
BOOST_DATA_TEST_CASE(a_store_or_load_takes_an_instruction_and_two_accesses_for_each_of_its_words,
                     data::make({1u, 4u, 5u, 64u}), size)
{
    NodeBench bench;
    std::vector<std::byte> from(size), into(size);
    for (std::uint32_t i = 0; i < size; ++i) from[i] = static_cast<std::byte>(i + 1);
    Duration ends[2];
    auto& cpu = bench.nodes[0]->cpu;
    cpu.run(store_and_load(cpu, from, into, ends), "store and load");
    bench.simulation.run();
    const Cycles word = bench.params.processor.instruction + bench.params.memory.access * 2;
    const std::int64_t clocks = (size + 3) / 4 * word.count();
    BOOST_TEST(near(ends[0], bench.clocks(clocks)));
    BOOST_TEST(near(ends[1], bench.clocks(2 * clocks)));
    BOOST_TEST((into == from));
}

BOOST_AUTO_TEST_CASE(handlers_run_one_at_a_time_in_the_order_of_their_interrupts)
{
    NodeBench bench;
    bench.services[1].clocks = Cycles(1000);
    bench.nodes[0]->cpu.send_control(0, {}, 16, 1);
    bench.nodes[0]->cpu.send_control(1, {}, 20, 2);
    bench.nodes[0]->cpu.send_control(0, {}, 16, 3);
    bench.simulation.run();
    const auto& noted = bench.services[1].noted;
    BOOST_TEST_REQUIRE(noted.size() == 3u);
    BOOST_TEST(noted[0].interrupt.message == 1u);
    BOOST_TEST(noted[1].interrupt.message == 2u);
    BOOST_TEST(noted[2].interrupt.message == 3u);
    BOOST_TEST(near(noted[1].began, noted[0].done));
    BOOST_TEST(near(noted[2].began, bench.clocks(9 * 16 + 2000)));
}

BOOST_AUTO_TEST_CASE(transfers_of_one_channel_follow_each_other_and_those_of_two_go_side_by_side)
{
    NodeBench bench;
    bench.nodes[0]->cpu.send_control(0, {}, 100, 1);
    bench.nodes[0]->cpu.send_control(0, {}, 100, 2);
    bench.nodes[0]->cpu.send_control(1, {}, 100, 3);
    bench.simulation.run();
    const auto& noted = bench.services[1].noted;
    BOOST_TEST_REQUIRE(noted.size() == 3u);
    BOOST_TEST(near(noted[0].began, bench.clocks(900)));
    BOOST_TEST(near(noted[1].began, bench.clocks(900)));
    BOOST_TEST(near(noted[2].began, bench.clocks(1800)));
}

/// The channel has no flow control.
BOOST_AUTO_TEST_CASE(unexpected_data_are_lost_and_end_the_run)
{
    NodeBench bench;
    bench.nodes[0]->cpu.run(send(bench.nodes[0]->cpu, 0, 64), "send");
    BOOST_CHECK_THROW(bench.simulation.run(), ModelError);
}

BOOST_DATA_TEST_CASE(an_interrupt_waits_for_the_instruction_of_a_program_and_not_on_an_idle_processor,
                     data::make({false, true}), idle)
{
    constexpr std::int64_t kLongest = 12;
    constexpr int kInterrupts = 200;
    constexpr std::int64_t kWord = 100;
    NodeBench bench{Cycles(kLongest)};
    Duration done;
    // The first handler sends the next word: each comes when no other is served
    bench.services[1].then = [&, left = kInterrupts](const ChannelInterrupt&) mutable {
        if (--left > 0) bench.nodes[0]->cpu.send_control(0, {}, kWord, 1);
    };
    bench.nodes[0]->cpu.send_control(0, {}, kWord, 1);
    if (!idle) bench.nodes[1]->cpu.run(compute(bench.nodes[1]->cpu, 1_s, done), "compute");
    bench.simulation.run();
    const auto& noted = bench.services[1].noted;
    BOOST_TEST_REQUIRE(noted.size() == static_cast<std::size_t>(kInterrupts));
    Duration waited, longest, last;
    for (const auto& each : noted) {
        const Duration wait = each.began - last - bench.clocks(9 * kWord);
        waited += wait;
        longest = std::max(longest, wait);
        last = each.done;
    }
    BOOST_TEST((longest < bench.clocks(kLongest) + kRounding));
    const double mean = waited / bench.clocks(kLongest) / kInterrupts;
    if (idle) {
        BOOST_TEST((waited < kRounding * kInterrupts));
    } else {
        BOOST_TEST(mean == 0.5, boost::test_tools::tolerance(0.15));
    }
}

/// The receiver takes a transfer in its own turn, when the last byte has come.
BOOST_AUTO_TEST_CASE(a_transfer_is_received_after_its_delay)
{
    NodeBench bench;
    ncube::Transfer transfer;
    auto phase = ncube::ChannelPhase::kBegin;
    sc_core::sc_time delay(3, sc_core::SC_NS);
    bench.simulation.run_until(1_ns);
    bench.nodes[0]->channels.out[0]->nb_transport_fw(transfer, phase, delay);
    const auto& receiver = bench.nodes[1]->channels;
    bench.simulation.run_until(3_ns);
    BOOST_TEST(receiver.pending() == "channel 0 has not received all");
    bench.simulation.run_until(5_ns);
    BOOST_TEST(receiver.pending() == "");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
