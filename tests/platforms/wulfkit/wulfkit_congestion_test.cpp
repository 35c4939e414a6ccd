// SPDX-License-Identifier: Apache-2.0
/// Rings under load, with queues so short that packets are refused and tried again: nothing is lost, nothing stands
/// still.
#include <algorithm>
#include <string>
#include <vector>

#include "lab/process/child_process.h"
#include "tests/hw/printing.h"
#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"
#include "tests/support/policies.h"
#include "tlm/error.h"
#include "tlm/sci/packet.h"
#include "tlm/simulation/random.h"
#include "workloads/traffic/traffic.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using platforms::WulfkitParams;

constexpr std::uint64_t kPlace = 256;
constexpr Duration kRetry = 2_us;

/// A message of a node, to its own area of the receiver's memory.
struct Letter {
    unsigned to;
    std::uint64_t place;
    std::uint64_t offset;
    std::size_t size;
    StoreKind kind;
    Duration pause;  ///< before it
};

/// The messages of every node. @param hot the share of the messages to node 0
std::vector<std::vector<Letter>> letters(unsigned nodes, unsigned each, double hot, std::uint64_t seed)
{
    Random random(seed);
    std::vector<std::vector<Letter>> all(nodes);
    for (unsigned from = 0; from < nodes; ++from) {
        for (unsigned i = 0; i < each; ++i) {
            const auto other = static_cast<unsigned>((from + 1 + random.below(nodes - 1)) % nodes);
            const std::uint64_t offset = random.below(64);
            all[from].push_back({.to = from != 0 && random.unit() < hot ? 0 : other,
                                 .place = from * each + i,
                                 .offset = offset,
                                 .size = 1 + random.below(kPlace - offset),
                                 .kind = static_cast<StoreKind>(random.below(3)),
                                 .pause = 1_ns * static_cast<std::int64_t>(random.below(300))});
        }
    }
    return all;
}

Task<> write_letters(PcProcessor& cpu, unsigned nodes, const std::vector<Letter>& own, std::uint64_t places)
{
    std::vector<std::uint64_t> windows(nodes);
    for (unsigned peer = 0; peer < nodes; ++peer) {
        if (peer != cpu.rank()) windows[peer] = RingBench::map_inbox(cpu, peer, 0, places * kPlace);
    }
    for (const Letter& letter : own) {
        const auto bytes = message(letter.size, letter.place);
        co_await cpu.compute(letter.pause);
        const StoreRequest store{letter.kind, windows[letter.to] + letter.place * kPlace + letter.offset, bytes.data(),
                                 static_cast<std::uint32_t>(bytes.size())};
        co_await cpu.store(store);
    }
}

/// Number of messages that have not arrived exactly as written.
std::size_t missing(RingBench& bench, const std::vector<std::vector<Letter>>& all)
{
    std::size_t count = 0;
    for (const auto& own : all) {
        for (const Letter& letter : own) {
            std::vector<std::byte> place(kPlace);
            std::vector<std::byte> expected(kPlace);
            const auto bytes = message(letter.size, letter.place);
            std::copy(bytes.begin(), bytes.end(), expected.begin() + static_cast<std::ptrdiff_t>(letter.offset));
            bench.machine.processor(letter.to).peek(RingBench::kInbox + letter.place * kPlace, place);
            if (place != expected) ++count;
        }
    }
    return count;
}

void start(RingBench& bench, const std::vector<std::vector<Letter>>& all)
{
    const std::uint64_t places = all.size() * all[0].size();
    bench.open_inboxes(places * kPlace);
    for (unsigned rank = 0; rank < bench.nodes(); ++rank) {
        PcProcessor& cpu = bench.machine.processor(rank);
        cpu.run(write_letters(cpu, bench.nodes(), all[rank], places), "letters");
    }
}

WulfkitParams tight(unsigned nodes, std::int64_t buffers, hw::StreamAssignment rule)
{
    WulfkitParams params = RingBench::nodes(nodes);
    params.lc2.send_slots = 1;
    params.lc2.receive_slots = 1;
    params.lc2.retry_interval = kRetry;
    params.psb.stream_buffers = buffers;
    params.psb.stream_assignment = rule;
    params.psb.inbound_slots = 1;
    params.host.posted_writes = 1;
    return params;
}

/// All nodes offer 64-byte writes to random others, or most of them to node 0, as fast as the ring accepts them.
class Flood final : public TrafficModel {
public:
    Flood(unsigned nodes, unsigned each, double hot)
        : offered(nodes), delivered_from(nodes), nodes_(nodes), each_(each), hot_(hot)
    {}
    Injection next(unsigned source) override
    {
        if (offered[source] == each_) return {};
        const auto other = static_cast<sci::NodeId>((source + 1 + random_.below(nodes_ - 1)) % nodes_);
        const bool to_hot = source != 0 && random_.unit() < hot_;
        const Duration at = 100_ns * static_cast<std::int64_t>(offered[source]++);
        return sci::injection(at, to_hot ? sci::NodeId{0} : other, sci::Command::kWrite64);
    }
    void delivered(const OfferedPacket& packet, Duration) override { ++delivered_from[packet.source]; }
    void answered(const OfferedPacket& packet, Duration) override { answered_to += packet.source < nodes_ ? 1 : 0; }
    void dropped(unsigned, Duration) override { ++lost; }

    std::vector<unsigned> offered, delivered_from;
    unsigned answered_to = 0, lost = 0;

private:
    unsigned nodes_, each_;
    double hot_;
    Random random_{3};
};

}  // namespace

namespace ringmesh::test::wulfkit_congestion_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(wulfkit_ring)

BOOST_DATA_TEST_CASE(with_short_queues_nothing_is_lost_and_progress_never_stops,
                     data::make({1, 2}) * data::make(all_policies<hw::StreamAssignmentPolicy>()) *
                         data::make({0.0, 1.0}),
                     buffers, rule, hot)
{
    constexpr unsigned kNodes = 7;
    RingBench bench(tight(kNodes, buffers, rule));
    const auto all = letters(kNodes, 60, hot, 5);
    start(bench, all);
    bench.simulation.run();
    bench.simulation.require_drained();
    BOOST_TEST(missing(bench, all) == 0u);
    // The run had retries:
    BOOST_TEST(bench.sum("lc2", "refused") > 0);
    BOOST_TEST(bench.sum("lc2", "retries") == bench.sum("lc2", "refused"));
    BOOST_TEST(bench.sum("psb", "stalls") > 0);
    BOOST_TEST(bench.sum("bridge", "retries") == bench.sum("psb", "stalls"));
}

/// Packets in equal packets out, at every block of the machine.
BOOST_DATA_TEST_CASE(packets_are_conserved_at_every_stage, data::make({1, 8}), slots)
{
    WulfkitParams params = RingBench::nodes(5);
    params.lc2.receive_slots = slots;
    params.lc2.retry_interval = kRetry;
    params.lc2.send_slots = slots;
    RingBench bench(params);
    const auto all = letters(5, 80, 0.7, 9);
    start(bench, all);
    bench.simulation.run();
    bench.simulation.require_drained();
    BOOST_TEST(missing(bench, all) == 0u);
    const double requests = bench.sum("psb", "blocks") + bench.sum("psb", "partial_writes");
    BOOST_TEST(bench.sum("psb", "written") == requests);
    BOOST_TEST(bench.sum("psb", "responses") == requests);
    BOOST_TEST(bench.sum("bridge", "inbound") == requests);
    BOOST_TEST(bench.sum("blink", "transfers") == 4 * requests);  // request and response, out and in
    BOOST_TEST(bench.sum("lc2", "stripped") == 2 * requests);
    BOOST_TEST(bench.sum("lc2", "sent") == 2 * requests + bench.sum("lc2", "retries"));
    BOOST_TEST(bench.sum("lc2", "echoes") == bench.sum("lc2", "sent"));
    BOOST_TEST(bench.sum("lc2", "scrubbed") == 0);
    // Each packet and its echo together cross every link once.
    BOOST_TEST(static_cast<double>(bench.machine.link_crossings()) == 5 * bench.sum("lc2", "sent"));
    BOOST_TEST(bench.sum("bridge", "posted") == bench.sum("psb", "stores"));
}

/// While all others store to node 0 continuously, each gets its share.
BOOST_AUTO_TEST_CASE(a_hot_receiver_starves_no_sender)
{
    constexpr unsigned kNodes = 8;
    RingBench bench(tight(kNodes, 2, hw::StreamAssignment("any-free")));
    const auto all = letters(kNodes, 300, 1.0, 2);
    start(bench, all);
    bench.simulation.run_until(1_ms);
    double least = 1e9;
    double most = 0;
    for (unsigned rank = 1; rank < kNodes; ++rank) {
        const auto responses = static_cast<double>(bench.machine.host(rank).psb().stats().responses.count());
        least = std::min(least, responses);
        most = std::max(most, responses);
    }
    BOOST_TEST(bench.sum("lc2", "refused") > 0);
    BOOST_TEST(least > 0.5 * most);
}

BOOST_DATA_TEST_CASE(a_flooded_ring_delivers_and_answers_everything, data::make({2u, 3u, 8u, 64u}) * data::make({1, 8}),
                     nodes, slots)
{
    WulfkitParams params = RingBench::nodes(nodes);
    params.lc2.send_slots = slots;
    params.lc2.receive_slots = slots;
    params.lc2.retry_interval = kRetry;
    SourceBench bench(params);
    const unsigned each = nodes > 16 ? 20 : 100;
    Flood flood(nodes, each, nodes > 2 ? 0.3 : 0.0);
    bench.machine.start_traffic(flood, {});
    bench.simulation.run();
    bench.simulation.require_drained();
    for (unsigned source = 0; source < nodes; ++source) BOOST_TEST(flood.delivered_from[source] == each);
    BOOST_TEST(flood.answered_to == nodes * each);
    BOOST_TEST(flood.lost == 0u);
    // A passing packet waits for one own packet at most, whatever the load.
    const Duration bound = bench.machine.link_time(sci::Command::kWrite64);
    for (unsigned rank = 0; rank < nodes; ++rank) {
        BOOST_TEST(bench.machine.source(rank).lc2().stats().longest_bypass_wait <= bound);
    }
}

/// With go bits everything is delivered, long after the ring is full, without a retry interval.
BOOST_DATA_TEST_CASE(go_bits_end_the_endless_retries,
                     data::make({8u, 64u}) * data::make({0.9, 2.0}) * data::make({1, 8}), nodes, load, slots)
{
    WulfkitParams params = RingBench::nodes(nodes);
    params.lc2.receive_slots = slots;
    SourceBench bench(params);
    workloads::TrafficOptions options;
    options.load = std::to_string(load);
    workloads::Traffic traffic(options);
    traffic.start(bench.machine);
    bench.simulation.run();
    bench.simulation.require_drained();
    traffic.check();
    BOOST_TEST(bench.sum("lc2", "go_kept") > 0);
}

/// Without flow control the retried packets fill the ring, and those with a reservation never get a gap.
BOOST_AUTO_TEST_CASE(an_endless_retry_ends_the_run_with_the_names_of_the_blocks)
{
    WulfkitParams params = RingBench::nodes(8);
    params.link.flow_control = "off";
    params.lc2.receive_slots = 1;
    SourceBench bench(params);
    workloads::TrafficOptions options;
    options.load = "2";
    workloads::Traffic traffic(options);
    traffic.start(bench.machine);
    BOOST_CHECK_EXCEPTION(bench.simulation.run(), StuckError, [](const StuckError& error) {
        const std::string text = error.what();
        return text.starts_with("livelock at ") && text.find("node1.lc2: ") != std::string::npos;
    });
}

namespace {

std::string digest_of_a_run(std::uint64_t seed)
{
    RingBench bench(tight(6, 2, hw::StreamAssignment("by-address")), seed);
    auto all = letters(6, 30, 0.5, seed);
    start(bench, all);
    bench.simulation.run();
    return bench.digest();
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_seed_gives_one_run_and_another_seed_another_one)
{
    const std::vector<lab::Job> jobs{[] { return digest_of_a_run(7); }, [] { return digest_of_a_run(7); },
                                     [] { return digest_of_a_run(8); }};
    const auto digests = lab::run_in_children(jobs, 1);
    BOOST_TEST_REQUIRE(digests.size() == 3u);
    BOOST_TEST(digests[0].size() > 1000u);
    BOOST_TEST(digests[0] == digests[1]);
    BOOST_TEST(digests[0] != digests[2]);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::wulfkit_congestion_test
