// SPDX-License-Identifier: Apache-2.0
/// A quiet ring against the closed form of its latency.
#include <cmath>
#include <vector>

#include "analytic/sci/ring.h"
#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using platforms::WulfkitParams;

constexpr Duration kSlot = 60_us;  ///< from one message to the next: the ring is quiet again

struct Passage {
    unsigned from, to;
    Duration sent, arrived;
};

/// Every source to every destination.
std::vector<Passage> all_pairs(unsigned nodes)
{
    std::vector<Passage> pairs;
    for (unsigned from = 0; from < nodes; ++from) {
        for (unsigned to = 0; to < nodes; ++to) {
            if (from != to) pairs.push_back({from, to, {}, {}});
        }
    }
    return pairs;
}

/// One node's program: the n-th message is sent at n slots; its receiver polls the last byte, whose value identifies
/// the message.
Task<> take_part(PcProcessor& cpu, std::vector<Passage>& passages, std::size_t size)
{
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < passages.size(); ++i) {
        Passage& passage = passages[i];
        const std::uint64_t value = (i + 1) % 256;
        if (passage.from == cpu.rank()) {
            const std::uint64_t inbox = RingBench::map_inbox(cpu, passage.to, 0, size);
            bytes.back() = static_cast<std::byte>(value);
            co_await cpu.compute(kSlot * static_cast<std::int64_t>(i + 1) - cpu.time());
            passage.sent = cpu.time();
            const StoreRequest store{StoreKind::kMmx, inbox, bytes.data(), static_cast<std::uint32_t>(size)};
            co_await cpu.store(store);
        } else if (passage.to == cpu.rank()) {
            const PollRequest poll{RingBench::kInbox + size - 1, 1, value};
            co_await cpu.poll(poll);
            passage.arrived = cpu.time();
        }
    }
}

void start(RingBench& bench, std::vector<Passage>& passages, std::size_t size)
{
    bench.open_inboxes(size);
    for (unsigned rank = 0; rank < bench.nodes(); ++rank) {
        PcProcessor& cpu = bench.machine.processor(rank);
        cpu.run(take_part(cpu, passages, size), "part");
    }
}

/// A processor whose poll loop is fast enough to be negligible.
WulfkitParams with_fast_polls(unsigned nodes)
{
    WulfkitParams params = RingBench::nodes(nodes);
    params.host.clock = 10'000_MHz;
    params.host.poll_loop = 1_cycles;
    return params;
}

/// l_p and l_f from the parameters, and o such that one hop takes the given time [000 eq. 18].
analytic::Components components(const WulfkitParams& params, double one_hop_ns)
{
    const double propagation = params.cable.propagation().ns();
    const double forwarding = (params.link.symbol_time * params.lc2.bypass.count()).ns();
    return {propagation, forwarding, analytic::overhead_from_ping_pong(one_hop_ns, propagation)};
}

/// Every pair's latency is equation 2's, with the overhead of the first pair, within a symbol time.
void check_equation_2(const RingBench& bench, const std::vector<Passage>& passages)
{
    const auto nodes = static_cast<int>(bench.nodes());
    const double one_hop = (passages.front().arrived - passages.front().sent).ns();
    const auto parts = components(bench.params, one_hop);
    for (const Passage& passage : passages) {
        const auto hops = static_cast<int>(bench.machine.hops(passage.from, passage.to));
        const double latency = (passage.arrived - passage.sent).ns();
        BOOST_TEST_CONTEXT(passage.from << " to " << passage.to << " of " << nodes)
        {
            BOOST_TEST(std::abs(latency - analytic::request_latency({nodes, hops}, parts)) <=
                       bench.params.link.symbol_time.ns());
        }
    }
}

}  // namespace

namespace ringmesh::test::wulfkit_latency_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(wulfkit_ring)

/// And request and echo go round the ring together, as do response and echo.
BOOST_DATA_TEST_CASE(any_two_nodes_are_as_far_apart_as_equation_2_says, data::make({2u, 3u, 4u, 5u, 7u, 8u, 13u, 16u}),
                     nodes)
{
    RingBench bench(with_fast_polls(nodes));
    auto passages = all_pairs(nodes);
    start(bench, passages, 64);
    bench.simulation.run();
    bench.simulation.require_drained();
    check_equation_2(bench, passages);
    BOOST_TEST(bench.machine.link_crossings() == passages.size() * 2 * nodes);
    BOOST_TEST(bench.sum("lc2", "sent") == 2.0 * static_cast<double>(passages.size()));
    BOOST_TEST(bench.sum("lc2", "echoes") == bench.sum("lc2", "sent"));
    BOOST_TEST(bench.sum("lc2", "refused") == 0);
}

BOOST_DATA_TEST_CASE(equation_2_holds_for_messages_of_any_size,
                     data::make({1u, 4u, 15u, 16u, 17u, 60u, 64u, 65u, 128u, 300u, 512u}), size)
{
    RingBench bench(with_fast_polls(5));
    auto passages = all_pairs(5);
    start(bench, passages, size);
    bench.simulation.run();
    bench.simulation.require_drained();
    check_equation_2(bench, passages);
}

BOOST_DATA_TEST_CASE(equation_2_holds_for_other_links,
                     data::make({4_ns, 10_ns}) * data::make({1, 40}) * data::make({1, 30}), symbol, bypass, metres)
{
    WulfkitParams params = with_fast_polls(5);
    params.link.symbol_time = symbol;
    params.lc2.bypass = Cycles(bypass);
    params.cable.length = Length::micrometres(1'000'000L * metres);
    RingBench bench(params);
    auto passages = all_pairs(5);
    start(bench, passages, 64);
    bench.simulation.run();
    check_equation_2(bench, passages);
}

/// The real poll loop quantises single messages, but does not shift their mean.
BOOST_AUTO_TEST_CASE(the_mean_over_poll_phases_is_equation_2_with_the_real_poll_loop)
{
    constexpr std::size_t kRepetitions = 60;
    RingBench bench(RingBench::nodes(6));
    std::vector<Passage> passages;
    for (std::size_t i = 0; i < kRepetitions; ++i) {
        for (unsigned to = 1; to < 6; ++to) passages.push_back({0, to, {}, {}});
    }
    start(bench, passages, 64);
    bench.simulation.run();
    std::vector<double> mean(6);
    for (const Passage& passage : passages) mean[passage.to] += (passage.arrived - passage.sent).ns() / kRepetitions;
    const auto parts = components(bench.params, mean[1]);
    for (int to = 2; to < 6; ++to) {
        BOOST_TEST(std::abs(mean[static_cast<std::size_t>(to)] - analytic::request_latency({6, to}, parts)) <=
                   bench.params.link.symbol_time.ns());
    }
}

/// Propagation and forwarding of the rest of the ring [000 eq. 3]; the remainder is the cards' own time.
BOOST_DATA_TEST_CASE(the_response_takes_the_rest_of_the_ring_as_equation_3_says, data::make({2u, 3u, 5u, 8u}), nodes)
{
    RingBench bench(with_fast_polls(nodes));
    auto passages = all_pairs(nodes);
    start(bench, passages, 64);
    const double propagation = bench.params.cable.propagation().ns();
    const double forwarding = (bench.params.link.symbol_time * bench.params.lc2.bypass.count()).ns();
    double overheads = -1;
    bench.simulation.run_until(kSlot - 1_us);
    for (std::size_t i = 0; i < passages.size(); ++i) {
        const auto& seen = bench.machine.host(passages[i].from).psb().stats().response_time;
        const auto total = [&seen] { return seen.mean_ns() * static_cast<double>(seen.count()); };
        const double before = total();
        const auto count = seen.count();
        bench.simulation.run_until(kSlot * static_cast<std::int64_t>(i + 2) - 1_us);
        BOOST_TEST_REQUIRE(seen.count() == count + 1);
        const auto links = static_cast<double>(nodes - bench.machine.hops(passages[i].from, passages[i].to));
        const double rest = total() - before - (links * propagation + (links - 1) * forwarding);
        if (overheads < 0) overheads = rest;
        BOOST_TEST(std::abs(rest - overheads) <= bench.params.link.symbol_time.ns());
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::wulfkit_latency_test
