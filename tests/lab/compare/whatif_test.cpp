// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "lab/compare/whatif/topologies.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using nlohmann::ordered_json;
using ringmesh::test::contains;
using ringmesh::test::Ended;
using ringmesh::test::read_file;
using ringmesh::test::TemporaryFolder;
using ringmesh::test::words;

Ended whatif(const std::string& arguments) { return ringmesh::test::ringmesh(words("whatif " + arguments)); }

/// Quick: every number of dimensions, and on both systems the first crossover's neighbourhood.
constexpr const char* kQuick = "wulfkit-torus-2d --sizes 4,8,9,16";

ordered_json answers(const std::string& arguments)
{
    const Ended ended = whatif(arguments + " --json -");
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    return ordered_json::parse(ended.out);
}

/// The row of an answer with this value.
ordered_json row_with(const ordered_json& rows, const std::string& key, const ordered_json& value)
{
    for (const ordered_json& row : rows) {
        if (row[key] == value) return row;
    }
    BOOST_FAIL("no row with " << key << " = " << value.dump());
    return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(whatif_of_libraries)

/// Sources stand on the links of a ring and behind the bridges of a torus, unless the option says where.
BOOST_AUTO_TEST_CASE(what_runs_differ_in_unasked_is_said)
{
    const TemporaryFolder folder;
    const auto said = [](const std::string& options) {
        const Ended ended = ringmesh::test::ringmesh(
            words("sweep wulfkit-torus-2d --axis topology.dimensions=9,3x3 --store s --json - --workload "
                  "traffic:duration=20us," +
                  options));
        BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
        return ordered_json::parse(ended.out)["answer"].dump();
    };
    const std::string by_load = said("load=0.1");
    BOOST_TEST(contains(by_load, "option inject"), by_load);
    BOOST_TEST(contains(by_load, "link with topology.dimensions=9, blink with topology.dimensions=3x3"), by_load);
    BOOST_TEST(contains(by_load, "A load of 0.1 is "), by_load);
    const std::string by_rate = said("rate=5,inject=blink");
    BOOST_TEST(!contains(by_rate, "option "), by_rate);
    BOOST_TEST(!contains(by_rate, "A load of "), by_rate);
    const std::string asked =
        answers(
            "wulfkit-torus-2d --set topology.dimensions=9 --workload traffic:duration=20us,load=0.1 --variant "
            "behind=options.inject=blink --store s")["answer"]
            .dump();
    BOOST_TEST(!contains(asked, "chose option"), asked);
}

BOOST_AUTO_TEST_CASE(a_variant_changes_what_an_axis_of_the_library_does)
{
    const TemporaryFolder folder;
    const std::string asked = "deck-cluster --workload ping-pong:sizes=64,repetitions=1 --library deck:protocol=2 ";
    const ordered_json result = answers(asked + "--variant p3=library_options.protocol=3 --store s");
    BOOST_TEST(result["variants"][0]["library_options"]["protocol"] !=
               result["variants"][1]["library_options"]["protocol"]);
    const auto sweep = [&](const std::string& what) {
        return ringmesh::test::ringmesh(words("sweep " + asked + what));
    };
    const Ended saved = sweep("--variant p3=library_options.protocol=3 --store s --dry-run --save kept");
    BOOST_TEST_REQUIRE(saved.status == 0, saved.err);
    BOOST_TEST(contains(read_file("kept/study.toml"), "library_options = { "));
    const Ended twice = sweep("--variant p3=library_options.protocol=3 --axis library_options.protocol=1,2 --store s");
    BOOST_TEST(twice.status == 2);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(whatif_topologies)

BOOST_AUTO_TEST_CASE(equal_tori_are_the_whole_roots_by_dimension_and_size)
{
    const std::vector<std::string> expected{"3", "4", "8", "16", "2x2", "4x4", "2x2x2", "2x2x2x2"};
    BOOST_TEST(equal_tori({16, 8, 4, 16, 3}) == expected, boost::test_tools::per_element());
    for (const unsigned large : {63U, 65U, 999U, 1001U, 4095U}) {
        BOOST_TEST(equal_tori({large}).front() == std::to_string(large));
    }
    BOOST_TEST(equal_tori({1000}).back() == "10x10x10");
    BOOST_TEST(equal_tori({4096}).back() == "8x8x8x8");
    BOOST_TEST(equal_tori({999}).size() == 1U);
}

BOOST_AUTO_TEST_CASE(the_study_has_tori_of_about_a_thousand_nodes_in_every_dimension_and_takes_other_sizes)
{
    const ExperimentRequest request{
        .platform = "wulfkit-torus-2d", .overlays = {}, .settings = {}, .workload = {}, .seed = 1};
    const Study usual = topologies_study(request, {}, {});
    const auto tori_in = [](const Study& study) {
        const auto test = std::ranges::find(study.tests, "tori", &StudyTest::name);
        return test->axes.front().values;
    };
    for (const char* torus : {"2", "1024", "32x32", "10x10x10", "5x5x5x5"}) {
        BOOST_TEST(std::ranges::count(tori_in(usual), torus) == 1);
    }
    BOOST_TEST((tori_in(topologies_study(request, {}, {"4", "2x2"})) == std::vector<std::string>{"4", "2x2"}));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

namespace {

/// It goes from the change to the latencies.
void check_text(const Ended& ended)
{
    std::size_t place = 0;
    for (const char* part :
         {"by overlay enhanced\n", "\nwhat is changed\n", "\ncomponents, ", "\nblink-100MHz ", "\nnumber of nodes ",
          "\ngain of the best topology", "\nlatency of ", "\n1-D\n", "\n4-D\n"}) {
        const auto found = ended.out.find(part, place);
        BOOST_TEST(found != std::string::npos, "not found, or not in its place: " << part);
        if (found != std::string::npos) place = found;
    }
}

/// It has the numbers of the published machine.
void check_json(const ordered_json& json)
{
    const auto current = row_with(json["components"], "system", "current");
    BOOST_TEST(std::abs(current["switching_ns"].get<double>() - 643) < 1);
    BOOST_TEST(std::abs(current["switching_by_stages_ns"].get<double>() - 643) < 1e-6);
    BOOST_TEST(std::abs(current["switching_by_equation_20_ns"].get<double>() - (643 + 66.67 / 2)) < 1);
    BOOST_TEST(std::abs(current["forwarding_ns"].get<double>() - 60) < 1);
    const double halved = row_with(json["components"], "system", "changed")["switching_ns"];
    BOOST_TEST(std::abs(halved / current["switching_ns"].get<double>() - 0.5) < 0.03);

    BOOST_TEST(json["latencies"].size() == 9U);  // 4 rings, 3 tori of two dimensions, one of three, one of four
    for (const auto& point : json["latencies"]) {
        for (const std::string system : {"current", "changed"}) {
            const double formula = point[system + "_formula_ns"];
            const double simulated = point[system + "_simulated_ns"];
            BOOST_TEST(std::abs(simulated / formula - 1) < 0.01, point.dump());
        }
    }

    BOOST_TEST(json["crossovers"].size() == 6U);
    for (const auto& row : json["crossovers"]) {
        const bool first = row["from_dimensions"] == 1;
        if (first && row["system"] == "current") BOOST_TEST(row["published_average"] == 18);
        if (first && row["system"] == "changed") {
            BOOST_TEST(row["published_multi_unicast"] == 5);
            BOOST_TEST(row["simulated_below"] == 8);
            BOOST_TEST(row["simulated_above"] == 9);
        } else {
            BOOST_TEST(row["simulated"].is_null());  // that of the current system, 17.5, is beyond the sizes
        }
    }
    BOOST_TEST(json["parameters"]["current"]["blink"]["clock"] == "50 MHz");
    BOOST_TEST(json["parameters"]["changed"]["lc2"]["transit_share"] == 0.521);
    BOOST_TEST(json["gains"].size() == 2U);
    for (const auto& gain : json["gains"]) {
        // The papers' change leaves the two ends of a message as they are
        BOOST_TEST(gain["gain_overhead_kept_percent"].get<double>() == gain["gain_percent"].get<double>(),
                   boost::test_tools::tolerance(1e-9));
    }
    // Equation 17 with 670 and 335 ns (docs/reference/evidence/analytic.md)
    BOOST_TEST(std::abs(json["gains"][0]["gain_published_components_percent"].get<double>() - 6.89) < 0.01);
}

/// Below the configuration that made the numbers it has a row for each torus.
void check_csv(const std::string& csv)
{
    BOOST_TEST(csv.starts_with("# "));
    const std::size_t header = csv.find("\ndimensions,nodes,current_formula_ns,");
    BOOST_TEST_REQUIRE(header != std::string::npos);
    std::size_t place = header + 1;
    for (const char* torus : {"1,4,", "1,8,", "1,9,", "1,16,", "2,4,", "2,9,", "2,16,", "3,8,", "4,16,"}) {
        place = csv.find('\n', place) + 1;
        BOOST_TEST(csv.substr(place).starts_with(torus), torus);
    }
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
    BOOST_TEST(contains(ended.out, "\n\nwhat if, on wulfkit-torus-2d: overlay blink-100MHz, lc2.decode=10ns\n"),
               ended.out);
}

BOOST_AUTO_TEST_CASE(remedies_are_the_overlays_by_stage_arithmetic_on_the_platform_as_it_is)
{
    const auto remedies = answers("wulfkit-torus-2d --sizes 4 --overlay blink-100MHz")["remedies"];
    // Decode 20 ns; of 40 symbols of 5 ns the other 39; FIFOs of 106 and 82 ns; on the B-Link 12 clocks of 20 ns:
    // arbitration 1, header 2, data 8 for 64 B, trailer 1
    constexpr double kSymbols = 39 * 5.0;
    const std::map<std::string, double> expected{
        {"none", 643},
        {"blink-100MHz", 20 + kSymbols + 106 + 12 * 10 + 82},
        {"blink-128bit", 20 + kSymbols + 106 + 8 * 20 + 82},
        {"blink-unlimited", 20 + kSymbols + 106 + 12 * 0.1 + 82},
        {"lc2-fast-fifos", 20 + kSymbols + 53 + 12 * 20 + 41},
        {"cut-through-receive", 20 + 106 + 12 * 20 + 82},  // begins when the head has come
        {"cut-through", 20 + 106 + 3 * 20 + 82},           // ends with the header
        // At 75 MHz the bus waits: its last data clock is the one in which the last symbol arrives
        {"half-switching", 20 + kSymbols + 53 + 2 * 1000.0 / 75 + 41}};
    BOOST_TEST(remedies.size() == expected.size());
    for (const auto& [overlay, ns] : expected) {
        const auto row = row_with(remedies, "overlay", overlay);
        BOOST_TEST(row["switching_ns"].get<double>() == ns, boost::test_tools::tolerance(1e-6));
        BOOST_TEST(row["meaning"].is_null() == (overlay == "none"));
    }
}

BOOST_AUTO_TEST_CASE(changes_are_the_parameters_that_differ_dimensions_apart)
{
    const auto json = answers("wulfkit-torus-2d --sizes 4,9 --set cable.length=3m --set lc2.decode=10ns");
    BOOST_TEST_REQUIRE(json["changes"].size() == 2U);
    const auto decode = row_with(json["changes"], "parameter", "lc2.decode");
    BOOST_TEST(decode["current"] == "20 ns");
    BOOST_TEST(decode["changed"] == "10 ns");
    BOOST_TEST(decode["meaning"] != "");
    const double one = row_with(json["components"], "system", "current")["propagation_ns"];
    BOOST_TEST(one == 6.671, boost::test_tools::tolerance(1e-3));
    BOOST_TEST(row_with(json["components"], "system", "changed")["propagation_ns"].get<double>() == 3 * one,
               boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_switch_of_faster_parts_shortens_the_two_ends_of_a_message_too)
{
    const auto json = answers("wulfkit-torus-2d --sizes 4,9 --overlay half-switching");
    BOOST_TEST(json["parameters"]["changed"]["blink"]["clock"] == "75 MHz");
    BOOST_TEST_REQUIRE(!json["gains"].empty());
    for (const auto& gain : json["gains"]) {
        BOOST_TEST(gain["gain_overhead_kept_percent"].get<double>() < gain["gain_percent"].get<double>());
    }
}

BOOST_AUTO_TEST_CASE(systems_without_equations_are_simulated_alone)
{
    const auto json = answers("wulfkit-torus-2d --sizes 4,9 --overlay counter-rotating-rings");
    BOOST_TEST(json["components"].size() == 1U);
    for (const auto& point : json["latencies"]) {
        BOOST_TEST(point["changed_formula_ns"].is_null());
        BOOST_TEST(point["changed_simulated_ns"].get<double>() > 0);
    }
    BOOST_TEST(json["gains"].empty());
}

BOOST_AUTO_TEST_CASE(sizes_without_a_torus_are_rings)
{
    const Ended ended = whatif("wulfkit-torus-2d --sizes 5,7");
    BOOST_TEST(ended.status == 0);
    BOOST_TEST(ended.out.find("\n1-D\n") != std::string::npos);
    BOOST_TEST(ended.out.find("\n2-D\n") == std::string::npos);
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
    BOOST_TEST(again.err.find(" 0 run in") != std::string::npos, again.err);
    BOOST_TEST(fresh.err.find(" 0 run in") == std::string::npos, fresh.err);
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
    BOOST_TEST(csv.starts_with("# ringmesh "));
    BOOST_TEST(contains(csv, "\nlink_symbol_time_ns,size_bytes,variant,latency_avg_ns,interval,runs,change_percent,"));
    BOOST_TEST(std::ranges::count(csv, '\n') == 2 + 4 * 3);
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

BOOST_AUTO_TEST_CASE(set_changes_one_machine_and_set_both_changes_both)
{
    const TemporaryFolder folder;
    const auto json = ordered_json::parse(
        whatif("wulfkit-ring --workload ping-pong:sizes=64 --set link.symbol_time=4ns --set-both cable.length=3m "
               "--by latency_avg_ns --json -")
            .out);
    BOOST_TEST(json["variants"][0]["parameters"]["link"]["symbol_time"] == "5 ns");
    BOOST_TEST(json["variants"][1]["parameters"]["link"]["symbol_time"] == "4 ns");
    for (const auto& variant : json["variants"]) BOOST_TEST(variant["parameters"]["cable"]["length"] == "3 m");
    const std::string first = json["answer"][0];
    BOOST_TEST(first == "changed has link.symbol_time 4 ns in place of 5 ns.");
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

BOOST_AUTO_TEST_CASE(a_result_that_there_is_not_ends_it_after_the_first_run)
{
    const TemporaryFolder folder;
    const Ended ended = whatif(
        "wulfkit-ring --workload ping-pong:sizes=64 --store s --by nothing "
        "--axis link.symbol_time=4ns,5ns,6ns --set lc2.decode=10ns");
    BOOST_TEST(ended.status == 2, ended.err);
    const Ended status = ringmesh::test::ringmesh(words("store status --store s --json -"));
    BOOST_TEST(nlohmann::json::parse(status.out)["rows"][0]["points"] == 1);
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
        {"scc", {"scc", "--workload"}},
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
