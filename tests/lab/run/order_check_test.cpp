// SPDX-License-Identifier: Apache-2.0
#include "lab/run/order/order_check.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "lab/process/child_process.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"
#include "tests/tlm/alarm.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using namespace ringmesh::test;

/// Each machine and library, and loads with many packets at one time.
struct OrderedCase {
    std::string machine;
    std::vector<std::string> settings;
    std::string workload;
    std::string library;
};
std::ostream& operator<<(std::ostream& out, const OrderedCase& each)
{
    return out << each.machine << ' ' << each.workload << ' ' << each.library;
}
const std::vector<OrderedCase> kOrderedCases{
    {"wulfkit-ring", {"topology.dimensions=16"}, "traffic:load=0.9,arrivals=periodic", ""},
    {"wulfkit-ring",
     {"topology.dimensions=8", "fault.a.where=node3.lc2", "fault.a.what=lose-packet", "fault.a.when=1e-2/packet"},
     "traffic:load=0.6",
     ""},
    {"wulfkit-torus-2d", {"topology.dimensions=4x4"}, "traffic:load=0.8,arrivals=bernoulli", ""},
    {"wulfkit-torus-2d", {"topology.dimensions=4x4"}, "traffic:packets=40,load=0.5,command=write16", ""},
    {"wulfkit-torus-2d", {"topology.dimensions=3x3"}, "store-traffic:duration=50us", ""},
    {"wulfkit-torus-2d", {"topology.dimensions=3x3"}, "all-to-all:sizes=64", "scampi"},
    {"wulfkit-torus-2d", {"topology.dimensions=3x3"}, "all-to-all:sizes=512", "sci-mpich"},
    {"wulfkit-switch", {}, "traffic:load=0.5", ""},
    {"wulfkit-ring", {"topology.dimensions=4"}, "ping-pong:sizes=64,repetitions=20,background.load=0.3", "scampi"},
    {"deck-cluster", {}, "all-to-all:sizes=512", "deck"},
    {"ncube-64", {"topology.dimension=4"}, "traffic:load=0.9,arrivals=periodic", ""},
    {"ncube-64", {"topology.dimension=4"}, "traffic:packets=50,load=0.5", ""},
    {"ncube-64", {"topology.dimension=4"}, "all-to-all:sizes=0..1024 step 512", "vertex"},
    {"wulfkit-ring",
     {"topology.dimensions=12", "cable.length=749481um", "lc2.in_fifo_to_blink=105ns", "lc2.blink_to_out_fifo=80ns",
      "lc2.retry_interval=5ns"},
     "traffic:load=0.7,arrivals=bernoulli,command=write16",
     ""},
};

/// Two parts that meet at one time, and what the first of them to run writes down.
std::string who_runs_first(unsigned order)
{
    Simulation simulation(1);
    std::vector<unsigned> ran;
    simulation.begin_part(0);
    Alarm first(simulation, [&ran] { ran.push_back(0); });
    simulation.begin_part(1);
    Alarm second(simulation, [&ran] { ran.push_back(1); });
    simulation.end_parts();
    first.wakeup.at(1_ns);
    second.wakeup.at(1_ns);
    simulation.calendar().shuffle_places(order);
    simulation.run();
    return fmt::format("parts: {}\nfirst: {}\n", ran.size(), ran.front());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(order_check)

BOOST_DATA_TEST_CASE(results_do_not_depend_on_the_order_of_places, kOrderedCases, each)
{
    const ExperimentRequest request{.platform = each.machine,
                                    .overlays = {},
                                    .settings = each.settings,
                                    .workload = each.workload,
                                    .library = each.library};
    BOOST_TEST(require_any_order(request, available_processors()) == kOrdersTried);
}

/// A mesh is one place; so is a machine on which it is known at once that a message has come.
BOOST_DATA_TEST_CASE(one_place_has_one_order,
                     boost::unit_test::data::make({"mesh-8x8|traffic:load=0.1,duration=5us", "scc|ping-pong",
                                                   "ncube-64|traffic:pattern=all-to-all"}),
                     run)
{
    const std::string text = run;
    const std::size_t bar = text.find('|');
    const ExperimentRequest request{
        .platform = text.substr(0, bar), .overlays = {}, .settings = {}, .workload = text.substr(bar + 1)};
    BOOST_TEST(require_any_order(request, 1) == 0u);
}

BOOST_AUTO_TEST_CASE(a_result_that_depends_on_the_order_is_named)
{
    try {
        require_any_order(&who_runs_first, 1, 1);
        BOOST_FAIL("not noticed");
    } catch (const ModelError& error) {
        const std::string text = error.what();
        BOOST_TEST(contains(text, "'first: 0' became 'first: 1'"), text);
        BOOST_TEST(!contains(text, "more values"), text);
    }
}

BOOST_AUTO_TEST_CASE(the_program_says_that_it_has_compared)
{
    const std::string small = "run ncube-64 --set topology.dimension=2 --workload ping-pong:sizes=16 --check-order";
    const Ended ended = ringmesh::test::ringmesh(words(small));
    BOOST_TEST(ended.status == 0);
    BOOST_TEST(contains(ended.err, "3 other orders"));
    const Ended one = ringmesh::test::ringmesh(words("run scc --workload ping-pong:sizes=64 --check-order"));
    BOOST_TEST(one.status == 0);
    BOOST_TEST(contains(one.err, "nothing to compare"));
}

/// Points are those of a run as usual.
BOOST_AUTO_TEST_CASE(points_of_a_sweep_are_compared_and_kept)
{
    const TemporaryFolder folder;
    const std::string sweep =
        "sweep ncube-64 --set topology.dimension=3 --workload traffic:duration=2ms --axis options.load=0.2,0.4 "
        "--store points";
    BOOST_TEST(ringmesh::test::ringmesh(words(sweep + " --check-order")).status == 0);
    const Ended again = ringmesh::test::ringmesh(words(sweep));
    BOOST_TEST(again.status == 0);
    BOOST_TEST(contains(again.err, "2 from the store"), again.err);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
