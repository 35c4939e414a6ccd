// SPDX-License-Identifier: Apache-2.0
/// From a request on the B-Link to the write on PCI, and its response.
#include <vector>

#include "tests/hw/psb/psb_bench.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using sci::Class;
using sci::Command;

sci::Packet request(std::uint64_t id, Command command = Command::kWrite64)
{
    return make_packet(command, PsbBench::kMe, id);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(psb)

BOOST_DATA_TEST_CASE(
    a_request_asks_for_pci_a_crossing_after_its_last_byte_and_its_response_leaves_a_crossing_after_the_write,
    data::make({0_ns, 187_ns, 1_us}) * data::make({0_ns, 220_ns}) * data::make({60_ns, 900_ns}), crossing, transfer,
    write)
{
    auto config = PsbBench::config();
    config.crossing = crossing;
    PsbBench bench(config);
    bench.blink.sending_takes = transfer;
    bench.pci.write_takes = write;
    bench.blink.send_at(1_us, request(5));
    bench.run();
    BOOST_TEST_REQUIRE(bench.pci.writes.size() == 1u);
    BOOST_TEST(bench.pci.writes[0].asked == 1_us + transfer + crossing);
    BOOST_TEST_REQUIRE(bench.blink.requests.size() == 1u);
    BOOST_TEST(bench.blink.requests[0].time == 1_us + transfer + crossing + write + crossing);
    BOOST_TEST(bench.blink.requests[0].kind == Class::kResponse);
    const sci::Packet& response = bench.blink.arrived[0].packet;
    BOOST_TEST(response.command == Command::kResponse0);
    BOOST_TEST(response.target == request(5).source);
    BOOST_TEST(response.tag == request(5).tag);
    BOOST_TEST(response.id == 5u);
    BOOST_TEST(response.born_ps == request(5).born_ps);
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(a_large_request_writes_its_block_at_once_and_a_move_is_not_answered,
                     data::make({Command::kWrite64, Command::kWrite128, Command::kMove64}), command)
{
    PsbBench bench;
    bench.blink.send_at(1_us, request(5, command));
    bench.run();
    BOOST_TEST_REQUIRE(bench.pci.writes.size() == 1u);
    BOOST_TEST(bench.pci.writes[0].address == request(5).offset);
    BOOST_TEST(bench.pci.writes[0].packet == 5u);
    const auto sent = request(5).data;
    const auto size = static_cast<std::ptrdiff_t>(sci::data_bytes(command));
    BOOST_TEST((bench.pci.writes[0].bytes == std::vector<std::byte>(sent.begin(), sent.begin() + size)));
    BOOST_TEST(bench.blink.requests.size() == (sci::wants_response(command) ? 1u : 0u));
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(a_16_byte_request_writes_its_selected_bytes,
                     data::make({0, 1, 4, 12, 15}) ^ data::make({16, 4, 8, 4, 1}), first, count)
{
    PsbBench bench;
    auto packet = request(5, Command::kWrite16);
    packet.selected = static_cast<std::uint16_t>(((1U << count) - 1U) << first);
    bench.blink.send_at(1_us, packet);
    bench.run();
    BOOST_TEST_REQUIRE(bench.pci.writes.size() == 1u);
    BOOST_TEST(bench.pci.writes[0].address == packet.offset + static_cast<unsigned>(first));
    const std::vector<std::byte> wanted(packet.data.begin() + first, packet.data.begin() + first + count);
    BOOST_TEST((bench.pci.writes[0].bytes == wanted));
}

/// Each source counts its own.
BOOST_AUTO_TEST_CASE(requests_that_a_later_one_of_their_source_has_overtaken_are_counted)
{
    PsbBench bench;
    const auto send = [&](std::uint32_t made, sci::NodeId source) {
        auto packet = request(100 - made);
        packet.made = made;
        packet.source = source;
        bench.blink.send_at(1_us, packet);
    };
    for (const std::uint32_t made : {5u, 7u, 6u, 8u, 1u, 9u}) send(made, 3);
    for (const std::uint32_t made : {2u, 4u}) send(made, 700);
    bench.run();
    BOOST_TEST(bench.statistic("reordered") == 2);
    BOOST_TEST(bench.statistic("written") == 8);
}

BOOST_AUTO_TEST_CASE(requests_are_written_one_after_the_other_in_their_order)
{
    PsbBench bench;
    bench.pci.write_takes = 600_ns;
    for (std::uint64_t id = 0; id < 6; ++id) bench.blink.send_at(1_us, request(id));
    bench.run();
    BOOST_TEST_REQUIRE(bench.pci.writes.size() == 6u);
    for (std::size_t i = 0; i < 6; ++i) {
        BOOST_TEST(bench.pci.writes[i].packet == i);
        BOOST_TEST(bench.pci.writes[i].asked == 1_us + bench.params.crossing + 600_ns * static_cast<std::int64_t>(i));
    }
}

BOOST_DATA_TEST_CASE(a_retried_write_is_repeated_after_the_gap, data::make({0_ns, 60_ns, 1_us}), gap)
{
    auto config = PsbBench::config();
    config.retry_gap = gap;
    PsbBench bench(config);
    bench.pci.write_answers = {false, false, true};
    bench.blink.send_at(1_us, request(1));
    bench.blink.send_at(1_us, request(2));
    bench.run();
    const auto& writes = bench.pci.writes;
    BOOST_TEST_REQUIRE(writes.size() == 4u);
    BOOST_TEST(writes[1].asked == writes[0].answered + gap);
    BOOST_TEST(writes[2].asked == writes[1].answered + gap);
    BOOST_TEST(writes[3].asked == writes[2].answered);
    for (std::size_t i = 0; i < 3; ++i) BOOST_TEST((writes[i].bytes == writes[0].bytes));
    BOOST_TEST(writes[3].packet == 2u);
    BOOST_TEST(bench.statistic("written") == 2);
    BOOST_TEST(bench.blink.arrived.size() == 2u);
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(a_full_inbound_queue_lets_the_next_request_in_when_one_is_written,
                     data::make({1, 2, 8}) * data::make({Command::kWrite64, Command::kMove64}), slots, command)
{
    auto config = PsbBench::config();
    config.chip.inbound_slots = slots;
    PsbBench bench(config);
    bench.pci.write_takes = 5_us;
    for (int i = 0; i < slots + 2; ++i) bench.blink.send_at(1_us, request(static_cast<std::uint64_t>(i), command));
    bench.run();
    const auto& sent = bench.blink.sent;
    BOOST_TEST_REQUIRE(sent.size() == static_cast<std::size_t>(slots) + 2);
    for (std::size_t i = 0; i < static_cast<std::size_t>(slots); ++i) BOOST_TEST(sent[i].granted == 1_us);
    for (std::size_t i = 0; i < 2; ++i) {
        BOOST_TEST(sent[static_cast<std::size_t>(slots) + i].granted == bench.pci.writes[i].answered);
    }
    bench.simulation.require_drained();
}

/// Room is reserved when it is granted, not when the bytes arrive.
BOOST_AUTO_TEST_CASE(packets_on_the_blink_count_as_inbound)
{
    auto config = PsbBench::config();
    config.chip.inbound_slots = 2;
    PsbBench bench(config);
    bench.blink.sending_takes = 1_us;
    for (std::uint64_t id = 0; id < 3; ++id) bench.blink.send_at(1_us, request(id));
    bench.run();
    BOOST_TEST_REQUIRE(bench.blink.sent.size() == 3u);
    BOOST_TEST(bench.blink.sent[1].granted == 1_us);
    BOOST_TEST(bench.blink.sent[2].granted == bench.pci.writes[0].answered);
}

BOOST_DATA_TEST_CASE(requests_wait_while_there_is_no_room_for_their_responses, data::make({1, 2, 8}), slots)
{
    auto config = PsbBench::config();
    config.chip.inbound_slots = slots;
    PsbBench bench(config);
    bench.blink.has_room = {true, false};
    for (int i = 0; i < slots + 2; ++i) bench.blink.send_at(1_us, request(static_cast<std::uint64_t>(i)));
    bench.blink.grant_at(100_us, Class::kResponse);
    bench.blink.grant_at(200_us, Class::kResponse, true);
    bench.run();
    const auto& writes = bench.pci.writes;
    const auto full = static_cast<std::size_t>(slots);
    BOOST_TEST_REQUIRE(writes.size() == full + 2);
    BOOST_TEST(writes[full - 1].asked < 50_us);
    BOOST_TEST(writes[full].asked == 100_us);
    BOOST_TEST(writes[full + 1].asked == 200_us);
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(responses_are_accepted_though_the_inbound_queue_is_full)
{
    auto config = PsbBench::config();
    config.chip.inbound_slots = 1;
    PsbBench bench(config);
    bench.pci.write_takes = 100_us;
    bench.pci.store_at(1_us, bench.window, pattern(64));
    bench.run();
    bench.blink.send_at(5_us, request(1));
    bench.blink.send_at(5_us, request(2));
    bench.respond_at(6_us, 0);
    bench.run();
    BOOST_TEST(bench.psb.stats().round_trip.maximum() < 10_us);
    BOOST_TEST(bench.blink.sent.at(1).granted == 6_us);
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(a_response_is_sent_though_requests_wait)
{
    PsbBench bench;
    bench.blink.has_room = {false, true};
    bench.pci.store_at(1_us, bench.window, pattern(64));
    bench.blink.send_at(5_us, request(1));
    bench.run();
    BOOST_TEST_REQUIRE(bench.blink.arrived.size() == 1u);
    BOOST_TEST(bench.blink.arrived[0].packet.command == Command::kResponse0);
    BOOST_TEST(bench.psb.pending() == "1 stream buffers in use, 1 requests wait for the B-Link");
}

/// The far end's time stamp travels in the response.
BOOST_DATA_TEST_CASE(the_response_time_counts_from_the_far_write, data::make({1_us, 4_us}), network)
{
    PsbBench near;
    near.pci.store_at(1_us, near.window, pattern(64));
    near.run();
    sci::Packet response = near.blink.arrived.at(0).packet;
    near.blink.send_at(5_us, request(1));
    near.run();
    const Duration written = near.pci.writes.at(0).answered;
    response.command = Command::kResponse0;
    response.written_ps = near.blink.arrived.at(1).packet.written_ps;  // as this PSB stamps its own responses
    near.blink.send_at(written + network, response);
    near.run();
    BOOST_TEST(near.psb.stats().response_time.maximum() == network + near.params.crossing);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
