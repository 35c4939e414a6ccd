// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <nlohmann/json.hpp>

#include "lab/json_text.h"
#include "lab/parameter_tables.h"
#include "lab/run_record.h"

/// Runs in JSON: for scripts, and for results from child processes.
namespace ringmesh::lab {
namespace {

using nlohmann::ordered_json;
using workloads::Cell;
using workloads::Results;

ordered_json cell_json(const Cell& cell)
{
    return std::visit(
        [](const auto& value) -> ordered_json {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
                return nullptr;
            } else {
                return value;
            }
        },
        cell);
}

/// Rows as objects, so that `.results.rows[].latency_min_ns` finds a column by name.
ordered_json results_json(const Results& results)
{
    ordered_json columns = ordered_json::array();
    for (const auto& column : results.columns) columns.push_back({{"name", column.name}, {"unit", column.unit}});
    ordered_json rows = ordered_json::array();
    for (const auto& row : results.rows) {
        ordered_json cells = ordered_json::object();
        for (std::size_t i = 0; i < row.size(); ++i) cells[results.columns[i].name] = cell_json(row[i]);
        rows.push_back(std::move(cells));
    }
    return {{"columns", std::move(columns)}, {"rows", std::move(rows)}, {"notes", results.notes}};
}

ordered_json statistics_json(const std::vector<StatisticRow>& rows, bool every_block)
{
    ordered_json json = ordered_json::array();
    for (const StatisticRow& row : rows) {
        ordered_json one = {{"blocks", row.blocks},     {"name", row.name},           {"unit", row.unit},
                            {"meaning", row.meaning},   {"count", row.values.size()}, {"mean", row.mean()},
                            {"minimum", row.minimum()}, {"maximum", row.maximum()}};
        if (every_block) {
            ordered_json values = ordered_json::object();
            for (const auto& [block, value] : row.values) values[block] = value;
            one["values"] = std::move(values);
        }
        json.push_back(std::move(one));
    }
    return json;
}

Cell cell_from(const ordered_json& json)
{
    if (json.is_null()) return std::monostate();
    if (json.is_string()) return json.get<std::string>();
    if (json.is_number_float()) return json.get<double>();
    return json.get<std::int64_t>();
}

Results results_from(const ordered_json& json)
{
    Results results;
    for (const auto& column : json.at("columns")) results.columns.push_back({column.at("name"), column.at("unit")});
    for (const auto& row : json.at("rows")) {
        auto& cells = results.rows.emplace_back();
        for (const auto& column : results.columns) cells.push_back(cell_from(row.at(column.name)));
    }
    results.notes = json.at("notes").get<std::vector<std::string>>();
    return results;
}

std::vector<StatisticRow> statistics_from(const ordered_json& json)
{
    std::vector<StatisticRow> rows;
    for (const auto& one : json) {
        StatisticRow& row = rows.emplace_back();
        row.blocks = one.at("blocks");
        row.name = one.at("name");
        row.unit = one.at("unit");
        row.meaning = one.at("meaning");
        for (const auto& [block, value] : one.at("values").items()) row.values.push_back({block, value.get<double>()});
    }
    return rows;
}

}  // namespace

std::string run_json(const RunRecord& record, bool every_block)
{
    const ordered_json json = {
        {"ringmesh", program_json()},
        {"platform", record.request.platform},
        {"overlays", record.request.overlays},
        {"settings", record.request.settings},
        {"workload", record.workload},
        {"workload_options", values_json(record.workload_options)},
        {"library", record.library.empty() ? ordered_json() : ordered_json(record.library)},
        {"library_options", values_json(record.library_options)},
        {"seed", record.request.seed},
        {"parameters", values_json(record.parameters)},
        {"provenance", origins_json(record.parameters)},
        {"simulated_ns", record.outcome.simulated.ns()},
        {"wall_seconds", record.wall_seconds ? ordered_json(*record.wall_seconds) : ordered_json()},
        {"results", results_json(record.outcome.results)},
        {"statistics", statistics_json(record.outcome.statistics, every_block)},
    };
    return json_text(json);
}

std::string to_text(const Outcome& outcome)
{
    const ordered_json json = {{"results", results_json(outcome.results)},
                               {"statistics", statistics_json(outcome.statistics, true)},
                               {"simulated_ps", outcome.simulated.ps()}};
    return json_text(json);
}

Outcome outcome_from_text(const std::string& text)
{
    const ordered_json json = ordered_json::parse(text);
    return {results_from(json.at("results")), statistics_from(json.at("statistics")),
            Duration::picoseconds(json.at("simulated_ps").get<std::int64_t>())};
}

}  // namespace ringmesh::lab
