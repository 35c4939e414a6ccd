// SPDX-License-Identifier: Apache-2.0
/// Go bits at a link controller: when it starts packets, and what it tells the next node.
#include <algorithm>
#include <vector>

#include "tests/hw/journey_probe.h"
#include "tests/hw/sci/link_controller/link_bench.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using sci::Command;

constexpr std::uint64_t kOwn = 100;  ///< ids of own packets; those of passing ones are lower

sci::Packet passing(std::uint64_t id, bool stop)
{
    auto packet = make_packet(Command::kWrite64, LinkBench::kOther, id);
    packet.stop = stop;
    return packet;
}

/// Own packets are eligible at the time given.
void own_at(LinkBench& bench, Duration eligible, int packets, Command command = Command::kWrite64)
{
    for (int i = 0; i < packets; ++i) {
        bench.chip.send_at(eligible - bench.params.chip.blink_to_out_fifo,
                           make_packet(command, LinkBench::kOther, kOwn + static_cast<std::uint64_t>(i)));
    }
}

/// So many passing packets with only the idle symbols between them.
void train_at(LinkBench& bench, Duration head, int packets, bool stop = false)
{
    for (int i = 0; i < packets; ++i) {
        bench.ring.send_at(head + bench.link_time(Command::kWrite64) * i, passing(static_cast<std::uint64_t>(i), stop));
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(link_controller)

/// Idle symbols come through the node as packets do.
BOOST_DATA_TEST_CASE(nothing_starts_behind_idles_without_go_bits_until_they_come, data::make({300_ns, 5_us}), later)
{
    LinkBench bench;
    bench.ring.echo_after = 1_us;
    bench.ring.send_at(1_us, passing(1, true));
    own_at(bench, 1_us + 80_ns, 1);
    bench.ring.go_at(1_us + later);
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 2u);
    BOOST_TEST(bench.ring.seen[0].packet.stop);
    BOOST_TEST(bench.ring.seen[1].packet.id == kOwn);
    BOOST_TEST(bench.start(1) == 1_us + later + bench.bypass());
    BOOST_TEST(!bench.ring.seen[1].packet.stop);
    BOOST_TEST_REQUIRE(bench.ring.go_bits.size() == 1u);  // the idle symbol before our packet has its go bit still
    BOOST_TEST(bench.ring.go_bits[0] == bench.ring.seen[1].time);
    // The output was free when the passing packet had gone.
    BOOST_TEST(bench.lc2.stats().go_wait.total() ==
               bench.start(1) - bench.start(0) - bench.link_time(Command::kWrite64));
}

BOOST_AUTO_TEST_CASE(a_packet_with_go_bits_behind_it_allows_a_start)
{
    LinkBench bench;
    bench.ring.echo_after = 1_us;
    bench.ring.send_at(1_us, passing(1, true));
    own_at(bench, 1_us + 80_ns, 1);
    bench.ring.send_at(3_us, passing(2, false));
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 3u);
    BOOST_TEST(bench.ring.seen[2].packet.id == kOwn);
    BOOST_TEST(bench.start(2) == 3_us + bench.bypass() + bench.link_time(Command::kWrite64));
}

/// It does not wait for a gap: the next one of the train waits.
BOOST_DATA_TEST_CASE(an_own_packet_takes_its_place_in_a_train_of_packets, data::make({2, 20}), packets)
{
    LinkBench bench;
    bench.ring.echo_after = 100_us;
    train_at(bench, 1_us, packets);
    own_at(bench, 1_us + 80_ns, 1);
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == static_cast<std::size_t>(packets) + 1);
    const Duration each = bench.link_time(Command::kWrite64);
    for (int i = 0; i <= packets; ++i) {
        const auto n = static_cast<std::size_t>(i);
        BOOST_TEST(bench.start(n) == 1_us + bench.bypass() + each * i);  // as one train
        BOOST_TEST((bench.ring.seen[n].packet.id == kOwn) == (i == 1));
        BOOST_TEST(bench.ring.seen[n].packet.stop == (i > 0));
    }
    BOOST_TEST(bench.lc2.stats().longest_bypass_wait == each);
    BOOST_TEST_REQUIRE(bench.ring.go_bits.size() == 1u);  // at the end of it
    BOOST_TEST(bench.ring.go_bits[0] == bench.ring.seen.back().time + each);
}

/// It ends before the next head, which is already in the bypass, leaves.
BOOST_AUTO_TEST_CASE(an_own_packet_that_fits_into_the_bypass_delay_stops_no_node)
{
    LinkBench bench;
    BOOST_TEST_REQUIRE(bench.link_time(Command::kResponse0) < bench.bypass());
    bench.ring.echo_after = 100_us;
    bench.ring.send_at(1_us, passing(1, true));
    own_at(bench, 1_us + 80_ns, 1, Command::kResponse0);
    bench.ring.go_at(3_us);
    bench.ring.send_at(3_us + bench.symbol() * 12, passing(2, false));
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 3u);
    BOOST_TEST(bench.ring.seen[1].packet.id == kOwn);
    BOOST_TEST(bench.start(1) == 3_us + bench.bypass());
    BOOST_TEST(bench.start(2) == 3_us + bench.symbol() * 12 + bench.bypass());
    BOOST_TEST(!bench.ring.seen[1].packet.stop);
    BOOST_TEST(!bench.ring.seen[2].packet.stop);
}

/// The idles before the first one carry no go bits yet.
BOOST_AUTO_TEST_CASE(nothing_starts_between_packets_with_stop)
{
    LinkBench bench;
    bench.ring.echo_after = 1_us;
    train_at(bench, 1_us, 5, true);
    own_at(bench, 1_us + 80_ns, 1);
    bench.ring.go_at(9_us);
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 6u);
    for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(bench.ring.seen[i].packet.id == i);
    BOOST_TEST(bench.start(5) == 9_us + bench.bypass());
}

/// The first one of the train took the go bit away.
BOOST_AUTO_TEST_CASE(a_wait_for_a_go_bit_names_the_packet_behind_which_there_was_none)
{
    LinkBench bench;
    JourneyProbe probe;
    bench.simulation.on_journey(probe);
    bench.ring.echo_after = 1_us;
    bench.ring.send_at(500_ns, passing(10, false));
    for (const std::uint64_t id : {11U, 12U}) {
        bench.ring.send_at(1_us + bench.link_time(Command::kWrite64) * static_cast<std::int64_t>(id - 11),
                           passing(id, true));
    }
    own_at(bench, 1_us + 80_ns, 1);
    bench.ring.go_at(9_us);
    bench.run();
    BOOST_TEST_REQUIRE(!probe.waits.empty());
    const Stage& wait = probe.waits.back();
    BOOST_TEST(wait.what == "no go bit");
    BOOST_TEST(wait.transaction == kOwn);
    BOOST_TEST(wait.other == 11u);
    BOOST_TEST(wait.to == 9_us + bench.bypass());
}

/// Whether it has more to send or not: the first packet fills the bypass FIFO, a gap empties it.
BOOST_DATA_TEST_CASE(go_bits_are_saved_until_the_bypass_fifo_is_empty, data::make({2, 5, 20}) * data::make({1, 2}),
                     packets, own)
{
    LinkBench bench;
    bench.ring.echo_after = 100_us;
    const Duration eligible = 1_us;
    own_at(bench, eligible, own);
    train_at(bench, eligible + 1_ns, packets);
    bench.run();
    const auto train = static_cast<std::size_t>(packets);
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == train + static_cast<std::size_t>(own));
    BOOST_TEST(bench.ring.seen[0].packet.id == kOwn);
    BOOST_TEST(!bench.ring.seen[0].packet.stop);
    for (std::size_t i = 1; i <= train; ++i) {
        BOOST_TEST(bench.ring.seen[i].packet.id == i - 1);
        BOOST_TEST(bench.ring.seen[i].packet.stop);
    }
    const Duration end = eligible + bench.link_time(Command::kWrite64) * (packets + 1);
    BOOST_TEST_REQUIRE(bench.ring.go_bits.size() == 1u);
    BOOST_TEST(bench.ring.go_bits[0] == end + bench.propagation());
    if (own == 2) BOOST_TEST(bench.start(train + 1) == end);  // behind the go bits that it gives back
}

BOOST_AUTO_TEST_CASE(an_empty_bypass_fifo_saves_no_go_bits)
{
    LinkBench bench;
    bench.ring.echo_after = 100_us;
    own_at(bench, 1_us, 4);
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 4u);
    for (const LinkEnd::Head& head : bench.ring.seen) BOOST_TEST(!head.packet.stop);
    BOOST_TEST(bench.ring.go_bits.empty());
}

BOOST_AUTO_TEST_CASE(go_bits_that_arrive_in_recovery_wait_until_the_fifo_is_empty)
{
    LinkBench bench;
    bench.ring.echo_after = 100_us;
    train_at(bench, 1_us, 1);
    bench.ring.send_at(1_us + bench.link_time(Command::kWrite64), passing(1, true));
    own_at(bench, 1_us + 80_ns, 1);  // goes between the two, so that it has no go bit of its own
    const Duration end = 1_us + bench.bypass() + bench.link_time(Command::kWrite64) * 3;
    bench.ring.go_at(end - 170_ns);
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 3u);
    BOOST_TEST(bench.ring.seen[1].packet.id == kOwn);
    BOOST_TEST_REQUIRE(bench.ring.go_bits.size() == 1u);
    BOOST_TEST(bench.ring.go_bits[0] == end + bench.propagation());
}

/// The same, but they arrive long after the FIFO is empty.
BOOST_AUTO_TEST_CASE(a_node_that_saved_none_forwards_the_next_ones)
{
    LinkBench bench;
    bench.ring.echo_after = 100_us;
    train_at(bench, 1_us, 1);
    bench.ring.send_at(1_us + bench.link_time(Command::kWrite64), passing(1, true));
    own_at(bench, 1_us + 80_ns, 2);
    bench.ring.go_at(5_us);
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 4u);
    BOOST_TEST(bench.start(3) == 5_us + bench.bypass());
    BOOST_TEST_REQUIRE(bench.ring.go_bits.size() == 1u);
    BOOST_TEST(bench.ring.go_bits[0] == 5_us + bench.bypass() + bench.propagation());
}

BOOST_DATA_TEST_CASE(go_bits_pass_a_node_with_nothing_to_send, data::make({100_ns, 2_us}), later)
{
    LinkBench bench;
    bench.ring.send_at(1_us, passing(1, true));
    bench.ring.go_at(1_us + later);
    bench.ring.go_at(9_us);  // they are there already
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 1u);
    BOOST_TEST(bench.ring.seen[0].packet.stop);
    BOOST_TEST_REQUIRE(bench.ring.go_bits.size() == 1u);
    const Duration behind = bench.start(0) + bench.link_time(Command::kWrite64);
    BOOST_TEST(bench.ring.go_bits[0] == std::max(1_us + later + bench.bypass(), behind) + bench.propagation());
}

BOOST_DATA_TEST_CASE(an_echo_carries_the_stop_of_the_stripped_packet, data::make({false, true}), stop)
{
    LinkBench bench;
    auto packet = make_packet(Command::kWrite64, LinkBench::kMe, 1);
    packet.stop = stop;
    bench.ring.send_at(1_us, packet);
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == 1u);
    BOOST_TEST(bench.ring.seen[0].packet.stop == stop);
}

/// Of an echo that is stripped, and of a packet that is scrubbed.
BOOST_DATA_TEST_CASE(the_idles_behind_what_goes_no_further_are_received, data::make({false, true}), scrubbed)
{
    auto config = LinkBench::config();
    config.scrubber = scrubbed;
    LinkBench bench(config);
    bench.ring.echo_after = scrubbed ? std::optional(1_us) : std::nullopt;
    auto last = passing(1, true);
    last.old = true;
    if (!scrubbed) {
        own_at(bench, 1_us, 1);
        auto first = make_packet(Command::kWrite64, LinkBench::kOther, kOwn);  // as it comes out
        first.sender = LinkBench::kMe;
        first.slot = 0;
        last = make_echo(sci::EchoStatus::kDone, first);
        last.stop = true;
    }
    bench.ring.send_at(5_us, last);
    own_at(bench, 6_us, 1);
    bench.ring.go_at(9_us);
    bench.run();
    BOOST_TEST_REQUIRE(bench.ring.seen.size() == (scrubbed ? 1u : 2u));
    BOOST_TEST(bench.start(bench.ring.seen.size() - 1) == 9_us + bench.bypass());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
