// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/program.h"

/// `ringmesh saturate` with a store of its own.
namespace {

using namespace ringmesh::test;
using nlohmann::ordered_json;

/// 2 by 2 routers by path: a search takes a second.
const std::string kSearch =
    "saturate mesh-8x8 --set mesh.columns=2 --set mesh.rows=2 --set mesh.detail=path --workload "
    "traffic:pattern=transpose,duration=1000cycles --store points ";

struct Found {
    ordered_json json;
    std::string talk;  ///< on standard error
};

Found search(const std::string& arguments, int status = 0)
{
    const Ended ended = ringmesh::test::ringmesh(words(arguments + " --json -"));
    BOOST_TEST_REQUIRE(ended.status == status, ended.err);
    return {ordered_json::parse(ended.out), ended.err};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(saturate)

BOOST_AUTO_TEST_CASE(a_second_search_finds_all_in_the_store_and_says_the_same)
{
    const TemporaryFolder folder;
    const Found first = search(kSearch);
    const Found second = search(kSearch);
    BOOST_TEST(first.json == second.json);
    BOOST_TEST(!contains(first.talk, ": 0 run in"));
    BOOST_TEST(contains(second.talk, ": 0 run in"));
    BOOST_TEST(contains(search(kSearch + "--jobs 1").talk, ": 0 run in"));
    BOOST_TEST(!contains(search(kSearch + "--fresh").talk, ": 0 run in"));
}

BOOST_AUTO_TEST_CASE(every_run_is_a_point_that_run_would_make)
{
    const TemporaryFolder folder;
    const ordered_json json = search(kSearch).json;
    std::set<std::string> keys;
    for (const auto& point : json["points"]) keys.insert(point["point"]);
    BOOST_TEST(keys.size() == json["points"].size());
    // With the load and the duration as options a sweep meets the same point
    const auto& point = json["points"].front();
    std::string duration = point["duration"];
    duration.erase(std::remove(duration.begin(), duration.end(), ' '), duration.end());
    const Ended listed = ringmesh::test::ringmesh(
        words("sweep mesh-8x8 --set mesh.columns=2 --set mesh.rows=2 --set mesh.detail=path --store points --workload "
              "traffic:pattern=transpose --axis options.load=" +
              point["load"].dump() + " --seed " + point["seed"].dump() + " --axis options.duration=" + duration));
    BOOST_TEST(contains(listed.err, "1 from the store"), listed.err);
}

BOOST_AUTO_TEST_CASE(json_has_the_whole_configuration_the_rule_and_the_runs)
{
    const TemporaryFolder folder;
    const ordered_json json = search(kSearch + "--seed 7").json;
    const ordered_json run = json_of(
        "run mesh-8x8 --set mesh.columns=2 --set mesh.rows=2 --set mesh.detail=path "
        "--workload traffic:pattern=transpose,duration=1000cycles");
    for (const char* key : {"ringmesh", "platform", "settings", "workload", "parameters", "provenance"}) {
        BOOST_TEST(json[key] == run[key], key);
    }
    for (const auto& [option, value] : run["workload_options"].items()) {
        if (option != "load") BOOST_TEST(json["workload_options"][option] == value, option);
    }
    BOOST_TEST((json["rule"]["seeds"] == ordered_json({7, 8, 9, 10, 11})));
    BOOST_TEST(json["saturation"]["sound"].is_boolean());
    BOOST_TEST(json["durations"].size() >= 3u);
    for (const auto& point : json["points"]) {
        for (const char* key : {"load", "duration", "seed", "state", "saturated"}) BOOST_TEST(point.contains(key), key);
    }
}

BOOST_AUTO_TEST_CASE(the_answer_comes_first)
{
    const TemporaryFolder folder;
    const ordered_json json = search(kSearch).json;
    std::string answer;
    for (const std::string sentence : json["answer"]) answer += (answer.empty() ? "" : " ") + sentence;
    const Ended text = ringmesh::test::ringmesh(words(kSearch));
    BOOST_TEST(text.status == 0);
    std::string first = text.out.substr(0, text.out.find("\n\n"));
    for (char& c : first) c = c == '\n' ? ' ' : c;
    BOOST_TEST(first.starts_with(answer + " Published numbers: "), first);
    BOOST_TEST(json["results"]["notes"][0] == answer);
}

/// Once a queue of a switch's port is full, a ring has retries, and its load is more than it bears.
BOOST_AUTO_TEST_CASE(of_a_network_that_collapses_late_the_load_that_held_is_told)
{
    const TemporaryFolder folder;
    const ordered_json json =
        search("saturate wulfkit-switch --set topology.dimensions=2x2 --store points --longest 16").json;
    BOOST_TEST(json["saturation"]["sound"] == false);
    const auto& found = json["endurance"];
    BOOST_TEST(found["times"] == 16);
    const double held = found["held"];
    const double collapses = found["collapses"];
    BOOST_TEST(held > 0.5);
    BOOST_TEST(collapses > held);
    BOOST_TEST(collapses < 0.8);
    BOOST_TEST(found["collapsed"] >= 1);
    for (const auto& point : json["points"]) {
        if (point["duration"] == "3.2 ms" && point["load"] <= held) BOOST_TEST(point["saturated"] == false);
    }
}

BOOST_AUTO_TEST_CASE(a_search_that_cannot_be_sound_says_so)
{
    const TemporaryFolder folder;
    const std::string ring = "saturate wulfkit-ring --set topology.dimensions=3 --store points --longest ";
    const ordered_json json = search(ring + "2 --workload traffic:duration=20us", 1).json;
    BOOST_TEST((json["answer"] == ordered_json::array()));
    BOOST_TEST(json["saturation"]["sound"] == false);
    BOOST_TEST(!json["saturation"]["doubt"].get<std::string>().empty());
    const Ended text = ringmesh::test::ringmesh(words(ring + "2 --workload traffic:duration=20us"));
    BOOST_TEST(text.status == 1);
    BOOST_TEST(text.out.starts_with("no answer: "));
    BOOST_TEST(contains(text.out, "--longest"));
}

BOOST_AUTO_TEST_CASE(a_mistake_at_the_lowest_load_is_the_users)
{
    const TemporaryFolder folder;
    const Ended ended =
        ringmesh::test::ringmesh(words("saturate wulfkit-ring --store points --workload traffic:duration=1ns"));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "raise duration"), ended.err);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
