// SPDX-License-Identifier: Apache-2.0
/// The steps of DECK's messages on the cluster itself.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "hw/host/params.h"
#include "hw/pci/params.h"
#include "tests/lab/run/experiments.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;

/// Jitter between two paths: both buses' clocks, and the phase of the poll loop.
double jitter_ns()
{
    const hw::HostParams host;
    return (2 * (1_cycles * Clock(hw::PciParams{}.clock)) + host.poll_loop * Clock(host.clock)).ns();
}

}  // namespace

namespace ringmesh::test::deck_stages_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(deck_stages)

// Both are to the node half-way round, so that both directions have the same length.
BOOST_DATA_TEST_CASE(the_steps_add_up_to_half_a_round_trip_of_the_ping_pong, data::make({1, 2, 3}), protocol)
{
    const auto ways = protocol == 3 ? 3 : 1;
    Store store(Store::usual_folder());
    Experiments experiments;
    ExperimentRequest stages = {.platform = "deck-cluster", .overlays = {}, .settings = {}, .workload = ""};
    stages.workload = "deck-stages:size=62,from=0,to=2";
    ExperimentRequest ping_pong = {.platform = "deck-cluster", .overlays = {}, .settings = {}, .workload = ""};
    ping_pong.workload = "ping-pong:sizes=62,repetitions=1,series=1,from=0,to=2";
    stages.library = ping_pong.library = fmt::format("deck:protocol={}", protocol);
    experiments.plan("stages", stages);
    experiments.plan("ping-pong", ping_pong);
    experiments.run(store, 1);
    const auto durations = column(experiments.outcome("stages"), "duration_ns");
    const double sum = std::accumulate(durations.begin(), durations.end(), 0.0);
    const double latency = column(experiments.outcome("ping-pong"), "latency_avg_ns").at(0);
    BOOST_TEST(std::abs(sum - column(experiments.outcome("stages"), "end_ns").back()) < 1e-3);
    BOOST_TEST(std::abs(sum - latency) <= ways * jitter_ns());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::deck_stages_test
