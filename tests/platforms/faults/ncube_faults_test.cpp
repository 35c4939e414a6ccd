// SPDX-License-Identifier: Apache-2.0
/// Faults of the NCUBE, up to what Vertex and packet sources see.
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "tests/platforms/faults/faulty_run.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

/// Between nodes 0 and 4 of a cube of eight, by channel 2.
const std::vector<std::string> kMessages{"ncube-64", "--set", "topology.dimension=3", "--workload",
                                         "ping-pong:sizes=64,repetitions=5"};
const std::vector<std::string> kTraffic{"ncube-64", "--set", "topology.dimension=3", "--workload",
                                        "traffic:duration=200 ms,warm_up=10 ms"};

struct Ending {
    const char* fault;
    std::vector<std::string> says;
    friend std::ostream& operator<<(std::ostream& out, const Ending& one) { return out << one.fault; }
};

struct Loss {
    const char* fault;
    const char* counter;
    friend std::ostream& operator<<(std::ostream& out, const Loss& one) { return out << one.fault; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(platforms)
BOOST_AUTO_TEST_SUITE(faults_of_the_ncube)

BOOST_DATA_TEST_CASE(
    vertex_stops_and_who_waits_is_named,
    data::make(std::vector<Ending>{
        {"where=node4.channels.out_2,what=parity,when=packet 3", {"node 0", "channel 2", "message "}},
        {"where=node0.channels.out_2,what=parity,when=packet 1", {"node 4", "channel 2", "message "}},
        {"where=node0.channels.out_2,what=cut,when=1 ms", {"node0.cpu", "node4.cpu", "has not left by channel 2"}},
        {"where=node0.channels.out_2,what=cut,when=0us..1ms", {"node0.cpu", "node4.cpu", "has not left by channel 2"}},
        {"where=node4,what=stop,when=1 ms", {"node4.cpu: the node has stopped", "node0.cpu", "nread"}},
        {"where=node4.cpu,what=lose-interrupt,when=packet 1", {"node0.cpu", "has not left by channel 2"}},
        {"where=node4.cpu,what=lose-interrupt,when=packet 2", {"node0.cpu", "node4.cpu", "nread"}},
    }),
    ending)
{
    const std::string end = end_of(with_fault(kMessages, ending.fault));
    for (const std::string& word : ending.says) BOOST_TEST(contains(end, word), end);
}

/// Others of the measuring program compute meanwhile, and stop too. It is the one that reports to the host.
BOOST_DATA_TEST_CASE(
    the_measuring_program_ends_as_well_and_its_host,
    data::make(std::vector<Ending>{
        {"where=node0.channels.out_1,what=cut,when=packet 3", {"node0.cpu"}},
        {"where=host.channels.out_0,what=parity,when=packet 1", {"node 0", "channel 2", "message "}},
        {"where=node0.channels.out_2,what=parity,when=packet 1", {"node 4", "channel 0", "message "}},
        {"where=host.channels.out_0,what=cut,when=0us", {"host.cpu", "nread", "has not left by channel 2"}},
        {"where=node0.channels.out_2,what=cut,when=0us", {"host.cpu", "nread", "has not left by channel 2"}},
        {"where=host.cpu,what=lose-interrupt,when=packet 1", {"host.cpu", "has not left by channel 2"}},
        {"where=host.cpu,what=lose-interrupt,when=packet 2", {"host.cpu", "nread"}},
        {"where=host,what=stop,when=1 ms", {"host.cpu: the node has stopped", "has not left by channel 2"}},
    }),
    ending)
{
    const std::string end = end_of(with_fault(
        {"ncube-64", "--set", "topology.dimension=2", "--workload", "vertex-timing:sizes=16,trials=2"}, ending.fault));
    for (const std::string& word : ending.says) BOOST_TEST(contains(end, word), end);
}

BOOST_DATA_TEST_CASE(packet_sources_count_what_is_lost_and_go_on,
                     data::make(std::vector<Loss>{
                         {"where=node*.channels.out_*,what=parity,when=0.02/packet", "parity_errors"},
                         {"where=node0.channels.out_*,what=cut,when=50 ms", "lost"},
                         {"where=node0.channels.out_1,what=cut,when=50ms..90ms", "lost"},
                         {"where=node5,what=stop,when=50 ms", "lost"},
                     }),
                     loss)
{
    const nlohmann::json run = run_of(with_fault(kTraffic, loss.fault));
    const nlohmann::json row = run["results"]["rows"][0];
    BOOST_TEST(sum_of(run, "faults") > 0);
    BOOST_TEST(row["lost"].get<double>() > 3);
    BOOST_TEST(row["lost"].get<double>() == sum_of(run, loss.counter));
    BOOST_TEST(row["delivered"].get<double>() > 50);
}

BOOST_DATA_TEST_CASE(packet_sources_have_neither_processors_nor_a_host,
                     data::make({"where=node4.cpu,what=lose-interrupt,when=packet 1", "where=host,what=stop,when=1 ms",
                                 "where=host.channels.out_0,what=parity,when=packet 1"}),
                     fault)
{
    auto refused = with_fault(kTraffic, fault);
    refused.insert(refused.begin(), "run");
    const Ended ended = ringmesh::test::ringmesh(refused);
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "no block that can suffer faults"), ended.err);
}

BOOST_AUTO_TEST_CASE(without_a_strike_nothing_changes)
{
    for (const auto& base : {kMessages, kTraffic}) {
        const nlohmann::json expected = run_of(base);
        auto faulty = base;
        for (const char* fault : {"where=node*.channels.out_*,what=parity", "where=node*.channels.out_*,what=cut",
                                  "where=node*,what=stop"}) {
            faulty = with_fault(faulty, std::string(fault) + ",when=1000 s");
        }
        nlohmann::json seen = run_of(faulty);
        nlohmann::json row = seen["results"]["rows"][0];
        row.erase("lost");
        BOOST_TEST(row.dump() == expected["results"]["rows"][0].dump());
        BOOST_TEST(seen["simulated_ns"] == expected["simulated_ns"]);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
