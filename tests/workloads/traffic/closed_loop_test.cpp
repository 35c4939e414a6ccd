// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <map>

#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/error.h"
#include "workloads/traffic/traffic.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using test::cell;
using test::FakeMachine;

/// All packets and responses have the same flight time.
struct Bench {
    Simulation simulation{1};
    FakeMachine machine;
    Traffic workload;

    Bench(TrafficOptions options, unsigned nodes) : machine(simulation, nodes), workload(std::move(options)) {}
    Results run()
    {
        workload.start(machine);
        machine.carry_traffic();
        simulation.run();
        workload.check();
        return workload.results();
    }
    double flight_ns() const { return machine.costs.flight(0).ns(); }
};

TrafficOptions operation(const std::string& pattern)
{
    TrafficOptions options;
    options.pattern = pattern;
    return options;
}

const auto kClose = boost::test_tools::tolerance(1e-9);

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(closed_loop)

BOOST_DATA_TEST_CASE(one_to_all_takes_a_turn_for_each_other_node, data::make({2u, 5u, 8u}), nodes)
{
    Bench bench(operation("one-to-all"), nodes);
    const auto results = bench.run();
    BOOST_TEST(cell<std::int64_t>(results, 0, "messages") == nodes - 1);
    BOOST_TEST(cell<std::int64_t>(results, 0, "senders") == 1);
    BOOST_TEST(cell<double>(results, 0, "makespan_ns") == 2 * (nodes - 1) * bench.flight_ns(), kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_sum_ns") == (nodes - 1) * bench.flight_ns(), kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_mean_ns") == bench.flight_ns(), kClose);
    BOOST_TEST(cell<double>(results, 0, "transaction_mean_ns") == 2 * bench.flight_ns(), kClose);
}

BOOST_AUTO_TEST_CASE(the_next_move_is_sent_when_the_last_is_delivered)
{
    TrafficOptions options = operation("one-to-all");
    options.packet.command = "move64";
    Bench bench(options, 6);
    const auto results = bench.run();
    BOOST_TEST(cell<double>(results, 0, "makespan_ns") == 5 * bench.flight_ns(), kClose);
    BOOST_CHECK_NO_THROW(cell<std::monostate>(results, 0, "transaction_mean_ns"));
}

BOOST_DATA_TEST_CASE(a_window_limits_outstanding_packets, data::make({1, 2, 3, 7, 100}), window)
{
    TrafficOptions options = operation("all-to-all");
    options.window = window;
    Bench bench(options, 8);
    const auto results = bench.run();
    const double turns = std::ceil(7.0 / window);
    BOOST_TEST(cell<double>(results, 0, "makespan_ns") == 2 * turns * bench.flight_ns(), kClose);
    BOOST_TEST(cell<std::int64_t>(results, 0, "delivered") == 56);
    BOOST_TEST(bench.machine.injections.size() == 56u);
}

// Node r has its message after one flight more than its parent needed turns.
BOOST_AUTO_TEST_CASE(the_tree_delivers_by_parents_flight_and_turn)
{
    TrafficOptions options = operation("tree-multicast");
    options.show = Show::kMessages;
    Bench bench(options, 13);
    const auto results = bench.run();
    BOOST_REQUIRE(results.rows.size() == 12u);
    std::map<std::int64_t, double> delivered{{0, 0.0}};
    std::map<std::int64_t, int> turn;
    for (std::size_t row = 0; row < 12; ++row) {
        const auto from = cell<std::int64_t>(results, row, "from");
        const auto to = cell<std::int64_t>(results, row, "to");
        const double start = delivered.at(from) + 2 * bench.flight_ns() * turn[from]++;
        BOOST_TEST(cell<double>(results, row, "start_ns") == start, kClose);
        BOOST_TEST(cell<double>(results, row, "latency_ns") == bench.flight_ns(), kClose);
        BOOST_TEST(cell<double>(results, row, "transaction_ns") == 2 * bench.flight_ns(), kClose);
        delivered[to] = cell<double>(results, row, "delivered_ns");
    }
    BOOST_TEST(delivered.size() == 13u);
}

BOOST_DATA_TEST_CASE(a_message_that_is_lost_or_comes_twice_is_found, data::make({0, 2}), copies)
{
    Bench bench(operation("all-to-all"), 4);
    bench.machine.deliveries = [copies](std::size_t n) { return n == 5 ? copies : 1; };
    BOOST_CHECK_THROW(bench.run(), ModelError);
}

BOOST_AUTO_TEST_CASE(an_operation_that_does_not_end_is_found)
{
    Bench bench(operation("one-to-all"), 4);
    bench.workload.start(bench.machine);
    BOOST_CHECK_THROW(bench.workload.check(), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
