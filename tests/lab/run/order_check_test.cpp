// SPDX-License-Identifier: Apache-2.0
#include "lab/run/order_check.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "lab/process/child_process.h"
#include "tests/lab/program.h"
#include "tests/support/cases.h"
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
    {"scc", {}, "broadcast:size=4096", "rcce"},
    {"mesh-8x8", {"mesh.detail=flit"}, "traffic:load=0.3,duration=5us", ""},
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
    if (order != 0) simulation.calendar().shuffle_places(order);
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
    BOOST_CHECK_NO_THROW(require_any_order(request, available_processors()));
}

BOOST_AUTO_TEST_CASE(a_result_that_depends_on_the_order_is_named)
{
    try {
        require_any_order(&who_runs_first, 1);
        BOOST_FAIL("not noticed");
    } catch (const ModelError& error) {
        const std::string text = error.what();
        BOOST_TEST(contains(text, "'first: 0' became 'first: 1'"), text);
        BOOST_TEST(!contains(text, "more values"), text);
    }
}

BOOST_AUTO_TEST_CASE(the_program_says_that_it_has_compared)
{
    const Ended ended = ringmesh::test::ringmesh(
        words("run ncube-64 --set topology.dimension=2 --workload ping-pong:sizes=16 --check-order"));
    BOOST_TEST(ended.status == 0);
    BOOST_TEST(contains(ended.err, "3 other orders"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
