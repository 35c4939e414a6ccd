// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "lab/json.h"
#include "lab/json_text.h"
#include "lab/parameter_tables.h"
#include "lab/run_record.h"

/// Runs in JSON: for scripts, and for results from child processes.
namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Results;

Json cell_json(const Cell& cell)
{
    return std::visit(
        [](const auto& value) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
                return nullptr;
            } else {
                return value;
            }
        },
        cell);
}

/// Rows as objects, so that `.results.rows[].latency_min_ns` finds a column by name.
Json results_json(const Results& results)
{
    Json columns = Json::array();
    for (const auto& column : results.columns) columns.push_back({{"name", column.name}, {"unit", column.unit}});
    Json rows = Json::array();
    for (const auto& row : results.rows) {
        Json cells = Json::object();
        for (std::size_t i = 0; i < row.size(); ++i) cells[results.columns[i].name] = cell_json(row[i]);
        rows.push_back(std::move(cells));
    }
    return {{"columns", std::move(columns)}, {"rows", std::move(rows)}, {"notes", results.notes}};
}

Json statistics_json(const std::vector<StatisticRow>& rows, bool every_block)
{
    Json json = Json::array();
    for (const StatisticRow& row : rows) {
        Json one = {{"blocks", row.blocks},     {"name", row.name},           {"unit", row.unit},
                    {"meaning", row.meaning},   {"count", row.values.size()}, {"mean", row.mean()},
                    {"minimum", row.minimum()}, {"maximum", row.maximum()}};
        if (every_block) {
            Json values = Json::object();
            for (const auto& [block, value] : row.values) values[block] = value;
            one["values"] = std::move(values);
        }
        json.push_back(std::move(one));
    }
    return json;
}

Cell cell_from(const Json& json)
{
    if (json.is_null()) return std::monostate();
    if (json.is_text()) return json.as_text();
    if (json.is_float()) return json.as_number();
    return json.as_integer();
}

Results results_from(const Json& json)
{
    Results results;
    for (const Json& column : json.at("columns").values()) {
        results.columns.push_back({column.at("name").as_text(), column.at("unit").as_text()});
    }
    for (const Json& row : json.at("rows").values()) {
        auto& cells = results.rows.emplace_back();
        for (const auto& column : results.columns) cells.push_back(cell_from(row.at(column.name)));
    }
    results.notes = json.at("notes").as_texts();
    return results;
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
        for (const auto& [block, value] : one.at("values").members()) {
            row.values.push_back({block, value.as_number()});
        }
    }
    return rows;
}

}  // namespace

std::string run_json(const RunRecord& record, bool every_block)
{
    const Json json = {
        {"ringmesh", program_json()},
        {"platform", record.request.platform},
        {"overlays", record.request.overlays},
        {"settings", record.request.settings},
        {"workload", record.workload},
        {"workload_options", values_json(record.workload_options)},
        {"library", record.library.empty() ? Json() : Json(record.library)},
        {"library_options", values_json(record.library_options)},
        {"seed", record.request.seed},
        {"parameters", values_json(record.parameters)},
        {"provenance", origins_json(record.parameters)},
        {"simulated_ns", record.outcome.simulated.ns()},
        {"wall_seconds", record.wall_seconds ? Json(*record.wall_seconds) : Json()},
        {"results", results_json(record.outcome.results)},
        {"statistics", statistics_json(record.outcome.statistics, every_block)},
    };
    return json_text(json);
}

std::string to_text(const Outcome& outcome)
{
    const Json json = {{"results", results_json(outcome.results)},
                       {"statistics", statistics_json(outcome.statistics, true)},
                       {"simulated_ps", outcome.simulated.ps()}};
    return json_text(json);
}

Outcome outcome_from_text(const std::string& text)
{
    const Json json = Json::parse(text);
    return {results_from(json.at("results")), statistics_from(json.at("statistics")),
            Duration::picoseconds(json.at("simulated_ps").as_integer())};
}

}  // namespace ringmesh::lab
