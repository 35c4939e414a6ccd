// SPDX-License-Identifier: Apache-2.0
#include "workloads/probes/latency_map.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "platforms/configuration.h"
#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/error.h"
#include "tlm/parameters/parameter_list.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using test::cell;
using test::FakeCosts;
using test::FakeMachine;

struct Bench {
    Simulation simulation{1};
    FakeMachine machine;
    LatencyMap workload;

    explicit Bench(unsigned nodes, const std::vector<std::string>& options, FakeCosts costs = {})
        : machine(simulation, nodes, std::move(costs))
    {
        platforms::read_assignments(options, "--workload",
                                    [this](ParameterVisitor& visitor) { workload.visit(visitor); });
    }
    Results run() { return test::run_workload(workload, machine); }
    /// Of the n-th message of the run.
    double latency_ns(std::uint64_t n) const
    {
        const auto& costs = machine.costs;
        return (2 * costs.library + costs.store + costs.flight(n) + costs.poll).ns();
    }
};

/// Each message flies longer than the one before.
Duration longer(std::uint64_t n) { return 1_us + static_cast<std::int64_t>(n) * 10_ns; }

using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;
Pairs pairs_of(const Results& results)
{
    Pairs pairs;
    for (std::size_t row = 0; row < results.rows.size(); ++row) {
        pairs.emplace_back(cell<std::int64_t>(results, row, "from"), cell<std::int64_t>(results, row, "to"));
    }
    return pairs;
}

void check_error(Bench& bench, const std::string& expected)
{
    BOOST_TEST(test::error_of<ModelError>([&] { bench.run(); }) == expected);
}

const auto kClose = boost::test_tools::tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(latency_map)

BOOST_DATA_TEST_CASE(every_rank_sends_to_all_others_and_to_the_next_one_last, data::make({2, 3, 5}), nodes)
{
    Bench bench(static_cast<unsigned>(nodes), {"from=-1", "rows=pairs"});
    const auto results = bench.run();
    Pairs expected;
    for (int from = 0; from < nodes; ++from) {
        for (int distance = 2; distance < nodes; ++distance) expected.emplace_back(from, (from + distance) % nodes);
        expected.emplace_back(from, (from + 1) % nodes);
    }
    BOOST_TEST((pairs_of(results) == expected));
    for (int rank = 0; rank < nodes; ++rank) {
        BOOST_TEST(bench.machine.processor(static_cast<unsigned>(rank)).stores.size() == unsigned(nodes) - 1);
    }
}

BOOST_DATA_TEST_CASE(one_rank_sends_to_all_others_if_it_is_chosen, data::make({0, 2, 3}), from)
{
    Bench bench(4, {"from=" + std::to_string(from), "rows=pairs"});
    const Pairs expected{{from, (from + 2) % 4}, {from, (from + 3) % 4}, {from, (from + 1) % 4}};
    BOOST_TEST((pairs_of(bench.run()) == expected));
    for (int rank = 0; rank < 4; ++rank) {
        BOOST_TEST(bench.machine.processor(static_cast<unsigned>(rank)).stores.size() == (rank == from ? 3u : 0u));
    }
}

BOOST_DATA_TEST_CASE(a_latency_is_from_call_to_return_and_the_mean_of_its_repetitions,
                     data::make({1, 3}) * data::make({"8", "64", "100"}), repetitions, size)
{
    Bench bench(4, {"from=-1", "rows=pairs", "repetitions=" + std::to_string(repetitions), std::string("size=") + size},
                {.flight = longer});
    const auto results = bench.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 12u);
    for (std::size_t row = 0; row < results.rows.size(); ++row) {
        const auto first = row * static_cast<std::size_t>(repetitions);
        const auto last = first + static_cast<std::size_t>(repetitions) - 1;
        const double mean = (bench.latency_ns(first) + bench.latency_ns(last)) / 2;
        BOOST_TEST(cell<double>(results, row, "latency_ns") == mean, kClose);
        const auto hops = bench.machine.hops(static_cast<unsigned>(cell<std::int64_t>(results, row, "from")),
                                             static_cast<unsigned>(cell<std::int64_t>(results, row, "to")));
        BOOST_TEST(cell<std::int64_t>(results, row, "hops") == hops);
        BOOST_TEST(cell<std::int64_t>(results, row, "rings") == 1);
    }
}

BOOST_AUTO_TEST_CASE(the_summary_is_over_all_pairs)
{
    Bench bench(4, {"from=1", "size=32"}, {.flight = longer});
    const auto results = bench.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 1u);
    const double sum = bench.latency_ns(0) + bench.latency_ns(1) + bench.latency_ns(2);
    BOOST_TEST(cell<std::int64_t>(results, 0, "pairs") == 3);
    BOOST_TEST(cell<std::int64_t>(results, 0, "size_bytes") == 32);
    BOOST_TEST(cell<double>(results, 0, "latency_sum_ns") == sum, kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_mean_ns") == sum / 3, kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") == bench.latency_ns(0), kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_max_ns") == bench.latency_ns(2), kClose);
    BOOST_TEST(cell<double>(results, 0, "mean_hops") == (1 + 2 + 3) / 3.0, kClose);
    BOOST_TEST(cell<double>(results, 0, "mean_dimension_changes") == 0.0);
}

/// A packet in the pool stands for a response on its way: the next message does not leave before it is gone.
BOOST_DATA_TEST_CASE(the_next_message_waits_until_the_network_is_quiet, data::make({0, 3, 50, 1000}), microseconds)
{
    const Duration answer = 1_us * microseconds;
    std::vector<Duration> sent;
    std::vector<Duration> quiet;
    Bench bench(3, {"from=-1", "repetitions=2"});
    FakeMachine& machine = bench.machine;
    machine.costs.flight = [&sent, &quiet, &machine, answer](std::uint64_t) {
        sent.push_back(now());
        sci::Packet& response = machine.simulation().pool<sci::PacketPool>().acquire();
        const Duration gone = now() + machine.costs.store + 2_us + answer;
        quiet.push_back(gone);
        machine.agenda.at(gone,
                          [&machine, &response] { machine.simulation().pool<sci::PacketPool>().release(response); });
        return 2_us;
    };
    bench.run();
    BOOST_TEST_REQUIRE(sent.size() == 12u);
    for (std::size_t i = 1; i < sent.size(); ++i) BOOST_TEST((sent[i] >= quiet[i - 1]));
}

/// The same bytes of an earlier sender are already there and must not be mistaken for the missing ones.
BOOST_DATA_TEST_CASE(a_byte_that_is_wrong_or_does_not_come_ends_the_run_with_its_place, data::make({0u, 3u, 5u}),
                     spoiled)
{
    // Six messages among three ranks; of each rank's two the one to the next rank comes last
    const unsigned from = spoiled / 2;
    const unsigned to = (from + (spoiled % 2 == 0 ? 2 : 1)) % 3;
    const auto sequence = from;  // with one repetition
    constexpr std::uint64_t kByte = 7;
    const auto address = test::FakeDriver::kFirst + message_offset(64, true) + kByte;
    Bench bench(3, {"from=-1", "size=64"});
    test::FakeProcessor& receiver = bench.machine.processor(to);
    bench.machine.costs.spoil = [&receiver, spoiled, address](std::uint64_t n, std::vector<std::byte>& bytes) {
        if (n == spoiled) receiver.peek(address, std::span(bytes).subspan(kByte, 1));
    };
    const std::vector<std::byte> elsewhere(1, std::byte{0xee});
    receiver.poke(address, elsewhere);
    try {
        bench.run();
        BOOST_ERROR("a byte that did not come was not missed");
    } catch (const ModelError& error) {
        const std::string what = error.what();
        const std::string start = "the program of rank " + std::to_string(to) +
                                  " did not get past repetition 0 of 64 bytes; there, byte 7 of its receive area is 0x";
        BOOST_TEST(what.substr(0, start.size()) == start);
        const auto expected = std::to_integer<unsigned>(pattern_byte(sequence, kByte));
        BOOST_TEST(std::stoul(what.substr(what.rfind("0x")), nullptr, 16) == expected);
    }
}

BOOST_AUTO_TEST_CASE(a_message_that_never_comes_is_an_unfinished_program)
{
    Bench bench(2, {"from=0", "repetitions=3"}, {.spoil = [](std::uint64_t n, std::vector<std::byte>& bytes) {
                    if (n == 1) bytes.clear();
                }});
    BOOST_CHECK_EXCEPTION(bench.run(), ModelError, [](const auto& error) {
        const std::string expected = "the program of rank 1 did not get past repetition 1 of 64 bytes; there, byte ";
        BOOST_TEST(std::string(error.what()).substr(0, expected.size()) == expected);
        return true;
    });
}

BOOST_AUTO_TEST_CASE(a_network_that_never_becomes_idle_ends_the_run)
{
    Bench bench(2, {"from=0"});
    sci::Packet& lost = bench.simulation.pool<sci::PacketPool>().acquire();
    check_error(bench, "latency-map: the network does not come to rest");
    bench.simulation.pool<sci::PacketPool>().release(lost);
}

BOOST_DATA_TEST_CASE(a_rank_that_does_not_exist_is_refused, data::make({4, 5, 65535}), from)
{
    Bench bench(4, {"from=" + std::to_string(from)});
    BOOST_TEST(test::error_of([&] { bench.workload.start(bench.machine); }) ==
               "latency-map: this machine has no rank from = " + std::to_string(from) +
                   "; choose one of 0 to 3, or -1");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
