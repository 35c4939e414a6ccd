// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <utility>

#include "lab/figure/chart_choice.h"
#include "lab/figure/means.h"
#include "lab/report/parts.h"
#include "lab/run/parameter_tables.h"
#include "lab/run/record/run_record.h"
#include "lab/table/listing.h"
#include "lab/table/writers/cells.h"
#include "lab/table/writers/text_table.h"
#include "platforms/builder.h"
#include "tlm/error.h"

/// One run and its machine, and all runs of a store.
namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Results;

const Listing<ParameterRow>& parameter_columns()
{
    using Row = const ParameterRow&;
    static const Listing<ParameterRow> kColumns({
        listed<ParameterRow>("parameter", &ParameterRow::key),
        listed<ParameterRow>("value", [](Row row) -> Cell { return row.value; }),
        listed<ParameterRow>("provenance", [](Row row) { return kProvenanceNames.name(row.origin.from); }),
        listed<ParameterRow>("source", [](Row row) { return origin_text(row.origin); }),
        listed<ParameterRow>("meaning",
                             [](Row row) -> Cell {
                                 return row.not_in_use.empty()
                                            ? row.meaning
                                            : fmt::format("{} (no effect: {})", row.meaning, row.not_in_use);
                             }),
    });
    return kColumns;
}

/// "size=64, load=0.3", without those that the others leave without effect.
std::string options_text(const std::vector<ParameterRow>& options)
{
    std::vector<std::string> texts;
    for (const ParameterRow& option : options) {
        if (option.not_in_use.empty()) texts.push_back(option.key + '=' + option.value);
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

/// Of large machines a page has these places alone over time, and these alone if it draws no machine: its size does not
/// grow with the machine's.
constexpr std::size_t kMostPlaces = 400;

std::string machine_title(const ExperimentRequest& request) { return with_changes(request.platform, request); }

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
            machine.notes.push_back(
                fmt::format("not drawn: it has more than {} nodes, or {} in more than two dimensions",
                            platforms::kMostDrawnNodes, platforms::kMostDrawnInSpace));
        }
        const auto parameters = request.workload.empty()
                                    ? platforms::machine_kind(configuration).effective_parameters(configuration)
                                    : Experiment(request).parameters();
        machine.parameters =
            page.add("parameters", "Parameters of " + machine.title, parameter_columns().results(parameters));
    } catch (const UserError& error) {
        machine.notes.push_back(fmt::format("neither drawing nor parameters: {}", error.what()));
    }
    if (outcome != nullptr && outcome->use && !outcome->use->places.empty()) {
        const PlaceUseTable few = most_used(*outcome->use, kMostPlaces);
        const bool all = !machine.drawing.nodes.empty() || few.places.size() == outcome->use->places.size();
        const auto rows = rows_of(all ? *outcome->use : few, outcome->simulated);
        machine.places =
            page.add("places", "Use by place, " + machine.title, place_columns().results(rows, kInSql | kOnPlacePage));
        machine.bottleneck = bottleneck_name(*outcome->use);
        machine.what = fmt::format("seed {}", request.seed);
        machine.notes.emplace_back(
            "use: of the whole run, warm-up and end among it; results are of the program's own window");
        if (few.places.size() < outcome->use->places.size()) {
            machine.notes.push_back(fmt::format("of {} places, {} the {} that were busy or waited for longest",
                                                with_thousands(static_cast<std::int64_t>(outcome->use->places.size())),
                                                all ? "use over time is of" : "the table has", kMostPlaces));
        }
        machine.series = series_json(few);
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
        statistics.rows.push_back({row.blocks, row.name, cell_of(row.unit), static_cast<std::int64_t>(row.count),
                                   row.mean, row.minimum, row.maximum, row.block_of_maximum, row.meaning});
    }
    statistics.notes.emplace_back("without those that are zero everywhere");
    if (!statistics.rows.empty()) page.add("statistics", "What the blocks counted", std::move(statistics));
}

void add_saturation(Page& page, const RunRecord& record, const SaturationReport& report)
{
    page.question.emplace_back("platform", machine_title(record.request));
    page.question.emplace_back("traffic",
                               fmt::format("{}: {}", record.request.workload, options_text(record.workload_options)));
    page.answer = report.answer.empty() ? std::vector{report.curve.notes.front()} : report.answer;
    Results table = report.curve;
    page.notes = std::move(table.notes);
    table.notes.clear();
    const std::string unit = table.columns.front().unit;
    page.add("curve", "Load against latency, the mean of the longest runs", std::move(table));
    const std::string id = page.add("curves", "Load against latency, by the duration of the runs", report.by_duration);
    page.notes.emplace_back(
        "charts: a line joins runs of one duration, over which rates and latencies are taken; longer runs were needed "
        "near saturation alone");
    Chart latency{.id = "load-latency",
                  .title = "Latency over load",
                  .table = id,
                  .x = "load",
                  .y = {{.column = "latency_mean_ns", .half = "latency_ci95_ns"}, {.column = "latency_p99_ns"}},
                  .series = {"duration"},
                  .facets = {},
                  .x_title = "load",
                  .x_unit = unit,
                  .y_unit = "ns",
                  .y_scale = Scale::kLog};
    // Lines of the longer runs would go over loads that they left out
    for (const std::string& duration : category_texts(page.table(id).content, "duration")) {
        latency.points.push_back(duration);
    }
    if (!latency.points.empty()) latency.points.erase(latency.points.begin());
    if (report.sound && report.low && report.high) {
        latency.bands.push_back(
            {.low = *report.low,
             .high = *report.high,
             .label = fmt::format("saturates between {:.3f} and {:.3f}", *report.low, *report.high)});
    } else if (report.endurance && report.endurance->held && report.endurance->collapses) {
        latency.bands.push_back({.low = *report.endurance->held,
                                 .high = *report.endurance->collapses,
                                 .label = fmt::format("held at {:.4g}, collapsed at {:.4g}", *report.endurance->held,
                                                      *report.endurance->collapses)});
    }
    Chart accepted = latency;
    accepted.id = "load-accepted";
    accepted.title = "Accepted over offered load";
    accepted.y = {{.column = "accepted_load"}};
    accepted.y_unit = unit;
    accepted.y_scale = Scale::kLinear;
    Chart of_runs = latency;
    of_runs.id = "load-runs";
    of_runs.title = "Every run of the search, by its duration";
    of_runs.table = page.add("runs", "Every run of the search", report.run_listing.results(report.runs));
    of_runs.y = {{.column = "latency_mean_ns"}};
    of_runs.form = ChartForm::kPoints;
    of_runs.bands.clear();
    page.charts.insert(page.charts.end(), {std::move(latency), std::move(accepted), std::move(of_runs)});
    add_machine(page, record.request, nullptr);
}

void add_store(Page& page, const Store& store)
{
    Results points;
    points.columns = {{"point", ""},    {"state", ""}, {"platform", ""},       {"program", ""},
                      {"library", ""},  {"seed", ""},  {"simulated_ns", "ns"}, {"wall_s", "s"},
                      {"finished", ""}, {"model", ""}, {"message", ""}};
    std::map<std::string, std::size_t> states;
    for (const std::string& key : store.keys()) {
        const auto point = store.find(key);
        if (!point) continue;
        const RunRecord& record = point->record;
        ++states[std::string(kPointStates.name(point->header.state))];
        points.rows.push_back({key.substr(0, 12), std::string(kPointStates.name(point->header.state)),
                               record.request.platform, record.workload, record.library,
                               unsigned_cell(record.request.seed), record.outcome.simulated.ns(),
                               cell_of(record.wall_seconds), point->header.finished, point->header.model.substr(0, 8),
                               point->header.message});
    }
    page.question.emplace_back("store", store.folder().string());
    page.question.emplace_back("points", counts_text(states));
    page.add("points", "The points of the store", std::move(points));
}

}  // namespace ringmesh::lab
