// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/traffic.h"

#include <cmath>
#include <fstream>
#include <map>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"
#include "tests/workloads/run_workload.h"
#include "tests/workloads/traffic/fake_network.h"
#include "tlm/parameters/parameter_list.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using test::cell;
using test::FakeNetwork;

struct Bench {
    Simulation simulation{1};
    FakeNetwork machine;
    Traffic workload;

    explicit Bench(TrafficOptions options, unsigned columns = 4, unsigned rows = 3, Frequency clock = 1000_MHz)
        : machine(simulation, columns, rows, clock), workload(std::move(options))
    {}
    Results run() { return test::run_workload(workload, machine); }
};

const auto kClose = boost::test_tools::tolerance(1e-9);

std::string refusal(TrafficOptions options, unsigned columns = 4, unsigned rows = 3)
{
    Bench bench(std::move(options), columns, rows);
    return test::error_of([&] { bench.workload.start(bench.machine); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(clocked_traffic)

// The mean of a Bernoulli process of n edges and chance p: np births, deviation sqrt(np(1 - p)).
BOOST_DATA_TEST_CASE(each_source_offers_the_load_in_units_of_the_network,
                     data::make({1, 3, 64}) * data::make({0.05, 0.4, 1.0}), flits, load)
{
    constexpr double kCycles = 20'000;
    Bench bench({.packet = {.size = std::to_string(flits)},
                 .load = std::to_string(load),
                 .warm_up = "0 ns",
                 .duration = "20000 cycles"});
    const Results results = bench.run();
    std::vector<int> by_source(bench.machine.nodes());
    for (std::size_t i = 0; i < bench.machine.injections.size(); ++i) {
        ++by_source[bench.machine.sources[i]];
        BOOST_REQUIRE(bench.machine.injections[i].size == static_cast<std::uint32_t>(flits));
    }
    const double chance = load / flits;
    for (const int packets : by_source) {
        BOOST_TEST(std::abs(packets - chance * kCycles) <= 4.5 * std::sqrt(kCycles * chance * (1 - chance)));
    }
    BOOST_TEST(cell<double>(results, 0, "offered_load") == load);
}

BOOST_AUTO_TEST_CASE(accepted_is_what_arrives_in_the_window_in_flits_per_node_and_cycle)
{
    Bench bench(
        {.packet = {.size = "5"}, .load = "0.5", .arrivals = "periodic", .warm_up = "1 us", .duration = "1000 cycles"});
    const Results results = bench.run();
    // A packet every ten cycles; packets leaving the window balance those entering it, up to one per source
    BOOST_TEST(std::abs(cell<double>(results, 0, "accepted_load") - 0.5) <= 5.0 / 1000);
    BOOST_TEST(cell<double>(results, 0, "accepted_part") == 1, boost::test_tools::tolerance(0.01));
    BOOST_TEST(cell<std::int64_t>(results, 0, "delivered") == 12 * 100);
}

BOOST_DATA_TEST_CASE(latency_counts_from_birth_in_cycles_and_nanoseconds, data::make({0, 7}), late)
{
    Bench bench({.packet = {.size = "3"}, .load = "0.3"}, 4, 3, 500_MHz);
    bench.machine.late = late * 1_ns;
    const Results results = bench.run();
    const double mean = cell<double>(results, 0, "latency_mean_cycles");
    const double hops = cell<double>(results, 0, "hops_mean");
    BOOST_TEST(cell<double>(results, 0, "zero_load_mean_ns") == 2 * (10 * hops + 3), kClose);
    BOOST_TEST(mean == 10 * hops + 3 + late / 2.0, kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_mean_ns") == 2 * mean, kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") == 2 * (10 + 3) + late, kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_max_ns") == 2 * (10 * 5 + 3) + late, kClose);
}

// Whatever the lengths, the load is kept: of n packets of mean m and variance v the flits differ by sqrt(n (v + m^2)).
BOOST_DATA_TEST_CASE(lengths_that_vary_keep_the_load,
                     data::make({"1:0.5,9:0.5", "uniform:1..9", "exponential:3:1..64"}) *
                         data::make({"bernoulli", "poisson", "periodic", "on-off"}),
                     lengths, arrivals)
{
    Bench bench({.packet = {.size = lengths}, .load = "0.4", .arrivals = arrivals, .duration = "100000 cycles"});
    const Results results = bench.run();
    BOOST_TEST(cell<double>(results, 0, "offered_load") == 0.4);
    BOOST_TEST(std::abs(cell<double>(results, 0, "accepted_load") - 0.4) < 0.02);
    std::map<std::uint32_t, int> by_size;
    for (const Injection& injection : bench.machine.injections) ++by_size[injection.size];
    BOOST_TEST(by_size.size() > 1u);
    BOOST_TEST(by_size.begin()->first == 1u);
    // No packet meets another here: each takes what it would alone, and on an edge no time until the next one
    if (arrivals == std::string("bernoulli")) {
        BOOST_TEST(cell<double>(results, 0, "latency_mean_ns") == cell<double>(results, 0, "zero_load_mean_ns"),
                   kClose);
    }
}

BOOST_AUTO_TEST_CASE(a_histogram_gives_the_lengths_of_packets)
{
    const test::TemporaryFolder folder;
    std::ofstream("lengths.csv") << "2,1\n6,1\n";
    Bench bench({.load = "0.4", .lengths = "lengths.csv"});
    const Results results = bench.run();
    for (const Injection& injection : bench.machine.injections) BOOST_REQUIRE(injection.size % 4 == 2);
    BOOST_TEST(cell<double>(results, 0, "accepted_load") == 0.4, boost::test_tools::tolerance(0.05));
}

BOOST_AUTO_TEST_CASE(lengths_beyond_those_of_the_network_are_refused)
{
    const auto told = refusal({.packet = {.size = "uniform:1..65"}});
    BOOST_TEST(told.find("size = 65") != std::string::npos, told);
}

BOOST_AUTO_TEST_CASE(lengths_of_another_network_are_refused)
{
    BOOST_TEST(refusal({.packet = {.flits = "uniform:1..4"}}) != "no error");
}

BOOST_AUTO_TEST_CASE(an_operation_has_packets_of_one_length)
{
    BOOST_TEST(refusal({.pattern = "all-to-all", .packet = {.size = "uniform:1..4"}}) != "no error");
}

void write_rates() { std::ofstream("rates.csv") << "0,1,3\n5,2,0.5\n5,3,0.5\n"; }

BOOST_DATA_TEST_CASE(sources_of_a_table_offer_the_load_by_their_rates,
                     data::make({"bernoulli", "poisson", "periodic", "on-off"}), arrivals)
{
    const test::TemporaryFolder folder;
    write_rates();
    Bench bench({.pattern = "table",
                 .load = "0.4",
                 .arrivals = arrivals,
                 .duration = "100000 cycles",
                 .places = {.rates = "rates.csv"}});
    const Results results = bench.run();
    std::map<unsigned, double> by_source;
    for (const unsigned source : bench.machine.sources) ++by_source[source];
    BOOST_TEST(by_source.size() == 2u);
    BOOST_TEST(by_source[0] / by_source[5] == 3, boost::test_tools::tolerance(0.05));
    BOOST_TEST(cell<std::int64_t>(results, 0, "senders") == 2);
    BOOST_TEST(cell<double>(results, 0, "accepted_load") == 0.4, boost::test_tools::tolerance(0.03));
}

// The first sends three halves of the mean: at 0.7 more than its port takes.
BOOST_AUTO_TEST_CASE(a_table_whose_largest_sender_exceeds_its_port_is_refused)
{
    const test::TemporaryFolder folder;
    write_rates();
    const auto told = refusal({.pattern = "table", .load = "0.7", .places = {.rates = "rates.csv"}});
    BOOST_TEST(told.find("load = 0.7") != std::string::npos, told);
}

BOOST_AUTO_TEST_CASE(a_pattern_in_which_nobody_sends_is_refused)
{
    const test::TemporaryFolder folder;
    const auto told = refusal({.pattern = "quadrant", .load = "0.1"}, 2, 2);
    BOOST_TEST(told.find("pattern = quadrant") != std::string::npos, told);
}

BOOST_AUTO_TEST_CASE(uniform_traffic_with_self_goes_as_far_as_all_pairs_do_on_average)
{
    constexpr int kColumns = 6;
    constexpr int kRows = 4;
    Bench bench({.load = "0.5", .places = {.self = true}}, kColumns, kRows);
    // The mean distance of two points out of n, the same one allowed, is (n^2 - 1) / 3n
    const auto mean = [](double n) { return (n * n - 1) / (3 * n); };
    BOOST_TEST(cell<double>(bench.run(), 0, "hops_mean") == mean(kColumns) + mean(kRows),
               boost::test_tools::tolerance(0.01));
}

BOOST_DATA_TEST_CASE(packets_are_of_the_kinds_that_the_network_makes_of_the_options, data::make({"auto", "mixed"}),
                     kind)
{
    Bench bench({.packet = {.kind = kind}, .load = "0.5"});
    bench.run();
    double others = 0;
    for (const auto& one : bench.machine.injections) others += one.kind == 1 ? 0 : 1;
    const auto all = static_cast<double>(bench.machine.injections.size());
    const double expected = std::string(kind) == "mixed" ? all / 2 : 0;
    BOOST_TEST(std::abs(others - expected) <= 4 * std::sqrt(all / 4) * (expected > 0));
}

BOOST_DATA_TEST_CASE(a_packet_that_is_lost_or_comes_twice_is_found, data::make({0, 2}), times)
{
    Bench bench({});
    bench.machine.deliveries = [times](std::size_t n) { return n == 100 ? times : 1; };
    BOOST_CHECK_THROW(bench.run(), ModelError);
}

BOOST_AUTO_TEST_CASE(link_use_is_that_of_the_window_alone)
{
    // The fake mesh books the packets of even nodes on link 0, those of odd nodes on link 1
    Bench bench({.load = "0.25", .arrivals = "periodic", .warm_up = "400 cycles", .duration = "4000 cycles"}, 3, 1);
    const Results results = bench.run();
    BOOST_TEST(cell<double>(results, 0, "link_use_highest") == 2 * 0.25, boost::test_tools::tolerance(0.01));
    BOOST_TEST(cell<double>(results, 0, "link_use_mean") == 3 * 0.25 / 2, boost::test_tools::tolerance(0.01));
    BOOST_TEST(cell<std::string>(results, 0, "busiest_link") == "link0");
}

BOOST_AUTO_TEST_CASE(sources_that_would_send_to_themselves_in_a_transpose_are_silent_and_not_counted)
{
    Bench bench({.pattern = "transpose", .load = "0.5"}, 4, 4);
    const Results results = bench.run();
    BOOST_TEST(cell<std::int64_t>(results, 0, "senders") == 12);
    BOOST_TEST(cell<double>(results, 0, "accepted_load") == 0.5, boost::test_tools::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(durations_are_in_cycles_or_time_units)
{
    const Clock clock(500_MHz);
    const auto duration_of = [&](const std::string& text) {
        return TrafficOptions{.duration = text}.duration_value(clock);
    };
    BOOST_TEST((duration_of("100 cycles") == 200_ns));
    BOOST_TEST((duration_of("1us") == 1_us));
    BOOST_TEST((duration_of("1000000000 cycles") == 2_s));
    BOOST_CHECK_THROW(duration_of("1000000001 cycles"), UserError);
    BOOST_CHECK_THROW(duration_of("2.1 s"), UserError);
}

/// The effective options contain resolved "auto" values, and no options unused by this network and pattern.
BOOST_AUTO_TEST_CASE(auto_options_are_resolved_at_the_start)
{
    Bench bench({});
    const auto options = [&bench] {
        std::map<std::string, std::string> values;
        for (const ParameterRow& row :
             list_parameters_of([&bench](ParameterVisitor& visitor) { bench.workload.visit(visitor); })) {
            values[row.key] = row.value;
        }
        return values;
    };
    BOOST_TEST(options().at("load") == "auto");
    BOOST_TEST(options().contains("command"));
    bench.workload.start(bench.machine);
    BOOST_TEST(options().at("load") == "0.1");
    BOOST_TEST(options().at("arrivals") == "bernoulli");
    BOOST_TEST(options().at("duration") == "20 us");
    BOOST_TEST(options().at("warm_up") == "2 us");
    BOOST_TEST(options().at("size") == "1");
    BOOST_TEST(!options().contains("command"));
    BOOST_TEST(!options().contains("rate"));
}

// Each node sends the next packet when the last has arrived; no contention here.
BOOST_AUTO_TEST_CASE(operations_run_on_networks_without_answers)
{
    Bench bench({.pattern = "one-to-all"}, 4, 3);
    const Results results = bench.run();
    double hops = 0;
    for (unsigned to = 1; to < 12; ++to) hops += bench.machine.hops(0, to);
    BOOST_TEST(cell<double>(results, 0, "makespan_ns") == 10 * hops + 11, kClose);
}

BOOST_AUTO_TEST_CASE(options_of_other_networks_are_refused_with_what_there_is)
{
    BOOST_TEST(refusal({.packet = {.command = "write64"}}) ==
               "command = write64: the packets of this network have size, kind; leave it out");
}

BOOST_AUTO_TEST_CASE(a_number_out_of_bounds_is_refused_with_the_bounds)
{
    BOOST_TEST(refusal({.packet = {.size = "65"}}) ==
               "size = 65: not a whole number from 1 to 64; write size=1, or leave it out");
}

BOOST_AUTO_TEST_CASE(errors_say_what_to_write_instead)
{
    BOOST_TEST(refusal({.duration = "5"}) ==
               "traffic: duration = 5: neither cycles nor a time; write such as 20000 cycles or 20 us");
}

BOOST_AUTO_TEST_CASE(a_network_of_one_node_is_refused)
{
    BOOST_TEST(refusal({}, 1, 1) == "traffic: needs two nodes, and this machine has 1; take a larger one");
}

BOOST_AUTO_TEST_CASE(a_load_of_less_than_one_packet_is_refused)
{
    BOOST_TEST(refusal({.load = "0.000001", .duration = "1000 cycles"}) ==
               "traffic: the 12 sources together offer a packet every 83.333 us, and the duration is 1 us; "
               "raise duration, or offer more");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
