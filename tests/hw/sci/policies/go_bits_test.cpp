// SPDX-License-Identifier: Apache-2.0
/// The decisions of SCI's flow control, without the kernel. Times are those at a node's output.
#include "hw/sci/policies/flow_control.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/hw/printing.h"
#include "tests/support/cases.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;
using hw::LinkFlow;

constexpr Duration kNever = Duration::never();

/// A node in recovery: it has sent an own packet while another one waited.
LinkFlow keeper(bool stop_behind_the_packet = false)
{
    LinkFlow bits("go-bits");
    bits.start_own(false, Duration::zero());
    bits.pass(stop_behind_the_packet, true, 300_ns);
    return bits;
}

/// A ring on which one packet moves at a time, with the own packets inserted before it. Each node notifies the next.
class SlowRing {
public:
    SlowRing(std::size_t nodes, std::uint64_t seed) : nodes_(nodes, LinkFlow("go-bits")), random_(seed) {}

    void send(std::size_t from)
    {
        if (!may_send(from)) return;
        const bool stop = nodes_[from].start_own(false, Duration::zero());
        ++sent;
        travel(from, stop);
    }
    void empty_fifo(std::size_t node) { tell_after(node, nodes_[node].fifo_empty(Duration::zero(), Duration::zero())); }

    const LinkFlow& operator[](std::size_t node) const { return nodes_[node]; }
    std::size_t sent = 0;

private:
    std::size_t next(std::size_t node) const { return (node + 1) % nodes_.size(); }
    bool may_send(std::size_t node) const { return !nodes_[node].recovering() && nodes_[node].go_from() != kNever; }

    /// To any node; every second one comes back as its own echo.
    void travel(std::size_t from, bool stop)
    {
        const std::size_t to = random_.below(2) == 0 ? from : random_.below(nodes_.size());
        std::size_t node = next(from);
        for (; node != to && node != from; node = next(node)) {
            LinkFlow& passed = nodes_[node];
            const bool insert = may_send(node) && random_.below(4) == 0;
            const bool own_stop = insert && passed.start_own(random_.below(2) == 0, Duration::zero());
            stop = passed.pass(stop, insert || passed.recovering(), Duration::zero());
            if (insert) {
                ++sent;
                travel(node, own_stop);
            }
        }
        tell_after(node, nodes_[node].receive_idles(stop, Duration::zero()));
    }
    void tell_after(std::size_t node, Duration from)
    {
        for (std::size_t hops = 0; from != kNever; ++hops) {
            BOOST_TEST_REQUIRE(hops <= nodes_.size());  // who is told twice does not tell again
            node = next(node);
            from = nodes_[node].receive_go(from);
        }
    }

    std::vector<LinkFlow> nodes_;
    Random random_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(go_bits)

BOOST_AUTO_TEST_CASE(a_ring_starts_with_go_bits_everywhere)
{
    LinkFlow bits("go-bits");
    BOOST_TEST(bits.go_from() == Duration::zero());
    BOOST_TEST(!bits.pass(false, false, 1_us));
    BOOST_TEST(!bits.start_own(false, Duration::zero()));
    BOOST_TEST(bits.go_from() == Duration::zero());
    BOOST_TEST(bits.fifo_empty(1_us, 1_us) == kNever);
    BOOST_TEST(bits.word() == "go");
}

BOOST_AUTO_TEST_CASE(without_flow_control_no_node_ever_stops)
{
    LinkFlow bits("off");
    bits.start_own(false, Duration::zero());
    BOOST_TEST(!bits.pass(false, true, 1_us));
    BOOST_TEST(!bits.recovering());
    BOOST_TEST(bits.go_from() == Duration::zero());
    BOOST_TEST(bits.recoveries() == 0u);
}

BOOST_AUTO_TEST_CASE(a_packet_without_a_go_bit_behind_it_removes_it_and_one_with_it_restores_it)
{
    LinkFlow bits("go-bits");
    BOOST_TEST(bits.pass(true, false, 1_us));
    BOOST_TEST(bits.go_from() == kNever);
    BOOST_TEST(bits.word() == "stop");
    BOOST_TEST(!bits.pass(false, false, 2_us));
    BOOST_TEST(bits.go_from() == Duration::zero());
}

BOOST_AUTO_TEST_CASE(a_node_that_sent_no_stop_sends_no_go)
{
    LinkFlow bits("go-bits");
    BOOST_TEST(bits.receive_go(1_us) == kNever);
    BOOST_TEST(bits.go_from() == Duration::zero());
}

BOOST_AUTO_TEST_CASE(go_bits_are_forwarded_once)
{
    LinkFlow bits("go-bits");
    bits.pass(true, false, 1_us);
    BOOST_TEST(bits.receive_go(2_us) == 2_us);
    BOOST_TEST(bits.go_from() == 2_us);
    BOOST_TEST(bits.receive_go(3_us) == kNever);
    BOOST_TEST(bits.go_from() == 2_us);
}

BOOST_AUTO_TEST_CASE(a_filled_bypass_fifo_saves_the_go_bits_and_stops_the_others)
{
    LinkFlow bits = keeper();
    BOOST_TEST(bits.recovering());
    BOOST_TEST(bits.word() == "keep");
    BOOST_TEST(bits.go_from() == kNever);
    BOOST_TEST(bits.pass(false, true, 1_us));  // says stop for another one too
    BOOST_TEST(bits.receive_go(2_us) == kNever);
    BOOST_TEST(bits.recoveries() == 1u);
    BOOST_TEST(bits.fifo_empty(3_us, 3_us) == 3_us);
    BOOST_TEST(!bits.recovering());
    BOOST_TEST(bits.go_from() == 3_us);
    BOOST_TEST(bits.word() == "go");
}

/// The idle symbols between its own packet and the waiting one were the last with a go bit.
BOOST_AUTO_TEST_CASE(go_bits_absorbed_by_an_own_packet_are_saved)
{
    LinkFlow bits = keeper(true);
    BOOST_TEST(bits.fifo_empty(1_us, 1_us) == 1_us);
}

/// An own packet that filled a gap absorbed none: its go bit left ahead of it.
BOOST_AUTO_TEST_CASE(a_node_that_received_no_go_bit_releases_none)
{
    LinkFlow bits("go-bits");
    BOOST_TEST(bits.start_own(true, Duration::zero()));
    BOOST_TEST(bits.recovering());
    BOOST_TEST(bits.pass(true, true, 1_us));
    BOOST_TEST(bits.fifo_empty(2_us, 2_us) == kNever);
    BOOST_TEST(bits.go_from() == kNever);
    BOOST_TEST(bits.word() == "stop");
    BOOST_TEST(bits.receive_go(3_us) == 3_us);  // forwarded to the nodes that were stopped
}

BOOST_DATA_TEST_CASE(a_saved_go_bit_is_released_when_the_fifo_is_empty, data::make({1, 2, 3}), microseconds)
{
    LinkFlow bits("go-bits");
    bits.start_own(true, Duration::zero());
    bits.pass(true, true, 1_us);
    bits.receive_go(2_us);
    const Duration empty = 1_us * microseconds;
    BOOST_TEST(bits.fifo_empty(empty, empty) == std::max(2_us, empty));
}

BOOST_AUTO_TEST_CASE(a_stripped_packet_reports_the_idles_behind_it)
{
    LinkFlow bits("go-bits");
    BOOST_TEST(bits.receive_idles(true, 1_us) == kNever);
    BOOST_TEST(bits.go_from() == kNever);
    BOOST_TEST(bits.word() == "go");  // the next node keeps what it was told
    BOOST_TEST(bits.receive_idles(false, 2_us) == kNever);
    BOOST_TEST(bits.go_from() == 2_us);
}

/// Whichever nodes sent, inserted packets or saved go bits: none is lost.
BOOST_DATA_TEST_CASE(an_idle_ring_carries_go_bits_everywhere, data::make({2, 3, 8}) * data::xrange(1, 21), nodes, seed)
{
    const auto size = static_cast<std::size_t>(nodes);
    SlowRing ring(size, static_cast<std::uint64_t>(seed));
    Random random(static_cast<std::uint64_t>(seed) + 1000);
    for (int i = 0; i < 2000; ++i) {
        const std::size_t node = random.below(size);
        if (random.below(3) == 0) {
            ring.empty_fifo(node);
        } else {
            ring.send(node);
        }
    }
    for (std::size_t node = 0; node < size; ++node) ring.empty_fifo(node);
    std::uint64_t kept = 0;
    for (std::size_t node = 0; node < size; ++node) {
        BOOST_TEST(!ring[node].recovering());
        BOOST_TEST(ring[node].go_from() == Duration::zero());
        kept += ring[node].recoveries();
    }
    BOOST_TEST(ring.sent > 100u);  // no node starved
    BOOST_TEST(kept > 50u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
