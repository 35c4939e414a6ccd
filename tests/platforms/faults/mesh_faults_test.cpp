// SPDX-License-Identifier: Apache-2.0
/// Faults of routers and links of a mesh, from the command line to what packet sources see.
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "tests/platforms/faults/faulty_run.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

const std::vector<std::string> kDetails{"flit", "path"};

std::vector<std::string> traffic(const std::string& detail, const std::string& platform = "mesh-8x8")
{
    return {platform, "--workload", "traffic:load=0.2,duration=2us,warm_up=1us", "--set", "mesh.detail=" + detail};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(platforms)
BOOST_AUTO_TEST_SUITE(faults_of_meshes)

/// The accounts of all packets are balanced; none is thrown away.
BOOST_DATA_TEST_CASE(each_packet_comes_later_whatever_a_link_does,
                     data::make(kDetails) *
                         data::make(std::vector<std::string>{"where=mesh.*.east,what=corrupt,when=2e-2/packet",
                                                             "where=mesh.r3_*.east,what=half-width,when=0 ns",
                                                             "where=mesh.r3_3.*,what=down,when=1us..1500ns",
                                                             "where=mesh.r3_3,what=stop,when=1500 ns,lasts=200 ns"}),
                     detail, fault)
{
    const nlohmann::json alone = run_of(traffic(detail));
    const nlohmann::json struck = run_of(with_fault(traffic(detail), fault));
    const auto latency = [](const nlohmann::json& run) {
        return run["results"]["rows"][0]["latency_mean_ns"].get<double>();
    };
    BOOST_TEST(sum_of(struck, "faults") > 0);
    BOOST_TEST(struck["results"]["rows"][0]["lost"] == 0);
    BOOST_TEST(latency(struck) > latency(alone));
    BOOST_TEST((sum_of(struck, "sent_again") > 0) == (fault.find("corrupt") != std::string::npos));
}

BOOST_DATA_TEST_CASE(a_link_that_is_down_for_ever_ends_the_run_by_name, data::make(kDetails), detail)
{
    const std::string end = end_of(with_fault(traffic(detail), "where=mesh.r3_3.east,what=down,when=1 us"));
    BOOST_TEST(contains(end, "fault1"), end);
    BOOST_TEST(contains(end, "r3_3.east"), end);
}

BOOST_DATA_TEST_CASE(without_a_strike_nothing_changes, data::make(kDetails) * data::make({"mesh-8x8", "scc"}), detail,
                     platform)
{
    nlohmann::json expected = run_of(traffic(detail, platform));
    auto faulty = traffic(detail, platform);
    for (const char* what : {"down", "half-width", "corrupt", "stop"}) {
        faulty = with_fault(faulty, std::string("where=mesh.*,when=1 s,what=") + what);
    }
    nlohmann::json seen = run_of(faulty);
    nlohmann::json row = seen["results"]["rows"][0];
    row.erase("lost");
    BOOST_TEST(row.dump() == expected["results"]["rows"][0].dump());
    BOOST_TEST(seen["simulated_ns"] == expected["simulated_ns"]);
}

struct Named {
    const char* fault;
    const char* stage;
    friend std::ostream& operator<<(std::ostream& out, const Named& named) { return out << named.fault; }
};

BOOST_DATA_TEST_CASE(explain_names_what_a_fault_costs,
                     data::make(kDetails) *
                         data::make(std::vector<Named>{
                             {"where=mesh.*,what=corrupt,when=0.05/packet", "sent again"},
                             {"where=mesh.*.east,what=half-width,when=0 ns", "half the width"},
                             {"where=mesh.r3_3.*,what=down,when=1us..1100ns", "link takes no flits"}}),
                     detail, named)
{
    const Ended ended =
        ringmesh::test::ringmesh({"explain", "mesh-8x8", "--workload", "traffic:load=0.1,duration=1us,warm_up=1us",
                                  "--slowest", "3", "--set", "mesh.detail=" + detail, "--fault", named.fault});
    BOOST_TEST(ended.status == 0, ended.err);
    BOOST_TEST(contains(ended.out, named.stage), ended.out);
}

struct Mistake {
    const char* platform;
    const char* fault;
    const char* key;
    friend std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.fault; }
};

BOOST_DATA_TEST_CASE(a_wrong_fault_is_refused_before_the_run,
                     data::make(std::vector<Mistake>{
                         {"mesh-8x8", "where=mesh.r9_9*,what=down,when=1us", "fault.fault1.where"},
                         {"mesh-8x8", "where=core1,what=halt,when=1us", "fault.fault1.where"},
                         {"mesh-8x8", "where=mesh.*,what=cut,when=1us", "fault.fault1.what"},
                         {"mesh-8x8", "where=mesh.*,what=down,when=0.1/packet", "fault.fault1.lasts"},
                         {"mesh-8x8", "where=mesh.r3_3,what=stop,when=packet 3", "fault.fault1.lasts"},
                         {"scc", "where=core1,what=halt,when=1us", "fault.fault1.where"},  // packet sources
                         {"ncube-64", "where=node1.cpu,what=lose-interrupt,when=1us", "fault.fault1.where"},
                         {"ncube-64", "where=node1,what=stop,when=1us..2us", "fault.fault1.when"},
                     }),
                     mistake)
{
    const Ended ended = ringmesh::test::ringmesh(
        {"run", mistake.platform, "--workload", "traffic:packets=10", "--fault", mistake.fault});
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(ended.out == "");
    BOOST_TEST(contains(ended.err, std::string(mistake.key)), ended.err);
}

struct Listed {
    const char* platform;
    const char* workload;
    std::size_t words;
    friend std::ostream& operator<<(std::ostream& out, const Listed& listed) { return out << listed.platform; }
};

/// Each on a block whose name fits, where it comes too late to strike.
BOOST_DATA_TEST_CASE(each_word_that_a_machine_knows_is_listed_and_can_be_used,
                     data::make(std::vector<Listed>{{"mesh-8x8", "traffic:packets=10", 4},
                                                    {"scc", "memory-probe:accesses=2", 11},
                                                    {"ncube-64", "ping-pong:sizes=16,repetitions=1", 4}}),
                     listed)
{
    const Ended ended = ringmesh::test::ringmesh({"list", "faults", listed.platform, "--json"});
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    const auto faults = nlohmann::json::parse(ended.out)["faults"];
    BOOST_TEST(faults.size() == listed.words);
    std::vector<std::string> arguments{listed.platform, "--workload", listed.workload};
    for (const auto& each : faults) {
        const auto blocks = each["blocks"].get<std::string>();
        const auto first = blocks.substr(0, std::min(blocks.find(','), blocks.size()));
        arguments = with_fault(arguments, "where=" + first + ",when=1000 s,what=" + each["what"].get<std::string>());
    }
    BOOST_TEST(sum_of(run_of(arguments), "faults") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
