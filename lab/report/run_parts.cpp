// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "lab/report/chart_choice.h"
#include "lab/report/json_cells.h"
#include "lab/report/means.h"
#include "lab/report/parts.h"
#include "lab/run/parameter_tables.h"
#include "lab/run/run_record.h"
#include "lab/table/cells.h"
#include "platforms/builder.h"
#include "tlm/error.h"

/// One run and its machine.
namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Results;

Cell text_or_nothing(std::string text) { return text.empty() ? Cell(std::monostate()) : Cell(std::move(text)); }

Results parameters_table(const std::vector<ParameterRow>& parameters)
{
    Results table;
    for (const char* name : {"parameter", "value", "provenance", "source", "meaning"})
        table.columns.push_back({name, ""});
    for (const ParameterRow& row : parameters) {
        const std::string meaning =
            row.not_in_use.empty() ? row.meaning : fmt::format("{} (no effect: {})", row.meaning, row.not_in_use);
        table.rows.push_back({row.key, row.value, std::string(kProvenanceNames.name(row.origin.from)),
                              text_or_nothing(origin_text(row.origin)), meaning});
    }
    return table;
}

std::string machine_title(const ExperimentRequest& request)
{
    std::string title = request.platform;
    for (const auto& overlay : request.overlays) title += ", " + overlay;
    for (const auto& setting : request.settings) title += ", " + setting;
    return title;
}

/// "size=64, load=0.3"
std::string options_text(const std::vector<ParameterRow>& options)
{
    std::string text;
    for (const ParameterRow& option : options) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", option.key, option.value);
    }
    return text;
}

}  // namespace

void add_results(Page& page, const std::string& name, const std::string& title, const Results& results)
{
    const std::string id = page.add(name, title, results);
    const Means means = means_of(results);
    for (Chart& chart : charts_of(means, id, title)) page.charts.push_back(std::move(chart));
}

void add_machine(Page& page, const ExperimentRequest& request, const Outcome* outcome)
{
    PageMachine machine{.title = machine_title(request), .what = {}, .drawing = {}, .parameters = {}};
    try {
        const auto configuration = configuration_of(request);
        machine.drawing = platforms::drawing_of(configuration);
        if (machine.drawing.nodes.empty()) {
            machine.notes.push_back(fmt::format("not drawn: it has more than {} nodes", platforms::kMostDrawnNodes));
        }
        const auto parameters = request.workload.empty()
                                    ? platforms::machine_kind(configuration).effective_parameters(configuration)
                                    : Experiment(request).parameters();
        machine.parameters = page.add("parameters", "Parameters of " + machine.title, parameters_table(parameters));
    } catch (const UserError& error) {
        machine.notes.push_back(fmt::format("neither drawing nor parameters: {}", error.what()));
    }
    if (outcome != nullptr && outcome->use && !outcome->use->places.empty()) {
        const auto rows = rows_of(*outcome->use, outcome->simulated);
        machine.places =
            page.add("places", "Use by place, " + machine.title, place_columns().results(rows, kInSql | kOnPlacePage));
        machine.what = fmt::format("seed {}", request.seed);
        machine.notes.emplace_back(
            "use: of the whole run, warm-up and end among it; results are of the program's own window");
        machine.series = series_json(*outcome->use);
    }
    page.machines.push_back(std::move(machine));
}

void add_run(Page& page, const RunRecord& record)
{
    const ExperimentRequest& request = record.request;
    page.question.emplace_back("platform", machine_title(request));
    const auto add = [&](const std::string& name, const std::string& what, const std::vector<ParameterRow>& options) {
        const std::string all = options_text(options);
        page.question.emplace_back(name, all.empty() ? what : fmt::format("{}: {}", what, all));
    };
    add("program", record.workload, record.workload_options);
    if (!record.library.empty()) add("library", record.library, record.library_options);
    page.question.emplace_back("seed", std::to_string(request.seed));
    const Outcome& outcome = record.outcome;
    page.question.emplace_back("simulated", rounded(outcome.simulated));
    add_results(page, "results", "Results", outcome.results);
    add_machine(page, request, &outcome);
    if (outcome.statistics.empty()) return;
    Results statistics;
    for (const char* name :
         {"blocks", "statistic", "unit", "count", "mean", "minimum", "maximum", "maximum_at", "meaning"}) {
        statistics.columns.push_back({name, ""});
    }
    for (const StatisticRow& row : outcome.statistics) {
        if (row.minimum == 0 && row.maximum == 0) continue;
        statistics.rows.push_back({row.blocks, row.name, text_or_nothing(row.unit),
                                   static_cast<std::int64_t>(row.count), row.mean, row.minimum, row.maximum,
                                   row.block_of_maximum, row.meaning});
    }
    statistics.notes.emplace_back("without those that are zero everywhere");
    if (!statistics.rows.empty()) page.add("statistics", "What the blocks counted", std::move(statistics));
}

void add_saturation(Page& page, const RunRecord& record, const SaturationReport& report)
{
    page.question.emplace_back("platform", machine_title(record.request));
    std::vector<std::string> options;
    for (const ParameterRow& row : record.workload_options) options.push_back(row.key + '=' + row.value);
    page.question.emplace_back("traffic", fmt::format("{}: {}", record.request.workload, fmt::join(options, ", ")));
    // The first two say where it saturates, and whether that is sound; how it was found stands below
    constexpr std::size_t kAnswer = 2;
    Results table = report.curve;
    const auto answers = static_cast<std::ptrdiff_t>(std::min(kAnswer, table.notes.size()));
    const auto rest = std::next(table.notes.begin(), answers);
    page.answer.insert(page.answer.end(), table.notes.begin(), rest);
    page.notes.insert(page.notes.end(), rest, table.notes.end());
    table.notes.clear();
    const std::string unit = table.columns.front().unit;
    const std::string id = page.add("curve", "Load against latency, the mean of the longest runs", std::move(table));
    Chart latency{.id = "load-latency",
                  .title = "Latency over load",
                  .table = id,
                  .x = "load",
                  .y = {{.column = "latency_mean_ns", .half = "latency_ci95_ns"}, {.column = "latency_p99_ns"}},
                  .series = {},
                  .facets = {},
                  .x_title = "load",
                  .x_unit = unit,
                  .y_unit = "ns",
                  .y_scale = Scale::kLog};
    if (report.low && report.high) {
        latency.bands.push_back({.low = *report.low,
                                 .high = *report.high,
                                 .label = fmt::format("saturates between {:.3f} and {:.3f}{}", *report.low,
                                                      *report.high, report.sound ? "" : ", NOT SOUND")});
    }
    Chart accepted = latency;
    accepted.id = "load-accepted";
    accepted.title = "Accepted over offered load";
    accepted.y = {{.column = "accepted_load"}};
    accepted.y_unit = unit;
    accepted.y_scale = Scale::kLinear;
    page.charts.push_back(std::move(latency));
    page.charts.push_back(std::move(accepted));

    const std::string all = page.add("runs", "Every run of the search", report.run_listing.results(report.runs));
    page.charts.push_back({.id = "load-runs",
                           .title = "Every run of the search, by its duration",
                           .table = all,
                           .x = "load",
                           .y = {{.column = "latency_mean_ns"}},
                           .series = {"duration"},
                           .facets = {},
                           .x_title = "load",
                           .x_unit = unit,
                           .y_unit = "ns",
                           .y_scale = Scale::kLog,
                           .form = ChartForm::kPoints});
    add_machine(page, record.request, nullptr);
}

}  // namespace ringmesh::lab
