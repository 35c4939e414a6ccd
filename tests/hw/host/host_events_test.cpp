// SPDX-License-Identifier: Apache-2.0
/// Interrupts and orders to the DMA engine, as the processor has them.
#include <algorithm>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <vector>

#include "tests/hw/host/host_bench.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using namespace ringmesh::test;

Task<> take_interrupts(PcProcessor& cpu, Duration from, std::size_t count, std::vector<Duration>& woken)
{
    co_await cpu.compute(from);
    for (std::size_t i = 0; i < count; ++i) {
        co_await cpu.interrupt();
        woken.push_back(cpu.time());
    }
}

/// Interrupts at these times for a program that waits for them from 10 us on. @return when it resumes
std::vector<Duration> wakes(const std::vector<Duration>& interrupts, Duration interrupt)
{
    hw::HostParams params;
    params.interrupt = interrupt;
    HostBench bench(params);
    Timetable timetable("timetable");
    for (const Duration time : interrupts) timetable.at(time, [&bench] { bench.cpu.interrupted(); });
    std::vector<Duration> woken;
    bench.run(take_interrupts(bench.cpu, 10_us, interrupts.size(), woken));
    return woken;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(host_processor)

BOOST_DATA_TEST_CASE(a_waiting_program_resumes_when_the_handler_is_done,
                     data::make({0_ns, 12_us}) * data::make({10'001_ns, 50_us}), handler, time)
{
    BOOST_TEST(wakes({time}, handler) == std::vector{time + handler}, boost::test_tools::per_element());
}

/// An interrupt before the wait is not lost, and its handler may be done already.
BOOST_DATA_TEST_CASE(an_interrupt_before_the_wait_ends_it,
                     data::make({1_us, 5_us, 9_us, 10_us}) * data::make({3_us, 12_us}), time, handler)
{
    BOOST_TEST(wakes({time}, handler) == std::vector{std::max(time + handler, 10_us)},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_interrupt_ends_one_wait)
{
    const Duration handler = 5_us;
    // Two before the wait, one while the second handler runs, one for a program that waits
    const auto woken = wakes({1_us, 8_us, 9_us, 40_us}, handler);
    const std::vector<Duration> expected{10_us, 13_us, 14_us, 45_us};
    BOOST_TEST(woken == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(two_interrupts_for_a_waiting_program_end_two_waits)
{
    const std::vector<Duration> expected{25_us, 26_us};
    BOOST_TEST(wakes({20_us, 21_us}, 5_us) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_program_that_waits_for_ever_is_reported)
{
    HostBench bench;
    std::vector<Duration> woken;
    bench.run(take_interrupts(bench.cpu, 1_us, 1, woken));
    BOOST_TEST(woken.empty());
    BOOST_TEST(bench.cpu.pending() == "program waits for an interrupt");
}

namespace {

constexpr std::uint64_t kTo = 0x2000;  ///< in the window

Task<> copy_twice(PcProcessor& cpu, std::vector<Duration>& done)
{
    for (const std::uint32_t size : {64U, 4096U}) {
        const DmaRequest order{.from = 0x3004, .to = HostBench::kWindow + kTo, .size = size};
        co_await cpu.dma(order);
        done.push_back(cpu.time());
    }
}

/// The order that arrived in the transactions from `first` on, if they fill the register.
hw::DmaCopy order_in(const std::vector<PciProbe::Write>& writes, std::size_t first)
{
    std::array<std::byte, sizeof(hw::DmaCopy)> bytes{};
    std::size_t count = 0;
    for (std::size_t i = first; i < writes.size() && count < bytes.size(); ++i) {
        BOOST_TEST(writes[i].address == HostBench::kWindow + CardWindow::kDmaRegister + count);
        BOOST_TEST(!writes[i].read);
        std::copy(writes[i].bytes.begin(), writes[i].bytes.end(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
        count += writes[i].bytes.size();
    }
    BOOST_TEST(count == bytes.size());
    hw::DmaCopy order;
    std::memcpy(&order, bytes.data(), sizeof order);
    return order;
}

/// The status written by the card's engine when it is done.
void finish_at(HostBench& bench, Duration time, std::uint64_t address, std::uint32_t status)
{
    std::vector<std::byte> bytes(sizeof status);
    std::memcpy(bytes.data(), &status, sizeof status);
    bench.write_at(time, address, bytes);
}

}  // namespace

/// For all gathering widths of the bridge, and with the smallest buffers.
BOOST_DATA_TEST_CASE(a_dma_order_is_stored_to_the_card_and_done_when_its_status_is_in_memory,
                     data::make({64, 16, 4}) * data::make({1, 8}), gather, places)
{
    hw::HostParams params;
    params.mmx_gather = Bytes(gather);
    params.posted_writes = places;
    HostBench bench(params);
    std::vector<Duration> done;
    bench.cpu.run(copy_twice(bench.cpu, done), "program");
    const auto transactions = std::max(sizeof(hw::DmaCopy) / static_cast<std::size_t>(gather), std::size_t{1});
    std::uint32_t last_status = 0;  // of the order before
    bench.simulation.run();
    for (const std::uint32_t size : {64U, 4096U}) {
        const auto& writes = bench.pci.writes;
        const std::size_t orders = size == 64 ? 1 : 2;
        BOOST_TEST_REQUIRE(writes.size() == orders * transactions);
        const hw::DmaCopy order = order_in(writes, writes.size() - transactions);
        BOOST_TEST(order.from == 0x3004u);
        BOOST_TEST(order.to == kTo);
        BOOST_TEST(order.size == size);
        BOOST_TEST(order.status != last_status);
        BOOST_TEST(done.size() == orders - 1);
        finish_at(bench, now() + 20_us, order.status_address, last_status);  // another one's end is not its own
        const Duration end = now() + 50_us;
        finish_at(bench, end, order.status_address, order.status);
        bench.simulation.run();
        BOOST_TEST_REQUIRE(done.size() == orders);
        BOOST_TEST(done.back() >= end + params.poll_miss);
        BOOST_TEST(done.back() < end + params.poll_miss + bench.loop());
        last_status = order.status;
    }
    BOOST_TEST(bench.cpu.finished());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
