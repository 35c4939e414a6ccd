// SPDX-License-Identifier: Apache-2.0
/// The way from the B-Link to link_out: the send queues, and at the end both ways under each switching policy.
#include <ostream>
#include <utility>
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

hw::LinkController::Config with_send_slots(std::int64_t slots)
{
    auto config = LinkBench::config();
    config.chip.send_slots = slots;
    return config;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(link_controller)

BOOST_DATA_TEST_CASE(an_own_packet_leaves_when_it_has_come_through_the_output_fifo,
                     data::make({0_ns, 82_ns, 333_ns}) * data::make({0_ns, 60_ns, 220_ns}), out_fifo, transfer)
{
    auto config = LinkBench::config();
    config.chip.blink_to_out_fifo = out_fifo;
    LinkBench bench(config);
    bench.chip.sending_takes = transfer;
    bench.ring.echo_after = 1_us;
    bench.chip.send_at(1_us, make_packet(Command::kWrite64, LinkBench::kOther));
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 1u);
    BOOST_TEST(bench.start(0) == 1_us + transfer + out_fifo);
}

BOOST_AUTO_TEST_CASE(an_own_packet_names_its_sender_and_keeps_the_rest)
{
    LinkBench bench;
    bench.ring.echo_after = 1_us;
    auto packet = make_packet(Command::kWrite64, LinkBench::kOther, 9);
    packet.old = true;  // from the ring that it left
    bench.chip.send_at(1_us, packet);
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 1u);
    const sci::Packet& seen = bench.ring.seen[0].packet;
    BOOST_TEST(seen.sender == LinkBench::kMe);
    BOOST_TEST(!seen.old);
    BOOST_TEST(seen.phase == bench.params.chip.first_phase);
    BOOST_TEST(seen.target == packet.target);
    BOOST_TEST(seen.source == packet.source);
    BOOST_TEST(seen.tag == packet.tag);
    BOOST_TEST(seen.offset == packet.offset);
    BOOST_TEST(same_data(seen, packet));
    bench.simulation.require_drained();
}

/// An own packet becomes eligible so long after the head of a passing one has arrived, or before.
struct Meeting {
    const char* flow_control;
    hw::OwnBeforePassing own_before_passing;
    std::vector<Duration> leads;
    bool own_first;
    friend std::ostream& operator<<(std::ostream& out, const Meeting& meeting)
    {
        return out << meeting.flow_control << ", own " << (meeting.own_first ? "first" : "second");
    }
};
const Duration kSooner = 0_ps - 1_ps;
const std::vector<Duration> kWithTheHeadStillHere{0_ps, 1_ps, 30_ns, 60_ns - 1_ps};
const std::vector<Meeting> kMeetings{
    {"go-bits", hw::OwnBeforePassing::kLeaves, {kSooner, 0_ps, 1_ps, 30_ns, 60_ns - 1_ps}, true},
    {"go-bits", hw::OwnBeforePassing::kLeaves, {60_ns, 100_ns, 269_ns, 270_ns, 271_ns}, false},
    {"go-bits", hw::OwnBeforePassing::kArrives, {kSooner}, true},
    {"go-bits", hw::OwnBeforePassing::kArrives, kWithTheHeadStillHere, false},
    {"off", hw::OwnBeforePassing::kLeaves, kWithTheHeadStillHere, false},
};

/// With go bits until the passing head leaves, by the other reading until it arrives, without flow control never.
BOOST_DATA_TEST_CASE(an_own_packet_goes_before_ring_traffic_as_long_as_it_may, data::make(kMeetings), meeting)
{
    const Duration step = 100_us;
    auto config = LinkBench::config(hw::FlowControl(meeting.flow_control));
    config.chip.own_before_passing = meeting.own_before_passing;
    LinkBench bench(config);
    bench.ring.echo_after = 1_us;
    for (std::size_t i = 0; i < meeting.leads.size(); ++i) {
        const Duration asked = step * static_cast<std::int64_t>(i + 1);
        const Duration eligible = asked + bench.params.chip.blink_to_out_fifo;
        bench.chip.send_at(asked, make_packet(Command::kRead64, LinkBench::kOther, 1));
        bench.ring.send_at(eligible - meeting.leads[i], make_packet(Command::kWrite64, LinkBench::kOther, 2));
    }
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 2 * meeting.leads.size());
    for (std::size_t i = 0; i < meeting.leads.size(); ++i) {
        const Duration eligible = step * static_cast<std::int64_t>(i + 1) + bench.params.chip.blink_to_out_fifo;
        const Duration undisturbed = eligible - meeting.leads[i] + bench.bypass();
        BOOST_TEST(bench.ring.seen[2 * i].packet.id == (meeting.own_first ? 1u : 2u));
        BOOST_TEST(bench.start(2 * i) == (meeting.own_first ? eligible : undisturbed));
        BOOST_TEST(bench.start(2 * i + 1) ==
                   (meeting.own_first ? std::max(undisturbed, eligible + bench.link_time(Command::kRead64))
                                      : std::max(eligible, undisturbed + bench.link_time(Command::kWrite64))));
    }
}

/// One that waits for the end of a packet is in time by either reading: it goes before the next one of the train.
BOOST_DATA_TEST_CASE(a_packet_that_waits_goes_before_the_next_head_by_either_reading, data::make({false, true}), other)
{
    auto config = LinkBench::config();
    if (other) config.chip.own_before_passing = hw::OwnBeforePassing::kArrives;
    LinkBench bench(config);
    const Duration eligible = 2_us + bench.params.chip.blink_to_out_fifo;
    const Duration head = eligible - bench.bypass() - 10_ns;
    bench.ring.echo_after = 1_us;
    bench.chip.send_at(2_us, make_packet(Command::kRead64, LinkBench::kOther, 1));
    bench.ring.send_at(head, make_packet(Command::kWrite64, LinkBench::kOther, 2));
    bench.ring.send_at(head + bench.link_time(Command::kWrite64), make_packet(Command::kWrite64, LinkBench::kOther, 3));
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 3u);
    BOOST_TEST(bench.ring.seen[1].packet.id == 1u);
    BOOST_TEST(bench.start(1) == head + bench.bypass() + bench.link_time(Command::kWrite64));
}

BOOST_DATA_TEST_CASE(without_flow_control_an_own_packet_waits_as_long_as_ring_traffic_lasts, data::make({1, 5, 50}),
                     packets)
{
    LinkBench bench(LinkBench::config(hw::FlowControl("off")));
    bench.ring.echo_after = 1_us;
    bench.chip.send_at(2_us, make_packet(Command::kRead64, LinkBench::kOther, 1));
    const Duration head = 2_us + bench.params.chip.blink_to_out_fifo;
    const Duration each = bench.link_time(Command::kWrite64);
    for (int i = 0; i < packets; ++i) {
        bench.ring.send_at(head + each * i, make_packet(Command::kWrite64, LinkBench::kOther, 2));
    }
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == static_cast<std::size_t>(packets) + 1);
    BOOST_TEST(bench.ring.seen.back().packet.id == 1u);
    BOOST_TEST(bench.start(static_cast<std::size_t>(packets)) == head + bench.bypass() + each * packets);
}

BOOST_DATA_TEST_CASE(own_packets_keep_the_idle_symbols_between_them, data::make({1, 2, 7}), idle)
{
    auto config = LinkBench::config();
    config.link.idle_symbols = idle;
    LinkBench bench(config);
    bench.ring.echo_after = 5_us;
    for (std::uint64_t id = 0; id < 4; ++id)
        bench.chip.send_at(1_us, make_packet(Command::kWrite16, LinkBench::kOther, id));
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 4u);
    for (std::size_t i = 0; i < 4; ++i) {
        BOOST_TEST(bench.ring.seen[i].packet.id == i);
        BOOST_TEST(bench.start(i) == 1_us + bench.params.chip.blink_to_out_fifo +
                                         bench.link_time(Command::kWrite16) * static_cast<std::int64_t>(i));
    }
}

/// Though the requests waited longer.
BOOST_AUTO_TEST_CASE(a_response_goes_before_requests)
{
    LinkBench bench;
    bench.ring.echo_after = 5_us;
    for (std::uint64_t id = 1; id <= 3; ++id) {
        bench.chip.send_at(1_us, make_packet(Command::kWrite64, LinkBench::kOther, id));
    }
    bench.chip.send_at(1_us + 1_ns, make_packet(Command::kResponse0, LinkBench::kOther, 4));
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 4u);
    const std::vector<std::uint64_t> wanted{1, 4, 2, 3};
    for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(bench.ring.seen[i].packet.id == wanted[i]);
}

BOOST_DATA_TEST_CASE(the_next_packet_is_admitted_when_a_done_echo_frees_a_slot_and_not_before,
                     data::make({1, 2, 8}) * data::make({Command::kWrite64, Command::kResponse0}), slots, command)
{
    LinkBench bench(with_send_slots(slots));
    const Duration way_back = 20_us;
    bench.ring.echo_after = way_back;
    for (int i = 0; i <= slots; ++i) {
        bench.chip.send_at(1_us, make_packet(command, LinkBench::kOther, static_cast<std::uint64_t>(i)));
    }
    bench.run();
    const auto& sent = bench.chip.sent;
    const auto last = static_cast<std::size_t>(slots);
    BOOST_TEST_REQUIRE(sent.size() == last + 1);
    for (std::size_t i = 0; i < last; ++i) BOOST_TEST(sent[i].granted == 1_us);
    const Duration echo_head = bench.ring.seen.at(0).time + way_back;
    const Duration rest_of_echo = bench.params.link.symbol_time * (sci::kEchoSymbols - 1);
    BOOST_TEST(sent[last].granted == echo_head + bench.params.chip.decode + rest_of_echo);
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(a_full_request_queue_does_not_block_a_response)
{
    LinkBench bench(with_send_slots(1));
    bench.ring.echo_after = 50_us;
    bench.chip.send_at(1_us, make_packet(Command::kWrite64, LinkBench::kOther, 1));
    bench.chip.send_at(2_us, make_packet(Command::kWrite64, LinkBench::kOther, 2));
    bench.chip.send_at(3_us, make_packet(Command::kResponse0, LinkBench::kOther, 3));
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 3u);
    BOOST_TEST(bench.ring.seen[1].packet.id == 3u);
    BOOST_TEST(bench.start(1) == 3_us + bench.params.chip.blink_to_out_fifo);
}

BOOST_DATA_TEST_CASE(a_busy_echo_causes_a_retry_after_the_retry_interval,
                     data::make({1_ns, 250_ns}) * data::make({0_ns, 20_ns}), interval, decode)
{
    auto config = LinkBench::config();
    config.chip.retry_interval = interval;
    config.chip.decode = decode;
    LinkBench bench(config);
    const std::vector<std::pair<EchoStatus, Phase>> tries{{EchoStatus::kBusyD, Phase::kDoTry},
                                                          {EchoStatus::kBusyA, Phase::kRetryA},
                                                          {EchoStatus::kBusyA, Phase::kRetryA},
                                                          {EchoStatus::kBusyB, Phase::kRetryB}};
    bench.ring.echo_after = 1_us;
    for (const auto& [status, phase] : tries) bench.ring.echo_statuses.push_back(status);
    const auto packet = make_packet(Command::kWrite64, LinkBench::kOther, 4);
    bench.chip.send_at(1_us, packet);
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == tries.size() + 1);
    BOOST_TEST(bench.ring.seen[0].packet.phase == config.chip.first_phase);
    for (std::size_t i = 0; i < tries.size(); ++i) {
        const Duration echo_head = bench.ring.seen[i].time + *bench.ring.echo_after;
        const Duration rest_of_echo = config.link.symbol_time * (sci::kEchoSymbols - 1);
        BOOST_TEST(bench.start(i + 1) == echo_head + decode + rest_of_echo + interval);
        BOOST_TEST(bench.ring.seen[i + 1].packet.phase == tries[i].second);
        BOOST_TEST(bench.ring.seen[i + 1].packet.slot == bench.ring.seen[0].packet.slot);
        BOOST_TEST(same_data(bench.ring.seen[i + 1].packet, packet));
    }
    BOOST_TEST(bench.lc2.stats().retries.count() == tries.size());
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(a_refused_packet_does_not_block_the_others)
{
    LinkBench bench;
    bench.ring.echo_after = 1_us;
    bench.ring.echo_statuses = {EchoStatus::kBusyD};
    for (std::uint64_t id = 1; id <= 8; ++id) {
        bench.chip.send_at(1_us, make_packet(Command::kWrite64, LinkBench::kOther, id));
    }
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 9u);
    for (std::size_t i = 0; i < 8; ++i) BOOST_TEST(bench.ring.seen[i].packet.id == i + 1);
    BOOST_TEST(bench.ring.seen[8].packet.id == 1u);
    bench.simulation.require_drained();
}

/// Echoes of the two queues carry the same slot numbers.
BOOST_AUTO_TEST_CASE(an_echo_is_for_the_queue_that_it_names)
{
    LinkBench bench(with_send_slots(1));
    bench.ring.echo_after = 1_us;
    bench.ring.echo_statuses = {EchoStatus::kBusyA, EchoStatus::kDone};
    bench.chip.send_at(1_us, make_packet(Command::kWrite64, LinkBench::kOther, 1));
    bench.chip.send_at(1_us + 1_ns, make_packet(Command::kResponse0, LinkBench::kOther, 2));
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 3u);
    BOOST_TEST(bench.ring.seen[2].packet.id == 1u);
    BOOST_TEST(bench.ring.seen[2].packet.phase == Phase::kRetryA);
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_CASE(a_packet_without_echo_is_reported_as_stuck)
{
    LinkBench bench;
    bench.chip.send_at(1_us, make_packet(Command::kWrite64, LinkBench::kOther));
    bench.run();
    BOOST_TEST(bench.lc2.pending() == "1 requests in the send queue");
    BOOST_CHECK_THROW(bench.simulation.require_drained(), std::logic_error);
}

namespace {

using hw::Switching;

hw::LinkController::Config with(Switching switching, int mhz)
{
    auto config = LinkBench::config();
    config.chip.switching = switching;
    config.blink = hw::BLinkParams{.clock = Frequency::hertz(std::int64_t{1'000'000} * mhz)};
    return config;
}

hw::LinkTiming timing_of(const hw::LinkController::Config& config)
{
    return {config.link, config.cable, config.chip, config.blink};
}

const auto kAll = data::make(all_policies<hw::SwitchingPolicy>()) * data::make({25, 50, 100});

}  // namespace

BOOST_DATA_TEST_CASE(a_stripped_packet_asks_for_the_b_link_exactly_when_it_may, kAll, switching, mhz)
{
    LinkBench bench(with(switching, mhz));
    const auto timing = timing_of(bench.params);
    Duration head = 1_us;
    for (const Command command : kSendCommands) {
        bench.ring.send_at(head, make_packet(command, LinkBench::kMe));
        head += 1_us;
    }
    bench.run();
    BOOST_TEST_REQUIRE(bench.chip.requests.size() == kSendCommands.size());
    for (std::size_t i = 0; i < kSendCommands.size(); ++i) {
        const Duration came = 1_us * static_cast<std::int64_t>(i + 1);
        BOOST_TEST(bench.chip.requests[i].time == came + timing.to_blink[sci::index(kSendCommands[i])]);
        BOOST_TEST(bench.chip.arrived[i].begin == bench.chip.requests[i].time);
    }
    bench.simulation.require_drained();
}

BOOST_DATA_TEST_CASE(a_packet_from_the_b_link_leaves_exactly_when_it_may, kAll, switching, mhz)
{
    LinkBench bench(with(switching, mhz));
    const auto timing = timing_of(bench.params);
    const hw::BLinkParams& blink = *bench.params.blink;
    bench.ring.echo_after = 200_ns;
    for (const Command command : kSendCommands) {
        const std::size_t sent = bench.ring.seen.size();
        const Duration transfer = (blink.header + blink.data(command) + blink.trailer) * Clock(blink.clock);
        const Duration granted = now() + 1_us;
        bench.chip.sending_takes = transfer;
        bench.chip.send_at(granted, make_packet(command, LinkBench::kOther));
        bench.simulation.run_until(granted + 2_us);
        BOOST_TEST_REQUIRE(bench.ring.seen.size() == sent + 1);
        BOOST_TEST(bench.start(sent) == granted + timing.from_blink(command, transfer));
    }
    bench.simulation.require_drained();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
