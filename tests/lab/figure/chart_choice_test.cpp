// SPDX-License-Identifier: Apache-2.0
#include "lab/figure/chart_choice.h"

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/cases.h"

namespace ringmesh::lab::chart_choice_test {
namespace {

using workloads::Cell;
using workloads::Results;

using Texts = std::vector<std::string>;

/// A test as whole_table() gives it: each row one run with one row of results, latency and bandwidth.
class Bench {
public:
    Bench()
    {
        test.name = "t";
        test.program.text = "p";
        test.variants.push_back({.name = "base"});
        table.columns = {{"point", ""}, {"variant", ""}, {"repetition", ""}, {"seed", ""}, {"doubt", ""}};
        results = {{"latency_ns", "ns"}, {"rate_mb_per_s", "MB/s"}};
    }

    void axis(const std::string& name, Texts values)
    {
        test.axes.push_back({.name = name, .values = std::move(values), .where = {}});
        table.columns.push_back({name, ""});
    }

    /// Of each combination of axes, with values by a rule.
    Means means(const std::vector<std::vector<Cell>>& places)
    {
        table.columns.insert(table.columns.end(), results.begin(), results.end());
        for (std::size_t i = 0; i < places.size(); ++i) {
            for (const Variant& variant : test.variants) {
                for (unsigned repetition = 1; repetition <= test.repeat; ++repetition) {
                    std::vector<Cell> row{std::to_string(table.rows.size()), variant.name, std::int64_t{repetition},
                                          std::int64_t{repetition}, std::monostate()};
                    row.insert(row.end(), places[i].begin(), places[i].end());
                    row.emplace_back(100.0 + 10 * static_cast<double>(i) + repetition);
                    row.emplace_back(1.5 * static_cast<double>(i + 1));
                    table.rows.push_back(std::move(row));
                }
            }
        }
        return means_of(test, table);
    }

    StudyTest test;
    Results table;
    std::vector<workloads::Column> results;
};

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(chart_choice)

BOOST_AUTO_TEST_CASE(the_numeric_axis_with_most_values_is_x_and_variants_are_curves)
{
    Bench bench;
    bench.test.variants.push_back({.name = "fast"});
    bench.axis("few", {"1", "2"});
    bench.axis("many", {"1", "2", "3"});
    std::vector<std::vector<Cell>> places;
    for (int few = 1; few <= 2; ++few) {
        for (int many = 1; many <= 3; ++many) places.push_back({std::int64_t{few}, std::int64_t{many}});
    }
    const auto charts = charts_of(bench.means(places), "id", "");
    BOOST_REQUIRE_EQUAL(charts.size(), 2u);  // of each unit
    BOOST_TEST(charts[0].x == "many");
    BOOST_TEST(charts[0].series == (Texts{"variant", "few"}), boost::test_tools::per_element());
    BOOST_TEST(charts[0].facets.empty());
    BOOST_TEST(charts[0].y_unit == "ns");
    BOOST_TEST(charts[1].y_unit == "MB/s");
}

BOOST_AUTO_TEST_CASE(what_would_give_too_many_curves_gives_panels)
{
    Bench bench;
    bench.axis("x", {"0"});
    bench.axis("a", {"0"});
    bench.axis("b", {"0"});
    std::vector<std::vector<Cell>> places;
    for (int x = 0; x < 9; ++x) {
        for (int a = 0; a < 4; ++a) {
            for (int b = 0; b < 5; ++b) places.push_back({std::int64_t{x}, std::int64_t{a}, std::int64_t{b}});
        }
    }
    const auto charts = charts_of(bench.means(places), "id", "");
    BOOST_REQUIRE(!charts.empty());
    BOOST_TEST(charts[0].x == "x");
    BOOST_TEST(charts[0].series == Texts{"a"}, boost::test_tools::per_element());
    BOOST_TEST(charts[0].facets == Texts{"b"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(of_axes_that_go_in_step_one_is_drawn)
{
    Bench bench;
    bench.axis("hops", {"1", "2"});
    bench.axis("nodes", {"2", "4"});
    bench.test.together = {{"hops", "nodes"}};
    const auto charts =
        charts_of(bench.means({{std::int64_t{1}, std::int64_t{2}}, {std::int64_t{2}, std::int64_t{4}}}), "id", "");
    BOOST_REQUIRE(!charts.empty());
    BOOST_TEST(charts[0].x == "hops");
    BOOST_TEST(charts[0].series.empty());
}

BOOST_AUTO_TEST_CASE(repetitions_are_one_point_with_the_interval_of_student)
{
    Bench bench;
    bench.test.repeat = 2;
    bench.axis("x", {"1", "2"});
    const Means means = bench.means({{std::int64_t{1}}, {std::int64_t{2}}});
    BOOST_TEST(means.repeated);
    BOOST_REQUIRE_EQUAL(means.table.rows.size(), 2u);
    BOOST_TEST(means.quantities[0].half == "latency_ns_ci95");
    BOOST_TEST(std::get<double>(means.table.rows[0][1]) == 101.5);
    BOOST_TEST(std::get<double>(means.table.rows[0][2]) == 12.706 * 0.5, 0.01 % boost::test_tools::tolerance());
}

BOOST_AUTO_TEST_CASE(two_axes_of_numbers_have_a_heat_map_as_well)
{
    const auto forms = [](const std::vector<std::string>& nodes, bool with_variants) {
        Bench bench;
        bench.axis("hops", {"1", "2", "3"});
        bench.axis("nodes", nodes);
        std::vector<std::vector<Cell>> rows;
        for (std::int64_t hops = 1; hops <= 3; ++hops) {
            for (const std::string& each : nodes) rows.push_back({hops, std::int64_t{std::stoi(each)}});
        }
        if (with_variants) bench.test.variants.push_back({.name = "slow"});
        return charts_of(bench.means(rows), "id", "");
    };
    const auto charts = forms({"2", "4", "8", "16"}, false);
    BOOST_REQUIRE(!charts.empty());
    const Chart& map = charts.back();
    BOOST_TEST((map.form == ChartForm::kHeatMap));
    BOOST_TEST(map.id == "id-map");
    BOOST_TEST(map.x == "nodes");
    BOOST_TEST((map.series == std::vector<std::string>{"hops"}));
    BOOST_TEST(map.crossings.empty());
    BOOST_TEST((forms({"2", "4"}, false).back().form == ChartForm::kHeatMap));
    BOOST_TEST((forms({"2"}, false).back().form == ChartForm::kLines));  // of one axis
    BOOST_TEST((forms({"2", "4", "8"}, true).back().form != ChartForm::kHeatMap));
}

BOOST_AUTO_TEST_CASE(words_on_x_have_bars_and_one_row_is_no_chart)
{
    Bench words;
    words.axis("way", {"a", "b"});
    const auto charts = charts_of(words.means({{Cell("a")}, {Cell("b")}}), "id", "");
    BOOST_REQUIRE(!charts.empty());
    BOOST_TEST((charts[0].form == ChartForm::kBars));
    Bench one;
    one.axis("x", {"1"});
    BOOST_TEST(charts_of(one.means({{std::int64_t{1}}}), "id", "").empty());
}

BOOST_AUTO_TEST_CASE(axes_that_multiply_are_logarithmic_and_those_that_add_are_not)
{
    BOOST_TEST((scale_of_axis({16, 32, 64, 128, 256}) == Scale::kLog));
    BOOST_TEST((scale_of_axis({1, 10, 20, 30, 40, 50, 60}) == Scale::kLinear));
    BOOST_TEST((scale_of_axis({1, 2, 4, 8}) == Scale::kLinear));  // less than a factor of 16
    BOOST_TEST((scale_of_axis({0, 16, 32, 64, 128, 256}) == Scale::kLinear));
    const std::vector<double> narrow{1, 99};
    const std::vector<double> wide{1, 101};
    const std::vector<double> zero{0, 1000};
    BOOST_TEST((scale_of_results(narrow) == Scale::kLinear));
    BOOST_TEST((scale_of_results(wide) == Scale::kLog));
    BOOST_TEST((scale_of_results(zero) == Scale::kLinear));
}

/// Two curves over x = 1, 2, 3.
Means two_curves(const std::vector<double>& a, const std::vector<double>& b, double half)
{
    Means means;
    Results& table = means.table;
    table.columns = {{"x", ""}, {"curve", ""}, {"y", "ns"}, {"half", "ns"}};
    for (std::size_t i = 0; i < a.size(); ++i) {
        table.rows.push_back({static_cast<double>(i + 1), std::string("a"), a[i], half});
        table.rows.push_back({static_cast<double>(i + 1), std::string("b"), b[i], half});
    }
    return means;
}

Chart chart_over(const std::string& half = "")
{
    Chart chart;
    chart.x = "x";
    chart.y = {{.column = "y", .half = half}};
    chart.series = {"curve"};
    return chart;
}

BOOST_AUTO_TEST_CASE(a_crossing_is_marked_on_the_straight_line_between_points)
{
    Chart chart = chart_over();
    mark_crossings(chart, two_curves({1, 2, 3}, {2, 2.5, 2}, 0));
    BOOST_REQUIRE_EQUAL(chart.crossings.size(), 1u);
    BOOST_TEST(chart.crossings[0].x == 2 + 1.0 / 3, 1e-9 % boost::test_tools::tolerance());
    BOOST_TEST(!chart.crossings[0].within_noise);
    Chart noisy = chart_over("half");
    mark_crossings(noisy, two_curves({1, 2, 3}, {2, 2.5, 2}, 5));
    BOOST_REQUIRE_EQUAL(noisy.crossings.size(), 1u);
    BOOST_TEST(noisy.crossings[0].within_noise);
}

BOOST_AUTO_TEST_CASE(a_point_with_a_doubt_is_no_part_of_a_crossing)
{
    Means means = two_curves({1, 2, 3}, {2, 2.5, 2}, 0);
    means.table.columns.push_back({kDoubt, ""});
    for (auto& row : means.table.rows) row.emplace_back(std::monostate());
    Chart chart = chart_over();
    mark_crossings(chart, means);
    BOOST_TEST(chart.crossings.size() == 1u);
    means.table.rows.back().back() = "saturated";
    Chart doubted = chart_over();
    mark_crossings(doubted, means);
    BOOST_TEST(doubted.crossings.empty());
    means.table.columns[2].unit = "MB/s";
    Chart accepted = chart_over();
    mark_crossings(accepted, means);
    BOOST_TEST(accepted.crossings.size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_is_known_of_the_rows_of_a_panel_says_whether_its_crossing_is_noise)
{
    Chart chart = chart_over();
    chart.facets = {"panel"};
    Means means;
    means.table.columns = {{"panel", ""}, {"x", ""}, {"curve", ""}, {"y", "ns"}};
    for (const char* panel : {"sharp", "noisy"}) {  // the same curves in both
        for (const auto& [x, a, b] : {std::tuple(1.0, 1.0, 2.0), {2.0, 3.0, 2.0}}) {
            means.table.rows.push_back({std::string(panel), x, std::string("a"), a});
            means.table.rows.push_back({std::string(panel), x, std::string("b"), b});
        }
    }
    means.within_noise = [](std::size_t a, std::size_t b) { return std::min(a, b) >= 4; };
    mark_crossings(chart, means);
    BOOST_REQUIRE_EQUAL(chart.crossings.size(), 2u);
    BOOST_TEST(chart.crossings[0].facet == "sharp");
    BOOST_TEST(!chart.crossings[0].within_noise);
    BOOST_TEST(chart.crossings[1].within_noise);
}

BOOST_AUTO_TEST_CASE(curves_that_cross_all_the_time_have_a_note_instead)
{
    std::vector<double> a;
    std::vector<double> b;
    for (int i = 0; i < 20; ++i) {
        a.push_back(i % 2);
        b.push_back((i + 1) % 2);
    }
    Chart chart = chart_over();
    mark_crossings(chart, two_curves(a, b, 0));
    BOOST_TEST(chart.crossings.empty());
    BOOST_TEST(chart.notes.size() == 1u);
}

BOOST_AUTO_TEST_CASE(saturation_begins_where_little_is_accepted_or_ten_times_the_latency_is_passed)
{
    Results table = two_curves({10, 20, 101}, {10, 20, 30}, 0).table;
    table.columns.push_back({"accepted_part", ""});
    for (std::size_t i = 0; i < table.rows.size(); ++i) table.rows[i].emplace_back(i == 5 ? 0.94 : 1.0);
    Chart chart = chart_over();
    mark_saturation(chart, table);
    BOOST_REQUIRE_EQUAL(chart.bands.size(), 2u);
    for (const BandMark& band : chart.bands) BOOST_TEST(band.low == 3);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::lab::chart_choice_test
