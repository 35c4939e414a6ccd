// SPDX-License-Identifier: Apache-2.0
/// The way from link_in to link_out: the bypass FIFO.

#include <algorithm>
#include <cstring>
#include <vector>

#include "tests/hw/sci/link_controller/link_bench.h"
#include "tests/support/cases.h"
#include "tests/support/policies.h"
#include "tlm/error.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::FlowControl;
using sci::Command;

const auto kFlowControls = data::make(all_policies<hw::FlowControlPolicy>());

hw::LinkController::Config with_link(Duration symbol, std::int64_t idle, Cycles bypass = 12_cycles,
                                     FlowControl flow_control = "go-bits")
{
    auto config = LinkBench::config();
    config.link = {symbol, idle, flow_control};
    config.chip.bypass = bypass;
    return config;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(link_controller)

BOOST_DATA_TEST_CASE(forwards_a_packet_unchanged_after_the_bypass_latency,
                     data::make({4_ns, 5_ns}) * data::make({1, 12, 40}), symbol, clocks)
{
    LinkBench bench(with_link(symbol, 2, Cycles(clocks)));
    const auto sent = bench.send_each_command(LinkBench::kOther);
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
        const Duration head = 1_us * static_cast<std::int64_t>(i + 1);
        BOOST_TEST(bench.ring.seen[i].time == head + symbol * clocks + bench.params.cable.propagation());
        const sci::Packet& seen = bench.ring.seen[i].packet;
        BOOST_TEST(seen.command == sent[i].command);
        BOOST_TEST(seen.target == sent[i].target);
        BOOST_TEST(seen.sender == sent[i].sender);
        BOOST_TEST(seen.source == sent[i].source);
        BOOST_TEST(seen.slot == sent[i].slot);
        BOOST_TEST(seen.tag == sent[i].tag);
        BOOST_TEST(seen.selected == sent[i].selected);
        BOOST_TEST(seen.offset == sent[i].offset);
        BOOST_TEST(seen.id == sent[i].id);
        BOOST_TEST(same_data(seen, sent[i]));
    }
    BOOST_TEST(bench.simulation.pool<sci::PacketPool>().in_use() == 0u);
}

BOOST_AUTO_TEST_CASE(forwards_echoes_for_others_like_any_packet)
{
    LinkBench bench;
    auto echo = make_echo(sci::EchoStatus::kBusyB, make_packet(Command::kWrite64, LinkBench::kMe));
    echo.target = LinkBench::kOther;
    bench.ring.send_at(1_us, echo);
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 1u);
    BOOST_TEST(bench.start(0) == 1_us + bench.bypass());
    BOOST_TEST(bench.ring.seen[0].packet.status == sci::EchoStatus::kBusyB);
    BOOST_TEST(bench.simulation.pool<sci::PacketPool>().in_use() == 0u);
}

BOOST_DATA_TEST_CASE(restores_the_idle_symbols_between_packets_that_arrive_closer,
                     data::make({1, 2, 7}) * data::make({Command::kWrite64, Command::kResponse0}), idle, command)
{
    LinkBench bench(with_link(5_ns, idle));
    const Duration close = bench.symbol() * sci::symbols(command);  // no idle symbol at all
    for (int i = 0; i < 4; ++i) bench.ring.send_at(1_us + close * i, make_packet(command, LinkBench::kOther));
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 4u);
    for (std::size_t i = 0; i < 4; ++i) {
        const Duration after_others = bench.link_time(command) * static_cast<std::int64_t>(i);
        BOOST_TEST(bench.start(i) == 1_us + bench.bypass() + after_others);
    }
}

/// From just after the own packet's start until long after its end.
BOOST_DATA_TEST_CASE(a_passing_packet_waits_for_the_end_of_an_own_one,
                     data::make({1_ps, 1_ns, 60_ns, 149_ns, 150_ns, 150_ns + 1_ps, 151_ns, 300_ns}) *
                         data::make({Command::kWrite64, Command::kWrite16, Command::kRead64}),
                     offset, own)
{
    LinkBench bench;
    const Duration own_start = 1_us + bench.params.chip.blink_to_out_fifo;
    const Duration head = own_start + offset;
    bench.ring.echo_after = 1_us;
    bench.chip.send_at(1_us, make_packet(own, LinkBench::kOther, 1));
    bench.ring.send_at(head, make_packet(Command::kWrite64, LinkBench::kOther, 2));
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 2u);
    BOOST_TEST(bench.start(0) == own_start);
    BOOST_TEST(bench.ring.seen[1].packet.id == 2u);
    BOOST_TEST(bench.start(1) == std::max(head + bench.bypass(), own_start + bench.link_time(own)));
}

namespace {

/// A ring saturated with passing traffic, and own packets that always wait: measures the waits.
struct Rush {
    explicit Rush(std::uint64_t seed, FlowControl flow_control = "go-bits") : bench(LinkBench::config(flow_control))
    {
        bench.ring.echo_after = 1_us;
        for (unsigned i = 0; i < kOwn; ++i) {
            bench.chip.send_at(1_us, make_packet(Command::kWrite64, LinkBench::kOther, kPassing + i));
        }
        Random random(seed);
        Duration head = 1_us;
        for (unsigned i = 0; i < kPassing; ++i) {
            const Command command = kSendCommands[random.below(kSendCommands.size())];
            heads.push_back(head);
            bench.ring.send_at(head, make_packet(command, LinkBench::kOther, i));
            head += bench.link_time(command) + bench.symbol() * static_cast<std::int64_t>(random.below(40));
            if (random.below(8) == 0) head += bench.symbol() * 60;  // lets the bypass FIFO run empty
        }
        bench.run();
    }
    static constexpr unsigned kOwn = 40;
    static constexpr unsigned kPassing = 200;
    LinkBench bench;
    std::vector<Duration> heads;
};

}  // namespace

/// With go bits an own packet may start until the head leaves, else only until it arrives.
BOOST_DATA_TEST_CASE(passing_packets_keep_their_order_and_wait_for_one_own_packet_at_most,
                     kFlowControls* data::make({1, 2, 3}), flow_control, seed)
{
    Rush rush(static_cast<std::uint64_t>(seed), flow_control);
    LinkBench& bench = rush.bench;
    const bool go_bits = flow_control == "go-bits";
    const Duration bound = bench.link_time(Command::kWrite64) - (go_bits ? Duration::zero() : bench.bypass());
    const auto& seen = bench.ring.seen;
    BOOST_TEST_REQUIRE(seen.size() == Rush::kOwn + Rush::kPassing);
    Duration longest;
    Duration carried;
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const sci::Packet& packet = seen[i].packet;
        if (i != 0) BOOST_TEST(seen[i].time >= seen[i - 1].time + bench.link_time(seen[i - 1].packet.command));
        carried += bench.symbol() * sci::symbols(packet.command);
        if (packet.id >= Rush::kPassing) continue;
        BOOST_TEST(packet.id == next++);
        longest = std::max(longest, bench.start(i) - (rush.heads[packet.id] + bench.bypass()));
    }
    BOOST_TEST(next == Rush::kPassing);
    BOOST_TEST(bench.lc2.stats().link_busy.total() == carried);
    BOOST_TEST(bench.lc2.stats().forwarded.count() == Rush::kPassing);
    BOOST_TEST(bench.lc2.packet_hops() == Rush::kPassing + Rush::kOwn);
    bench.simulation.require_drained();
    BOOST_TEST((go_bits ? longest <= bound : longest < bound));
    BOOST_TEST(longest > bound / 2);  // the law was put to the test
    BOOST_TEST(bench.lc2.stats().longest_bypass_wait == longest);
}

/// The FIFO has to hold the symbols that arrive while the longest own packet and its idle symbols leave.
BOOST_DATA_TEST_CASE(a_bypass_fifo_that_is_too_small_is_refused,
                     kFlowControls* data::make({false, true}) * data::make({1, 12}) *
                         data::make({Command::kWrite64, Command::kWrite128}),
                     flow_control, enough, clocks, longest)
{
    auto config = with_link(5_ns, 20, Cycles(clocks), flow_control);
    config.longest = longest;
    const std::int64_t own = sci::symbols(longest) + config.link.idle_symbols;
    const std::int64_t needed = flow_control == "go-bits" ? own : own - config.chip.bypass.count();
    config.chip.bypass_capacity = enough ? needed : needed - 1;
    if (!enough) {
        BOOST_CHECK_THROW(LinkBench{config}, UserError);
        return;
    }
    LinkBench bench(config);
    bench.ring.echo_after = 1_us;
    const Duration own_start = 1_us + config.chip.blink_to_out_fifo;
    bench.chip.send_at(1_us, make_packet(longest, LinkBench::kOther));
    bench.ring.send_at(own_start + 1_ps, make_packet(longest, LinkBench::kOther));
    BOOST_CHECK_NO_THROW(bench.run());
    BOOST_TEST(bench.ring.seen.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
