// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lab/text_table.h"
#include "lab/validation/validation.h"
#include "tests/lab/program.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh::test;
using nlohmann::ordered_json;

std::string out_of(const std::string& arguments)
{
    const Ended ended = ringmesh::test::ringmesh(words(arguments));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    BOOST_TEST(ended.err == "");
    return ended.out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(help_and_list)

BOOST_DATA_TEST_CASE(every_help_has_a_usage_line_and_examples,
                     data::make({"--help", "-h", "list --help", "run --help", "run wulfkit-ring -h",
                                 "validate --help"}),
                     arguments)
{
    const std::string help = out_of(arguments);
    BOOST_TEST(contains(help, "\nUsage: ringmesh "));
    BOOST_TEST(contains(help, "\nExamples:\n  ringmesh "));
}

BOOST_AUTO_TEST_CASE(the_help_of_validate_names_the_parts_of_every_machine)
{
    const std::string help = out_of("validate --help");
    for (const auto& validation : ringmesh::lab::validations()) {
        if (validation.parts.empty()) continue;
        const auto line = fmt::format("\n  {:8} {}\n", validation.machine, fmt::join(validation.parts, ", "));
        BOOST_TEST(contains(help, line), line);
    }
}

BOOST_DATA_TEST_CASE(no_output_is_wider_than_120_columns,
                     data::make({"list workloads", "list parameters", "list parameters wulfkit-ring", "list overlays",
                                 "list platforms", "--help", "list --help", "run --help", "validate --help",
                                 "whatif --help", "explain --help", "saturate --help"}),
                     arguments)
{
    std::istringstream text(out_of(arguments));
    for (std::string line; std::getline(text, line);) {
        BOOST_TEST(ringmesh::lab::display_width(line) <= ringmesh::lab::kTextWidth, line);
    }
}

BOOST_AUTO_TEST_CASE(the_help_of_validate_says_that_the_machine_may_be_left_out)
{
    BOOST_TEST(contains(out_of("validate --help"), "\n  ringmesh validate --part rings "));
}

BOOST_AUTO_TEST_CASE(version_is_one_line_with_that_of_the_kernel)
{
    const std::string version = out_of("--version");
    BOOST_TEST(version.starts_with("ringmesh " RINGMESH_VERSION " (SystemC "));
    BOOST_TEST(version.find('\n') == version.size() - 1);
}

BOOST_AUTO_TEST_CASE(platforms_overlays_and_workloads_are_listed_with_what_they_are)
{
    BOOST_TEST(contains(out_of("list platforms"), "\nwulfkit-ring  "));
    BOOST_TEST(contains(out_of("list overlays"), "\nlink-4.0Gbps               wulfkit"));
    const std::string workloads = out_of("list workloads");
    for (const std::string name : {"ping-pong: two ", "one-way: one ", "traffic: packet "}) {
        BOOST_TEST(contains(workloads, name), name);
    }
    BOOST_TEST(contains(workloads, "\n  repetitions "));
}

BOOST_AUTO_TEST_CASE(every_workload_is_listed_with_what_it_runs_on)
{
    BOOST_TEST(contains(out_of("list workloads ping-pong"), "\n  runs on PCs with SCI cards\n\n  option "));
    const std::string network = "runs on a network with packet sources";
    BOOST_TEST(contains(out_of("list workloads traffic"), "\n  " + network + "\n\n  option "));
    BOOST_TEST(contains(out_of("list workloads traffic --markdown"), "\n\n" + network + "\n\n| option "));
    const auto all = ordered_json::parse(out_of("list workloads --json"));
    for (const auto& workload : all["workloads"]) {
        BOOST_TEST(!workload["runs_on"].get<std::string>().empty(), workload["name"]);
    }
}

BOOST_AUTO_TEST_CASE(one_workload_is_listed_as_in_the_whole_list)
{
    const std::string one = out_of("list workloads deck-ping-pong");
    BOOST_TEST(one.starts_with("deck-ping-pong: "));
    BOOST_TEST(contains(out_of("list workloads"), '\n' + one));
    const auto json = ordered_json::parse(out_of("list workloads deck-ping-pong --json"));
    BOOST_TEST_REQUIRE(json["workloads"].size() == 1u);
    BOOST_TEST(json["workloads"][0]["name"] == "deck-ping-pong");
    BOOST_TEST(out_of("list workloads deck-ping-pong --markdown").starts_with("## deck-ping-pong: "));
}

BOOST_DATA_TEST_CASE(every_list_is_json_too, data::make({"platforms", "overlays", "workloads", "parameters"}), subject)
{
    const auto json = ordered_json::parse(out_of(std::string("list --json ") + subject));
    BOOST_TEST(json["ringmesh"]["schema"] == 1);
    const auto& listed = json.at(std::string(subject) == "parameters" ? "machines" : subject);
    BOOST_TEST(listed.size() >= 1u);
    for (const auto& one : listed) {
        BOOST_TEST(!one.value("name", "").empty());
        BOOST_TEST(!one.value("description", "").empty());
    }
}

BOOST_AUTO_TEST_CASE(parameters_of_a_platform_show_value_default_bounds_and_provenance)
{
    const auto json = ordered_json::parse(out_of("list parameters wulfkit-ring --json"));
    BOOST_TEST(json["machine"] == "wulfkit");
    for (const auto& row : json["parameters"]) {
        if (row["key"] != "link.symbol_time") continue;
        BOOST_TEST(row.dump() == R"({"key":"link.symbol_time","kind":"duration","value":"5 ns","default":"5 ns",)"
                                 R"("smallest":"100 ps","largest":"1 us","choices":null,"provenance":"seed",)"
                                 R"("source":"000 ch.4","meaning":"time of one 16-bit symbol: the link clock"})");
        return;
    }
    BOOST_ERROR("link.symbol_time is not listed");
}

BOOST_AUTO_TEST_CASE(on_a_terminal_provenance_and_source_stand_behind_the_meaning)
{
    const std::string text = out_of("list parameters wulfkit-ring");
    BOOST_TEST(contains(text, "  meaning [provenance: source]\n"));
    BOOST_TEST(contains(text, " clock [seed: 000 ch.4]\n"));
    BOOST_TEST(contains(text, " [assumed]\n"));
}

BOOST_AUTO_TEST_CASE(each_parameter_has_a_line_in_the_page_and_each_line_a_provenance)
{
    const auto json = ordered_json::parse(out_of("list parameters --json"));
    const std::string page = out_of("list parameters --markdown");
    BOOST_TEST(page.starts_with("<!-- SPDX-License-Identifier: Apache-2.0 -->\n"));
    for (const auto& machine : json["machines"]) {
        for (const auto& row : machine["parameters"]) {
            const std::string key = row["key"];
            BOOST_TEST(contains(page, "\n| " + key + " | "), key);
            BOOST_TEST((row["provenance"] == "assumed" || !row["source"].is_null()), key);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
