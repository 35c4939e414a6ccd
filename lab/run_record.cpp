// SPDX-License-Identifier: Apache-2.0
#include "lab/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>

#include "lab/json.h"
#include "lab/parameter_tables.h"
#include "lab/text_table.h"
#include "tlm/error.h"

/// Runs as text, in JSON and in CSV.
namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Column;
using workloads::Results;

bool is_number(const Cell& cell) { return !std::holds_alternative<std::string>(cell); }

/// "MB/s" as the suffix of a column's name.
std::string suffix_of(const std::string& unit)
{
    std::string suffix = "_";
    for (const char c : unit) {
        if (c == '/') {
            suffix += "_per_";
        } else if (c == '%') {
            suffix += "percent";
        } else {
            suffix += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return suffix;
}

std::string csv_result(const Column& column, const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell)) return csv_cell(*text);
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
    if (std::holds_alternative<std::monostate>(cell)) return {};
    const double number = std::get<double>(cell);
    if (!std::isfinite(number)) throw ModelError(fmt::format("the result {} is {}, not a number", column.name, number));
    return number_text(number);
}

}  // namespace

std::string column_title(const Column& column)
{
    std::string title = column.name;
    if (const std::string suffix = suffix_of(column.unit); !column.unit.empty() && title.ends_with(suffix)) {
        title.resize(title.size() - suffix.size());
    }
    std::replace(title.begin(), title.end(), '_', ' ');
    return title;
}

std::vector<std::string> column_texts(const Results& results, std::size_t column)
{
    std::vector<double> fractions;
    for (const auto& row : results.rows) {
        if (const auto* number = std::get_if<double>(&row[column])) fractions.push_back(*number);
    }
    const int decimals = decimals_for(fractions);
    std::vector<std::string> texts;
    for (const auto& row : results.rows) {
        const Cell& cell = row[column];
        if (const auto* text = std::get_if<std::string>(&cell)) {
            texts.push_back(*text);
        } else if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
            texts.push_back(with_thousands(*integer));
        } else if (const auto* number = std::get_if<double>(&cell)) {
            texts.push_back(with_thousands(*number, decimals));
        } else {
            texts.emplace_back("-");
        }
    }
    return texts;
}

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

std::string results_text(const Results& results, Room room)
{
    std::vector<TableColumn> columns;
    std::vector<std::vector<std::string>> texts;
    for (std::size_t i = 0; i < results.columns.size(); ++i) {
        const bool numbers =
            std::any_of(results.rows.begin(), results.rows.end(), [i](const auto& row) { return is_number(row[i]); });
        columns.push_back(
            {column_title(results.columns[i]), numbers ? Align::kRight : Align::kLeft, results.columns[i].unit});
        texts.push_back(column_texts(results, i));
    }
    TextTable table(columns);
    for (std::size_t row = 0; row < results.rows.size(); ++row) {
        std::vector<std::string> cells;
        cells.reserve(texts.size());
        for (const auto& column : texts) cells.push_back(column[row]);
        table.row(std::move(cells));
    }
    std::string text = table.text(0, room.for_results());
    if (results.rows.size() == 1 && (widest_line(text) > room.width || text.find("\n\n") != std::string::npos)) {
        text.clear();
        std::size_t longest = 0;
        for (const auto& column : columns) longest = std::max(longest, display_width(column.title));
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const bool has_unit = !columns[i].unit.empty() && texts[i].front() != "-";
            text += fmt::format("{:<{}}  {}{}{}\n", columns[i].title, longest, texts[i].front(), has_unit ? " " : "",
                                has_unit ? columns[i].unit : "");
        }
    }
    if (!results.notes.empty()) text += '\n';
    for (const std::string& note : results.notes) text += wrapped(note, 2, room.prose()) + '\n';
    return text;
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

std::string results_csv(const Results& results)
{
    std::string text;
    const auto add_line = [&text, &results](const auto& cell_of) {
        for (std::size_t i = 0; i < results.columns.size(); ++i) text += (i == 0 ? "" : ",") + cell_of(i);
        text += '\n';
    };
    add_line([&results](std::size_t i) { return csv_cell(results.columns[i].name); });
    for (const auto& row : results.rows) {
        add_line([&](std::size_t i) { return csv_result(results.columns[i], row[i]); });
    }
    return text;
}

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

namespace {

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
        Json one = {{"blocks", row.blocks},   {"name", row.name},       {"unit", row.unit},
                    {"meaning", row.meaning}, {"count", row.count},     {"mean", row.mean},
                    {"minimum", row.minimum}, {"maximum", row.maximum}, {"maximum_at", row.block_of_maximum}};
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
    record.request.seed = static_cast<std::uint64_t>(json.at("seed").as_integer());
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

std::string results_json_text(const Results& results)
{
    Json json = {{"ringmesh", program_json()}};
    const Json table = results_json(results);
    for (const auto& [key, value] : table.members()) json[key] = value;
    return json_text(json);
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
