// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "lab/table/json.h"
#include "lab/truth/ledger/coverage.h"
#include "lab/truth/ledger/report.h"

/// Reports for programs.
namespace ringmesh::lab {
namespace {

Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

/// Null for a row without a bar.
Json bar_json(const Row& row)
{
    if (!row.bar) return {};
    Json hangs_on = Json::array();
    for (const Bar::Share& share : row.bar->hangs_on) {
        hangs_on.push_back({{"input", share.input}, {"part", share.part}, {"calibrated", share.calibrated}});
    }
    const auto range = error_range(row);
    const double shift = *row.simulated - row.bar->simulated;
    return {{"u_num", row.bar->u_num},
            {"u_input", row.bar->u_input},
            {"u_data", range ? Json(range->u_data) : Json()},
            {"low", row.bar->low + shift},
            {"high", row.bar->high + shift},
            {"error_low", range ? Json(range->low) : Json()},
            {"error_high", range ? Json(range->high) : Json()},
            {"evidence", range ? Json(kEvidenceNames.name(range->evidence)) : Json()},
            {"samples", row.bar->samples},
            {"moved", row.bar->moved},
            {"entered", row.bar->entered},
            {"hangs_on", std::move(hangs_on)}};
}

Json row_json(const Row& row)
{
    const auto text_or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
    const auto passed = pass(row);
    return {{"id", row.id},
            {"machine", row.machine},
            {"quantity", row.quantity},
            {"unit", row.unit},
            {"published", number_or_null(row.published)},
            {"analytic", number_or_null(row.analytic)},
            {"simulated", number_or_null(row.simulated)},
            {"error_percent", number_or_null(error_percent(row))},
            {"formula_error_percent", number_or_null(formula_error_percent(row))},
            {"role", kRoleNames.name(row.role)},
            {"because", text_or_null(row.because)},
            {"tolerance_percent", number_or_null(tolerance_percent(row))},
            {"pass", passed ? Json(*passed) : Json()},
            {"result", verdict(row) == Verdict::kNotJudged ? Json() : Json(result_of(row))},
            {"stated_miss", text_or_null(row.miss)},
            {"chose", text_or_null(row.chose)},
            {"section", text_or_null(row.section)},
            {"source", text_or_null(row.source)},
            {"kind", text_or_null(row.kind)},
            {"note", text_or_null(row.note)},
            {"bar", bar_json(row)}};
}

Json prediction_json(const Report& report, const Prediction& prediction)
{
    const auto& frozen = prediction.frozen;
    return {{"id", prediction.now.id},
            {"study", report.machine},
            {"command", prediction.now.command},
            {"quantity", prediction.now.quantity},
            {"unit", prediction.now.unit},
            {"now", prediction.state == PredictionState::kGone ? Json() : Json(prediction.now.value)},
            {"frozen", frozen ? Json(frozen->value) : Json()},
            {"low", number_or_null(frozen ? frozen->low : prediction.now.low)},
            {"high", number_or_null(frozen ? frozen->high : prediction.now.high)},
            {"state", kPredictionStates.name(prediction.state)},
            {"seen", prediction.now.seen.empty() ? Json() : Json(prediction.now.seen)},
            {"model", frozen ? Json(frozen->model) : Json()},
            {"date", frozen ? Json(frozen->date) : Json()}};
}

Json coverage_json(const Coverage& coverage)
{
    return {{"rows", coverage.rows},
            {"inside", coverage.inside},
            {"narrow", coverage.narrow},
            {"median_width", coverage.median_width},
            {"score", coverage.score},
            {"outside", coverage.outside},
            {"without_bar", coverage.without_bar},
            {"without_width", coverage.without_width}};
}

Json table_json(const Report& report, const Report::Table& table)
{
    Json columns = Json::array();
    for (const TableColumn& column : table.table.columns()) {
        columns.push_back({{"title", column.title}, {"unit", column.unit}});
    }
    return {{"machine", report.machine},
            {"title", table.title},
            {"columns", std::move(columns)},
            {"rows", table.table.cells()},
            {"notes", table.notes}};
}

std::string csv_line(const std::vector<std::string>& cells)
{
    std::string line;
    for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + csv_cell(cell);
    return line + '\n';
}

}  // namespace

std::string report_json(std::span<const Report> reports)
{
    Json rows = Json::array();
    Json tables = Json::array();
    Json missing = Json::array();
    Json predictions = Json::array();
    Json coverage = Json::object();
    Json inputs = Json::object();
    for (const Report& report : reports) {
        if (report.inputs) {
            coverage[report.machine] = {{"unseen", coverage_json(coverage_of({&report, 1}))},
                                        {"tables_left_out", coverage_json(coverage_of_tables_left_out({&report, 1}))}};
            inputs[report.machine] = {{"varied", report.inputs->all},
                                      {"calibrated", report.inputs->calibrated},
                                      {"independent", report.inputs->independent},
                                      {"free", report.inputs->free},
                                      {"changed", report.inputs->changed}};
        }
        for (const Row& row : report.rows) rows.push_back(row_json(row));
        for (const Report::Table& table : report.tables) tables.push_back(table_json(report, table));
        for (const std::string& id : report.left_out) missing.push_back(id);
        for (const Prediction& each : report.predictions) predictions.push_back(prediction_json(report, each));
    }
    return json_text({{"ringmesh", program_json()},
                      {"rows", std::move(rows)},
                      {"tables", std::move(tables)},
                      {"predictions", std::move(predictions)},
                      {"coverage", std::move(coverage)},
                      {"inputs", std::move(inputs)},
                      {"left_out", std::move(missing)}});
}

std::string tables_csv(std::span<const Report> reports)
{
    std::string text;
    for (const Report& report : reports) {
        for (const Report::Table& table : report.tables) {
            if (!text.empty()) text += '\n';
            std::vector<std::string> titles;
            for (const TableColumn& column : table.table.columns()) {
                titles.push_back(column.unit.empty() ? column.title
                                                     : fmt::format("{} ({})", column.title, column.unit));
            }
            text += fmt::format("# {}\n{}", table.title, csv_line(titles));
            for (const auto& row : table.table.cells()) text += csv_line(row);
        }
    }
    return text;
}

}  // namespace ringmesh::lab
