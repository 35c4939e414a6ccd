// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/kinds/open_loop.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using sci::Command;
using test::cell;
using test::FakeMachine;

struct Bench {
    Simulation simulation;
    FakeMachine machine;
    Traffic workload;

    explicit Bench(TrafficOptions options, unsigned nodes = 8, std::uint64_t seed = 1)
        : simulation(seed), machine(simulation, nodes), workload(std::move(options))
    {}
    Results run()
    {
        workload.start(machine);
        machine.carry_traffic();
        simulation.run();
        workload.check();
        return workload.results();
    }
    /// Takes `count` packets of one source, without the kernel.
    std::vector<Injection> take(std::size_t count, unsigned source = 0)
    {
        if (machine.model == nullptr) workload.start(machine);
        std::vector<Injection> taken;
        while (taken.size() < count) taken.push_back(machine.model->next(source));
        return taken;
    }
};

/// On a ring of N nodes a uniform packet and its response, with their echoes, take N / 2 turns of N links on average.
Duration ring_gap(const SciMachine& machine, Command command, double load)
{
    const auto echo = machine.link_time(Command::kEcho);
    auto circle = machine.link_time(command) + echo;
    if (command != Command::kMove64) circle += machine.link_time(Command::kResponse0) + echo;
    return nanoseconds(circle.ns() * machine.nodes() / 2 / load);
}

const auto kClose = boost::test_tools::tolerance(1e-9);
constexpr const char* kForever = "1 s";

}  // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(ringmesh::sci::Command)

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(open_loop)

BOOST_AUTO_TEST_CASE(periodic_sources_keep_their_gap_and_start_at_different_phases)
{
    Bench bench({.arrivals = "periodic", .duration = kForever});
    const auto gap = ring_gap(bench.machine, Command::kWrite64, 0.3);
    std::vector<Duration> phases;
    for (unsigned source = 0; source < 8; ++source) {
        const auto packets = bench.take(100, source);
        BOOST_TEST((packets[0].at < gap));
        for (std::size_t i = 1; i < packets.size(); ++i) BOOST_REQUIRE((packets[i].at - packets[i - 1].at == gap));
        phases.push_back(packets[0].at);
    }
    std::sort(phases.begin(), phases.end());
    BOOST_TEST((std::adjacent_find(phases.begin(), phases.end()) == phases.end()));
}

// Gaps of a Poisson process have the mean g and the standard deviation g.
BOOST_AUTO_TEST_CASE(poisson_gaps_have_the_mean_and_the_deviation_of_the_load)
{
    constexpr std::size_t kPackets = 100'000;
    Bench bench({.duration = kForever});
    const double gap = ring_gap(bench.machine, Command::kWrite64, 0.3).ns();
    const auto packets = bench.take(kPackets);
    double squares = 0;
    Duration last;
    for (const auto& packet : packets) {
        squares += std::pow((packet.at - last).ns() - gap, 2);
        last = packet.at;
    }
    BOOST_TEST(last.ns() / kPackets == gap, boost::test_tools::tolerance(4 / std::sqrt(kPackets)));
    BOOST_TEST(std::sqrt(squares / kPackets) == gap, boost::test_tools::tolerance(0.03));
}

BOOST_DATA_TEST_CASE(every_other_node_is_as_likely_and_the_source_itself_is_never_chosen, data::make({0, 3, 7}), source)
{
    constexpr int kPackets = 70'000;
    Bench bench({.duration = kForever});
    std::vector<int> chosen(8);
    for (const auto& packet : bench.take(kPackets, static_cast<unsigned>(source))) ++chosen.at(packet.to);
    for (int node = 0; node < 8; ++node) {
        const int expected = node == source ? 0 : kPackets / 7;
        BOOST_TEST(std::abs(chosen[static_cast<std::size_t>(node)] - expected) <= 4 * std::sqrt(expected));
    }
}

BOOST_AUTO_TEST_CASE(the_seed_alone_decides_on_the_packets)
{
    const auto times = [](std::uint64_t seed, unsigned source) {
        Bench bench({}, 8, seed);
        std::vector<std::pair<Duration, unsigned>> all;
        for (const auto& packet : bench.take(20, source)) all.emplace_back(packet.at, packet.to);
        return all;
    };
    BOOST_TEST((times(1, 0) == times(1, 0)));
    BOOST_TEST((times(1, 0) != times(2, 0)));
    BOOST_TEST((times(1, 0) != times(1, 1)));
}

BOOST_AUTO_TEST_CASE(latencies_run_from_birth_to_delivery_and_to_the_response)
{
    Bench bench({});
    const auto results = bench.run();
    const double flight = bench.machine.costs.flight(0).ns();
    for (const auto* column :
         {"latency_min_ns", "latency_mean_ns", "latency_p50_ns", "latency_p99_ns", "latency_max_ns"}) {
        BOOST_TEST(cell<double>(results, 0, column) == flight, kClose);
    }
    BOOST_TEST(cell<double>(results, 0, "transaction_mean_ns") == 2 * flight, kClose);
    BOOST_TEST(cell<std::int64_t>(results, 0, "link_crossings") ==
               static_cast<std::int64_t>(8 * bench.machine.injections.size()));
}

BOOST_AUTO_TEST_CASE(only_packets_born_after_the_warm_up_are_counted_and_none_is_born_after_the_duration)
{
    const TrafficOptions options{.warm_up = "10us", .duration = "50 us"};
    Bench bench(options);
    const auto results = bench.run();
    std::int64_t measured = 0;
    for (const auto& injection : bench.machine.injections) {
        BOOST_REQUIRE((injection.at < 60_us));
        if (injection.at >= 10_us) ++measured;
    }
    BOOST_TEST(measured < static_cast<std::int64_t>(bench.machine.injections.size()));
    BOOST_TEST(cell<std::int64_t>(results, 0, "delivered") == measured);
    BOOST_TEST(cell<std::int64_t>(results, 0, "answered") == measured);
}

// A machine without loss accepts what is offered; only the ends of the window blur it, by a packet per source at most.
BOOST_DATA_TEST_CASE(accepted_is_the_payload_by_the_window,
                     data::make({Command::kWrite64, Command::kWrite16}) * data::make({0.2, 0.8}), command, load)
{
    Bench bench({.packet = {.command = command == Command::kWrite64 ? "write64" : "write16"},
                 .load = std::to_string(load),
                 .arrivals = "periodic",
                 .duration = "100 us"});
    const auto results = bench.run();
    const double gap_us = ring_gap(bench.machine, command, load).us();
    const double payload = command == Command::kWrite64 ? 64 : 16;
    BOOST_TEST(cell<double>(results, 0, "offered_mb_per_s") == payload / gap_us, kClose);
    BOOST_TEST(std::abs(cell<double>(results, 0, "accepted_mb_per_s") - payload / gap_us) <= payload / 100);
}

BOOST_AUTO_TEST_CASE(a_number_of_packets_is_what_each_source_sends_after_the_warm_up)
{
    Bench bench({.warm_up = "5us", .packets = 25});
    const auto results = bench.run();
    BOOST_TEST(cell<std::int64_t>(results, 0, "delivered") == 8 * 25);
    const double offered = cell<double>(results, 0, "offered_mb_per_s");
    BOOST_TEST(cell<double>(results, 0, "accepted_mb_per_s") == offered, boost::test_tools::tolerance(0.3));
}

BOOST_AUTO_TEST_CASE(moves_are_not_answered)
{
    Bench bench({.packet = {.command = "move64"}});
    const auto results = bench.run();
    BOOST_TEST(cell<std::int64_t>(results, 0, "answered") == 0);
    BOOST_CHECK_NO_THROW(cell<std::monostate>(results, 0, "transaction_mean_ns"));
    BOOST_TEST(cell<std::int64_t>(results, 0, "delivered") > 100);
}

BOOST_DATA_TEST_CASE(a_request_lost_or_delivered_twice_is_found, data::make({0, 2}), copies)
{
    Bench bench({});
    bench.machine.deliveries = [copies](std::size_t n) { return n == 40 ? copies : 1; };
    BOOST_CHECK_THROW(bench.run(), ModelError);
}

BOOST_DATA_TEST_CASE(a_request_not_answered_or_answered_twice_is_found, data::make({0, 2}), copies)
{
    Bench bench({});
    bench.machine.answers = [copies](std::size_t n) { return n == 40 ? copies : 1; };
    BOOST_CHECK_THROW(bench.run(), ModelError);
}

// Two nodes that send in turn: requests 40 and 42 or 41 are of one source, and the number that arrives is right.
BOOST_AUTO_TEST_CASE(a_request_delivered_instead_of_another_is_found)
{
    Bench bench({.arrivals = "periodic"}, 2);
    bench.machine.deliveries = [](std::size_t n) { return n == 40 ? 0 : n == 42 ? 2 : 1; };
    BOOST_CHECK_THROW(bench.run(), ModelError);
}

BOOST_AUTO_TEST_CASE(an_answer_to_a_move_is_found)
{
    Bench bench({.packet = {.command = "move64"}});
    bench.run();
    bench.machine.model->answered({}, 1_ms);
    BOOST_CHECK_THROW(bench.workload.check(), ModelError);
}

BOOST_AUTO_TEST_CASE(a_dropped_request_is_reported_and_no_error)
{
    Bench bench({});
    bench.machine.deliveries = [](std::size_t n) { return n == 40 ? 0 : 1; };
    bench.machine.answers = bench.machine.deliveries;
    BOOST_CHECK_THROW(bench.run(), ModelError);
    // Which source it was shows in the message of the check; it is told that this one was dropped.
    const Injection& lost = bench.machine.injections.at(40);
    for (unsigned source = 0; source < 8; ++source) {
        try {
            bench.workload.check();
            break;
        } catch (const ModelError& error) {
            const auto name = "node " + std::to_string(source) + " sent";
            if (std::string(error.what()).substr(0, name.size()) != name) continue;
            bench.machine.model->dropped(source, lost.at);
        }
    }
    BOOST_CHECK_NO_THROW(bench.workload.check());
    BOOST_TEST(cell<std::int64_t>(bench.workload.results(), 0, "dropped") == 1);
}

BOOST_AUTO_TEST_CASE(a_window_without_packets_is_refused)
{
    Bench bench({.load = "0.5", .duration = "1 ns"});
    BOOST_CHECK_THROW(bench.workload.start(bench.machine), UserError);
}

BOOST_AUTO_TEST_CASE(a_machine_of_one_node_is_refused)
{
    Bench bench({}, 1);
    BOOST_CHECK_THROW(bench.workload.start(bench.machine), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
