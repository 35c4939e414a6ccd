// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

/// `ringmesh explain --workload` and `--log '*=trace'` as a user sees them.
namespace {

using namespace ringmesh::test;
using nlohmann::ordered_json;

std::int64_t picoseconds(double ns) { return std::llround(ns * 1e3); }

struct Loaded {
    const char* command;
    bool has_waits;
};
std::ostream& operator<<(std::ostream& out, const Loaded& loaded) { return out << loaded.command; }

const std::vector<Loaded> kLoaded{
    {"mesh-8x8 --workload traffic:load=0.3,duration=2us", true},
    {"mesh-8x8 --set mesh.detail=path --workload traffic:load=0.6,duration=2us", true},
    {"wulfkit-ring --workload traffic:load=0.6,duration=50us", true},
    {"wulfkit-torus-3x3 --workload traffic:load=0.4,duration=50us", true},
    {"wulfkit-ring --workload store-traffic", true},
    {"ncube-64 --workload traffic:load=0.5", true},
    {"scc --workload traffic:load=0.2,duration=2us", false},
    {"scc --workload ping-pong:sizes=64,to=47", false},
    {"wulfkit-ring --library deck --workload ping-pong:sizes=64,repetitions=5", true},
    {"mesh-8x8 --workload traffic:load=0.3,duration=2us,flits=5", true},
    {"wulfkit-torus-3x3 --workload traffic:pattern=hot-spot,load=0.6,duration=50us", true},
    {"wulfkit-ring --workload remote-read:sizes=64,widths=8,repetitions=5", true},
    {"ncube-64 --workload nearest-neighbour:sizes=64", true},
    {"scc --workload memory-probe:contenders=20", true},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(explain_load)

/// Work and waits add up to each packet's latency, and the table of places to all waits, to the picosecond.
BOOST_DATA_TEST_CASE(waits_under_load_add_up_on_every_network, data::make(kLoaded), loaded)
{
    const auto json = ordered_json::parse(out_of(std::string("explain ") + loaded.command + " --slowest 7 --json -"));
    BOOST_TEST_REQUIRE(json["legs"].size() == 7u);
    const int packets = json["packets"];
    BOOST_TEST(packets > 7);
    std::int64_t last = INT64_MAX;
    std::int64_t waits = 0;
    std::set<std::pair<std::uint64_t, std::string>> legs;
    for (const auto& leg : json["legs"]) {
        legs.emplace(leg["packet"], leg["name"]);
        const std::int64_t latency = picoseconds(leg["latency_ns"]);
        BOOST_TEST(latency <= last);
        last = latency;
        std::int64_t end = picoseconds(leg["begin_ns"]);
        std::int64_t waiting = 0;
        for (const auto& part : leg["parts"]) {
            BOOST_TEST(picoseconds(part["from_ns"]) == end);
            BOOST_TEST((part["packet"] == leg["packet"]));
            BOOST_TEST((part["what"] != "waits"));  // of each wait a block says for what
            end = picoseconds(part["to_ns"]);
            if (part["waiting"]) waiting += picoseconds(part["duration_ns"]);
        }
        BOOST_TEST(end - picoseconds(leg["begin_ns"]) == latency);
        BOOST_TEST(waiting == picoseconds(leg["waiting_ns"]));
        BOOST_TEST(latency - waiting == picoseconds(leg["working_ns"]));
        waits += waiting;
    }
    BOOST_TEST(legs.size() == 7u);
    std::int64_t by_place = 0;
    for (const auto& place : json["waits"]) by_place += picoseconds(place["waited_ns"]);
    BOOST_TEST(by_place == waits);
    BOOST_TEST((!loaded.has_waits || waits > 0));
}

/// Both count the same packets, and give the slowest one the same time.
BOOST_DATA_TEST_CASE(no_packet_escapes_that_packets_lists,
                     data::make({"ncube-64 --workload all-to-all:sizes=16,repetitions=1,ranks=16",
                                 "wulfkit-ring --workload traffic:load=0.9,duration=30us,inject=blink,pattern=hot-spot",
                                 "mesh-8x8 --workload traffic:load=0.6,duration=1us,flits=5"}),
                     command)
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "packets.csv").string();
    const Ended ended = ringmesh::test::ringmesh(words("run " + std::string(command) + " --packets " + file));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    std::istringstream lines(read_file(file));
    std::string line;
    std::getline(lines, line);
    std::size_t rows = 0;
    double slowest = 0;
    while (std::getline(lines, line)) {
        ++rows;
        std::istringstream cells(line);
        std::string cell;
        for (int i = 0; i < 9; ++i) std::getline(cells, cell, ',');
        slowest = std::max(slowest, std::stod(cell));
    }
    const auto json = ordered_json::parse(out_of("explain " + std::string(command) + " --slowest 1 --json -"));
    BOOST_TEST(json["packets"] == rows);
    BOOST_TEST(json["legs"].at(0)["latency_ns"].get<double>() == slowest, boost::test_tools::tolerance(1e-9));
}

struct Named {
    const char* command;
    const char* what;
};
std::ostream& operator<<(std::ostream& out, const Named& named) { return out << named.what << ": " << named.command; }

const std::vector<Named> kNamed{
    {"mesh-8x8 --workload traffic:load=0.3,duration=2us,flits=5", "no credit"},
    {"mesh-8x8 --workload traffic:load=0.3,duration=2us,flits=5", "behind others"},
    {"mesh-8x8 --set mesh.detail=path --workload traffic:load=0.6,duration=2us", "source queue"},
    {"mesh-8x8 --set mesh.detail=path --workload traffic:load=0.6,duration=2us", "output taken"},
    {"wulfkit-ring --workload traffic:load=0.6,duration=50us", "no go bit"},
    {"wulfkit-torus-3x3 --workload traffic:pattern=hot-spot,load=0.6,duration=50us", "refused, receive queue full"},
    {"wulfkit-torus-3x3 --workload traffic:pattern=hot-spot,load=0.6,duration=50us", "behind others"},
    {"wulfkit-ring --workload store-traffic", "its stream buffer taken"},
    {"wulfkit-ring --library deck --workload ping-pong:sizes=64,repetitions=5", "stores not answered"},
    {"ncube-64 --workload nearest-neighbour:sizes=64", "interrupted"},
    {"ncube-64 --workload nearest-neighbour:sizes=64", "behind others"},
};

BOOST_DATA_TEST_CASE(a_wait_names_the_packet_that_it_is_for, data::make(kNamed), named)
{
    const auto json = ordered_json::parse(out_of(std::string("explain ") + named.command + " --slowest 200 --json -"));
    unsigned waits = 0;
    for (const auto& leg : json["legs"]) {
        for (const auto& part : leg["parts"]) {
            if (part["what"] != named.what) continue;
            ++waits;
            BOOST_TEST(part.contains("behind"));
        }
    }
    BOOST_TEST(waits > 0u);
}

/// One load, alone: its packet takes what the program measured.
BOOST_DATA_TEST_CASE(a_load_is_followed_through_its_retries_to_its_processor, data::make({1, 8}), width)
{
    const std::string size = std::to_string(width);
    const std::string run = "wulfkit-ring --workload remote-read:repetitions=1,sizes=" + size + ",widths=" + size;
    const auto json = ordered_json::parse(out_of("explain " + run + " --slowest 2 --json -"));
    const auto& leg = json["legs"][0];
    BOOST_TEST((leg["name"] == "request"));
    BOOST_TEST((leg["latency_ns"] == json_of("run " + run)["results"]["rows"][0]["load_ns"]));
    std::map<std::string, unsigned> parts;
    for (const auto& part : leg["parts"]) ++parts[part["what"]];
    for (const char* what : {"PCI retry", "load not answered", "PCI read", "cable"}) BOOST_TEST(parts[what] > 0u, what);
    BOOST_TEST((leg["parts"].back()["where"] == "node0.bridge"));
}

/// What the run itself measured in its window.
double highest_latency(const std::string& run) { return json_of("run " + run)["results"]["rows"][0]["latency_max_ns"]; }

BOOST_AUTO_TEST_CASE(no_packet_of_the_run_is_slower)
{
    const std::string run = "mesh-8x8 --workload traffic:load=0.3,duration=2us";
    const auto one = ordered_json::parse(out_of("explain " + run + " --slowest 1 --json -"));
    const auto many = ordered_json::parse(out_of("explain " + run + " --slowest 40 --json -"));
    BOOST_TEST((many["legs"][0] == one["legs"][0]));
    const double highest = highest_latency(run);
    BOOST_TEST(highest > 0);
    BOOST_TEST(one["legs"][0]["latency_ns"].get<double>() >= highest);
    const auto packets = many["packets"].get<std::size_t>();
    BOOST_TEST(many["legs"].size() == 40u);
    BOOST_TEST(one["packets"] == packets);
}

BOOST_AUTO_TEST_CASE(equal_seeds_explain_equal_packets)
{
    const std::string run =
        "explain wulfkit-ring --workload traffic:load=0.6,duration=50us --slowest 2 --csv - --seed ";
    BOOST_TEST(out_of(run + "3") == out_of(run + "3"));
    BOOST_TEST(out_of(run + "3") != out_of(run + "4"));
}

struct Wrong {
    const char* arguments;
    const char* says;
};
std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.arguments; }

const std::vector<Wrong> kWrong{
    {"wulfkit-ring --from 1 --to 1", "choose two different ranks"},
    {"mesh-8x8 --from 1 --to 1", "choose two different ranks"},
    {"scc --from 0 --to 48", "choose one of 0 to 47"},
    {"wulfkit-ring --from 0 --to 1 --library rcce", "--library rcce"},
    {"mesh-8x8 --from 0 --to 1 --library raw", "leave --library out"},
    {"wulfkit-ring --from 0 --to 1 --bytes 0", "--bytes 0"},
    {"wulfkit-ring --from 0 --to 1 --bytes 1048577", "--bytes 1048577"},
    {"mesh-8x8 --from 0 --to 1 --bytes 1009", "--bytes 1008"},
    {"ncube-64 --from 0 --to 1 --bytes 1000000", "--bytes "},
    {"wulfkit-ring --from 0 --to 1 --slowest 3", "write --workload"},
    {"wulfkit-ring --from 0 --workload traffic", "leave one of the two out"},
    {"wulfkit-ring --workload traffic --slowest 0", "write --slowest 5"},
    {"wulfkit-ring --workload traffic --slowest 1%", "write --slowest 5"},
    {"wulfkit-ring --workload traffic --slowest x", "write --slowest 5"},
    {"wulfkit-ring --workload traffic --slowest 10001", "write --slowest 5"},
};

BOOST_DATA_TEST_CASE(mistakes_are_told_with_their_cure, data::make(kWrong), wrong)
{
    const Ended ended = ringmesh::test::ringmesh(words(std::string("explain ") + wrong.arguments));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(ended.out.empty());
    BOOST_TEST(ended.err.find(wrong.says) != std::string::npos, ended.err);
}

struct Logged {
    const char* run;
    std::vector<std::string> lines;
};
std::ostream& operator<<(std::ostream& out, const Logged& logged) { return out << logged.run; }

const std::vector<Logged> kLogged{
    {"wulfkit-ring --workload ping-pong:sizes=64,repetitions=1,series=1",
     {"node0.cpu        trace: packet 1, request: store, ", "node0.lc2        trace: packet 1, request: cable, ",
      "node0.psb        trace: packet 1, response: arrived at ",
      "rank0            trace: send, rank 4, tag 0, 64 bytes, "}},
    {"scc --workload ping-pong:sizes=32,to=1,series=1", {": MPB, ", "mesh.r0_0        trace: packet ", ": look, "}},
    {"ncube-64 --workload ping-pong:sizes=16,to=1,repetitions=1,series=1",
     {"node0.channels   trace: packet 1, request: data, ", "node1.cpu.handlers trace: packet 1, request: "}},
    {"mesh-8x8 --workload traffic:load=0.1,duration=100ns", {": born, ", ": switch traversal, ", ": link, "}},
};

BOOST_DATA_TEST_CASE(the_log_has_the_work_on_each_packet_on_every_machine, data::make(kLogged), logged)
{
    const TemporaryFolder folder;
    const Ended ended =
        ringmesh::test::ringmesh(words(std::string("run ") + logged.run + " --store here --log *=trace"));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    for (const std::string& line : logged.lines) BOOST_TEST(ended.err.find(line) != std::string::npos, line);
}

BOOST_AUTO_TEST_CASE(the_log_of_one_block_is_that_of_no_other)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(
        words("run mesh-8x8 --workload traffic:load=0.1,duration=100ns --store here --log mesh.r1_*=trace"));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    BOOST_TEST(ended.err.find("mesh.r1_0") != std::string::npos);
    BOOST_TEST(ended.err.find("mesh.r0_0") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_waveform_shows_the_calls_of_each_rank)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(
        words("run scc --workload ping-pong:sizes=64,to=1,series=1 --store here --vcd calls.vcd --trace rank0,rank1"));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    const std::string vcd = read_file("calls.vcd");
    for (const char* name : {"call", "call_peer", "call_tag", "call_bytes", "ssend ", "sreceive "}) {
        BOOST_TEST(vcd.find(name) != std::string::npos, name);
    }
}

struct Calls {
    const char* run;
    std::vector<std::string> words;
};
std::ostream& operator<<(std::ostream& out, const Calls& calls) { return out << calls.run; }

const std::vector<Calls> kCalls{
    {"scc --library ircce --workload broadcast:algorithm=dopl,size=500", {"isend", "irecv", "wait", "wait_all"}},
    {"scc --library rcce --workload ping-pong:by=get,sizes=64,to=1,series=1", {"put", "get", "set_flag", "wait_flag"}},
    {"wulfkit-ring --library raw --workload ping-pong:by=put,sizes=64,to=1,series=1", {"put", "get", "set_flag"}},
    {"wulfkit-ring --library deck --workload barrier", {"barrier"}},
    {"wulfkit-ring --library scampi --workload barrier", {"barrier"}},
    {"wulfkit-ring --library sci-mpich --workload barrier", {"barrier"}},
    {"ncube-64 --library vertex --workload barrier", {"barrier"}},
    {"wulfkit-ring --library deck --workload ping-pong:sizes=64,to=1,repetitions=2", {"send", "receive"}},
    {"ncube-64 --library vertex --workload ping-pong:sizes=64,to=1,repetitions=2", {"send", "receive"}},
};

BOOST_DATA_TEST_CASE(a_waveform_shows_each_kind_of_call, data::make(kCalls), calls)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(
        words(std::string("run ") + calls.run + " --store here --vcd calls.vcd --trace rank0,rank1"));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    const std::string vcd = read_file("calls.vcd");
    for (const std::string& word : calls.words) {
        BOOST_TEST(vcd.find("\ns" + word + " ") != std::string::npos, word);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
