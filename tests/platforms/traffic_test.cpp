// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/traffic.h"

#include <map>
#include <string>
#include <vector>

#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "workloads/traffic/kinds/store_traffic.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using namespace ringmesh::platforms;
using workloads::StoreTraffic;
using workloads::Traffic;
using workloads::TrafficOptions;

WulfkitParams torus(std::vector<std::int64_t> dimensions)
{
    WulfkitParams params;
    params.topology.dimensions = std::move(dimensions);
    return params;
}

/// Every packet sent was echoed, what was not refused was taken, and nothing is left anywhere.
template <class Bench>
void require_conserved(const Bench& bench)
{
    bench.simulation.require_drained();
    BOOST_TEST(bench.sum("", "sent") == bench.sum("", "echoes"));
    BOOST_TEST(bench.sum("", "sent") == bench.sum("", "stripped") + bench.sum("", "refused"));
    BOOST_TEST(bench.sum("", "scrubbed") == 0);
}

template <class Bench>
workloads::Results run(Bench& bench, workloads::Workload& workload)
{
    workload.start(bench.machine);
    bench.simulation.run();
    workload.check();
    require_conserved(bench);
    return workload.results();
}

TrafficOptions pattern(const std::string& name)
{
    TrafficOptions options;
    options.pattern = name;
    return options;
}

}  // namespace

namespace ringmesh::test::traffic_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(traffic)

BOOST_DATA_TEST_CASE(each_pattern_is_delivered_and_answered,
                     data::make({"uniform", "nearest-neighbour", "hot-spot", "transpose", "bit-complement", "tornado"}),
                     name)
{
    SourceBench bench(torus({4, 4}));
    auto options = pattern(name);
    options.load = "0.2";
    options.duration = "50 us";
    Traffic traffic(options);
    const auto results = run(bench, traffic);
    BOOST_TEST(cell<std::int64_t>(results, 0, "delivered") > 100);
    BOOST_TEST(cell<std::int64_t>(results, 0, "answered") == cell<std::int64_t>(results, 0, "delivered"));
    BOOST_TEST(cell<std::int64_t>(results, 0, "dropped") == 0);
}

BOOST_DATA_TEST_CASE(each_operation_ends,
                     data::make({"one-to-all", "all-to-all", "tree-multicast"}) * data::make({1, 4}), name, window)
{
    SourceBench bench(torus({4, 4}));
    auto options = pattern(name);
    options.window = window;
    Traffic traffic(options);
    const auto results = run(bench, traffic);
    const std::int64_t messages = std::string(name) == "all-to-all" ? 16 * 15 : 15;
    BOOST_TEST(cell<std::int64_t>(results, 0, "answered") == messages);
}

BOOST_AUTO_TEST_CASE(a_tree_reaches_all_sooner_than_the_root_alone)
{
    TrafficOptions options = pattern("tree-multicast");
    SourceBench bench(torus({4, 4}));
    Traffic tree(options);
    const auto results = run(bench, tree);
    // The root alone needs 15 transactions one after the other; the tree's longest branch is four
    const double alone = 15 * cell<double>(results, 0, "transaction_mean_ns");
    BOOST_TEST(cell<double>(results, 0, "makespan_ns") < 0.5 * alone);
}

/// The load is what the links measure: every packet, its echo, its response and theirs, with their idle symbols.
BOOST_DATA_TEST_CASE(links_are_busy_for_the_requested_part,
                     data::make({"uniform", "nearest-neighbour", "tornado"}) * data::make({0.1, 0.3}), name, load)
{
    SourceBench bench(torus({4, 4}));
    auto options = pattern(name);
    options.load = std::to_string(load);
    options.arrivals = "periodic";
    options.duration = "400 us";
    Traffic traffic(options);
    const auto results = run(bench, traffic);
    BOOST_TEST(cell<double>(results, 0, "link_use_mean") == load, boost::test_tools::tolerance(0.05));
    BOOST_TEST(cell<double>(results, 0, "accepted_load") == load, boost::test_tools::tolerance(0.05));
}

/// Go bits come round a small ring to the node that let them go, at the very time at which it uses them.
BOOST_DATA_TEST_CASE(go_bits_are_not_lost_on_a_small_ring, data::make({2u, 3u, 4u, 5u}) * data::make({0.2, 0.9}), nodes,
                     load)
{
    SourceBench bench(RingBench::nodes(nodes));
    auto options = pattern("uniform");
    options.load = std::to_string(load);
    options.duration = "3 ms";
    Traffic traffic(options);
    const auto results = run(bench, traffic);
    BOOST_TEST(cell<std::int64_t>(results, 0, "dropped") == 0);
}

namespace {

/// A PCI bus and a B-Link, and which of the stations of a store is the bottleneck.
struct Stations {
    Frequency pci_clock, blink_clock;
    Bytes pci_width;
    std::string busiest;
    std::map<std::string, double> others;  ///< and what they are used at most
    friend std::ostream& operator<<(std::ostream& out, const Stations& stations) { return out << stations.busiest; }
};

}  // namespace

/// 32-bit PCI at 33 MHz has to carry each block in and each block out.
BOOST_DATA_TEST_CASE(stores_of_processors_on_a_torus_are_limited_by_their_slowest_station,
                     data::make(std::vector<Stations>{{33_MHz, 50_MHz, 4_B, "pci", {{"blink", 0.8}, {"link", 0.7}}},
                                                      {133_MHz, 50_MHz, 8_B, "blink", {{"pci", 0.6}, {"link", 0.8}}},
                                                      {133_MHz, 200_MHz, 8_B, "link", {{"blink", 0.8}}}}),
                     stations)
{
    WulfkitParams params = torus({4, 4});
    params.psb.stream_assignment = "any-free";
    params.pci.clock = stations.pci_clock;
    params.pci.width = stations.pci_width;
    params.blink.clock = stations.blink_clock;
    RingBench bench(params);
    StoreTraffic stores;
    const auto results = run(bench, stores);
    BOOST_TEST(cell<double>(results, 0, stations.busiest + "_use_mean") > (stations.busiest == "link" ? 0.7 : 0.9));
    for (const auto& [station, most] : stations.others) {
        BOOST_TEST(cell<double>(results, 0, station + "_use_highest") < most);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::traffic_test
