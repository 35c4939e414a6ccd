// SPDX-License-Identifier: Apache-2.0
#include "lab/run/record/run_record.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "lab/table/writers/json.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using nlohmann::ordered_json;

ParameterRow parameter(std::string key, std::string value, bool quoted)
{
    ParameterRow row;
    row.key = std::move(key);
    row.value = std::move(value);
    row.quoted = quoted;
    return row;
}

RunRecord example()
{
    RunRecord record;
    record.request = {.platform = "some-ring",
                      .overlays = {"fast"},
                      .settings = {"nodes=4"},
                      .workload = "ping-pong:sizes=64",
                      .seed = 7};
    record.workload = "ping-pong";
    record.workload_options = {parameter("sizes", "64", true)};
    record.parameters = {parameter("topology.nodes", "4", false), parameter("link.phy.symbol_time", "5 ns", true),
                         parameter("link.idle", "2", false), parameter("log", "true", false)};
    record.outcome.results = {
        .columns = {{"size_bytes", "bytes"}, {"latency_min_ns", "ns"}, {"rule", ""}},
        .rows = {{std::int64_t{64}, 4177.25, std::string("a, \"b\"")}, {std::int64_t{4096}, 100.0, std::string("c")}},
        .notes = {"a note"}};
    record.outcome.statistics = {{.blocks = "node*.lc2",
                                  .name = "sent",
                                  .unit = "packets",
                                  .meaning = "own packets",
                                  .count = 3,
                                  .mean = 3,
                                  .minimum = 0,
                                  .maximum = 6,
                                  .block_of_maximum = "node2.lc2",
                                  .values = {{"node0.lc2", 3}, {"node1.lc2", 0}, {"node2.lc2", 6}}}};
    record.outcome.simulated = Duration::picoseconds(1'234'567);
    record.wall_seconds = 0.5;
    return record;
}

/// A block of hardware with one statistic.
class Block final : public Component {
public:
    Block(std::string name, double value) : name_(std::move(name)), value_(value) {}
    std::string component_name() const override { return name_; }
    void statistics(StatisticsVisitor& visitor) const override
    {
        visitor.value("fill", value_, "packets", "of a queue");
    }
    std::string pending() const override { return {}; }

private:
    std::string name_;
    double value_;
};

/// A block whose one statistic is the mean of these samples.
class MeanBlock final : public Component {
public:
    MeanBlock(std::string name, std::initializer_list<std::int64_t> samples_ns) : name_(std::move(name))
    {
        for (const std::int64_t ns : samples_ns) samples_.add(Duration::picoseconds(1000 * ns));
    }
    std::string component_name() const override { return name_; }
    void statistics(StatisticsVisitor& visitor) const override { visitor.mean("wait_mean", samples_, "of packets"); }
    std::string pending() const override { return {}; }

private:
    std::string name_;
    Distribution samples_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(run_record)

BOOST_AUTO_TEST_CASE(json_has_the_documented_keys_in_order)
{
    const auto json = ordered_json::parse(json_text(record_json(example(), false)));
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) keys.push_back(key);
    const std::vector<std::string> expected{"ringmesh",     "platform",         "overlays",   "settings",
                                            "workload",     "workload_options", "library",    "library_options",
                                            "seed",         "parameters",       "provenance", "simulated_ns",
                                            "wall_seconds", "results",          "statistics"};
    BOOST_TEST(keys == expected, boost::test_tools::per_element());
    BOOST_TEST(json["ringmesh"]["schema"] == 3);
    BOOST_TEST(json["seed"] == 7);
    BOOST_TEST(json["simulated_ns"] == 1234.567);
}

BOOST_AUTO_TEST_CASE(parameters_are_nested_by_their_dots_and_quantities_are_texts)
{
    const auto json = ordered_json::parse(json_text(record_json(example(), false)));
    BOOST_TEST(json["parameters"].dump() ==
               R"({"topology":{"nodes":4},"link":{"phy":{"symbol_time":"5 ns"},"idle":2},"log":true})");
    BOOST_TEST(json["workload_options"].dump() == R"({"sizes":"64"})");
}

BOOST_AUTO_TEST_CASE(what_a_value_rests_on_stands_under_its_key_and_nothing_that_is_not_said)
{
    auto record = example();
    record.parameters.front().origin = calibrated("a.row").between("2", "8", "why");
    record.parameters.front().not_in_use = "kind = \"torus\"";
    const auto json = ordered_json::parse(json_text(record_json(record, false)));
    BOOST_TEST(json["provenance"]["topology.nodes"].dump() ==
               R"({"provenance":"calibrated","set_by":["a.row"],"low":"2","high":"8","note":"why",)"
               R"("not_in_use":"kind = \"torus\""})");
    BOOST_TEST(json["provenance"]["link.idle"].dump() == R"({"provenance":"assumed"})");
}

BOOST_AUTO_TEST_CASE(result_rows_are_objects_of_their_columns)
{
    const auto json = ordered_json::parse(json_text(record_json(example(), false)));
    BOOST_TEST(json["results"]["columns"][1].dump() == R"({"name":"latency_min_ns","unit":"ns"})");
    BOOST_TEST(json["results"]["rows"][0].dump() == R"({"size_bytes":64,"latency_min_ns":4177.25,"rule":"a, \"b\""})");
    BOOST_TEST(json["results"]["notes"].dump() == R"(["a note"])");
}

BOOST_AUTO_TEST_CASE(statistics_are_summed_up_and_list_blocks_only_if_asked)
{
    const auto brief = ordered_json::parse(json_text(record_json(example(), false)))["statistics"][0];
    BOOST_TEST(brief.dump() == R"({"blocks":"node*.lc2","name":"sent","unit":"packets","meaning":"own packets",)"
                               R"("count":3,"mean":3.0,"minimum":0.0,"maximum":6.0,"maximum_at":"node2.lc2"})");
    const auto full = ordered_json::parse(json_text(record_json(example(), true)))["statistics"][0];
    BOOST_TEST(full["values"].dump() == R"({"node0.lc2":3.0,"node1.lc2":0.0,"node2.lc2":6.0})");
}

BOOST_AUTO_TEST_CASE(without_wall_time_it_is_null)
{
    auto record = example();
    record.wall_seconds = std::nullopt;
    BOOST_TEST(ordered_json::parse(json_text(record_json(record, false)))["wall_seconds"].is_null());
}

BOOST_AUTO_TEST_CASE(a_nan_is_named_instead_of_becoming_null)
{
    auto record = example();
    record.outcome.results.rows[1][1] = std::numeric_limits<double>::infinity();
    const auto names_it = [](const ModelError& error) {
        return std::string(error.what()) == "the result results.rows.1.latency_min_ns is inf, not a number";
    };
    BOOST_CHECK_EXCEPTION(json_text(record_json(record, false)), ModelError, names_it);
    BOOST_CHECK_THROW(run_csv(record), ModelError);
}

BOOST_AUTO_TEST_CASE(csv_holds_the_configuration_in_comments_and_quotes_what_needs_it)
{
    const std::string csv = run_csv(example());
    BOOST_TEST(csv.starts_with("# ringmesh " RINGMESH_VERSION ", schema 3: "));
    BOOST_TEST(
        csv.find("# option sizes = 64\n# parameter topology.nodes = 4\n# parameter link.phy.symbol_time = 5 ns\n") !=
        std::string::npos);
    BOOST_TEST(
        csv.ends_with("# note = a note\nsize_bytes,latency_min_ns,rule\n64,4177.25,\"a, \"\"b\"\"\"\n4096,100,c\n"));
}

BOOST_AUTO_TEST_CASE(one_row_that_is_too_wide_becomes_a_list)
{
    workloads::Results results;
    results.columns = {{"latency_min_ns", "ns"}, {"rule", ""}};
    results.rows = {{4177.25, std::string("auto")}};
    BOOST_TEST(results_text(results, 17) == "latency min  rule\n         ns\n-----------  ----\n    4,177.2  auto\n");
    BOOST_TEST(results_text(results, 12) == "latency min  4,177.2 ns\nrule         auto\n");
    BOOST_TEST(results_text(results, {12, true}) == results_text(results, 12));
    results.rows.push_back(results.rows.front());
    BOOST_TEST(results_text(results, 12).starts_with("latency\n    min  rule\n"));
}

BOOST_AUTO_TEST_CASE(the_text_shows_units_once_and_groups_thousands)
{
    BOOST_TEST(results_text(example().outcome.results, 100) ==
               " size  latency min  rule\n"
               "bytes           ns\n"
               "-----  -----------  ------\n"
               "   64     4,177.25  a, \"b\"\n"
               "4,096       100.00  c\n"
               "\n"
               "a note\n");
    BOOST_TEST(title_of(example()) == "ping-pong:sizes=64 on some-ring, fast, nodes=4, seed 7");
}

BOOST_AUTO_TEST_CASE(an_outcome_survives_json)
{
    const auto there = example().outcome;
    const auto back = outcome_from(outcome_json(there, true));
    BOOST_TEST((back.results.rows == there.results.rows));
    BOOST_TEST(back.results.columns.at(1).unit == "ns");
    BOOST_TEST(back.results.notes == there.results.notes, boost::test_tools::per_element());
    BOOST_TEST((back.simulated == there.simulated));
    BOOST_TEST(back.statistics.at(0).values.at(2).block == "node2.lc2");
    BOOST_TEST(back.statistics.at(0).maximum == 6.0);
    BOOST_TEST(outcome_json(back, true).line() == outcome_json(there, true).line());
}

BOOST_AUTO_TEST_CASE(blocks_that_differ_in_their_numbers_alone_share_a_row)
{
    Block first("node0.lc2", 2);
    Block other("host", 5);
    Block second("node11.lc2", 4);
    Block third("node2.port1.queue", 1);
    const auto rows = collect_statistics({&first, &other, &second, &third});
    BOOST_TEST_REQUIRE(rows.size() == 3u);
    BOOST_TEST(rows[0].blocks == "node*.lc2");
    BOOST_TEST(rows[0].mean == 3.0);
    BOOST_TEST(rows[0].minimum == 2.0);
    BOOST_TEST(rows[0].block_of_maximum == "node11.lc2");
    BOOST_TEST(rows[1].blocks == "host");
    BOOST_TEST(rows[2].blocks == "node*.port*.queue");
}

BOOST_AUTO_TEST_CASE(a_mean_over_blocks_weighs_each_with_its_samples)
{
    MeanBlock busy("node0.psb", {10, 20, 30});
    MeanBlock idle("node1.psb", {});
    MeanBlock other("node2.psb", {100});
    const auto rows = collect_statistics({&busy, &idle, &other});
    BOOST_TEST_REQUIRE(rows.size() == 1u);
    BOOST_TEST(rows[0].mean == 40.0);
    BOOST_TEST(rows[0].minimum == 20.0);
    BOOST_TEST(rows[0].maximum == 100.0);
    BOOST_TEST(rows[0].count == 2u);
    BOOST_TEST(rows[0].unit == "ns");
    BOOST_TEST(rows[0].values.size() == 2u);
    BOOST_TEST(collect_statistics({&idle}).empty());
}

BOOST_AUTO_TEST_CASE(statistics_that_are_zero_everywhere_are_not_shown)
{
    Block zero("node0.lc2", 0);
    BOOST_TEST(statistics_table(collect_statistics({&zero})).empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
