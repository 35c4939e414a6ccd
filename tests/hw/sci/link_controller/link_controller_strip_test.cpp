// SPDX-License-Identifier: Apache-2.0
/// The way from link_in to the B-Link: decode, stripper, echo, receive queues.

#include <vector>

#include "tests/hw/sci/link_controller/link_bench.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using sci::Class;
using sci::Command;
using sci::EchoStatus;
using sci::Phase;

hw::LinkController::Config with_receive_slots(std::int64_t slots)
{
    auto config = LinkBench::config();
    config.chip.receive_slots = slots;
    return config;
}

sci::Packet try_of(Phase phase, Command command, std::uint64_t id)
{
    auto packet = make_packet(command, LinkBench::kMe, id);
    packet.phase = phase;
    return packet;
}

const auto kClassCommands = data::make({Command::kWrite64, Command::kResponse0});

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(link_controller)

BOOST_DATA_TEST_CASE(the_echo_takes_the_place_of_the_last_symbols_of_the_stripped_packet,
                     data::make({4_ns, 5_ns}) * data::make({1, 12}), symbol, clocks)
{
    auto config = LinkBench::echo_in_the_tail();
    config.link.symbol_time = symbol;
    config.chip.bypass = Cycles(clocks);
    LinkBench bench(config);
    const auto sent = bench.send_each_command(LinkBench::kMe);
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
        const sci::Packet& echo = bench.ring.seen[i].packet;
        const Duration head = 1_us * static_cast<std::int64_t>(i + 1);
        BOOST_TEST(bench.start(i) == head + bench.tail(sent[i].command) + symbol * clocks);
        BOOST_TEST(echo.command == Command::kEcho);
        BOOST_TEST(echo.status == EchoStatus::kDone);
        BOOST_TEST(echo.target == sent[i].sender);
        BOOST_TEST(echo.sender == LinkBench::kMe);
        BOOST_TEST(echo.source == LinkBench::kMe);
        BOOST_TEST(echo.slot == sent[i].slot);
        BOOST_TEST(echo.echo_of == sci::class_of(sent[i].command));
        BOOST_TEST(echo.id == sent[i].id);
        BOOST_TEST(!echo.old);
    }
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(an_echo_waits_for_an_own_packet_like_any_passing_packet)
{
    LinkBench bench(LinkBench::echo_in_the_tail());
    bench.ring.echo_after = 1_us;
    const Duration own_start = 1_us + bench.params.chip.blink_to_out_fifo;
    bench.chip.send_at(1_us, make_packet(Command::kWrite64, LinkBench::kOther, 1));
    const Duration place = own_start + 1_ns;
    bench.ring.send_at(place - bench.tail(Command::kWrite64), make_packet(Command::kWrite64, LinkBench::kMe, 2));
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 2u);
    BOOST_TEST(sci::is_echo(bench.ring.seen[1].packet.command));
    BOOST_TEST(bench.start(1) == own_start + bench.link_time(Command::kWrite64));
}

BOOST_DATA_TEST_CASE(an_own_packet_starts_in_the_gap_that_a_stripped_packet_leaves_before_its_echo,
                     data::make({0_ns, 1_ns, 179_ns}), later)
{
    LinkBench bench(LinkBench::echo_in_the_tail());
    bench.ring.echo_after = 1_us;
    const Duration eligible = 2_us + bench.params.chip.blink_to_out_fifo;
    const Duration head = eligible - later;
    bench.chip.send_at(2_us, make_packet(Command::kRead64, LinkBench::kOther, 1));
    bench.ring.send_at(head, make_packet(Command::kWrite64, LinkBench::kMe, 2));
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 2u);
    BOOST_TEST(bench.start(0) == eligible);
    BOOST_TEST(bench.start(1) == head + bench.tail(Command::kWrite64) + bench.bypass());
}

BOOST_DATA_TEST_CASE(the_echo_leaves_when_the_address_is_decoded, data::make({0_ns, 20_ns, 100_ns}) * kClassCommands,
                     decode, command)
{
    auto config = LinkBench::config();
    config.chip.decode = decode;
    LinkBench bench(config);
    bench.ring.send_at(1_us, make_packet(command, LinkBench::kMe, 1));
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 1u);
    BOOST_TEST(bench.start(0) == 1_us + decode);
}

BOOST_AUTO_TEST_CASE(an_echo_stays_behind_what_is_in_the_bypass_fifo_and_that_keeps_no_go_bits)
{
    LinkBench bench;
    bench.ring.send_at(1_us, make_packet(Command::kWrite64, LinkBench::kOther, 1));
    const Duration head = 1_us + bench.link_time(Command::kWrite64);
    bench.ring.send_at(head, make_packet(Command::kWrite64, LinkBench::kMe, 2));
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 2u);
    BOOST_TEST(bench.start(1) == head + bench.bypass());
    BOOST_TEST(bench.lc2.stats().longest_bypass_wait == Duration::zero());
    BOOST_TEST(!bench.ring.seen[1].packet.stop);
}

BOOST_DATA_TEST_CASE(a_stripped_packet_asks_for_the_blink_when_it_is_whole_and_through_the_input_fifo,
                     data::make({4_ns, 5_ns}) * data::make({0_ns, 20_ns}) * data::make({0_ns, 106_ns}), symbol, decode,
                     in_fifo)
{
    auto config = LinkBench::config();
    config.link.symbol_time = symbol;
    config.chip.decode = decode;
    config.chip.in_fifo_to_blink = in_fifo;
    LinkBench bench(config);
    const auto sent = bench.send_each_command(LinkBench::kMe);
    bench.run();
    BOOST_TEST_REQUIRE(bench.chip.requests.size() == sent.size());
    BOOST_TEST_REQUIRE(bench.chip.arrived.size() == sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
        const Duration head = 1_us * static_cast<std::int64_t>(i + 1);
        const Duration whole = head + decode + symbol * (sci::symbols(sent[i].command) - 1);
        BOOST_TEST(bench.chip.requests[i].time == whole + in_fifo);
        BOOST_TEST(bench.chip.requests[i].kind == sci::class_of(sent[i].command));
        BOOST_TEST(bench.chip.requests[i].to == LinkBench::kHostPort);
        BOOST_TEST(bench.chip.arrived[i].begin == whole + in_fifo);
        BOOST_TEST(bench.chip.arrived[i].to == LinkBench::kHostPort);
        BOOST_TEST(bench.chip.arrived[i].packet.id == sent[i].id);
        BOOST_TEST(bench.chip.arrived[i].packet.tag == sent[i].tag);
        BOOST_TEST(bench.chip.arrived[i].packet.source == sent[i].source);
        BOOST_TEST(same_data(bench.chip.arrived[i].packet, sent[i]));
    }
}

BOOST_AUTO_TEST_CASE(packets_of_a_class_go_to_the_blink_in_the_order_in_which_they_came)
{
    LinkBench bench;
    bench.chip.has_room = {false, false};
    for (std::uint64_t id = 0; id < 8; ++id) {
        bench.ring.send_at(1_us + 1_us * static_cast<std::int64_t>(id),
                           make_packet(Command::kWrite16, LinkBench::kMe, id));
    }
    bench.chip.grant_at(20_us, Class::kRequest, true);
    bench.run();
    BOOST_TEST_REQUIRE(bench.chip.arrived.size() == 8u);
    for (std::uint64_t id = 0; id < 8; ++id) {
        BOOST_TEST(bench.chip.arrived[id].packet.id == id);
        BOOST_TEST(bench.chip.arrived[id].begin == 20_us);
    }
}

BOOST_DATA_TEST_CASE(a_full_receive_queue_refuses_and_accepts_the_next_when_a_packet_has_left,
                     data::make({1, 2, 8}) * kClassCommands, slots, command)
{
    LinkBench bench(with_receive_slots(slots));
    const Class kind = sci::class_of(command);
    const Duration transfer = 220_ns;
    const Duration leaves = 50_us;
    bench.chip.has_room = {false, false};
    bench.chip.receiving_takes = transfer;
    for (int i = 0; i <= slots; ++i) {
        bench.ring.send_at(1_us * (i + 1), try_of(Phase::kNoTry, command, static_cast<std::uint64_t>(i)));
    }
    bench.chip.grant_at(leaves, kind);
    const Duration gone = leaves + transfer;
    bench.ring.send_at(gone - 1_ps, try_of(Phase::kNoTry, command, 98));
    bench.ring.send_at(gone + 1_us, try_of(Phase::kNoTry, command, 99));
    bench.run();
    const auto last = static_cast<std::size_t>(slots);
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == last + 3);
    for (std::size_t i = 0; i < last; ++i) BOOST_TEST(bench.ring.seen[i].packet.status == EchoStatus::kDone);
    BOOST_TEST(bench.ring.seen[last].packet.status == EchoStatus::kBusyD);
    BOOST_TEST(bench.start(last) == 1_us * (slots + 1) + bench.params.chip.decode);
    BOOST_TEST(bench.ring.seen[last].packet.echo_of == kind);
    BOOST_TEST(bench.ring.seen[last + 1].packet.status == EchoStatus::kBusyD);
    BOOST_TEST(bench.ring.seen[last + 2].packet.status == EchoStatus::kDone);
    BOOST_TEST(bench.lc2.stats().refused.count() == 2u);
    BOOST_TEST(bench.lc2.stats().stripped.count() == last + 1);
}

BOOST_AUTO_TEST_CASE(a_refused_packet_enters_by_its_reservation_before_new_ones)
{
    LinkBench bench(with_receive_slots(1));
    bench.chip.has_room = {false, false};
    const std::vector<std::pair<Phase, EchoStatus>> story{
        {Phase::kNoTry, EchoStatus::kDone},                                         // fills the queue
        {Phase::kNoTry, EchoStatus::kBusyD},  {Phase::kDoTry, EchoStatus::kBusyA},  // reserves
        {Phase::kRetryA, EchoStatus::kBusyA},                                       // from here on there is room
        {Phase::kNoTry, EchoStatus::kBusyD},  {Phase::kDoTry, EchoStatus::kBusyB}, {Phase::kRetryA, EchoStatus::kDone},
    };
    for (std::size_t i = 0; i < story.size(); ++i) {
        bench.ring.send_at(1_us * static_cast<std::int64_t>(i + 1), try_of(story[i].first, Command::kWrite64, i));
    }
    bench.chip.grant_at(4_us + 500_ns, Class::kRequest);
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == story.size());
    for (std::size_t i = 0; i < story.size(); ++i) BOOST_TEST(bench.ring.seen[i].packet.status == story[i].second);
}

BOOST_DATA_TEST_CASE(a_full_queue_of_one_class_does_not_block_the_other, data::make({true, false}), requests_fill)
{
    LinkBench bench(with_receive_slots(1));
    const Command filling = requests_fill ? Command::kWrite64 : Command::kResponse0;
    const Command other = requests_fill ? Command::kResponse0 : Command::kWrite64;
    bench.chip.has_room[sci::index(sci::class_of(filling))] = false;
    bench.ring.send_at(1_us, try_of(Phase::kNoTry, filling, 1));
    bench.ring.send_at(2_us, try_of(Phase::kNoTry, filling, 2));
    bench.ring.send_at(3_us, try_of(Phase::kNoTry, other, 3));
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 3u);
    BOOST_TEST(bench.ring.seen[1].packet.status == EchoStatus::kBusyD);
    BOOST_TEST(bench.ring.seen[2].packet.status == EchoStatus::kDone);
    BOOST_TEST_REQUIRE(bench.chip.arrived.size() == 1u);
    BOOST_TEST(bench.chip.arrived[0].packet.id == 3u);
    BOOST_TEST(bench.chip.arrived[0].begin == bench.at_blink(3_us, other));
}

BOOST_AUTO_TEST_CASE(one_request_for_room_per_class_waits_at_a_time)
{
    LinkBench bench;
    bench.chip.has_room = {false, false};
    for (int i = 0; i < 3; ++i) {
        bench.ring.send_at(1_us * (i + 1), try_of(Phase::kNoTry, Command::kWrite64, 1));
        bench.ring.send_at(5_us * (i + 1), try_of(Phase::kNoTry, Command::kResponse0, 1));
    }
    bench.run();
    BOOST_TEST_REQUIRE(bench.chip.requests.size() == 2u);
    BOOST_TEST(bench.lc2.pending() == "3 requests wait for the B-Link, 3 responses wait for the B-Link");
}

BOOST_AUTO_TEST_CASE(a_refused_packet_is_released_and_its_sender_keeps_the_original)
{
    LinkBench bench(with_receive_slots(1));
    bench.chip.has_room = {false, false};
    bench.ring.send_at(1_us, try_of(Phase::kNoTry, Command::kWrite64, 1));
    for (int i = 2; i < 50; ++i) bench.ring.send_at(1_us * i, try_of(Phase::kNoTry, Command::kWrite64, 2));
    bench.run();
    BOOST_TEST(bench.lc2.stats().refused.count() == 48u);
    BOOST_TEST(bench.simulation.pool<sci::PacketPool>().in_use() == 1u);  // the one that waits for the B-Link
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
