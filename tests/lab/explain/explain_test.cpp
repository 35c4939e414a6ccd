// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "lab/table/writers/text_table.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

/// `ringmesh explain` as a user sees it.
namespace {

using namespace ringmesh::test;
using nlohmann::ordered_json;

#define EXPLAIN "explain wulfkit-ring"

std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> keys_of(const ordered_json& json)
{
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) keys.push_back(key);
    return keys;
}

/// Nanoseconds with up to three decimals are whole picoseconds.
std::int64_t picoseconds(double ns) { return std::llround(ns * 1e3); }

/// Parts follow each other and add up, to the picosecond.
void check_sums(const ordered_json& json)
{
    for (const auto& leg : json["legs"]) {
        const std::vector<std::string> leg_keys{"name",       "packet",     "begin_ns", "latency_ns",
                                                "working_ns", "waiting_ns", "groups",   "parts"};
        BOOST_TEST(keys_of(leg) == leg_keys, boost::test_tools::per_element());
        const std::int64_t latency = picoseconds(leg["latency_ns"]);
        std::int64_t end = picoseconds(leg["begin_ns"]);
        std::int64_t sum = 0;
        std::int64_t waiting = 0;
        std::map<std::string, std::int64_t> groups;
        bool is_exact = true;
        for (const auto& part : leg["parts"]) {
            std::vector<std::string> part_keys{"step",    "group", "where",       "what",   "packet",
                                               "from_ns", "to_ns", "duration_ns", "waiting"};
            if (part.contains("behind")) part_keys.emplace_back("behind");
            is_exact = is_exact && keys_of(part) == part_keys && picoseconds(part["from_ns"]) == end;
            end = picoseconds(part["to_ns"]);
            const std::int64_t duration = picoseconds(part["duration_ns"]);
            sum += duration;
            groups[part["group"]] += duration;
            if (part["waiting"]) waiting += duration;
        }
        BOOST_TEST(is_exact);
        BOOST_TEST(sum == latency);
        BOOST_TEST(end == picoseconds(leg["begin_ns"]) + latency);
        BOOST_TEST(waiting == picoseconds(leg["waiting_ns"]));
        BOOST_TEST(latency - waiting == picoseconds(leg["working_ns"]));
        BOOST_TEST(leg["groups"].size() == groups.size());
        for (const auto& [group, of_it] : leg["groups"].items()) {
            BOOST_TEST(picoseconds(of_it["latency_ns"]) == groups[group]);
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(explain_command)

BOOST_AUTO_TEST_CASE(shows_the_fourteen_steps_of_the_figure)
{
    const auto lines = lines_of(out_of("explain wulfkit-torus-3x3 --from 0 --to 8"));
    BOOST_TEST(std::ranges::count(lines, "64 bytes from node 0 to node 8 on wulfkit-torus-3x3") == 1);
    std::vector<std::string> steps;
    for (const std::string& line : lines) {
        BOOST_TEST(ringmesh::lab::display_width(line) <= ringmesh::lab::kTextWidth, line);
        if (steps.empty() && !line.starts_with(" 1 ")) continue;
        if (line.size() > 6 && line[1] >= '0' && line[1] <= '9' && line[2] == ' ') {
            steps.push_back(line.substr(0, line.find(' ', 3)));
        }
    }
    const std::vector<std::string> figure{" 1 o",   " 2 l_p", " 3 l_f", " 4 l_p", " 5 l_s", " 6 l_p", " 7 l_f",
                                          " 8 l_p", " 9 o",   "10 o",   "11 l_p", "12 l_s", "13 l_p", "14 o"};
    BOOST_TEST(steps == figure, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(bars_fall_from_the_upper_left_to_the_lower_right)
{
    std::size_t last = 0;
    std::size_t rows = 0;
    for (const std::string& line : lines_of(out_of(EXPLAIN " --from 0 --to 4"))) {
        if (line.starts_with("response")) break;
        const std::size_t bar = std::min(line.find("█"), line.find("░"));
        if (bar == std::string::npos) continue;
        ++rows;
        BOOST_TEST(bar >= last, line);
        last = bar;
    }
    BOOST_TEST(rows > 20u);
}

BOOST_DATA_TEST_CASE(json_adds_up_to_the_picosecond, data::make({1, 64, 100, 512}), bytes)
{
    const auto json = ordered_json::parse(
        out_of("explain wulfkit-torus-3x3 --from 0 --to 8 --json - --bytes " + std::to_string(bytes)));
    const std::vector<std::string> keys{"ringmesh",   "answer",          "evidence", "platform", "overlays",
                                        "settings",   "library",         "from",     "to",       "bytes",
                                        "parameters", "library_options", "legs",     "notes"};
    BOOST_TEST(keys_of(json) == keys, boost::test_tools::per_element());
    BOOST_TEST(json["bytes"] == bytes);
    BOOST_TEST(json["parameters"]["link"]["symbol_time"] == "5 ns");
    BOOST_TEST(json["legs"].size() == 2u);
    BOOST_TEST(json["legs"][1]["name"] == "response");
    check_sums(json);
}

struct Carried {
    const char* platform;
    const char* library;  ///< empty: a packet from a source
    std::vector<int> targets;
    std::vector<int> sizes;
    std::vector<std::string> groups;
};
std::ostream& operator<<(std::ostream& out, const Carried& carried)
{
    return out << carried.platform << ' ' << carried.library;
}

const std::vector<std::string> kSciGroups{"o", "l_p"};
const std::vector<std::string> kSccGroups{"library", "core", "MIU", "router", "link", "MPB"};
const std::vector<Carried> kCarried{
    {"wulfkit-torus-3x3", "raw", {1, 4, 8}, {1, 13, 64, 4096}, kSciGroups},
    {"wulfkit-ring", "deck", {1, 3, 7}, {1, 64, 2048, 20000}, kSciGroups},
    {"wulfkit-torus-3x3", "scampi", {1, 8}, {1, 64, 4096, 40000}, kSciGroups},
    {"wulfkit-switch", "sci-mpich", {1, 7}, {4, 40000}, kSciGroups},
    {"deck-cluster", "deck", {1, 2}, {64}, kSciGroups},
    {"scc", "rcce", {1, 2, 47}, {1, 32, 1000, 8192}, kSccGroups},
    {"scc --set mesh.detail=flit", "rcce", {47}, {32}, kSccGroups},
    {"scc", "ircce", {1, 47}, {32, 3000}, kSccGroups},
    {"ncube-64", "vertex", {1, 3, 63}, {1, 16, 2000}, {"call", "copy", "channel", "handler"}},
    {"mesh-8x8", "", {1, 7, 63}, {1, 64, 1008}, {"router", "link"}},
    {"mesh-8x8 --set mesh.detail=path", "", {1, 63}, {1, 1008}, {"router", "link"}},
};

/// Each machine with each of its libraries, by routes of several lengths.
BOOST_DATA_TEST_CASE(parts_equal_the_latency_on_every_machine_and_library, data::make(kCarried), carried)
{
    std::map<int, double> shortest;  // by size
    for (const int target : carried.targets) {
        for (const int size : carried.sizes) {
            std::string command = std::string("explain ") + carried.platform + " --from 0 --json - --to " +
                                  std::to_string(target) + " --bytes " + std::to_string(size);
            if (*carried.library != 0) command += std::string(" --library ") + carried.library;
            BOOST_TEST_CONTEXT(command)
            {
                const auto json = ordered_json::parse(out_of(command));
                check_sums(json);
                const auto& groups = json["legs"][0]["groups"];
                for (const std::string& group : carried.groups) BOOST_TEST(groups.contains(group), group);
                const double latency = json["legs"][0]["latency_ns"];
                const auto [found, is_first] = shortest.try_emplace(size, latency);
                BOOST_TEST(latency >= found->second * 0.8);  // a poll's phase and a route the other way round
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(csv_holds_the_stages_of_the_json)
{
    const TemporaryFolder folder;
    BOOST_TEST(out_of(EXPLAIN " --from 0 --to 2 --json a.json --csv a.csv").starts_with("64 bytes from node 0"));
    const auto json = ordered_json::parse(read_file("a.json"));
    std::vector<std::string> rows;
    for (const std::string& line : lines_of(read_file("a.csv"))) {
        if (!line.starts_with("#")) rows.push_back(line);
    }
    std::vector<std::string> expected{"leg,step,group,where,what,packet,from_ns,to_ns,duration_ns,waiting,behind"};
    for (const auto& leg : json["legs"]) {
        for (const auto& stage : leg["parts"]) {
            std::string row = leg["name"];
            for (const auto& [key, value] : stage.items()) {
                const bool no_decimals = value.is_number_float() && value == std::floor(value.get<double>());
                row += ',' + (value.is_string()    ? value.get<std::string>()
                              : value.is_boolean() ? (value.get<bool>() ? "1" : "0")
                              : no_decimals        ? std::to_string(value.get<std::int64_t>())
                                                   : value.dump());
            }
            expected.push_back(stage.contains("behind") ? row : row + ',');
        }
    }
    BOOST_TEST(rows.size() > 40u);
    // 187 and 187.0 are the same number
    for (std::string& row : rows) {
        for (std::size_t at = 0; (at = row.find(".0,", at)) != std::string::npos;) row.erase(at, 2);
    }
    BOOST_TEST(rows == expected, boost::test_tools::per_element());
    BOOST_TEST(read_file("a.csv").find("# parameter link.symbol_time = 5 ns\n") != std::string::npos);
}

/// Half a round trip between the nodes of a ring of two is one request; the poll loop's phase is all that may differ.
BOOST_DATA_TEST_CASE(the_request_is_half_the_round_trip_of_a_ping_pong, data::make({1, 64, 100, 4096}), bytes)
{
    const std::string size = std::to_string(bytes);
    const auto json =
        ordered_json::parse(out_of(EXPLAIN " --from 0 --to 1 --set topology.dimensions=2 --json - --bytes " + size));
    const Ended ended = ringmesh::test::ringmesh(
        words("run wulfkit-ring --set topology.dimensions=2 --json - --workload ping-pong:to=1,sizes=" + size));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    const auto row = ordered_json::parse(ended.out)["results"]["rows"][0];
    const double loop = 4 / 0.4;  // ns: 4 clocks of 400 MHz
    const double least = json["legs"][0]["latency_ns"].get<double>() - loop;
    BOOST_TEST(row["latency_min_ns"].get<double>() >= least);
    BOOST_TEST(row["latency_max_ns"].get<double>() <= least + 2 * loop);
}

BOOST_AUTO_TEST_CASE(notes_say_what_the_path_leaves_out)
{
    const std::string text = out_of(EXPLAIN " --from 0 --to 1 --bytes 100");
    for (const char* note : {"\nechoes travel beside requests and responses; none is on the path\n",
                             "\nthe path runs over 2 of 4 packets; packet ", "waits: response to ",
                             "\nthe last word came before other bytes, and the receiver waited for these\n"}) {
        BOOST_TEST(text.find(note) != std::string::npos, note);
    }
    BOOST_TEST(out_of(EXPLAIN " --from 0 --to 1").find("the path runs over") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(equal_runs_are_equal_to_the_byte)
{
    const TemporaryFolder folder;
    const auto run = [](const std::string& name) {
        const auto files = " --json " + name + ".json --csv " + name + ".csv";
        const std::string text = out_of(EXPLAIN " --from 5 --to 2 --bytes 300" + files);
        return text + read_file(name + ".json") + read_file(name + ".csv");
    };
    BOOST_TEST((run("a") == run("b")));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
