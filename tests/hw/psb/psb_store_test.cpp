// SPDX-License-Identifier: Apache-2.0
/// From the PCI store to the request on the B-Link, and back to the freed stream buffer.
#include <algorithm>
#include <vector>

#include "tests/hw/journey_probe.h"
#include "tests/hw/psb/psb_bench.h"
#include "tests/support/cases.h"
#include "tests/support/policies.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using sci::Command;

hw::Psb::Config with(std::int64_t buffers, hw::StreamAssignment rule = "by-address")
{
    auto config = PsbBench::config();
    config.chip.stream_buffers = buffers;
    config.chip.stream_assignment = rule;
    return config;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(psb)

BOOST_DATA_TEST_CASE(a_full_block_comes_to_the_blink_a_crossing_after_its_last_store,
                     data::make({0_ns, 187_ns, 1_us}) * data::make({16, 64}), crossing, piece)
{
    auto config = PsbBench::config();
    config.crossing = crossing;
    PsbBench bench(config);
    const auto bytes = pattern(64);
    const int pieces = 64 / piece;
    for (int i = 0; i < pieces; ++i) {
        bench.pci.store_at(1_us + 100_ns * i, bench.window + 128 + static_cast<std::uint64_t>(piece * i),
                           {bytes.begin() + piece * i, bytes.begin() + piece * (i + 1)});
    }
    bench.run();
    BOOST_TEST_REQUIRE(bench.blink.arrived.size() == 1u);
    const Duration stored = 1_us + 100_ns * (pieces - 1) + bench.pci.data_after;
    BOOST_TEST(bench.blink.requests[0].time == stored + crossing);
    BOOST_TEST(bench.blink.requests[0].to == PsbBench::kLinkPort);
    BOOST_TEST(bench.blink.requests[0].kind == sci::Class::kRequest);
    const sci::Packet& packet = bench.blink.arrived[0].packet;
    BOOST_TEST(packet.command == Command::kWrite64);
    BOOST_TEST(packet.target == PsbBench::kThere);
    BOOST_TEST(packet.source == PsbBench::kMe);
    BOOST_TEST(packet.offset == PsbBench::kMapped + 128);
    BOOST_TEST(packet.born_ps == stored.ps());
    BOOST_TEST(!packet.old);
    BOOST_TEST(std::equal(bytes.begin(), bytes.end(), packet.data.begin()));
}

BOOST_DATA_TEST_CASE(a_partly_filled_block_leaves_at_its_timeout_exactly, data::make({100_ns, 700_ns, 5_us}), timeout)
{
    auto config = PsbBench::config();
    config.chip.flush_timeout = timeout;
    PsbBench bench(config);
    bench.pci.store_at(1_us, bench.window, pattern(4));
    bench.pci.store_at(1_us + timeout / 2, bench.window + 4, pattern(4));
    bench.run();
    BOOST_TEST_REQUIRE(bench.blink.requests.size() == 1u);
    const Duration last_store = 1_us + timeout / 2 + bench.pci.data_after;
    BOOST_TEST(bench.blink.requests[0].time == last_store + timeout + config.crossing);
    BOOST_TEST(bench.blink.arrived[0].packet.command == Command::kWrite16);
    BOOST_TEST(bench.blink.arrived[0].packet.selected == 0xFF);
}

/// Its address phase comes before the time-out, its data after.
BOOST_DATA_TEST_CASE(a_store_that_is_on_the_bus_at_the_timeout_still_joins_its_block,
                     data::make(all_policies<hw::StreamAssignmentPolicy>()) * data::make({1_ps, 30_ns, 59_ns}), rule,
                     before)
{
    PsbBench bench(with(1, rule));
    bench.pci.store_at(1_us, bench.window, pattern(4));
    const Duration timeout = 1_us + bench.pci.data_after + bench.params.chip.flush_timeout;
    bench.pci.store_at(timeout - before, bench.window + 4, pattern(4));
    bench.run();
    BOOST_TEST_REQUIRE(bench.blink.arrived.size() == 1u);
    BOOST_TEST(bench.blink.arrived[0].packet.selected == 0xFF);
    BOOST_TEST(bench.blink.requests[0].time ==
               timeout - before + bench.pci.data_after + bench.params.chip.flush_timeout + bench.params.crossing);
}

BOOST_AUTO_TEST_CASE(a_store_elsewhere_flushes_the_previous_block_in_its_address_phase)
{
    PsbBench bench;
    bench.pci.store_at(1_us, bench.window + 20, pattern(8));
    bench.pci.store_at(2_us, bench.window + 64, pattern(4));
    bench.run();
    BOOST_TEST_REQUIRE(bench.blink.requests.size() == 2u);
    BOOST_TEST(bench.blink.requests[0].time == 2_us + bench.params.crossing);
    const sci::Packet& packet = bench.blink.arrived[0].packet;
    BOOST_TEST(packet.offset == PsbBench::kMapped + 16);
    BOOST_TEST(packet.selected == 0xFF0);
    const auto bytes = pattern(8);
    BOOST_TEST(std::equal(bytes.begin(), bytes.end(), packet.data.begin() + 4));
}

/// As 16, 16, 16 and 12 bytes: the next one leaves when the response has crossed to the stream buffer.
BOOST_DATA_TEST_CASE(sixty_bytes_leave_as_four_requests_one_after_the_other, data::make({100_ns, 3_us}), network)
{
    PsbBench bench;
    const auto bytes = pattern(60);
    bench.pci.store_at(1_us, bench.window, bytes);
    Duration asked = 1_us + bench.pci.data_after + bench.params.chip.flush_timeout + bench.params.crossing;
    for (std::size_t i = 0; i < 4; ++i) {
        bench.run();
        BOOST_TEST_REQUIRE(bench.blink.arrived.size() == i + 1);
        BOOST_TEST(bench.blink.requests[i].time == asked);
        const sci::Packet& packet = bench.blink.arrived[i].packet;
        BOOST_TEST(packet.command == Command::kWrite16);
        BOOST_TEST(packet.offset == PsbBench::kMapped + 16 * i);
        BOOST_TEST(packet.selected == (i < 3 ? 0xFFFF : 0x0FFF));
        const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(16 * i);
        BOOST_TEST(std::equal(begin, begin + (i < 3 ? 16 : 12), packet.data.begin()));
        bench.respond_at(asked + network, i);
        asked += network + 2 * bench.params.crossing;  // response in, next request out
    }
    bench.run();
    BOOST_TEST(bench.blink.arrived.size() == 4u);
    BOOST_TEST(bench.statistic("partial_writes") == 4);
    BOOST_TEST(bench.statistic("blocks") == 0);
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(a_store_without_a_free_buffer_is_retried_until_the_response_has_crossed,
                     data::make(all_policies<hw::StreamAssignmentPolicy>()) * data::make({1, 2}), rule, buffers)
{
    PsbBench bench(with(buffers, rule));
    for (int i = 0; i < buffers; ++i) {
        bench.pci.store_at(1_us * (i + 1), bench.window + 64 * static_cast<std::uint64_t>(i), pattern(64));
    }
    bench.run();
    const Duration response = 10_us;
    const Duration free = response + bench.params.crossing;
    bench.respond_at(response, 0);  // frees the first block's buffer
    const std::uint64_t next = bench.window + 64 * static_cast<std::uint64_t>(buffers);
    bench.pci.store_at(5_us, next, pattern(64));
    bench.pci.store_at(free - 1_ps, next, pattern(64));
    bench.pci.store_at(free + 1_ps, next, pattern(64));
    bench.run();
    const auto first = static_cast<std::size_t>(buffers);
    BOOST_TEST(!bench.pci.stores.at(first).taken);
    BOOST_TEST(!bench.pci.stores.at(first + 1).taken);
    BOOST_TEST(bench.pci.stores.at(first + 2).taken);
    BOOST_TEST(bench.statistic("stalls") == 2);
    BOOST_TEST(bench.statistic("stores") == buffers + 1);
}

/// By address it is the packet in the block's buffer, otherwise that of the buffer in use longest.
BOOST_DATA_TEST_CASE(a_store_without_a_free_buffer_names_the_packet_whose_response_frees_it,
                     data::make(all_policies<hw::StreamAssignmentPolicy>()) * data::make({0, 1}), rule, block)
{
    PsbBench bench(with(2, rule));
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    for (std::uint64_t i = 0; i < 2; ++i) {
        bench.pci.store_at(1_us * static_cast<std::int64_t>(i + 1), bench.window + 64 * i, pattern(64));
    }
    bench.pci.store_at(5_us, bench.window + 128 + 64 * static_cast<std::uint64_t>(block), pattern(64));
    bench.run();
    const bool by_address = rule->name == "by-address";
    const auto& refused = bench.pci.stores.at(2);
    BOOST_TEST(!refused.taken);
    BOOST_TEST(refused.refusal.why == "no stream buffer");
    const auto& awaited = bench.blink.arrived.at(by_address ? static_cast<std::size_t>(block) : 0);
    BOOST_TEST(refused.refusal.behind == awaited.packet.id);
}

BOOST_AUTO_TEST_CASE(a_store_whose_own_buffer_is_taken_says_so_while_another_is_free)
{
    PsbBench bench(with(2, "by-address"));
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    bench.pci.store_at(1_us, bench.window, pattern(64));
    bench.pci.store_at(2_us, bench.window + 128, pattern(64));
    bench.run();
    const auto& refused = bench.pci.stores.at(1);
    BOOST_TEST(!refused.taken);
    BOOST_TEST(refused.refusal.why == "its stream buffer taken");
}

BOOST_AUTO_TEST_CASE(requests_wait_in_order_for_the_blink)
{
    PsbBench bench;
    bench.blink.has_room = {false, true};
    for (int i = 0; i < 8; ++i) {
        bench.pci.store_at(1_us * (i + 1), bench.window + 64 * static_cast<std::uint64_t>(i), pattern(64));
    }
    bench.blink.grant_at(50_us, sci::Class::kRequest);
    bench.blink.grant_at(60_us, sci::Class::kRequest, true);
    bench.run();
    BOOST_TEST_REQUIRE(bench.blink.arrived.size() == 8u);
    for (std::size_t i = 0; i < 8; ++i) {
        BOOST_TEST(bench.blink.arrived[i].packet.offset == PsbBench::kMapped + 64 * i);
        BOOST_TEST(bench.blink.arrived[i].begin == (i == 0 ? 50_us : 60_us));
    }
}

BOOST_AUTO_TEST_CASE(a_round_trip_counts_from_the_request_to_the_response_in_the_buffer)
{
    PsbBench bench;
    bench.pci.store_at(1_us, bench.window, pattern(64));
    bench.run();
    bench.respond_at(9_us, 0);
    bench.run();
    BOOST_TEST(bench.psb.stats().round_trip.count() == 1u);
    BOOST_TEST(bench.psb.stats().round_trip.maximum() == 9_us + bench.params.crossing - (1_us + bench.pci.data_after));
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(a_store_that_opens_a_buffer_waits_for_it_and_one_that_joins_does_not,
                     data::make({0_ns, 60'606_ps, 1_us}) * data::make(kCards), wait, card)
{
    auto config = with(1);
    card.set(config.chip);
    config.stream_open = wait;
    PsbBench bench(config);
    const auto stores = card.stream / 16;
    for (std::uint64_t i = 0; i <= stores; ++i) {
        bench.pci.store_at(2_us * (static_cast<std::int64_t>(i) + 1), bench.window + 16 * i, pattern(16));
    }
    bench.run();
    BOOST_TEST_REQUIRE(bench.pci.stores.size() == stores + 1);
    for (std::uint64_t i = 0; i < stores; ++i) BOOST_TEST(bench.pci.stores[i].wait == (i == 0 ? wait : 0_ns));
    BOOST_TEST(!bench.pci.stores[stores].taken);
    BOOST_TEST(bench.pci.stores[stores].wait == 0_ns);
}

/// Its packets ask for the B-Link at the same time, and the buffer is taken until both are answered.
BOOST_DATA_TEST_CASE(a_full_buffer_leaves_as_all_its_requests_at_once, data::make(kCards), card)
{
    auto config = with(1);
    card.set(config.chip);
    PsbBench bench(config);
    const auto sent = pattern(card.stream);
    for (std::uint64_t at = 0; at < card.stream; at += 32) {
        bench.pci.store_at(
            1_us + 10_ns * static_cast<std::int64_t>(at), bench.window + at,
            {sent.begin() + static_cast<std::ptrdiff_t>(at), sent.begin() + static_cast<std::ptrdiff_t>(at + 32)});
    }
    bench.run();
    const std::size_t count = card.stream / card.transaction;
    BOOST_TEST_REQUIRE(bench.blink.arrived.size() == count);
    for (std::size_t i = 0; i < count; ++i) {
        const sci::Packet& packet = bench.blink.arrived[i].packet;
        BOOST_TEST(bench.blink.arrived[i].begin == bench.blink.arrived[0].begin);
        BOOST_TEST(packet.command == (card.transaction == 128 ? Command::kWrite128 : Command::kWrite64));
        BOOST_TEST(packet.offset == PsbBench::kMapped + i * card.transaction);
        const auto begin = sent.begin() + static_cast<std::ptrdiff_t>(i * card.transaction);
        BOOST_TEST(std::equal(begin, begin + static_cast<std::ptrdiff_t>(card.transaction), packet.data.begin()));
    }
    BOOST_TEST(bench.statistic("blocks") == count);
    for (std::size_t i = count; i-- > 0;) {  // the later one first
        bench.pci.store_at(now() + 1_ns, bench.window + 1024, pattern(4));
        bench.respond_at(now() + 2_ns, i);
        bench.run();
        BOOST_TEST(!bench.pci.stores.back().taken);
    }
    bench.pci.store_at(now() + 1_ns, bench.window + 1024, pattern(4));
    bench.run();
    BOOST_TEST(bench.pci.stores.back().taken);
}

BOOST_AUTO_TEST_CASE(a_store_to_a_page_that_is_not_mapped_is_an_error)
{
    PsbBench bench;
    bench.pci.store_at(1_us, bench.window + (std::uint64_t{1} << 30), pattern(64));
    BOOST_CHECK_THROW(bench.run(), std::exception);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
