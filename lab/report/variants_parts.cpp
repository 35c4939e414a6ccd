// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "lab/report/chart_choice.h"
#include "lab/report/json_cells.h"
#include "lab/report/parts.h"
#include "lab/table/listing.h"

/// Comparisons, and messages from begin to end.
namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Results;

/// Whether a crossing is within the noise says the comparison, which knows the single runs.
void take_noise(Chart& chart, const VariantReport& report)
{
    for (CrossingMark& mark : chart.crossings) {
        for (const CurveFamily& family : report.families) {
            for (const CurvePair& pair : family.pairs) {
                for (std::size_t i = 0; i < pair.meetings.size(); ++i) {
                    const bool same = pair.meetings[i].at == mark.x &&
                                      mark.label.starts_with(family.names[pair.a] + ", " + family.names[pair.b] + ":");
                    if (same) mark.within_noise = pair.within_noise[i];
                }
            }
        }
    }
}

Results changes_table(const VariantReport& report)
{
    Results table;
    table.columns = {{"what", ""}};
    for (const std::string& variant : report.comparison.variants) table.columns.push_back({variant, ""});
    const auto value_of = [](const Point& point, const std::string& key) -> Cell {
        for (const auto* rows :
             {&point.record.parameters, &point.record.workload_options, &point.record.library_options}) {
            for (const ParameterRow& row : *rows) {
                if (row.key == key) return row.value;
            }
        }
        return std::monostate();
    };
    std::vector<std::string> keys;
    for (const Point& point : report.examples) {
        for (const auto* rows :
             {&point.record.parameters, &point.record.workload_options, &point.record.library_options}) {
            for (const ParameterRow& row : *rows) {
                if (std::find(keys.begin(), keys.end(), row.key) == keys.end()) keys.push_back(row.key);
            }
        }
    }
    for (const std::string& key : keys) {
        std::vector<Cell> cells{key};
        for (const Point& point : report.examples) cells.push_back(value_of(point, key));
        if (std::all_of(cells.begin() + 1, cells.end(), [&](const Cell& cell) { return cell == cells[1]; })) continue;
        table.rows.push_back(std::move(cells));
    }
    return table;
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

    Means means{.table = variants_table(report), .dimensions = {}, .quantities = {}, .repeated = comparison.repeated};
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
    const std::string id = page.add("variants", "Variants, place by place", means.table);
    for (Chart& chart : charts_of(means, id, "")) {
        if (chart.y.front().column == "change_percent") {
            chart.title = "Change from the base" + chart.title.substr(chart.title.find(" over "));
            chart.crossings.clear();
        }
        take_noise(chart, report);
        page.charts.push_back(std::move(chart));
    }
    Results changes = changes_table(report);
    if (!changes.rows.empty()) page.add("changes", "What is changed", std::move(changes));
    for (const Point& example : report.examples) {
        if (!example.record.request.platform.empty()) add_machine(page, example.record.request, nullptr);
    }
}

void add_topologies(Page& page, const WhatIf& study)
{
    Results table;
    table.columns = {{"system", ""}, {"dimensions", ""}, {"nodes", ""}, {"simulated_ns", "ns"}, {"formula_ns", "ns"}};
    for (const Which which : kBoth) {
        for (const LatencyPoint& point : study.latencies) {
            table.rows.push_back({std::string(which == Which::kCurrent ? "current" : "changed"),
                                  fmt::format("{}-D", point.torus.dimensions),
                                  static_cast<std::int64_t>(point.torus.nodes), point.simulated_ns.of(which),
                                  cell_of(point.formula_ns.of(which))});
        }
    }
    const std::string id = page.add("latencies", "Latency of a request, the mean over all destinations", table);
    Chart chart{.id = "topologies",
                .title = "Latency of a request on tori of equal dimensions",
                .table = id,
                .x = "nodes",
                .y = {{.column = "simulated_ns"}},
                .series = {"dimensions"},
                .facets = {"system"},
                .x_title = "nodes",
                .x_unit = {},
                .y_unit = "ns",
                .x_scale = Scale::kLog,
                .y_scale = Scale::kLog};
    if (study.has_equations()) chart.y.push_back({.column = "formula_ns"});
    page.charts.push_back(std::move(chart));
    Results crossovers;
    crossovers.columns = {{"system", ""},
                          {"from", "dimensions"},
                          {"to", "dimensions"},
                          {"formula_nodes", "nodes"},
                          {"simulated_nodes", "nodes"}};
    for (const Which which : kBoth) {
        for (const Crossover& crossover : study.crossovers) {
            const auto& simulated = crossover.simulated.of(which);
            crossovers.rows.push_back({std::string(which == Which::kCurrent ? "current" : "changed"),
                                       std::int64_t{crossover.dimensions}, std::int64_t{crossover.dimensions} + 1,
                                       cell_of(crossover.formula.of(which)),
                                       simulated ? Cell(simulated->nodes) : Cell(std::monostate())});
        }
    }
    page.add("crossovers", "From how many nodes on one dimension more is faster", std::move(crossovers));
    for (const Which which : kBoth) add_machine(page, study.systems.of(which).request(), nullptr);
}

}  // namespace ringmesh::lab
