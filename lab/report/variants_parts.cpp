// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "lab/compare/whatif/error_bars.h"
#include "lab/figure/chart_choice.h"
#include "lab/report/parts.h"

/// Comparisons.
namespace ringmesh::lab {

namespace {

constexpr const char* kChangeFrom = "change_from_percent";
constexpr const char* kChangeTo = "change_to_percent";

/// Adds both ends of each change's error bar, in place of the interval of its seeds.
/// @pre the last quantity is the change
void add_bars_of_changes(const VariantReport& report, const std::vector<VariantRow>& rows, Means& means)
{
    for (const char* name : {kChangeFrom, kChangeTo}) means.table.columns.push_back({name, "%"});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto bar = bar_of_change(*report.error_bars, report.comparison, *rows[i].place, rows[i].variant);
        means.table.rows[i].push_back(bar ? workloads::Cell(bar->low) : workloads::Cell());
        means.table.rows[i].push_back(bar ? workloads::Cell(bar->high) : workloads::Cell());
    }
    means.quantities.back() = {.column = means.quantities.back().column, .low = kChangeFrom, .high = kChangeTo};
}

void add_bars_of_crossings(const VariantReport& report, Chart& chart)
{
    for (CrossingMark& mark : chart.crossings) {
        for (const CurveFamily& family : report.families) {
            for (const CurvePair& pair : family.pairs) {
                if (mark.curves != std::vector{family.names[pair.a], family.names[pair.b]}) continue;
                for (std::size_t i = 0; i < pair.crossings.size(); ++i) {
                    if (pair.crossings[i].at != mark.x) continue;
                    const auto bar = bar_of_crossing(*report.error_bars, report.comparison, family, pair, i);
                    if (!bar) continue;
                    mark.low = bar->low;
                    mark.high = bar->high;
                    mark.label += fmt::format(" ({:.4g} to {:.4g})", bar->low, bar->high);
                }
            }
        }
    }
}

}  // namespace

void add_variants(Page& page, const VariantReport& report)
{
    const VariantComparison& comparison = report.comparison;
    page.question.emplace_back("compared", report.title);
    page.question.emplace_back("by", fmt::format("{}{}", comparison.by.name,
                                                 !comparison.better                       ? ""
                                                 : *comparison.better == Better::kSmaller ? ", smaller is better"
                                                                                          : ", larger is better"));
    if (!comparison.everywhere.empty()) page.question.emplace_back("everywhere", comparison.everywhere);

    const std::vector<VariantRow> rows = measured_rows(comparison);
    Means means{.table = variant_listing(comparison).results(rows),
                .dimensions = {},
                .quantities = {},
                .repeated = comparison.repeated,
                // The single runs say more than the intervals of their means
                .within_noise = [&rows](std::size_t a, std::size_t b) {
                    const Noise noise =
                        mean_difference(rows[a].contender().values, rows[b].contender().values, Pairing::kBySeed).noise;
                    return noise == Noise::kWithin || noise == Noise::kEqual;
                }};
    for (std::size_t i = 0; i < comparison.dimensions.size(); ++i) {
        const Dimension& dimension = comparison.dimensions[i];
        means.dimensions.push_back({.column = means.table.columns[i].name,
                                    .title = dimension.name,
                                    .unit = dimension.unit,
                                    .numeric = dimension.is_number(),
                                    .values = dimension.values.size(),
                                    .group = dimension.group});
    }
    if (comparison.variants.size() > 1) {
        means.dimensions.push_back({.column = "variant",
                                    .title = "variant",
                                    .is_variant = true,
                                    .values = comparison.variants.size(),
                                    .group = comparison.dimensions.size() + 1000});
    }
    means.quantities.push_back({.column = comparison.by.name, .half = comparison.repeated ? "interval" : ""});
    if (comparison.variants.size() > 1) {
        means.quantities.push_back(
            {.column = "change_percent", .half = comparison.repeated ? "change_interval_percent" : ""});
    }
    if (report.error_bars && comparison.variants.size() > 1) add_bars_of_changes(report, rows, means);
    const std::string id = page.add("variants", "Variants, place by place", means.table);
    for (Chart& chart : charts_of(means, id, "")) {
        if (chart.y.front().column == "change_percent") {
            chart.title = "Change from the base" + chart.title.substr(chart.title.find(" over "));
            chart.crossings.clear();
        }
        if (report.error_bars) add_bars_of_crossings(report, chart);
        page.charts.push_back(std::move(chart));
    }
    workloads::Results changes;
    changes.columns.push_back({"what", ""});
    for (const std::string& variant : comparison.variants) changes.columns.push_back({variant, ""});
    for (const ConfigurationDifference& each : report.changes()) {
        auto& cells = changes.rows.emplace_back(1, each.name);
        cells.insert(cells.end(), each.values.begin(), each.values.end());
    }
    if (!changes.rows.empty()) page.add("changes", "What is changed", std::move(changes));
    for (const Point& example : report.examples) {
        if (!example.record.request.platform.empty()) add_machine(page, example.record.request, nullptr);
    }
}

}  // namespace ringmesh::lab
