// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/compare/whatif/variants.h"
#include "lab/compare/whatif/variants_report.h"
#include "lab/table/writers/text_table.h"
#include "tests/support/program.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh::lab;
using ringmesh::UserError;
using ringmesh::test::contains;
using ringmesh::workloads::Cell;
using ringmesh::workloads::Results;
using Values = std::vector<double>;

/// A test of variants over axes, and the table that its points gave, row by row.
struct Measured {
    explicit Measured(std::vector<std::string> variants, std::vector<Axis> axes = {})
    {
        test.name = "t";
        test.program = {"ping-pong", ""};
        test.platform = {"machine", ""};
        for (std::string& name : variants) test.variants.push_back({.name = std::move(name)});
        test.axes = std::move(axes);
        table.columns = {{"point", ""}, {"variant", ""}, {"repetition", ""}, {"seed", ""}, {"doubt", ""}};
        for (const Axis& axis : test.axes) table.columns.push_back({axis.name, ""});
        table.columns.push_back({"size_bytes", "bytes"});
        table.columns.push_back({"latency_ns", "ns"});
        table.columns.push_back({"rate_mb_per_s", "MB/s"});
        table.columns.push_back({"kind", ""});
    }

    /// A point with one row for each latency; sizes are 1, 2, 4, ...
    void point(const std::string& variant, const std::vector<Cell>& axes, const Values& latencies,
               std::int64_t repetition = 1, const Cell& doubt = std::monostate())
    {
        std::int64_t size = 1;
        const std::string key = "key" + std::to_string(table.rows.size());
        for (const double latency : latencies) {
            std::vector<Cell> row{key, variant, repetition, repetition, doubt};
            row.insert(row.end(), axes.begin(), axes.end());
            row.insert(row.end(), {size, latency, 1000 / latency, std::string("word")});
            table.rows.push_back(std::move(row));
            size *= 2;
        }
    }

    VariantComparison by(const std::string& column) const { return compare_variants(test, table, {.by = column}); }

    StudyTest test;
    Results table;
};

bool says(const UserError& error, const std::string& part) { return contains(error.what(), part); }

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(whatif_variants)

/// Without the last place, the second curve is the higher one throughout.
BOOST_AUTO_TEST_CASE(a_place_with_a_doubt_is_marked_and_no_part_of_crossovers)
{
    for (const bool doubted : {false, true}) {
        Measured measured({"base", "fast"}, {{.name = "hops", .values = {"1", "2", "3"}, .where = {}}});
        const Cell none = std::monostate();
        const Cell doubt = doubted ? Cell("saturated") : none;
        for (std::int64_t hops = 1; hops <= 3; ++hops) {
            const auto latency = static_cast<double>(100 * hops);
            measured.point("base", {hops}, {latency});
            measured.point("fast", {hops}, {hops == 3 ? 10.0 : latency + 1}, 1, hops == 3 ? doubt : none);
        }
        const VariantComparison comparison = measured.by("latency_ns");
        BOOST_TEST(comparison.doubted == doubted);
        const auto families = curve_families(comparison);
        BOOST_TEST_REQUIRE(families.size() == 1u);
        BOOST_TEST(families.front().points.size() == (doubted ? 2u : 3u));
        BOOST_TEST(families.front().pairs.front().crossings.size() == (doubted ? 0u : 1u));
        const auto csv = variant_listing(comparison).results(measured_rows(comparison));
        const bool has_column = std::any_of(csv.columns.begin(), csv.columns.end(),
                                            [](const auto& column) { return column.name == "doubt"; });
        BOOST_TEST(has_column == doubted);
        BOOST_TEST(!measured.by("rate_mb_per_s").doubted);  // what is accepted lasts
    }
    Measured short_runs({"base", "fast"}, {{.name = "load", .values = {"1", "3"}, .where = {}}});
    for (const char* doubt : {"few packets", "saturated"}) {
        short_runs.table.rows.clear();
        for (const std::int64_t load : {1, 3}) {
            short_runs.point("base", {load}, {100.0}, 1, doubt);
            short_runs.point("fast", {load}, {load == 1 ? 50.0 : 150.0});
        }
        VariantReport report{.title = "t", .comparison = short_runs.by("latency_ns"), .families = {}, .examples = {}};
        report.families = curve_families(report.comparison);
        report.examples.resize(2);
        BOOST_TEST(report.families.empty(), doubt);
        const auto with_short_runs = curve_families(report.comparison, CurvePoints::kUnsaturated);
        const bool crosses = !never_cross(with_short_runs);
        BOOST_TEST(crosses == (std::string(doubt) == "few packets"), doubt);
        bool said = false;
        for (const std::string& sentence : answer_of(report).sentences)
            said = said || contains(sentence, "cross at 2 ");
        BOOST_TEST(said == crosses, doubt);
    }
    Measured few({"base", "fast"});
    few.point("base", {}, {100.0});
    few.point("fast", {}, {90.0}, 1, "few packets");
    BOOST_TEST(few.by("rate_mb_per_s").doubted);
}

BOOST_AUTO_TEST_CASE(repetitions_give_means_intervals_and_what_is_noise)
{
    Measured measured({"base", "fast", "like", "offset"});
    for (std::int64_t i = 0; i < 3; ++i) {
        const auto by = static_cast<double>(i);
        measured.point("base", {}, {100 + by}, i + 1);
        measured.point("fast", {}, {50 + by}, i + 1);
        measured.point("like", {}, {102.5 - by}, i + 1);
        measured.point("offset", {}, {100.5 + by}, i + 1);
    }
    const VariantComparison comparison = measured.by("latency_ns");
    BOOST_TEST_REQUIRE(comparison.places.size() == 1u);
    BOOST_TEST(comparison.repeated);
    const auto& variants = comparison.places[0].variants;
    BOOST_TEST(variants[0].sample.mean == 101.0);
    BOOST_TEST(*variants[0].interval == 4.3027 / std::sqrt(3.0), boost::test_tools::tolerance(1e-4));
    BOOST_TEST(!variants[0].change.percent.has_value());
    BOOST_TEST(*variants[1].change.percent == -100 * 50.0 / 101, boost::test_tools::tolerance(1e-12));
    BOOST_TEST((variants[1].change.noise == Noise::kBeyond));
    BOOST_TEST((variants[2].change.noise == Noise::kWithin));
    // Less than the scatter of either, but the same for each seed
    BOOST_TEST((variants[3].change.noise == Noise::kBeyond));
    BOOST_TEST(variants[1].points.size() == 3u);
}

BOOST_AUTO_TEST_CASE(rows_are_told_apart_by_their_first_columns_and_single_ones_need_none)
{
    Measured single({"base", "fast"});
    single.point("base", {}, {10});
    single.point("fast", {}, {5});
    BOOST_TEST(single.by("latency_ns").dimensions.empty());
    Measured rows({"base", "fast"});
    rows.point("base", {}, {10, 20});
    rows.point("fast", {}, {5, 10});
    const VariantComparison comparison = rows.by("latency_ns");
    BOOST_TEST_REQUIRE(comparison.dimensions.size() == 1u);
    BOOST_TEST(comparison.dimensions[0].name == "size_bytes");
    BOOST_TEST(comparison.places.size() == 2u);
    for (auto& row : rows.table.rows) row[5] = std::int64_t{7};  // all of one size
    BOOST_TEST(rows.by("latency_ns").dimensions.at(0).name == "row");
}

BOOST_AUTO_TEST_CASE(the_first_time_or_rate_is_the_default_and_says_what_is_better)
{
    Measured measured({"base", "fast"});
    measured.point("base", {}, {10});
    measured.point("fast", {}, {5});
    const VariantComparison chosen = measured.by("");
    BOOST_TEST(chosen.by.name == "latency_ns");
    BOOST_TEST(chosen.by_was_chosen);
    BOOST_TEST((chosen.better == Better::kSmaller));
    BOOST_TEST((measured.by("rate_mb_per_s").better == Better::kLarger));
    BOOST_TEST(!measured.by("size_bytes").better.has_value());
    const auto other = compare_variants(measured.test, measured.table, {.by = "latency_ns", .better = Better::kLarger});
    BOOST_TEST((other.better == Better::kLarger));
}

BOOST_AUTO_TEST_CASE(columns_that_cannot_be_compared_are_refused_with_those_that_can)
{
    Measured measured({"base", "fast"});
    measured.point("base", {}, {10});
    measured.point("fast", {}, {5});
    for (const char* column : {"unlike_all", "kind"}) {
        BOOST_CHECK_EXCEPTION(measured.by(column), UserError, [column](const UserError& error) {
            return says(error, column) && says(error, "latency_ns, rate_mb_per_s") && !says(error, ", kind");
        });
    }
    for (auto& row : measured.table.rows) row[6] = std::monostate();
    BOOST_CHECK_EXCEPTION(measured.by("latency_ns"), UserError,
                          [](const UserError& error) { return says(error, "rate_mb_per_s"); });
}

BOOST_AUTO_TEST_CASE(variants_without_a_common_place_are_refused)
{
    Measured measured({"base", "fast"}, {{.name = "link.x", .values = {"1", "2"}, .where = ""}});
    measured.point("base", {std::int64_t{1}}, {10});
    measured.point("fast", {std::int64_t{2}}, {10});
    BOOST_CHECK_EXCEPTION(measured.by("latency_ns"), UserError,
                          [](const UserError& error) { return says(error, "base, fast"); });
}

namespace {

/// base is 10 x, fast 20 + 5 x, on two shapes; over sizes there is but one row.
Measured crossing()
{
    Measured measured({"base", "fast"}, {{.name = "load", .values = {"1", "3", "6"}, .where = ""},
                                         {.name = "shape", .values = {"4x4", "16"}, .where = ""}});
    for (const std::int64_t x : {1, 3, 6}) {
        for (const std::string shape : {"4x4", "16"}) {
            const double more = shape == "16" ? 100 : 0;
            const auto at = static_cast<double>(x);
            measured.point("base", {x, shape}, {10 * at + more});
            measured.point("fast", {x, shape}, {20 + 5 * at + more});
        }
    }
    return measured;
}

}  // namespace

BOOST_AUTO_TEST_CASE(families_are_of_variants_and_of_the_values_of_the_other_axis)
{
    const auto families = curve_families(crossing().by("latency_ns"));
    BOOST_TEST_REQUIRE(families.size() == 4u);
    for (const CurveFamily& family : families) BOOST_TEST(family.along == 0u);  // shapes are no numbers
    BOOST_TEST(families[0].held == "shape=4x4");
    BOOST_TEST_REQUIRE(families[0].pairs.size() == 1u);
    BOOST_TEST_REQUIRE(families[0].pairs[0].crossings.size() == 1u);
    BOOST_TEST(families[0].pairs[0].crossings[0].at == 4.0);
    BOOST_TEST(families[0].best.size() == 2u);
    BOOST_TEST(families[2].held == "base");
    BOOST_TEST((families[2].names == std::vector<std::string>{"4x4", "16"}));
    BOOST_TEST(families[2].pairs[0].crossings.empty());
    BOOST_TEST(families[2].pairs[0].lower == -1);
    BOOST_TEST(families[2].pairs[0].least_percent == 100 * 100.0 / 60, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(families[2].pairs[0].most_percent == 100 * 100.0 / 10, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(axes_in_step_are_one_and_what_is_missing_on_a_side_is_left_out)
{
    Measured measured({"base", "fast"}, {{.name = "hops", .values = {"1", "2", "3"}, .where = ""},
                                         {.name = "nodes", .values = {"2", "4", "6"}, .where = ""}});
    measured.test.together = {{"hops", "nodes"}};
    for (const std::int64_t hops : {1, 2, 3}) {
        measured.point("base", {hops, 2 * hops}, {10.0 * static_cast<double>(hops)});
        if (hops != 2) measured.point("fast", {hops, 2 * hops}, {25});
    }
    const auto families = curve_families(measured.by("latency_ns"));
    BOOST_TEST_REQUIRE(families.size() == 1u);
    BOOST_TEST(families[0].along == 0u);
    BOOST_TEST(families[0].held == "");
    BOOST_TEST((families[0].points == Values{1, 3}));
    BOOST_TEST(families[0].pairs[0].crossings.at(0).at == 2.5);
}

BOOST_AUTO_TEST_CASE(places_that_one_variant_alone_has_are_counted_and_no_dimension_is_theirs)
{
    Measured measured({"base", "fast"}, {{.name = "hops", .values = {"1", "2", "3"}, .where = ""}});
    measured.point("base", {std::int64_t{1}}, {10});
    measured.point("base", {std::int64_t{2}}, {20});
    measured.point("fast", {std::int64_t{1}}, {15});
    measured.point("fast", {std::int64_t{3}}, {35});
    const VariantComparison comparison = measured.by("latency_ns");
    BOOST_TEST(comparison.places.size() == 1u);
    BOOST_TEST(comparison.dimensions.empty());
    BOOST_TEST(contains(comparison.everywhere, "hops=1"));
    BOOST_TEST((comparison.lone == std::vector<std::size_t>{1, 1}));
    VariantReport report{.title = "t", .comparison = comparison, .families = {}, .examples = {}};
    report.examples.resize(2);
    BOOST_TEST(contains(variants_text(report), "1 of base, 1 of fast"));
    BOOST_TEST(contains(answer_of(report).sentences.back(), "+50 %"));
}

BOOST_AUTO_TEST_CASE(the_answer_says_where_curves_cross_and_who_wins_by_how_much)
{
    VariantReport report{.title = "t", .comparison = crossing().by("latency_ns"), .families = {}, .examples = {}};
    report.families = curve_families(report.comparison);
    report.examples.resize(2);
    const auto sentences = answer_of(report).sentences;
    BOOST_TEST_REQUIRE(sentences.size() == 2u);
    // At the last point 60 ns against 50 ns
    BOOST_TEST(
        sentences[1] ==
        "Along load, base and fast cross at 4 (3 to 6) with shape=4x4, at 4 (3 to 6) with shape=16; above it fast "
        "better, at the last point by 17 %.");
}

/// Differences of 1, 2 and 3 below and of -2 above: the line meets zero in the middle, and a seed moves that by 1/8.
BOOST_AUTO_TEST_CASE(seeds_give_a_crossing_an_interval)
{
    Measured measured({"base", "fast"}, {{.name = "load", .values = {"1", "2"}, .where = ""}});
    for (std::int64_t run = 1; run <= 3; ++run) {
        measured.point("base", {std::int64_t{1}}, {100.0 + static_cast<double>(run)}, run);
        measured.point("fast", {std::int64_t{1}}, {100.0}, run);
        measured.point("base", {std::int64_t{2}}, {100.0 - 2}, run);
        measured.point("fast", {std::int64_t{2}}, {100.0}, run);
    }
    VariantReport report{.title = "t", .comparison = measured.by("latency_ns"), .families = {}, .examples = {}};
    report.families = curve_families(report.comparison);
    report.examples.resize(2);
    const CurvePair& pair = report.families.at(0).pairs.at(0);
    BOOST_TEST(pair.crossings.at(0).at == 1.5, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(pair.halves.at(0).value() == 4.30265 * 0.125 / std::sqrt(3.0), boost::test_tools::tolerance(1e-5));
    BOOST_TEST(contains(answer_of(report).sentences.at(1), "at 1.500 (1 to 2; +-0.31 over seeds)"));
    const auto single = curve_families(crossing().by("latency_ns"));
    BOOST_TEST(!single.at(0).pairs.at(0).halves.at(0).has_value());
}

BOOST_AUTO_TEST_CASE(a_crossing_within_the_noise_is_marked)
{
    Measured measured({"base", "fast"}, {{.name = "load", .values = {"1", "2"}, .where = ""}});
    for (const std::int64_t x : {1, 2}) {
        for (std::int64_t run = 1; run <= 3; ++run) {
            const double noise = 5 * static_cast<double>(run);
            measured.point("base", {x}, {100 + noise}, run);
            measured.point("fast", {x}, {x == 1 ? 50 + noise : 121 - noise}, run);
        }
    }
    const auto families = curve_families(measured.by("latency_ns"));
    BOOST_TEST_REQUIRE(families.at(0).pairs.at(0).crossings.size() == 1u);
    BOOST_TEST(families[0].pairs[0].within_noise.at(0));
}

BOOST_AUTO_TEST_CASE(whole_numbers_are_the_ends_of_ranges_and_four_variants_fit_the_page)
{
    Measured measured({"base", "fast", "faster", "fastest"},
                      {{.name = "options.load", .values = {"1", "4"}, .where = ""}});
    for (const std::int64_t x : {1, 4}) {
        for (std::int64_t run = 1; run <= 2; ++run) {
            double latency = x == 1 ? 10'000 : 90'000;
            for (const char* variant : {"base", "fast", "faster", "fastest"}) {
                measured.point(variant, {x}, {latency + static_cast<double>(run)}, run);
                latency = x == 1 ? latency + 12'345.67 : latency - 12'345.67;
            }
        }
    }
    VariantReport report{.title = "t", .comparison = measured.by("latency_ns"), .families = {}, .examples = {}};
    report.families = curve_families(report.comparison);
    report.examples.resize(4);
    const std::string text = variants_text(report);
    BOOST_TEST(widest_line(text) <= kTextWidth, text);
    BOOST_TEST(contains(text, "base up to 2, fastest from 3 on"), text);
    BOOST_TEST(contains(text, "base, fast "), text);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
