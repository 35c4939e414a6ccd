// SPDX-License-Identifier: Apache-2.0
#include "lab/run/record/run_record.h"

#include <fmt/format.h>

#include <cmath>

#include "lab/run/parameter_tables.h"
#include "lab/table/listing.h"
#include "lab/table/writers/json.h"

/// Runs as text, in JSON and in CSV.
namespace ringmesh::lab {

using workloads::Results;

std::vector<StatisticRow> statistics_of(Experiment& experiment)
{
    const Simulation& simulation = experiment.simulation();
    return collect_statistics(simulation, experiment.workload().needs() == NodeKind::kProcessor);
}

Outcome outcome_of(Experiment& experiment)
{
    Outcome outcome{.results = experiment.results(),
                    .statistics = statistics_of(experiment),
                    .simulated = experiment.simulated_time()};
    if (experiment.use() != nullptr) outcome.use = place_use_of(*experiment.use(), outcome.simulated);
    return outcome;
}

RunRecord record_of(Experiment& experiment)
{
    RunRecord record{.request = experiment.request(),
                     .workload = experiment.workload_name(),
                     .workload_options = experiment.workload_options(),
                     .library = experiment.library_name(),
                     .library_options = experiment.library_options(),
                     .parameters = experiment.parameters(),
                     .outcome = {},
                     .wall_seconds = {}};
    if (experiment.has_run()) record.outcome = outcome_of(experiment);
    return record;
}

std::string title_of(const RunRecord& record)
{
    const std::string& library = record.request.library.empty() ? record.library : record.request.library;
    const std::string title = fmt::format("{}{}{} on {}", record.request.workload, library.empty() ? "" : " over ",
                                          library, record.request.platform);
    return fmt::format("{}, seed {}", with_changes(title, record.request), record.request.seed);
}

std::string csv_head(
    const std::string& title,
    std::initializer_list<std::pair<std::string_view, const std::vector<ParameterRow>*>> words_and_rows,
    const std::vector<std::string>& notes)
{
    std::string text = fmt::format("# ringmesh {}, schema {}: {}\n", RINGMESH_VERSION, kOutputSchema, title);
    for (const auto& [words, rows] : words_and_rows) {
        for (const ParameterRow& row : *rows) text += fmt::format("# {}{} = {}\n", words, row.key, row.value);
    }
    for (const std::string& note : notes) text += "# note = " + note + '\n';
    return text;
}

std::string run_csv(const RunRecord& record)
{
    const std::string of_library = fmt::format("option {}.", record.library);
    const Results& results = record.outcome.results;
    return csv_head(title_of(record),
                    {{"option ", &record.workload_options},
                     {of_library, &record.library_options},
                     {"parameter ", &record.parameters}},
                    results.notes) +
           results_csv(results);
}

namespace {

/// The members of a statistic, for both directions.
template <class Row, class Visit>
void each_member(Row& row, const Visit& visit)
{
    visit("blocks", row.blocks);
    visit("name", row.name);
    visit("unit", row.unit);
    visit("meaning", row.meaning);
    visit("count", row.count);
    visit("mean", row.mean);
    visit("minimum", row.minimum);
    visit("maximum", row.maximum);
    visit("maximum_at", row.block_of_maximum);
}

Json statistics_json(const std::vector<StatisticRow>& rows, bool every_block)
{
    return Json::list(rows, [every_block](const StatisticRow& row) {
        Json one = Json::object();
        each_member(row, [&one](const char* key, const auto& value) { one.add(key, value); });
        if (!every_block) return one;
        Json& values = one.add("values", Json::object());
        for (const StatisticRow::Value& each : row.values) values.add(each.block, each.value);
        return one;
    });
}

std::vector<StatisticRow> statistics_from(const Json& json)
{
    std::vector<StatisticRow> rows;
    for (const Json& one : json.values()) {
        StatisticRow& row = rows.emplace_back();
        each_member(row, [&one](const char* key, auto& value) { one.at(key).read(value); });
        const Json* values = one.find("values");
        if (values == nullptr) continue;
        for (const auto& [block, value] : values->members()) row.values.push_back({block, value.as_number()});
    }
    return rows;
}

void add_use(Json& json, const Outcome& outcome)
{
    if (!outcome.use) return;
    json["places"] = places_json(*outcome.use);
    if (Json series = series_json(*outcome.use); !series.is_null()) json["series"] = std::move(series);
}

}  // namespace

void add_request(Json& json, const RunRecord& record)
{
    json["platform"] = record.request.platform;
    json["overlays"] = record.request.overlays;
    json["settings"] = record.request.settings;
    json["workload"] = record.workload;
    json["workload_options"] = values_json(record.workload_options);
    json["library"] = cell_json(cell_of(record.library));
    json["library_options"] = values_json(record.library_options);
}

Json record_json(const RunRecord& record, bool every_block)
{
    Json json = {{"ringmesh", program_json()}};
    add_request(json, record);
    json["seed"] = record.request.seed;
    json["parameters"] = values_json(record.parameters);
    json["provenance"] = origins_json(record.parameters);
    json["simulated_ns"] = record.outcome.simulated.ns();
    json["wall_seconds"] = record.wall_seconds;
    json["results"] = results_json(record.outcome.results);
    json["statistics"] = statistics_json(record.outcome.statistics, every_block);
    if (every_block) add_use(json, record.outcome);
    return json;
}

RunRecord record_from(const Json& json)
{
    RunRecord record;
    record.request.platform = json.at("platform").as_text();
    record.request.overlays = json.at("overlays").as_texts();
    record.request.settings = json.at("settings").as_texts();
    record.request.seed = json.at("seed").as_unsigned();
    record.workload = record.request.workload = json.at("workload").as_text();
    record.workload_options = rows_of_values(json.at("workload_options"));
    json.read("library", record.library);
    record.request.library = record.library;
    record.library_options = rows_of_values(json.at("library_options"));
    record.parameters = rows_of_values(json.at("parameters"));
    record.outcome = outcome_from(json);
    if (const Json& wall = json.at("wall_seconds"); !wall.is_null()) record.wall_seconds = wall.as_number();
    return record;
}

Outcome outcome_from(const Json& json)
{
    Outcome outcome;
    if (const Json* results = json.find("results")) outcome.results = results_from(*results);
    if (const Json* statistics = json.find("statistics")) outcome.statistics = statistics_from(*statistics);
    if (const Json* simulated = json.find("simulated_ns")) {
        outcome.simulated = Duration::picoseconds(std::llround(simulated->as_number() * 1e3));
    }
    if (const Json* places = json.find("places")) outcome.use = place_use_from(*places, json.find("series"));
    return outcome;
}

Answer answer_of(const RunRecord& record)
{
    const Outcome& outcome = record.outcome;
    return answer_of(outcome.results, outcome.use ? bottleneck_text(*outcome.use, outcome.simulated) : "");
}

Json outcome_json(const Outcome& outcome, bool every_block)
{
    Json json = {{"simulated_ns", outcome.simulated.ns()},
                 {"results", results_json(outcome.results)},
                 {"statistics", statistics_json(outcome.statistics, every_block)}};
    if (every_block) add_use(json, outcome);
    return json;
}

}  // namespace ringmesh::lab
