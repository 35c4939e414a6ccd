// SPDX-License-Identifier: Apache-2.0
/// The card's registers (barrier, flush, DMA orders) and its doorbell.
#include <algorithm>
#include <cstring>
#include <vector>

#include "tests/hw/psb/psb_bench.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using sci::Command;

constexpr Duration kAgain = 100_ns;
constexpr std::uint64_t kBarrier = PsbBench::kWindow + hw::kBarrierRegister;
constexpr std::uint64_t kFlush = PsbBench::kWindow + hw::kFlushRegister;
constexpr std::uint64_t kDma = PsbBench::kWindow + hw::kDmaRegister;

std::vector<std::byte> order(std::uint32_t size, std::uint64_t to, std::uint64_t from = 0x5000)
{
    const hw::DmaCopy order{.from = from, .to = to, .status_address = 0x40, .size = size, .status = 9};
    std::vector<std::byte> bytes(sizeof order);
    std::memcpy(bytes.data(), &order, sizeof order);
    return bytes;
}

hw::Psb::Config with_buffers(std::int64_t buffers)
{
    auto config = PsbBench::config();
    config.chip.dma_buffers = buffers;
    return config;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(psb)

BOOST_AUTO_TEST_CASE(a_barrier_without_stores_is_answered_at_once)
{
    PsbBench bench;
    bench.pci.load_at(1_us, kBarrier, 4);
    bench.run();
    BOOST_TEST(bench.pci.loads.at(0).taken);
    BOOST_TEST(bench.statistic("barriers") == 1);
}

/// Gathered bytes leave at its first try.
BOOST_DATA_TEST_CASE(a_barrier_is_answered_at_the_first_retry_after_the_last_response_and_not_before,
                     data::make({4u, 60u, 64u}) * data::make({100_ns, 3_us}) * data::make({0_ns, 187_ns}), size,
                     network, crossing)
{
    auto config = PsbBench::config();
    config.crossing = crossing;
    PsbBench bench(config);
    bench.answer_after(network);
    bench.pci.store_at(1_us, bench.window, pattern(size));
    const Duration first = 1_us + 200_ns;
    bench.pci.load_at(first, kBarrier, 4, kAgain);
    bench.run();
    const auto& arrived = bench.blink.arrived;
    BOOST_TEST_REQUIRE(arrived.size() == (size == 64 ? 1 : (size + 15) / 16));
    BOOST_TEST(arrived[0].begin == (size == 64 ? 1_us + bench.pci.data_after : first) + crossing);
    const Duration done = arrived.back().begin + network + crossing;
    const auto& loads = bench.pci.loads;
    for (std::size_t i = 0; i + 1 < loads.size(); ++i) BOOST_TEST(!loads[i].taken);
    BOOST_TEST(loads.back().taken);
    BOOST_TEST(loads.back().address_phase >= std::max(first, done));
    BOOST_TEST(loads.back().address_phase <= std::max(first, done + kAgain));
    bench.simulation.require_drained();
}

/// The other buffers' responses do not complete it.
BOOST_AUTO_TEST_CASE(a_barrier_waits_for_the_slowest_of_all_blocks)
{
    PsbBench bench;
    for (std::uint64_t i = 0; i < 8; ++i) {
        bench.pci.store_at(1_us + 100_ns * static_cast<std::int64_t>(i), bench.window + 64 * i, pattern(64));
    }
    bench.run();
    for (std::size_t i = 0; i < 8; ++i) bench.respond_at(i == 3 ? 40_us : 20_us, i);
    bench.pci.load_at(10_us, kBarrier, 4, kAgain);
    bench.run();
    BOOST_TEST(bench.pci.loads.back().address_phase >= 40_us + bench.params.crossing);
    BOOST_TEST(bench.pci.loads.back().address_phase <= 40_us + bench.params.crossing + kAgain);
}

BOOST_AUTO_TEST_CASE(a_flush_sends_the_gathered_bytes_with_its_data_phase)
{
    PsbBench bench;
    bench.answer_after(1_us);
    bench.pci.store_at(1_us, bench.window, pattern(12));
    bench.pci.store_at(2_us, kFlush, pattern(4));
    bench.run();
    BOOST_TEST_REQUIRE(bench.blink.requests.size() == 1u);
    BOOST_TEST(bench.blink.requests[0].time == 2_us + bench.pci.data_after + bench.params.crossing);
    BOOST_TEST(bench.blink.arrived[0].packet.selected == 0xFFF);
    bench.simulation.require_drained();
}

/// Its last byte starts it, wherever the bursts end.
BOOST_DATA_TEST_CASE(an_order_starts_with_its_last_byte_and_ends_with_its_status,
                     data::make({4u, 8u, 32u}) * data::make({1u, 8u}) * data::make({64u, 640u}), piece, buffers, size)
{
    PsbBench bench(with_buffers(buffers));
    bench.answer_after(2_us);
    const auto bytes = order(size, bench.window - PsbBench::kWindow);
    Duration last;
    for (std::size_t from = 0; from < bytes.size(); from += piece) {
        const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(from);
        last = 1_us + 1_ns * static_cast<std::int64_t>(200 * from);
        bench.pci.store_at(last, kDma + from, {begin, begin + static_cast<std::ptrdiff_t>(piece)});
    }
    bench.run();
    const auto& accesses = bench.pci.writes;
    BOOST_TEST_REQUIRE(accesses.size() == size / 64 + 1);
    BOOST_TEST(accesses[0].asked == last + bench.pci.data_after + bench.params.chip.dma_startup);
    const auto& arrived = bench.blink.arrived;
    BOOST_TEST_REQUIRE(arrived.size() == size / 64);
    for (std::size_t i = 0; i < size / 64; ++i) {
        BOOST_TEST(accesses[i].read);
        BOOST_TEST(accesses[i].address == 0x5000 + 64 * i);
        BOOST_TEST(arrived[i].begin == accesses[i].answered + bench.params.crossing);
        BOOST_TEST(arrived[i].packet.command == Command::kWrite64);
        BOOST_TEST(arrived[i].packet.offset == PsbBench::kMapped + 64 * i);
        const auto block = pci_memory(0x5000 + 64 * i, 64);
        BOOST_TEST(std::equal(block.begin(), block.end(), arrived[i].packet.data.begin()));
        // With one buffer the next read waits for the response, with more for the bus alone
        if (i == 0) continue;
        const Duration answered = arrived[i - 1].begin + 2_us + bench.params.crossing;
        if (buffers == 1) BOOST_TEST(accesses[i].asked == answered);
        if (buffers > 1 && i < buffers) BOOST_TEST(accesses[i].asked == accesses[i - 1].answered);
    }
    const PciProbe::Write& status = accesses.back();
    BOOST_TEST(!status.read);
    BOOST_TEST(status.address == 0x40u);
    BOOST_TEST(status.asked == arrived.back().begin + 2_us + bench.params.crossing);
    BOOST_TEST(std::to_integer<int>(status.bytes.at(0)) == 9);
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(a_second_order_follows_the_status_of_the_first_one)
{
    PsbBench bench(with_buffers(2));
    bench.answer_after(1_us);
    bench.pci.store_at(1_us, kDma, order(128, bench.window - PsbBench::kWindow));
    bench.pci.store_at(100_us, kDma, order(256, bench.window - PsbBench::kWindow + 512, 0x9000));
    bench.run();
    const auto& accesses = bench.pci.writes;
    BOOST_TEST_REQUIRE(accesses.size() == 3u + 5u);
    BOOST_TEST(accesses[3].address == 0x9000u);
    BOOST_TEST(bench.blink.arrived.at(2).packet.offset == PsbBench::kMapped + 512);
    BOOST_TEST(bench.statistic("dma_orders") == 2);
    BOOST_TEST(bench.statistic("dma_blocks") == 6);
    bench.simulation.require_drained();
}

/// Requests of the network and reads of the engine have the bus in turn.
BOOST_AUTO_TEST_CASE(neither_the_dma_engine_nor_the_network_waits_for_more_than_one_of_the_other)
{
    auto config = with_buffers(8);
    config.chip.dma_startup = 0_ns;
    PsbBench bench(config);
    bench.answer_after(10_ns);
    bench.pci.store_at(1_us, kDma, order(640, bench.window - PsbBench::kWindow));
    for (std::uint64_t id = 1; id <= 8; ++id)
        bench.blink.send_at(1_us, make_packet(Command::kMove64, PsbBench::kMe, id));
    bench.run();
    const auto& accesses = bench.pci.writes;
    BOOST_TEST_REQUIRE(accesses.size() == 8u + 11u);
    const auto first = std::find_if(accesses.begin(), accesses.end(), [](const auto& access) { return !access.read; });
    const auto from = static_cast<std::size_t>(first - accesses.begin());
    BOOST_TEST(from <= 4u);
    for (std::size_t i = 0; i < 14; ++i) BOOST_TEST(accesses[from + i].read == (i % 2 == 1));
}

BOOST_DATA_TEST_CASE(a_store_to_the_doorbell_is_an_interrupt_and_no_write,
                     data::make({Command::kWrite16, Command::kWrite64, Command::kMove64}), command)
{
    std::vector<Duration> rings;
    auto config = PsbBench::config();
    config.slot.interrupt = [&rings](std::uint64_t) { rings.push_back(now()); };
    PsbBench bench(config);
    auto packet = make_packet(command, PsbBench::kMe, 5);
    packet.offset = sci::kDoorbellOffset;
    bench.blink.send_at(1_us, packet);
    bench.run();
    BOOST_TEST(rings == std::vector{1_us + config.crossing}, boost::test_tools::per_element());
    BOOST_TEST(bench.pci.writes.empty());
    BOOST_TEST(bench.blink.arrived.size() == (sci::wants_response(command) ? 1u : 0u));
    BOOST_TEST(bench.statistic("interrupts") == 1);
    bench.simulation.require_drained();
}

/// It goes behind the bytes that came before it, and its response needs room as any other.
BOOST_AUTO_TEST_CASE(a_doorbell_waits_for_the_writes_before_it_and_for_room_for_its_response)
{
    std::vector<Duration> rings;
    auto config = PsbBench::config();
    config.slot.interrupt = [&rings](std::uint64_t) { rings.push_back(now()); };
    config.chip.inbound_slots = 2;
    PsbBench bench(config);
    bench.blink.has_room = {true, false};
    bench.pci.write_takes = 3_us;
    auto doorbell = make_packet(Command::kWrite16, PsbBench::kMe, 9);
    doorbell.offset = sci::kDoorbellOffset;
    for (std::uint64_t id = 1; id <= 2; ++id)
        bench.blink.send_at(1_us, make_packet(Command::kWrite64, PsbBench::kMe, id));
    bench.blink.send_at(1_us, doorbell);
    bench.blink.grant_at(50_us, sci::Class::kResponse);
    bench.blink.grant_at(60_us, sci::Class::kResponse, true);
    bench.run();
    BOOST_TEST_REQUIRE(bench.pci.writes.size() == 2u);
    BOOST_TEST(bench.pci.writes[1].answered < 10_us);
    BOOST_TEST(rings == std::vector{50_us}, boost::test_tools::per_element());
    BOOST_TEST(bench.blink.arrived.size() == 3u);
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(a_load_from_the_doorbell_is_an_error)
{
    PsbBench bench;
    auto packet = make_packet(Command::kRead16, PsbBench::kMe, 5);
    packet.offset = sci::kDoorbellOffset;
    bench.blink.send_at(1_us, packet);
    BOOST_CHECK_THROW(bench.run(), std::exception);
}

BOOST_AUTO_TEST_CASE(accesses_past_the_last_register_are_errors)
{
    PsbBench bench;
    bench.pci.store_at(1_us, kDma + sizeof(hw::DmaCopy) - 4, pattern(8));
    BOOST_CHECK_THROW(bench.run(), std::exception);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
