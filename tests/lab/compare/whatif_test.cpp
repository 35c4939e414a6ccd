// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "lab/compare/whatif/study.h"
#include "tests/cases.h"
#include "tests/lab/program.h"
#include "tests/platforms/temporary_folder.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using nlohmann::ordered_json;
using ringmesh::test::Ended;
using ringmesh::test::read_file;
using ringmesh::test::TemporaryFolder;
using ringmesh::test::words;

System system_of(const std::string& platform, std::vector<std::string> overlays = {},
                 std::vector<std::string> settings = {})
{
    return System({.platform = platform,
                   .overlays = std::move(overlays),
                   .settings = std::move(settings),
                   .workload = {},
                   .seed = 1});
}

Ended whatif(const std::string& arguments) { return ringmesh::test::ringmesh(words("whatif " + arguments)); }

/// Quick: every number of dimensions, and on both systems the first crossover's neighbourhood.
constexpr const char* kQuick = "wulfkit-torus-2d --sizes 4,8,9,16";

std::vector<std::string> keys_of(const ordered_json& json)
{
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) keys.push_back(key);
    return keys;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(whatif_study)

BOOST_AUTO_TEST_CASE(equal_tori_are_the_whole_roots_by_dimension_and_size)
{
    std::vector<std::string> found;
    for (const SizedTorus& torus : equal_tori({16, 8, 4, 16, 3})) {
        std::string text = std::to_string(torus.nodes) + ":";
        for (const auto size : torus.sizes) text += " " + std::to_string(size);
        BOOST_TEST(torus.sizes.size() == static_cast<std::size_t>(torus.dimensions));
        found.push_back(text);
    }
    const std::vector<std::string> expected{"3: 3",   "4: 4",    "8: 8",     "16: 16",
                                            "4: 2 2", "16: 4 4", "8: 2 2 2", "16: 2 2 2 2"};
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(large_roots_are_found_exactly,
                     data::make({63U, 64U, 65U, 999U, 1000U, 1001U, 4095U, 4096U}) ^
                         data::make({1U, 3U, 1U, 1U, 2U, 1U, 1U, 4U}),
                     nodes, tori)
{
    BOOST_TEST(equal_tori({nodes}).size() == tori);
    for (const SizedTorus& torus : equal_tori({nodes})) {
        std::int64_t product = 1;
        for (const auto size : torus.sizes) product *= size;
        BOOST_TEST(product == nodes);
    }
}

BOOST_AUTO_TEST_CASE(usual_sizes_reach_a_thousand_nodes_in_every_dimension)
{
    const auto sizes = usual_sizes();
    BOOST_TEST(*std::ranges::max_element(sizes) <= 1024U);
    BOOST_TEST(*std::ranges::min_element(sizes) == 2U);
    const auto tori = equal_tori(sizes);
    for (int dimensions = 1; dimensions <= kDimensions; ++dimensions) {
        unsigned largest = 0;
        for (const SizedTorus& torus : tori) {
            if (torus.dimensions == dimensions) largest = std::max(largest, torus.nodes);
        }
        BOOST_TEST(largest > 500U, dimensions << " dimensions end at " << largest);
    }
}

BOOST_AUTO_TEST_CASE(remedies_are_the_overlays_by_stage_arithmetic)
{
    const System current = system_of("wulfkit-torus-2d");
    const double present = stage_sum(current);
    BOOST_TEST(present == 643.0, boost::test_tools::tolerance(1e-9));
    // Decode 20 ns; of 40 symbols of 5 ns the other 39; FIFOs of 106 and 82 ns; on the B-Link 12 clocks of 20 ns:
    // arbitration 1, header 2, data 8 for 64 B, trailer 1
    constexpr double kSymbols = 39 * 5.0;
    const std::map<std::string, double> expected{
        {"blink-100MHz", 20 + kSymbols + 106 + 12 * 10 + 82},
        {"blink-128bit", 20 + kSymbols + 106 + 8 * 20 + 82},
        {"blink-unlimited", 20 + kSymbols + 106 + 12 * 0.1 + 82},
        {"lc2-fast-fifos", 20 + kSymbols + 53 + 12 * 20 + 41},
        {"cut-through-receive", 20 + 106 + 12 * 20 + 82},  // begins when the head has come
        {"cut-through", 20 + 106 + 3 * 20 + 82},           // ends with the header
        // At 75 MHz the bus waits: its last data clock is the one in which the last symbol arrives
        {"half-switching", 20 + kSymbols + 53 + 2 * 1000.0 / 75 + 41}};
    std::set<std::string> names;
    for (const Remedy& remedy : remedies(current)) {
        BOOST_TEST_CONTEXT(remedy.overlay)
        {
            names.insert(remedy.overlay);
            BOOST_TEST(remedy.meaning != "");
            BOOST_TEST(remedy.switching_ns < present);
            BOOST_TEST(remedy.switching_ns == stage_sum(current.overlaid(remedy.overlay)));
            BOOST_TEST_REQUIRE(expected.contains(remedy.overlay));
            BOOST_TEST(remedy.switching_ns == expected.at(remedy.overlay), boost::test_tools::tolerance(1e-6));
        }
    }
    BOOST_TEST(names.size() == expected.size());
}

BOOST_AUTO_TEST_CASE(remedies_start_from_the_platform_as_it_is)
{
    const System fast = system_of("wulfkit-torus-2d", {"blink-100MHz"});
    for (const Remedy& remedy : remedies(fast)) {
        if (remedy.overlay == "blink-100MHz") BOOST_TEST(remedy.switching_ns == stage_sum(fast));
    }
}

BOOST_AUTO_TEST_CASE(changes_are_the_parameters_that_differ_dimensions_apart)
{
    const System current = system_of("wulfkit-torus-2d");
    BOOST_TEST(changes(current, current).empty());
    BOOST_TEST(changes(current, system_of("wulfkit-torus-3d")).empty());
    const auto found = changes(current, system_of("wulfkit-torus-2d", {}, {"cable.length=2 m", "lc2.decode=10 ns"}));
    BOOST_TEST_REQUIRE(found.size() == 2U);
    const Change& decode = found[0].key == "lc2.decode" ? found[0] : found[1];
    BOOST_TEST(decode.key == "lc2.decode");
    BOOST_TEST(decode.from == "20 ns");
    BOOST_TEST(decode.to == "10 ns");
    BOOST_TEST(decode.meaning != "");
}

BOOST_AUTO_TEST_CASE(propagation_follows_the_cable)
{
    const double one = system_of("wulfkit-torus-2d").propagation_ns();
    BOOST_TEST(one == 6.671, boost::test_tools::tolerance(1e-3));
    BOOST_TEST(system_of("wulfkit-torus-2d", {}, {"cable.length=3 m"}).propagation_ns() == 3 * one,
               boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

namespace {

/// It goes from the change to the latencies.
void check_text(const Ended& ended)
{
    std::size_t place = 0;
    for (const char* part :
         {"what if, on wulfkit-torus-2d: the papers' question, switching in half the time, by overlay half-switching\n",
          "\nwhat is changed\n", "\nlc2.in_fifo_to_blink ", "\ncomponents, by the papers' experiments",
          "\nswitching l_s, sum of the stages ", "\nwhat would halve the switching latency", "\nblink-100MHz ",
          "\nnumber of nodes from which another dimension is faster\n", "\nsimulated, between sizes that were run\n",
          "\ngain of the best topology", "\n1-D: latency of a 64-byte request", "\n2-D: latency", "\n3-D: latency",
          "\n4-D: latency", "\nMulti-unicast: "}) {
        const auto found = ended.out.find(part, place);
        BOOST_TEST(found != std::string::npos, "not found, or not in its place: " << part);
        if (found != std::string::npos) place = found;
    }
    BOOST_TEST(ended.out.ends_with("\n"));
    BOOST_TEST(ended.err.find(" experiments, ") != std::string::npos, ended.err);
}

/// It has the numbers of the published machine.
void check_json(const ordered_json& json)
{
    const std::vector<std::string> sections{"ringmesh", "platform",   "overlays",   "settings",
                                            "seed",     "parameters", "changes",    "components",
                                            "remedies", "latencies",  "crossovers", "gains"};
    BOOST_TEST(keys_of(json) == sections, boost::test_tools::per_element());

    const auto& current = json["components"]["current"];
    BOOST_TEST(std::abs(current["switching_ns"].get<double>() - 643) < 1);
    BOOST_TEST(std::abs(current["switching_by_stages_ns"].get<double>() - 643) < 1e-6);
    BOOST_TEST(std::abs(current["switching_by_equation_20_ns"].get<double>() - (643 + 66.67 / 2)) < 1);
    BOOST_TEST(std::abs(current["forwarding_ns"].get<double>() - 60) < 1);
    const double halved = json["components"]["changed"]["switching_ns"];
    BOOST_TEST(std::abs(halved / current["switching_ns"].get<double>() - 0.5) < 0.03);

    BOOST_TEST(json["latencies"].size() == 9U);  // 4 rings, 3 tori of two dimensions, one of three, one of four
    for (const auto& point : json["latencies"]) {
        for (const char* system : {"current", "changed"}) {
            const double formula = point["average_formula_ns"][system];
            const double simulated = point["average_simulated_ns"][system];
            BOOST_TEST(std::abs(simulated / formula - 1) < 0.01, point["dimensions"].dump());
            BOOST_TEST(point["multi_unicast_simulated_ns"][system].get<double>() ==
                           simulated * (point["nodes"].get<double>() - 1),
                       boost::test_tools::tolerance(1e-12));
        }
    }

    BOOST_TEST(json["crossovers"].size() == 3U);
    const auto& first = json["crossovers"][0];
    BOOST_TEST(first["published"]["average"]["current"] == 18);
    BOOST_TEST(first["published"]["multi_unicast"]["enhanced"] == 5);
    BOOST_TEST(first["simulated"]["current"].is_null());  // 17.5 is beyond the sizes
    BOOST_TEST((first["simulated"]["changed"]["between"] == ordered_json::parse("[8.0, 9.0]")));
    for (const std::size_t i : {1U, 2U}) {
        for (const char* system : {"current", "changed"})
            BOOST_TEST(json["crossovers"][i]["simulated"][system].is_null());
    }
    BOOST_TEST(json["parameters"]["current"]["blink"]["clock"] == "50 MHz");
    BOOST_TEST(json["parameters"]["changed"]["blink"]["clock"] == "75 MHz");
    BOOST_TEST(json["gains"].size() == 2U);
    for (const auto& gain : json["gains"]) {
        BOOST_TEST(gain["gain_overhead_kept_percent"].get<double>() < gain["gain_percent"].get<double>());
    }
    // Equation 17 with 670 and 335 ns (docs/reference/analytic.md)
    BOOST_TEST(std::abs(json["gains"][0]["gain_published_components_percent"].get<double>() - 6.89) < 0.01);
}

/// It has a row for each torus.
void check_csv(const std::string& csv)
{
    std::istringstream lines(csv);
    std::string line;
    std::size_t comments = 0;
    while (std::getline(lines, line) && line.starts_with("# ")) ++comments;
    BOOST_TEST(comments > 40);  // the configuration that made the numbers
    BOOST_TEST(line ==
               "dimensions,nodes,current_formula_ns,current_simulated_ns,changed_formula_ns,changed_simulated_ns");
    std::vector<std::string> tori;
    while (std::getline(lines, line)) {
        BOOST_TEST(std::ranges::count(line, ',') == 5);
        tori.push_back(line.substr(0, line.find(',', line.find(',') + 1)));
    }
    const std::vector<std::string> expected{"1,4", "1,8", "1,9", "1,16", "2,4", "2,9", "2,16", "3,8", "4,16"};
    BOOST_TEST(tori == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(whatif_command)

BOOST_AUTO_TEST_CASE(text_json_and_csv_show_one_comparison_whatever_the_number_of_processes)
{
    const TemporaryFolder folder;
    const Ended ended = whatif(std::string(kQuick) + " --json all.json --csv all.csv");
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    check_text(ended);
    check_json(ordered_json::parse(read_file("all.json")));
    check_csv(read_file("all.csv"));
    // One processor, and so one process at a time
    const std::string alone = "taskset -c \"$(taskset -cp $$ | sed 's/.*[ ,-]//')\" " RINGMESH_EXECUTABLE " whatif ";
    BOOST_TEST_REQUIRE(std::system((alone + kQuick + " --json one.json > /dev/null 2>&1").c_str()) == 0);
    BOOST_TEST((read_file("all.json") == read_file("one.json")));
}

BOOST_AUTO_TEST_CASE(the_title_names_every_change_asked_for)
{
    const Ended ended = whatif("wulfkit-torus-2d --sizes 4 --overlay blink-100MHz --set lc2.decode=10ns");
    BOOST_TEST(ended.out.starts_with("what if, on wulfkit-torus-2d: overlay blink-100MHz, lc2.decode=10ns\n"),
               ended.out);
}

BOOST_AUTO_TEST_CASE(systems_without_equations_are_simulated_alone)
{
    const auto json =
        ordered_json::parse(whatif("wulfkit-torus-2d --sizes 4,9 --overlay counter-rotating-rings --json -").out);
    BOOST_TEST(json["components"].contains("current"));
    BOOST_TEST(!json["components"].contains("changed"));
    for (const auto& point : json["latencies"]) {
        BOOST_TEST(point["average_formula_ns"]["changed"].is_null());
        BOOST_TEST(point["average_simulated_ns"]["changed"].get<double>() > 0);
    }
    BOOST_TEST(json["gains"].empty());
}

BOOST_AUTO_TEST_CASE(sizes_without_a_torus_are_rings)
{
    const Ended ended = whatif("wulfkit-torus-2d --sizes 5,7");
    BOOST_TEST(ended.status == 0);
    BOOST_TEST(ended.out.find("\n1-D: latency") != std::string::npos);
    BOOST_TEST(ended.out.find("\n2-D: latency") == std::string::npos);
    BOOST_TEST(ended.out.find("\n    7  ") != std::string::npos, ended.out);
}

BOOST_AUTO_TEST_CASE(the_papers_question_uses_the_store_that_is_named)
{
    const TemporaryFolder folder;
    const Ended first = whatif("wulfkit-torus-2d --sizes 4 --store s --jobs 1");
    const Ended again = whatif("wulfkit-torus-2d --sizes 4 --store s");
    const Ended fresh = whatif("wulfkit-torus-2d --sizes 4 --store s --fresh");
    BOOST_TEST(first.out == again.out);
    BOOST_TEST(first.out == fresh.out);
    BOOST_TEST(again.err.find(" 0 of them run now") != std::string::npos, again.err);
    BOOST_TEST(fresh.err.find(" 0 of them run now") == std::string::npos, fresh.err);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(whatif_over_axes)

BOOST_AUTO_TEST_CASE(any_machine_is_compared_over_axes_and_sizes_and_nothing_runs_twice)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(
        {"whatif", "wulfkit-ring", "--workload", "ping-pong:sizes=8,64", "--axis", "link.symbol_time=5ns,2.5ns",
         "--variant", "fifos=lc2-fast-fifos", "--variant", "bus=blink.clock=100MHz", "--by", "latency_avg_ns",
         "--store", "s", "--json", "all.json", "--csv", "all.csv"});
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    for (const char* part : {"\nwhat is changed\n", "\nblink.clock ", "\ncrossovers along link.symbol_time",
                             "\ncrossovers along size_bytes", "smaller is better", "One run of each point"}) {
        BOOST_TEST(ended.out.find(part) != std::string::npos, part << " is not in\n" << ended.out);
    }
    const auto json = ordered_json::parse(read_file("all.json"));
    BOOST_TEST(json["by"]["name"] == "latency_avg_ns");
    BOOST_TEST(json["variants"].size() == 3U);
    BOOST_TEST(json["variants"][2]["parameters"]["blink"]["clock"] == "100 MHz");
    BOOST_TEST_REQUIRE(json["places"].size() == 4U);
    for (const auto& place : json["places"]) {
        const double base = place["variants"]["base"]["mean"];
        const double bus = place["variants"]["bus"]["mean"];
        BOOST_TEST(bus < base);
        BOOST_TEST(place["variants"]["bus"]["change_percent"].get<double>() == 100 * (bus - base) / base,
                   boost::test_tools::tolerance(1e-9));
        BOOST_TEST(place["variants"]["bus"]["points"].size() == 1U);
    }
    // Variants along the symbol time at 2 sizes, along the size at 2 symbol times; symbol times along the size 3 times
    BOOST_TEST(json["crossovers"].size() == 7U);
    const std::string csv = read_file("all.csv");
    BOOST_TEST(csv.starts_with("link_symbol_time_ns,size_bytes,variant,latency_avg_ns,interval,runs,change_percent,"));
    BOOST_TEST(std::ranges::count(csv, '\n') == 1 + 4 * 3);
    const Ended again = whatif(
        "wulfkit-ring --workload ping-pong:sizes=8,64 --axis link.symbol_time=5ns,2.5ns "
        "--overlay lc2-fast-fifos --store s");
    BOOST_TEST(again.err.find(" 0 run in") != std::string::npos, again.err);
    BOOST_TEST(again.out.find("changed") != std::string::npos);
    BOOST_TEST(again.out.find("--by names another result") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(variants_may_be_other_machines_and_options)
{
    const TemporaryFolder folder;
    const auto json = ordered_json::parse(
        whatif("wulfkit-ring --workload ping-pong:sizes=64 --variant torus=platform=wulfkit-torus-2d "
               "--variant far=options.to=2 --by latency_avg_ns --json -")
            .out);
    BOOST_TEST(json["variants"][1]["platform"] == "wulfkit-torus-2d");
    BOOST_TEST(json["variants"][2]["workload_options"]["to"] == "2");
    BOOST_TEST(json["places"][0]["variants"].size() == 3U);
    BOOST_TEST(json["crossovers"].empty());  // one place
}

BOOST_AUTO_TEST_CASE(a_test_of_a_study_is_compared_by_its_variants)
{
    const TemporaryFolder folder;
    folder.write("loads/study.toml",
                 "platform = \"mesh-8x8\"\noptions = { duration = \"2 us\" }\nprogram = \"traffic\"\n"
                 "[test.load]\nrepeat = 3\naxes = { \"options.load\" = [0.1, 0.3] }\n"
                 "[test.load.variants]\nbase = {}\nslow = { set = { \"mesh.pipeline\" = \"8 cycles\" } }\n"
                 "[test.alone]\noptions = { load = 0.1 }\n");
    const Ended ended = whatif("loads --by latency_mean_ns --store s --json all.json");
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    BOOST_TEST(ended.out.find("no crossing: base better by ") != std::string::npos, ended.out);
    const auto json = ordered_json::parse(read_file("all.json"));
    BOOST_TEST_REQUIRE(json["places"].size() == 2U);
    const auto& slow = json["places"][0]["variants"]["slow"];
    BOOST_TEST(slow["values"].size() == 3U);
    BOOST_TEST(slow["interval"].get<double>() > 0);
    BOOST_TEST(slow["beyond_noise"] == "yes");
    const Ended alone = whatif("loads --test alone --by latency_mean_ns --store s");
    BOOST_TEST(alone.status == 2);
    BOOST_TEST(alone.err.find("--variant") != std::string::npos, alone.err);
    // A platform's name wins over a study's
    BOOST_TEST(whatif("mesh-8x8 --test load").err.find("unknown study") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_dry_run_lists_the_points_and_save_makes_a_study)
{
    const TemporaryFolder folder;
    const std::string what = "wulfkit-ring --workload ping-pong:sizes=8 --set link.symbol_time=4ns --store s";
    const Ended dry = whatif(what + " --dry-run");
    BOOST_TEST(dry.status == 0, dry.err);
    BOOST_TEST(dry.err.find("2 points") != std::string::npos, dry.err);
    const Ended first = whatif(what + " --save saved");
    const Ended again = whatif("saved --store s");
    BOOST_TEST_REQUIRE(again.status == 0, again.err);
    BOOST_TEST(again.err.find(" 0 run in") != std::string::npos, again.err);
    BOOST_TEST(first.out.substr(first.out.find("what is changed")) ==
               again.out.substr(again.out.find("what is changed")));
}

BOOST_AUTO_TEST_CASE(mistakes_end_with_a_cure)
{
    const TemporaryFolder folder;
    folder.write("two/study.toml",
                 "platform = \"wulfkit-ring\"\nprogram = \"ping-pong\"\n[test.a]\n[test.a.variants]\nx = {}\n"
                 "y = { options = { to = 2 } }\n[test.b]\n[test.b.variants]\nx = {}\ny = { options = { to = 2 } }\n");
    const std::string ring = "wulfkit-ring --workload ping-pong:sizes=8,64 --store s";
    const std::vector<std::pair<std::string, std::vector<std::string>>> mistakes{
        {ring, {"one variant", "--variant"}},
        {ring + " --variant a=link.symbol_time=4ns --by latency", {"--by latency", "latency_avg_ns"}},
        {ring + " --variant a=link.symbol_time=4ns --where variant='c'", {"--where", "leaves no point"}},
        {ring + " --variant a=link.symbol_time=4ns --where variant='a'", {"base, a", "--where"}},
        {ring + " --variant a=link.symbol_time=4ns --smaller --larger", {"--smaller", "--larger"}},
        {ring + " --sizes 4", {"--sizes", "--workload"}},
        {"wulfkit-torus-2d --axis link.symbol_time=5ns", {"--axis", "--workload"}},
        {"wulfkit-torus-2d --by latency_avg_ns", {"--by", "--workload"}},
        {"two", {"--test", "a, b"}},
        {"two --test c", {"--test c", "a, b"}},
        {"two --test a --axis link.symbol_time=5ns", {"--axis", "study.toml"}},
        {"wulfkit-rong", {"wulfkit-rong", "wulfkit-ring"}}};
    for (const auto& [arguments, parts] : mistakes) {
        const Ended ended = whatif(arguments);
        BOOST_TEST(ended.status == 2, arguments);
        BOOST_TEST(ended.out == "", arguments);
        for (const std::string& part : parts) {
            BOOST_TEST(ended.err.find(part) != std::string::npos, arguments << ": " << ended.err);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
