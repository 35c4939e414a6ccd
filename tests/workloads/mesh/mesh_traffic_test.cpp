// SPDX-License-Identifier: Apache-2.0
#include "workloads/mesh/mesh_traffic.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "tests/platforms/user_error.h"
#include "tests/workloads/mesh/fake_mesh.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using namespace ringmesh::workloads;
using test::cell;
using test::FakeMesh;

struct Bench {
    Simulation simulation{1};
    FakeMesh machine;
    MeshTraffic workload;

    explicit Bench(MeshTrafficOptions options, unsigned columns = 4, unsigned rows = 3, Frequency clock = 1000_MHz)
        : machine(simulation, columns, rows, clock), workload(std::move(options))
    {}
    Results run()
    {
        workload.start(machine);
        simulation.run();
        workload.check();
        return workload.results();
    }
};

const auto kClose = boost::test_tools::tolerance(1e-9);

std::string refusal(MeshTrafficOptions options, unsigned columns = 4, unsigned rows = 3)
{
    Bench bench(std::move(options), columns, rows);
    return test::error_of([&] { bench.workload.start(bench.machine); });
}

}  // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(ringmesh::workloads::MeshClasses)

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(mesh_traffic)

// The mean of a Bernoulli process of n edges and chance p: np births, deviation sqrt(np(1 - p)).
BOOST_DATA_TEST_CASE(each_source_offers_the_load_in_flits_per_cycle,
                     data::make({1, 3, 64}) * data::make({0.05, 0.4, 1.0}), flits, load)
{
    constexpr double kCycles = 20'000;
    Bench bench({.flits = flits, .load = load, .warm_up = "0 ns", .duration = "20000 cycles"});
    const Results results = bench.run();
    std::vector<int> by_source(bench.machine.nodes());
    for (std::size_t i = 0; i < bench.machine.injections.size(); ++i) {
        ++by_source[bench.machine.sources[i]];
        BOOST_REQUIRE(bench.machine.injections[i].flits == static_cast<std::uint32_t>(flits));
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
        {.flits = 5, .load = 0.5, .arrivals = Arrivals::kPeriodic, .warm_up = "1 us", .duration = "1000 cycles"});
    const Results results = bench.run();
    // A packet each ten cycles, as many leaving the window as coming in from before: to one of each source
    BOOST_TEST(std::abs(cell<double>(results, 0, "accepted_load") - 0.5) <= 5.0 / 1000);
    BOOST_TEST(cell<double>(results, 0, "accepted_part") == 1, boost::test_tools::tolerance(0.01));
    BOOST_TEST(cell<std::int64_t>(results, 0, "delivered") == 12 * 100);
}

BOOST_DATA_TEST_CASE(latency_counts_from_birth_in_cycles_and_nanoseconds, data::make({0, 7}), late)
{
    Bench bench({.flits = 3, .load = 0.3}, 4, 3, 500_MHz);
    bench.machine.late = late * 1_ns;
    const Results results = bench.run();
    const double mean = cell<double>(results, 0, "latency_mean_cycles");
    const double hops = cell<double>(results, 0, "hops_mean");
    BOOST_TEST(cell<double>(results, 0, "zero_load_mean_cycles") == 10 * hops + 3, kClose);
    BOOST_TEST(mean == 10 * hops + 3 + late / 2.0, kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_mean_ns") == 2 * mean, kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_min_cycles") == 10 + 3 + late / 2.0, kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_max_cycles") == 10 * 5 + 3 + late / 2.0, kClose);
}

BOOST_AUTO_TEST_CASE(uniform_traffic_with_self_goes_as_far_as_all_pairs_do_on_average)
{
    constexpr int kColumns = 6;
    constexpr int kRows = 4;
    Bench bench({.load = 0.5, .places = {.self = true}}, kColumns, kRows);
    // The mean distance of two points out of n, the same one allowed, is (n^2 - 1) / 3n
    const auto mean = [](double n) { return (n * n - 1) / (3 * n); };
    BOOST_TEST(cell<double>(bench.run(), 0, "hops_mean") == mean(kColumns) + mean(kRows),
               boost::test_tools::tolerance(0.01));
}

BOOST_DATA_TEST_CASE(packets_are_of_the_class_that_was_asked_for,
                     data::make({MeshClasses::kRequest, MeshClasses::kResponse}), kind)
{
    Bench bench({.kind = kind});
    bench.run();
    const auto expected = kind == MeshClasses::kRequest ? mesh::Class::kRequest : mesh::Class::kResponse;
    for (const auto& one : bench.machine.injections) BOOST_REQUIRE((one.kind == expected));
}

BOOST_AUTO_TEST_CASE(half_of_mixed_packets_are_responses)
{
    Bench bench({.load = 0.5, .kind = MeshClasses::kMixed});
    bench.run();
    double responses = 0;
    for (const auto& one : bench.machine.injections) responses += one.kind == mesh::Class::kResponse ? 1 : 0;
    const auto all = static_cast<double>(bench.machine.injections.size());
    BOOST_TEST(std::abs(responses - all / 2) <= 4 * std::sqrt(all / 4));
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
    Bench bench({.load = 0.25, .arrivals = Arrivals::kPeriodic, .warm_up = "400 cycles", .duration = "4000 cycles"}, 3,
                1);
    const Results results = bench.run();
    BOOST_TEST(cell<double>(results, 0, "link_use_highest") == 2 * 0.25, boost::test_tools::tolerance(0.01));
    BOOST_TEST(cell<double>(results, 0, "link_use_mean") == 3 * 0.25 / 2, boost::test_tools::tolerance(0.01));
    BOOST_TEST(cell<std::string>(results, 0, "busiest_link") == "link0");
}

BOOST_AUTO_TEST_CASE(who_sends_to_itself_in_a_transpose_is_silent_and_not_counted)
{
    Bench bench({.pattern = "transpose", .load = 0.5}, 4, 4);
    const Results results = bench.run();
    BOOST_TEST(cell<std::int64_t>(results, 0, "senders") == 12);
    BOOST_TEST(cell<double>(results, 0, "accepted_load") == 0.5, boost::test_tools::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(spans_are_cycles_or_time)
{
    const Clock clock(500_MHz);
    const auto duration_of = [&](const std::string& text) {
        MeshTrafficOptions options;
        options.duration = text;
        return options.duration_time(clock);
    };
    BOOST_TEST((duration_of("100 cycles") == 200_ns));
    BOOST_TEST((duration_of("1us") == 1_us));
    BOOST_TEST((duration_of("1000000000 cycles") == 2_s));
    BOOST_CHECK_THROW(duration_of("1000000001 cycles"), UserError);
    BOOST_CHECK_THROW(duration_of("2.1 s"), UserError);
}

BOOST_AUTO_TEST_CASE(mistakes_are_told_with_a_cure)
{
    BOOST_TEST(refusal({.duration = "5"}) ==
               "mesh-traffic: duration = 5: neither cycles nor a time; write such as 20000 cycles or 20 us");
}

BOOST_AUTO_TEST_CASE(a_mesh_of_one_node_has_nobody_to_send_to)
{
    BOOST_TEST(refusal({}, 1, 1) == "mesh-traffic: needs two nodes, and this mesh has 1; take a larger one");
}

BOOST_AUTO_TEST_CASE(a_load_of_hardly_any_packet_is_refused)
{
    BOOST_TEST(
        refusal({.load = 1e-6, .duration = "1000 cycles"}) ==
        "mesh-traffic: the 12 sources together offer a packet every 83333 cycles, and the duration is 1000 cycles; "
        "raise duration, or offer more");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
