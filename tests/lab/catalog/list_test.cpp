// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lab/study/description/catalog.h"
#include "lab/table/writers/csv.h"
#include "lab/table/writers/text_table.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh::test;
using nlohmann::ordered_json;

/// What tables break into lines, with one blank between words.
std::string flowing(const std::string& text) { return fmt::format("{}", fmt::join(words(text), " ")); }

void check_width(const std::string& output)
{
    std::istringstream text(output);
    for (std::string line; std::getline(text, line);) {
        BOOST_TEST(ringmesh::lab::display_width(line) <= ringmesh::lab::kTextWidth, line);
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(help_and_list)

BOOST_DATA_TEST_CASE(every_help_has_a_usage_line_and_examples,
                     data::make({"--help", "-h", "list --help", "run --help", "run wulfkit-ring -h", "validate --help",
                                 "whatif --help", "explain --help", "saturate --help"}),
                     arguments)
{
    const std::string help = out_of(arguments);
    BOOST_TEST(contains(help, "\nUsage: ringmesh "));
    BOOST_TEST(contains(help, "\nExamples:\n  ringmesh "));
    check_width(help);
}

BOOST_AUTO_TEST_CASE(the_help_of_validate_names_the_parts_of_every_study)
{
    const std::string help = out_of("validate --help");
    for (const std::string& name : ringmesh::lab::list_studies()) BOOST_TEST(contains(help, "\n  " + name + " "), name);
    BOOST_TEST(contains(help, " rings, benchmarks, tori, "));
}

BOOST_DATA_TEST_CASE(no_list_is_wider_than_120_columns,
                     data::make({"list workloads", "list parameters", "list parameters wulfkit-ring", "list overlays",
                                 "list platforms", "list studies", "list functions", "list policies",
                                 "list policies mesh-flow"}),
                     arguments)
{
    check_width(out_of(arguments));
}

BOOST_DATA_TEST_CASE(help_names_the_exit_statuses,
                     boost::unit_test::data::make({"", "run ", "sweep ", "check ", "list "}), command)
{
    std::string help = out_of(std::string(command) + "--help");
    std::replace(help.begin(), help.end(), '\n', ' ');
    for (const char* status : {"0 for success", "2 for bad input", "3 if", "130 for Ctrl-C"}) {
        BOOST_TEST(contains(help, status), help);
    }
    BOOST_TEST(contains(help, " 1 if ") == (std::string(command) != "list "), help);
}

/// Each line has as many cells as there are names.
BOOST_DATA_TEST_CASE(lists_are_written_as_csv,
                     boost::unit_test::data::make({"list platforms", "list overlays", "list workloads",
                                                   "list workloads ping-pong", "list libraries",
                                                   "list parameters wulfkit-ring", "list policies",
                                                   "list policies mesh-arbitration", "list studies", "list functions",
                                                   "list signals mesh-8x8", "list routes wulfkit-switch",
                                                   "list faults scc", "check mesh-8x8"}),
                     command)
{
    std::string csv = out_of(std::string(command) + " --csv");
    while (csv.starts_with("# ")) csv.erase(0, csv.find('\n') + 1);
    csv = csv.substr(0, csv.find("\n\n"));  // the first of two tables
    const auto table = ringmesh::lab::csv_from_text(csv, "out");
    BOOST_TEST(table.columns.size() > 1u);
    BOOST_TEST(!table.rows.empty());
}

/// With the answer and the names of the CSV.
BOOST_DATA_TEST_CASE(
    results_are_written_as_markdown,
    boost::unit_test::data::make({"run wulfkit-ring --workload ping-pong:sizes=64",
                                  "sweep wulfkit-ring --workload ping-pong:sizes=64 --axis link.symbol_time=4ns,5ns",
                                  "explain wulfkit-ring --from 0 --to 1",
                                  "whatif wulfkit-ring --workload ping-pong:sizes=64 --set link.symbol_time=4ns"}),
    command)
{
    const auto run = [&](const std::string& option) { return ringmesh::test::ringmesh(words(command + option)).out; };
    const std::string markdown = run(" --markdown -");
    std::string csv = run(" --csv -");
    while (csv.starts_with("# ")) csv.erase(0, csv.find('\n') + 1);
    const std::string first = csv.substr(0, csv.find(','));
    BOOST_TEST(contains(markdown, "\n| " + first + " |"), markdown);
    BOOST_TEST(contains(markdown, "\n| ---"), markdown);
}

BOOST_AUTO_TEST_CASE(version_is_one_line_with_that_of_the_kernel)
{
    const std::string version = out_of("--version");
    BOOST_TEST(version.starts_with("ringmesh " RINGMESH_VERSION));
    BOOST_TEST(version.find('\n') == version.size() - 1);
}

BOOST_AUTO_TEST_CASE(platforms_overlays_and_workloads_are_listed_with_what_they_are)
{
    BOOST_TEST(contains(out_of("list platforms"), "\nwulfkit-ring  "));
    BOOST_TEST(contains(out_of("list overlays"), "\nlink-4.0Gbps               wulfkit"));
    const std::string workloads = out_of("list workloads");
    for (const std::string part :
         {"\nping-pong          raw, deck, ", "\ntraffic            -    ", "\ndeck-stages        deck  "}) {
        BOOST_TEST(contains(workloads, part), part);
    }
    BOOST_TEST(contains(out_of("list libraries"), "\ndeck       PCs whose cards map memory  queues, any-source"));
}

BOOST_AUTO_TEST_CASE(every_workload_is_listed_with_what_it_runs_on)
{
    BOOST_TEST(
        contains(out_of("list workloads ping-pong"),
                 "over raw, deck, scampi, sci-mpich, rcce, ircce, vertex; runs on PCs whose cards map memory, "));
    BOOST_TEST(contains(out_of("list workloads ping-pong"), "  default (raw) "));
    const std::string over_deck = out_of("list workloads ping-pong --library deck");
    BOOST_TEST((contains(over_deck, "  default (deck) ") && contains(over_deck, "64..2048 step 64")));
    const std::string network = "runs on a network with packet sources";
    BOOST_TEST(contains(out_of("list workloads traffic"), "\n  " + network + "\n\n  option "));
    BOOST_TEST(contains(out_of("list workloads traffic --markdown"), "\n\n" + network + "\n\n| option "));
    const auto all = ordered_json::parse(out_of("list workloads --json"));
    for (const auto& workload : all["workloads"]) {
        BOOST_TEST(!workload["runs_on"].empty(), workload["name"]);
    }
}

BOOST_AUTO_TEST_CASE(a_workload_or_a_library_is_listed_alone_with_its_options)
{
    for (const std::string what : {"workloads ping-pong", "libraries deck", "libraries scampi"}) {
        const std::string name = what.substr(what.find(' ') + 1);
        const std::string one = out_of("list " + what);
        BOOST_TEST(one.starts_with(name + ": "));
        BOOST_TEST(contains(one, name == "ping-pong" ? "\n  repetitions " : "\n  slots "));
        const auto json = ordered_json::parse(out_of("list " + what + " --json"));
        const auto& all = json[what.substr(0, what.find(' '))];
        BOOST_TEST_REQUIRE(all.size() == 1u);
        BOOST_TEST(all[0]["name"] == name);
        BOOST_TEST(out_of("list " + what + " --markdown").starts_with("## " + name + ": "));
    }
}

BOOST_AUTO_TEST_CASE(an_overlay_is_listed_with_what_it_changes)
{
    const auto json = nlohmann::json::parse(out_of("list overlays half-switching --json"));
    std::vector<std::string> keys;
    for (const auto& change : json["changes"]) keys.push_back(change["key"]);
    const std::vector<std::string> expected{"blink.clock", "lc2.in_fifo_to_blink", "lc2.blink_to_out_fifo",
                                            "lc2.switching"};
    BOOST_TEST(keys == expected, boost::test_tools::per_element());
    BOOST_TEST(json["changes"][0]["value"] == "\"75 MHz\"");
    BOOST_TEST(json["changes"][0]["provenance"] == "what-if");
    BOOST_TEST(contains(out_of("list overlays half-switching"), "cut-through-receive"));
    BOOST_TEST(ringmesh::test::ringmesh(words("list overlays half")).status == 2);
}

/// On pages that there are, each name once in a suggestion.
BOOST_AUTO_TEST_CASE(functions_name_their_sources)
{
    const auto functions = nlohmann::json::parse(out_of("list functions --json"))["functions"];
    for (const auto& function : functions) {
        const std::string source = function["source"];
        const auto begin = source.find("docs/");
        if (begin == std::string::npos) continue;
        const std::string page = source.substr(begin, source.find(".md", begin) + 3 - begin);
        BOOST_TEST(std::filesystem::exists(std::string(RINGMESH_SOURCE_DIR "/") + page), page);
    }
    const std::string err = ringmesh::test::ringmesh(words("list functions nope")).err;
    BOOST_TEST(err.find("sci_ping_pong_ns") == err.rfind("sci_ping_pong_ns"), err);
}

BOOST_DATA_TEST_CASE(every_list_is_json_too, data::make({"platforms", "overlays", "workloads", "parameters"}), subject)
{
    const auto json = ordered_json::parse(out_of(std::string("list --json ") + subject));
    BOOST_TEST(json["ringmesh"]["schema"] == 3);
    const auto& listed = json.at(std::string(subject) == "parameters" ? "platforms" : subject);
    BOOST_TEST(listed.size() >= 1u);
    for (const auto& one : listed) {
        BOOST_TEST(!one.value("name", "").empty());
        BOOST_TEST(!one.value("description", "").empty());
    }
}

BOOST_AUTO_TEST_CASE(parameters_of_a_platform_show_value_bounds_and_what_the_platforms_file_says_of_it)
{
    const auto json = ordered_json::parse(out_of("list parameters wulfkit-ring --json"));
    BOOST_TEST(json["machine"] == "wulfkit");
    for (const auto& row : json["parameters"]) {
        if (row["key"] != "lc2.send_slots") continue;
        BOOST_TEST(row.dump() ==
                   R"({"key":"lc2.send_slots","kind":"integer","value":"8","smallest":"1","largest":"1024",)"
                   R"("choices":null,"meaning":"packets that each send queue (request, response) holds until their )"
                   R"(echo","provenance":"assumed","source":null,"set_by":null,"low":"2","high":"16",)"
                   R"("alternatives":null,"note":"packets per class until their echo; below 2 the link idles between )"
                   R"(echo and next packet, and a card has no more than 16 streams under way","not_in_use":null})");
        return;
    }
    BOOST_ERROR("lc2.send_slots is not listed");
}

BOOST_AUTO_TEST_CASE(on_a_terminal_provenance_range_and_reason_stand_behind_the_meaning)
{
    const std::string text = flowing(out_of("list parameters wulfkit-ring"));
    BOOST_TEST(contains(text, " meaning [provenance] "));
    BOOST_TEST(contains(text, " clock [seed: 000 ch.4; "));
    BOOST_TEST(contains(text, " [assumed, 1 cycle to 3 cycles; fast,"));
}

BOOST_AUTO_TEST_CASE(the_values_of_a_platform_have_the_provenance_of_its_file_not_of_the_one_that_it_is_based_on)
{
    const auto origin = [](const std::string& platform, const std::string& key) {
        const auto json = ordered_json::parse(out_of("list parameters " + platform + " --json"));
        for (const auto& row : json["parameters"]) {
            if (row["key"] == key) return row["set_by"].dump();
        }
        return std::string("not listed");
    };
    BOOST_TEST(origin("wulfkit-ring", "host.memcpy_gather") == R"(["wulfkit.component.overhead_slope"])");
    BOOST_TEST(origin("deck-cluster", "host.memcpy_gather") == R"(["deck.raw_write_bandwidth_memcpy"])");
    BOOST_TEST(origin("deck-cluster", "host.library") == R"(["wulfkit.ping_pong.1_hop_64B"])");
}

BOOST_AUTO_TEST_CASE(what_a_platform_brings_along_without_effect_is_marked)
{
    const std::string text = flowing(out_of("list parameters wulfkit-ring"));
    BOOST_TEST(contains(text, "not in use while topology.kind = \"torus\": "));
    BOOST_TEST(!contains(flowing(out_of("list parameters wulfkit-switch")), "not in use while topology.kind"));
}

BOOST_AUTO_TEST_CASE(each_parameter_of_a_platform_that_stands_alone_has_a_line_in_the_page)
{
    const auto json = ordered_json::parse(out_of("list parameters --json"));
    const std::string page = out_of("list parameters --markdown");
    for (const auto& platform : json["platforms"]) {
        BOOST_TEST(contains('\n' + page, "\n## Platform " + platform["name"].get<std::string>() + " (machine "));
        for (const auto& row : platform["parameters"]) {
            const std::string key = row["key"];
            BOOST_TEST(contains(page, "\n| " + key + " | "), key);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
