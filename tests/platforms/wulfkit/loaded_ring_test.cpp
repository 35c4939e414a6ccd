// SPDX-License-Identifier: Apache-2.0
/// A loaded ring against the closed form of its latency (docs/reference/evidence/analytic.md).

#include <algorithm>
#include <string_view>
#include <variant>

#include "analytic/sci/load.h"
#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"
#include "workloads/traffic/traffic.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using platforms::WulfkitParams;

/// The differences stated in docs/reference/evidence/analytic.md up to a load of 0.6, and the variance of a run of this
/// length.
constexpr double kLatencyTolerance = 0.06;
/// The same for the load at saturation.
constexpr double kSaturationTolerance = 0.03;

analytic::RingTiming timing(const WulfkitParams& params)
{
    const double symbol = params.link.symbol_time.ns();
    return {.symbol_ns = symbol,
            .idle_symbols = static_cast<double>(params.link.idle_symbols),
            .bypass_ns = symbol * static_cast<double>(params.lc2.bypass.count()),
            .propagation_ns = params.cable.propagation().ns(),
            .decode_ns = params.lc2.decode.ns(),
            .in_fifo_ns = params.lc2.in_fifo_to_blink.ns(),
            .out_fifo_ns = params.lc2.blink_to_out_fifo.ns()};
}

/// The closed form has no flow control.
WulfkitParams without_go_bits(unsigned nodes)
{
    WulfkitParams params = RingBench::nodes(nodes);
    params.link.flow_control = "off";
    return params;
}

struct Run {
    SourceBench bench;
    workloads::Traffic traffic;

    Run(unsigned nodes, bool answered, double load)
        : bench(without_go_bits(nodes)),
          traffic({.packet = {.command = answered ? "write64" : "move64"},
                   .load = std::to_string(load),
                   .warm_up = "300us",
                   .duration = "3 ms"})
    {
        traffic.start(bench.machine);
        bench.simulation.run();
        traffic.check();
    }

    double result(std::string_view column) const
    {
        const auto results = traffic.results();
        const auto found = std::ranges::find(results.columns, column, &workloads::Column::name);
        BOOST_TEST_REQUIRE((found != results.columns.end()));
        return std::get<double>(results.rows.at(0).at(static_cast<std::size_t>(found - results.columns.begin())));
    }
};

}  // namespace

namespace ringmesh::test::loaded_ring_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(loaded_ring)

/// The minimum is that of an uncontended packet over one hop.
BOOST_DATA_TEST_CASE(mean_latency_is_near_the_closed_form_and_the_least_is_unloaded,
                     data::make({4, 32}) * data::make({false, true}) * data::make({0.2, 0.4, 0.6}), nodes, answered,
                     load)
{
    const Run run(static_cast<unsigned>(nodes), answered, load);
    const auto expected =
        analytic::loaded_latency({.nodes = nodes, .answered = answered, .load = load}, timing(run.bench.params));
    BOOST_TEST_REQUIRE(expected.has_value());
    BOOST_TEST(run.result("latency_mean_ns") == expected->mean_ns, boost::test_tools::tolerance(kLatencyTolerance));
    const auto ring = timing(run.bench.params);
    const double unloaded = analytic::loaded_latency({.nodes = nodes, .answered = answered}, ring)->mean_ns;
    const double more_hops = nodes / 2.0 - 1;
    BOOST_TEST(run.result("latency_min_ns") == unloaded - more_hops * (ring.bypass_ns + ring.propagation_ns),
               boost::test_tools::tolerance(1e-6));
}

BOOST_DATA_TEST_CASE(an_overloaded_ring_accepts_what_the_closed_form_says,
                     data::make({8, 32}) ^ data::make({false, true}), nodes, answered)
{
    constexpr double kOffered = 1.1;
    const Run run(static_cast<unsigned>(nodes), answered, kOffered);
    const double accepted = kOffered * run.result("accepted_mb_per_s") / run.result("offered_mb_per_s");
    const double expected = analytic::saturation_load({.nodes = nodes, .answered = answered}, timing(run.bench.params));
    BOOST_TEST(accepted == expected, boost::test_tools::tolerance(kSaturationTolerance));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::loaded_ring_test
