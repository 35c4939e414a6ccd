// SPDX-License-Identifier: Apache-2.0
/// Who gets how much of a full ring, with and without go bits.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"
#include "tests/support/policies.h"
#include "tlm/sci/packet.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::FlowControl;

constexpr Duration kSettled = 20_us;

/// Saturating sources, each with one target or with random ones.
class Greedy final : public TrafficModel {
public:
    explicit Greedy(std::size_t nodes) : targets(nodes, kSilent), delivered_from(nodes), nodes_(nodes) {}

    static constexpr unsigned kSilent = 1'000'000;
    static constexpr unsigned kAnybody = 1'000'001;
    Injection next(unsigned source) override
    {
        const unsigned target = targets[source];
        if (target == kSilent) return {};
        const auto other = (source + 1 + random_.below(nodes_ - 1)) % nodes_;
        // Faster than a link can carry them; packets dropped at a full source queue do not count.
        return sci::injection(births_ += 20_ns / static_cast<std::int64_t>(nodes_),
                              static_cast<sci::NodeId>(target == kAnybody ? other : target), sci::Command::kMove64);
    }
    void delivered(const OfferedPacket& packet, Duration at) override
    {
        if (at >= kSettled) ++delivered_from[packet.source];
    }
    void answered(const OfferedPacket&, Duration) override {}
    void dropped(unsigned, Duration) override {}

    std::vector<unsigned> targets;
    std::vector<unsigned> delivered_from;

private:
    std::size_t nodes_;
    Duration births_;
    Random random_{11};
};

/// All send at once, and long after that each sends one more packet, to the next node.
class Afterwards final : public TrafficModel {
public:
    explicit Afterwards(std::size_t nodes) : nodes_(nodes), offered_(nodes) {}

    static constexpr unsigned kRush = 50;
    static constexpr Duration kLate = 10_ms;
    Injection next(unsigned source) override
    {
        const unsigned number = offered_[source]++;
        if (number > kRush) return {};
        const auto other = (source + 1 + random_.below(nodes_ - 1)) % nodes_;
        if (number < kRush)
            return sci::injection(1_ns * static_cast<std::int64_t>(number), static_cast<sci::NodeId>(other),
                                  sci::Command::kWrite64);
        return sci::injection(kLate + 10_us * static_cast<std::int64_t>(source),
                              static_cast<sci::NodeId>((source + 1) % nodes_), sci::Command::kMove64);
    }
    void delivered(const OfferedPacket& packet, Duration at) override
    {
        if (packet.born >= kLate) late.push_back(at - packet.born);
    }
    void answered(const OfferedPacket&, Duration at) override { BOOST_TEST(at < kLate); }
    void dropped(unsigned, Duration) override { BOOST_TEST(false); }

    std::vector<Duration> late;

private:
    std::size_t nodes_;
    std::vector<unsigned> offered_;
    Random random_{12};
};

struct Contest {
    Contest(unsigned nodes, FlowControl flow_control, hw::EchoPlace place = hw::EchoPlace::kDecode)
        : bench(params(nodes, flow_control, place)), model(nodes)
    {}
    static platforms::WulfkitParams params(unsigned nodes, FlowControl flow_control,
                                           hw::EchoPlace place = hw::EchoPlace::kDecode)
    {
        auto params = RingBench::nodes(nodes);
        params.link.flow_control = flow_control;
        params.lc2.echo_place = place;
        return params;
    }
    /// Packets that one link could carry in this time.
    double run(Duration span)
    {
        bench.machine.start_traffic(model, {});
        bench.simulation.run_until(kSettled + span);
        return span / bench.machine.link_time(sci::Command::kMove64);
    }
    SourceBench bench;
    Greedy model;
};

}  // namespace

namespace ringmesh::test::wulfkit_fairness_test {

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(wulfkit_ring)

/// Node 0 saturates the link behind node 1, which also has packets for it.
BOOST_DATA_TEST_CASE(a_node_below_a_hot_sender_starves_without_go_bits, data::make({1u, 5u}), below)
{
    Contest contest(8, FlowControl("off"));
    contest.model.targets[0] = 7;
    contest.model.targets[below] = 7;
    const double possible = contest.run(200_us);
    BOOST_TEST(contest.model.delivered_from[below] == 0u);
    BOOST_TEST(contest.model.delivered_from[0] > 0.99 * possible);
}

/// Two senders through one saturated link, which stays full. With the echo at the head of the gap that a stripped
/// packet leaves they take turns: none is ahead by more than a packet.
BOOST_DATA_TEST_CASE(with_go_bits_it_gets_its_share, data::make({1u, 5u}), below)
{
    Contest contest(8, FlowControl("go-bits"));
    contest.model.targets[0] = 7;
    contest.model.targets[below] = 7;
    const double possible = contest.run(200_us);
    const double hot = contest.model.delivered_from[0];
    const double other = contest.model.delivered_from[below];
    BOOST_TEST(std::abs(hot - other) <= 2);  // one of the turns, one of the edges of the window
    BOOST_TEST(hot + other > 0.99 * possible);
}

/// With the echo behind the gap that a stripped packet leaves the gap has the go bits of the idles before it, so the
/// stop comes a packet later.
BOOST_DATA_TEST_CASE(with_the_echo_behind_the_gap_the_hot_sender_gets_more_but_a_third_at_most, data::make({1u, 5u}),
                     below)
{
    Contest contest(8, FlowControl("go-bits"), hw::EchoPlace::kTail);
    contest.model.targets[0] = 7;
    contest.model.targets[below] = 7;
    const double possible = contest.run(200_us);
    const double hot = contest.model.delivered_from[0];
    const double other = contest.model.delivered_from[below];
    BOOST_TEST(hot + other > 0.99 * possible);
    BOOST_TEST(hot > other);
    BOOST_TEST(hot < 1.4 * other);
}

/// The protocol must be fairer than random selection. Of that the squared deviations from the mean, by the mean, add up
/// to one for each node but one.
BOOST_DATA_TEST_CASE(go_bits_share_a_full_ring_equally, data::make({2u, 8u, 32u}), nodes)
{
    Contest contest(nodes, FlowControl("go-bits"));
    std::fill(contest.model.targets.begin(), contest.model.targets.end(), Greedy::kAnybody);
    contest.run(nodes * 40_us);
    const auto& from = contest.model.delivered_from;
    const double mean = std::accumulate(from.begin(), from.end(), 0.0) / nodes;
    double deviations = 0;
    for (const auto packets : from) deviations += std::pow(static_cast<double>(packets) - mean, 2) / mean;
    BOOST_TEST(mean > 100);
    BOOST_TEST(deviations < nodes - 1);
    if (nodes > 2) BOOST_TEST(contest.bench.sum("lc2", "go_wait") > 0);
}

/// The packets of all others pass the last of them, and the others send more until idle symbols without go bits reach
/// them: shares differ, but none is below half of a fair one.
BOOST_DATA_TEST_CASE(no_node_starves_behind_many_senders, data::make({2u, 3u, 7u}), senders)
{
    Contest contest(8, FlowControl("go-bits"));
    for (unsigned sender = 0; sender < senders; ++sender) contest.model.targets[sender] = 7;
    const double possible = contest.run(400_us);
    const auto& from = contest.model.delivered_from;
    const double all = std::accumulate(from.begin(), from.end(), 0.0);
    BOOST_TEST(all > 0.99 * possible);
    for (unsigned sender = 0; sender < senders; ++sender) BOOST_TEST(from[sender] > 0.5 * all / senders);
}

/// No go bit is lost under saturation: a packet long after it takes as long as on a new ring.
BOOST_DATA_TEST_CASE(after_saturation_a_lone_packet_does_not_wait, data::make({2u, 8u, 64u}), nodes)
{
    SourceBench bench(Contest::params(nodes, FlowControl("go-bits")));
    Afterwards model(nodes);
    bench.machine.start_traffic(model, {});
    bench.simulation.run();
    bench.simulation.require_drained();
    BOOST_TEST(bench.sum("lc2", "go_kept") > nodes);
    BOOST_TEST_REQUIRE(model.late.size() == nodes);
    const auto& chip = bench.params.lc2;
    const Duration whole = bench.params.link.symbol_time * (sci::symbols(sci::Command::kMove64) - 1);
    const Duration alone =
        chip.blink_to_out_fifo + bench.params.cable.propagation() + chip.decode + whole + chip.in_fifo_to_blink;
    for (const Duration latency : model.late) BOOST_TEST(latency == alone);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::wulfkit_fairness_test
