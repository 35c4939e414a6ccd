// SPDX-License-Identifier: Apache-2.0
#include "lab/store/experiments.h"

#include <boost/test/unit_test.hpp>

#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(experiments)

BOOST_AUTO_TEST_CASE(results_belong_to_the_planned_experiments_and_to_no_other)
{
    Experiments experiments;
    experiments.plan("one", {.platform = "p", .overlays = {}, .settings = {}, .workload = "w", .seed = 7});
    experiments.answer([](const ExperimentRequest& request) {
        Outcome outcome;
        outcome.results = {.columns = {{"seed", ""}}, .rows = {{static_cast<double>(request.seed)}}, .notes = {}};
        return outcome;
    });
    BOOST_TEST(column(experiments.outcome("one"), "seed").at(0) == 7.0);
    BOOST_TEST(experiments.find("one") == &experiments.outcome("one"));
    BOOST_TEST(experiments.find("two") == nullptr);
    BOOST_CHECK_THROW(experiments.outcome("two"), ModelError);
}

BOOST_AUTO_TEST_CASE(results_and_statistics_are_found_by_name)
{
    Outcome outcome;
    outcome.results = {.columns = {{"size_bytes", "bytes"}, {"latency_min_ns", "ns"}},
                       .rows = {{std::int64_t{64}, 4177.0}, {std::int64_t{128}, 5661.0}},
                       .notes = {}};
    outcome.statistics = {{.blocks = "node*.psb", .name = "sent", .unit = "", .meaning = "", .count = 2, .maximum = 2}};
    BOOST_TEST(result(outcome, "latency_min_ns", "size_bytes", 128) == 5661.0);
    BOOST_TEST(statistic(outcome, "node*.psb", "sent") == 2.0);
    BOOST_TEST((column(outcome, "latency_min_ns") == std::vector{4177.0, 5661.0}));
    BOOST_TEST((column(outcome, "size_bytes") == std::vector{64.0, 128.0}));
    BOOST_CHECK_THROW(column(outcome, "latency_p99_ns"), ModelError);
    BOOST_CHECK_THROW(result(outcome, "latency_min_ns", "size_bytes", 256), ModelError);
    BOOST_CHECK_THROW(result(outcome, "latency_p99_ns", "size_bytes", 64), ModelError);
    BOOST_CHECK_THROW(statistic(outcome, "node*.psb", "received"), ModelError);
}

BOOST_AUTO_TEST_CASE(an_experiment_that_fails_is_named)
{
    Store store(Store::usual_folder());
    Experiments experiments;
    experiments.plan("one", {.platform = "wulfkit-ring",
                             .overlays = {},
                             .settings = {"link.symbol_time=4"},
                             .workload = "ping-pong",
                             .seed = 1});
    BOOST_CHECK_EXCEPTION(experiments.run(store, 1), UserError, [](const UserError& error) {
        BOOST_TEST(std::string(error.what()).starts_with("experiment one: --set link.symbol_time=4: "), error.what());
        return true;
    });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
