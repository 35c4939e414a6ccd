// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace ringmesh::test::report_command_test {
namespace {

using Json = nlohmann::ordered_json;

Ended start(const std::string& arguments) { return ringmesh(words(arguments)); }

/// The data of a page.
Json data_of(const std::string& file)
{
    const std::string html = read_file(file);
    const std::string begin = "<script type=\"application/json\" id=\"data\">";
    const std::size_t from = html.find(begin) + begin.size();
    return Json::parse(html.substr(from, html.find("</script>", from) - from));
}

const Json& table_of(const Json& data, const std::string& id)
{
    for (const Json& table : data.at("tables")) {
        if (table.at("id") == id) return table;
    }
    throw std::runtime_error("no table " + id);
}

const Json& column_of(const Json& table, const std::string& name)
{
    for (std::size_t i = 0; i < table.at("columns").size(); ++i) {
        if (table.at("columns")[i].at("name") == name) return table.at("values")[i];
    }
    throw std::runtime_error("no column " + name);
}

const std::string kSweep =
    "sweep mesh-8x8 --workload traffic:duration=200cycles,warm_up=100cycles --axis options.load=0.05,0.1,0.2 "
    "--set mesh.columns=3 --set mesh.rows=3 --variant few=mesh.virtual_channels=2";

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(report_command)

BOOST_AUTO_TEST_CASE(the_program_s_line_leaves_out_options_without_effect)
{
    const TemporaryFolder folder;
    const std::string run =
        "run mesh-8x8 --workload traffic:pattern=uniform,duration=100cycles,warm_up=100cycles --store s ";
    for (const char* file : {"r.html", "stored.html"}) {
        BOOST_REQUIRE_EQUAL(start(run + "--report " + file).status, 0);
        const std::string line = data_of(file).at("question").dump();
        BOOST_TEST(contains(line, "pattern=uniform"), line);
        BOOST_TEST(!contains(line, "hot_shares"), line);
    }
}

BOOST_AUTO_TEST_CASE(the_page_of_a_sweep_has_what_the_store_has)
{
    const TemporaryFolder folder;
    const Ended swept = start(kSweep + " --store s --report r.html --json t.json");
    BOOST_REQUIRE_EQUAL(swept.status, 0);
    const Json data = data_of("r.html");
    const Json results = Json::parse(read_file("t.json"));
    const Json& chart = data.at("charts").at(0);
    const Json& table = table_of(data, chart.at("table"));
    const Json& drawn = column_of(table, "latency_mean_ns");
    BOOST_REQUIRE_EQUAL(drawn.size(), results.at("rows").size());
    for (const Json& row : results.at("rows")) {
        bool found = false;
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            found = found ||
                    (drawn[i] == row.at("latency_mean_ns") && column_of(table, "variant")[i] == row.at("variant") &&
                     column_of(table, "options_load").size() == drawn.size());
        }
        BOOST_TEST(found);
    }
    BOOST_TEST(data.at("machines").at(0).at("drawing").at("nodes").size() == 9u);
    BOOST_TEST(contains(data.at("command").get<std::string>(), "--report r.html"));
    BOOST_TEST(contains(read_file("r.html"), "<noscript>"));
}

BOOST_AUTO_TEST_CASE(a_study_a_point_and_a_store_are_reported_without_a_run)
{
    const TemporaryFolder folder;
    BOOST_REQUIRE_EQUAL(start(kSweep + " --store s --save study").status, 0);
    BOOST_TEST(start("report study -o study.html --store s").status == 0);
    BOOST_TEST(start("report s -o store.html").status == 0);
    const Json points = table_of(data_of("store.html"), "points");
    BOOST_REQUIRE_EQUAL(column_of(points, "point").size(), 6u);
    const std::string key = column_of(points, "point")[0];
    BOOST_TEST(start("report " + key + " -o point.html --store s").status == 0);
    const Json point = data_of("point.html");
    BOOST_TEST(column_of(table_of(point, "results"), "latency_mean_ns").size() == 1u);
    BOOST_TEST(data_of("study.html").at("charts").size() > 0u);
}

BOOST_AUTO_TEST_CASE(equal_data_give_equal_pages)
{
    const TemporaryFolder folder;
    BOOST_REQUIRE_EQUAL(start(kSweep + " --store s --save study").status, 0);
    BOOST_REQUIRE_EQUAL(start("report study -o r.html --store s").status, 0);
    const std::string first = read_file("r.html");
    BOOST_REQUIRE_EQUAL(start("report study -o r.html --store s").status, 0);
    BOOST_TEST((read_file("r.html") == first));
}

BOOST_AUTO_TEST_CASE(texts_of_the_page_are_no_tags)
{
    const TemporaryFolder folder;
    folder.write("study/study.toml",
                 "title = \"</script><b>bold & 'quoted'\"\nplatform = \"mesh-8x8\"\nprogram = \"traffic\"\n"
                 "options = { duration = \"100cycles\", warm_up = \"0cycles\" }\n[test.t]\naxes = { \"options.load\" = "
                 "[0.1, 0.2] }\n");
    BOOST_REQUIRE_EQUAL(start("study run study --store s --report r.html").status, 0);
    const std::string html = read_file("r.html");
    BOOST_TEST(!contains(html, "<b>bold"));
    BOOST_TEST(data_of("r.html").at("title") == "</script><b>bold & 'quoted'");
}

BOOST_AUTO_TEST_CASE(the_ledger_has_the_rows_of_validate)
{
    const TemporaryFolder folder;
    const Ended ended = start("validate mesh --report r.html --json v.json");
    BOOST_REQUIRE_MESSAGE(ended.status == 0, ended.err);
    const Json data = data_of("r.html");
    const Json rows = Json::parse(read_file("v.json")).at("rows");
    const Json& ledger = table_of(data, data.at("ledgers").at(0).at("table"));
    BOOST_REQUIRE_EQUAL(column_of(ledger, "id").size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        BOOST_TEST(column_of(ledger, "id")[i] == rows[i].at("id"));
        BOOST_TEST(column_of(ledger, "simulated")[i] == rows[i].at("simulated"));
        BOOST_TEST(column_of(ledger, "error_percent")[i] == rows[i].at("error_percent"));
    }
}

BOOST_AUTO_TEST_CASE(charts_of_studies_that_ship_fit_their_tables)
{
    const TemporaryFolder folder;
    for (const char* study : {"mesh", "ncube"}) {
        const Ended ended = start(std::string("validate ") + study + " --report r.html");
        BOOST_REQUIRE_MESSAGE(ended.status == 0, ended.err);
        const Json data = data_of("r.html");
        BOOST_TEST(data.at("charts").size() >= 4u);
        for (const Json& chart : data.at("charts")) BOOST_TEST(!chart.at("y").empty());
    }
}

/// What is asked for, and what the message names.
struct Mistake {
    std::string arguments;
    std::vector<std::string> names;
};

BOOST_AUTO_TEST_CASE(a_report_of_nothing_says_what_to_run)
{
    const TemporaryFolder folder;
    folder.write(
        "study/study.toml",
        "platform = \"mesh-8x8\"\nprogram = \"traffic\"\n[test.t]\naxes = { \"options.load\" = [0.1, 0.2] }\n");
    folder.write("empty/store.json", "{\"ringmesh_store\": 1}\n");
    const std::vector<Mistake> mistakes{
        {"report -o r.html", {"report", "study", "key", "store"}},
        {"report wulfkit", {"-o"}},
        {"report wulfkitt -o r.html", {"wulfkitt", "wulfkit"}},
        {"report deadbeef -o r.html --store s", {"deadbeef", "no point"}},
        {"report empty -o r.html", {"empty", "ringmesh run"}},
        {"report study -o r.html --store s", {"ringmesh study run study"}},
        {"report study -o no-folder/r.html --store s", {"no-folder/r.html"}},
        {"study run study --dry-run --report r.html", {"--report", "--dry-run"}},
        {"study run study --shard 1/2 --report r.html", {"--report", "share"}},
        {"run mesh-8x8 --workload traffic --report -", {"--report", "file"}},
        {"run mesh-8x8 --workload traffic --report no-folder/r.html", {"no-folder/r.html"}},
    };
    for (const Mistake& mistake : mistakes) {
        const Ended ended = start(mistake.arguments);
        BOOST_TEST(ended.status == 2, mistake.arguments);
        for (const std::string& name : mistake.names) {
            BOOST_TEST(contains(ended.err, name), mistake.arguments << " said: " << ended.err);
        }
        BOOST_TEST(!std::filesystem::exists("r.html"));
    }
}

BOOST_AUTO_TEST_CASE(a_mistake_in_charts_toml_is_told_before_a_page_is_written)
{
    const TemporaryFolder folder;
    BOOST_REQUIRE_EQUAL(start(kSweep + " --store s --save study").status, 0);
    folder.write("study/charts.toml", "[chart.c]\ntable = \"sweeep\"\nx = \"options_load\"\ny = \"latency_mean_ns\"\n");
    const Ended ended = start("report study -o r.html --store s");
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "charts.toml:2"), ended.err);
    BOOST_TEST(contains(ended.err, "sweep"), ended.err);
    BOOST_TEST(!std::filesystem::exists("r.html"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::test::report_command_test
