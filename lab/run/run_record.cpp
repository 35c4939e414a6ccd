// SPDX-License-Identifier: Apache-2.0
#include "lab/run/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>

#include "lab/run/parameter_tables.h"
#include "lab/table/json.h"
#include "lab/table/text_table.h"
#include "tlm/error.h"

/// Runs as text, in JSON and in CSV.
namespace ringmesh::lab {
namespace {

using workloads::Results;

}  // namespace

Outcome outcome_of(Experiment& experiment)
{
    Outcome outcome{.results = experiment.results(),
                    .statistics = collect_statistics(experiment.simulation().components()),
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
    std::string title = fmt::format("{}{}{} on {}", record.request.workload, library.empty() ? "" : " over ", library,
                                    record.request.platform);
    for (const auto& overlay : record.request.overlays) title += ", " + overlay;
    for (const auto& setting : record.request.settings) title += ", " + setting;
    return title + fmt::format(", seed {}", record.request.seed);
}

std::string run_csv(const RunRecord& record)
{
    std::string text = fmt::format("# ringmesh {}, schema {}: {}\n", RINGMESH_VERSION, kOutputSchema, title_of(record));
    for (const auto& option : record.workload_options)
        text += fmt::format("# option {} = {}\n", option.key, option.value);
    for (const auto& option : record.library_options)
        text += fmt::format("# option {}.{} = {}\n", record.library, option.key, option.value);
    for (const auto& row : record.parameters) text += fmt::format("# parameter {} = {}\n", row.key, row.value);
    const Results& results = record.outcome.results;
    for (const std::string& note : results.notes) text += "# " + note + '\n';
    return text + results_csv(results);
}

namespace {

Json statistics_json(const std::vector<StatisticRow>& rows, bool every_block)
{
    Json json = Json::array();
    for (const StatisticRow& row : rows) {
        Json one = {{"blocks", row.blocks},   {"name", row.name},       {"unit", row.unit},
                    {"meaning", row.meaning}, {"count", row.count},     {"mean", row.mean},
                    {"minimum", row.minimum}, {"maximum", row.maximum}, {"maximum_at", row.block_of_maximum}};
        if (every_block) {
            Json values = Json::object();
            for (const auto& [block, value] : row.values) values.add(block, value);
            one["values"] = std::move(values);
        }
        json.push_back(std::move(one));
    }
    return json;
}

std::vector<StatisticRow> statistics_from(const Json& json)
{
    std::vector<StatisticRow> rows;
    for (const Json& one : json.values()) {
        StatisticRow& row = rows.emplace_back();
        row.blocks = one.at("blocks").as_text();
        row.name = one.at("name").as_text();
        row.unit = one.at("unit").as_text();
        row.meaning = one.at("meaning").as_text();
        row.count = static_cast<std::size_t>(one.at("count").as_integer());
        row.mean = one.at("mean").as_number();
        row.minimum = one.at("minimum").as_number();
        row.maximum = one.at("maximum").as_number();
        row.block_of_maximum = one.at("maximum_at").as_text();
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
    json["library"] = record.library.empty() ? Json() : Json(record.library);
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
    json["wall_seconds"] = record.wall_seconds ? Json(*record.wall_seconds) : Json();
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
    if (const Json& library = json.at("library"); !library.is_null()) record.library = library.as_text();
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

std::string run_json(const RunRecord& record, bool every_block) { return json_text(record_json(record, every_block)); }

Json outcome_json(const Outcome& outcome, bool every_block)
{
    Json json = {{"simulated_ns", outcome.simulated.ns()},
                 {"results", results_json(outcome.results)},
                 {"statistics", statistics_json(outcome.statistics, every_block)}};
    if (every_block) add_use(json, outcome);
    return json;
}

}  // namespace ringmesh::lab
