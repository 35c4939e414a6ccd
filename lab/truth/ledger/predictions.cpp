// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <system_error>
#include <tuple>

#include "lab/table/csv.h"
#include "lab/table/text_table.h"
#include "tlm/error.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;

std::optional<double> number_in(const CsvTable& table, const CsvTable::Row& row, std::string_view column)
{
    const std::string& cell = row.cells[table.column(column)];
    if (cell.empty()) return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error == std::errc{} && end == cell.data() + cell.size() && std::isfinite(value)) return value;
    throw UserError(
        fmt::format("{}: {} = {}: not a number; freeze the predictions again", table.where(row), column, cell));
}

/// "2026-11-23"
bool is_date(std::string_view text)
{
    if (text.size() != 10) return false;
    int number = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool dash = i == 4 || i == 7;
        if (dash ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
        number = dash ? 0 : number * 10 + (text[i] - '0');
        if (i == 6 && (number < 1 || number > 12)) return false;
        if (i == 9 && (number < 1 || number > 31)) return false;
    }
    return true;
}

std::map<std::string, FrozenPrediction> read_frozen(const std::filesystem::path& study)
{
    std::map<std::string, FrozenPrediction> all;
    std::error_code error;
    const auto file = study / kPredictionsFile;
    if (!std::filesystem::exists(file, error)) return all;
    const CsvTable table = read_csv(file);
    for (const CsvTable::Row& row : table.rows) {
        const auto text = [&](std::string_view column) { return row.cells[table.column(column)]; };
        const auto value = number_in(table, row, "value");
        if (!value) throw UserError(fmt::format("{}: value is empty; write a number", table.where(row)));
        FrozenPrediction frozen{.id = text("id"),
                                .machine = text("machine"),
                                .command = text("command"),
                                .quantity = text("quantity"),
                                .unit = text("unit"),
                                .value = *value,
                                .low = number_in(table, row, "low"),
                                .high = number_in(table, row, "high"),
                                .seen = text("seen"),
                                .model = text("model"),
                                .date = text("date")};
        const std::string id = frozen.id;
        if (!all.emplace(id, std::move(frozen)).second) {
            throw UserError(fmt::format("{}: '{}' is there twice; keep one", table.where(row), id));
        }
        const FrozenPrediction& read = all.at(id);
        const auto wrong = [&](std::string_view column, std::string_view cell, std::string_view what) {
            return UserError(
                fmt::format("{}: {} = {}: {}; freeze the predictions again", table.where(row), column, cell, what));
        };
        if (read.low.has_value() != read.high.has_value()) {
            throw wrong(read.low ? "high" : "low", "", "a bar has both ends, or none");
        }
        if (read.low && *read.low > *read.high) throw wrong("low", text("low"), "above high");
        if (read.low && (read.value < *read.low || read.value > *read.high)) {
            throw wrong("value", text("value"), "outside of its bar, low to high");
        }
        if (!is_date(read.date)) throw wrong("date", read.date, "no date as in 2026-11-23");
    }
    return all;
}

/// What the number is of.
auto says_of(const FrozenPrediction& each) { return std::tie(each.command, each.quantity, each.unit, each.seen); }

/// A row of the file without version and date.
std::vector<std::string> cells_of(const FrozenPrediction& row)
{
    return {row.id,   row.machine,           row.command,         row.quantity,
            row.unit, six_digits(row.value), six_digits(row.low), six_digits(row.high),
            row.seen};
}

std::string line_of(std::vector<std::string> cells, const FrozenPrediction& row)
{
    cells.push_back(row.model);
    cells.push_back(row.date);
    for (std::string& cell : cells) cell = csv_cell(cell);
    return fmt::format("{}\n", fmt::join(cells, ","));
}

/// The predictions of one view.
class View {
public:
    View(const Database& database, const MadeViews::View& view) : view_(&view), results_(rows_of(database, view))
    {
        for (const char* column : {"id", "simulated", "quantity", "unit", "command"}) {
            if (place(column)) continue;
            throw UserError(
                fmt::format("{}: {}: no column '{}'; predictions have id, simulated, quantity, unit, "
                            "command, and seen where a number had been read before",
                            view.where, view.name, column));
        }
    }

    std::vector<Prediction> predictions() const
    {
        std::vector<Prediction> all;
        for (const auto& cells : results_.rows) {
            all.push_back({.bar_as = place("bar_as") ? text(cells, "bar_as") : ""});
            FrozenPrediction& one = all.back().now;
            one.id = text(cells, "id");
            one.machine = one.id.substr(0, one.id.find('.'));
            one.quantity = text(cells, "quantity");
            one.unit = text(cells, "unit");
            one.command = text(cells, "command");
            one.seen = place("seen") ? text(cells, "seen") : "";
            const Cell& value = cells[*place("simulated")];
            if (const auto* whole = std::get_if<std::int64_t>(&value)) {
                one.value = static_cast<double>(*whole);
            } else if (const auto* number = std::get_if<double>(&value); number != nullptr && std::isfinite(*number)) {
                one.value = *number;
            } else {
                throw UserError(fmt::format("{}: {}: '{}' has no number; give one, or leave the row out", view_->where,
                                            view_->name, one.id));
            }
            if (one.id.empty()) throw UserError(fmt::format("{}: {}: a row without an id", view_->where, view_->name));
        }
        return all;
    }

private:
    std::optional<std::size_t> place(std::string_view name) const
    {
        for (std::size_t i = 0; i < results_.columns.size(); ++i) {
            if (results_.columns[i].name == name) return i;
        }
        return std::nullopt;
    }
    std::string text(const std::vector<Cell>& cells, std::string_view column) const
    {
        const auto* found = std::get_if<std::string>(&cells[*place(column)]);
        return found == nullptr ? "" : *found;
    }

    const MadeViews::View* view_;
    workloads::Results results_;
};

}  // namespace

std::vector<Prediction> predictions_of(const Database& database, const MadeViews& views,
                                       const std::filesystem::path& study, std::optional<PredictionState> others)
{
    const auto frozen = read_frozen(study);
    std::vector<Prediction> all;
    std::set<std::string> found;
    for (const MadeViews::View& view : views.beginning("prediction_")) {
        for (Prediction& now : View(database, view).predictions()) {
            Prediction& prediction = all.emplace_back(std::move(now));
            if (!found.insert(prediction.now.id).second) {
                throw UserError(fmt::format("{}: {}: '{}' is found twice; predict each number once", view.where,
                                            view.name, prediction.now.id));
            }
            const auto was = frozen.find(prediction.now.id);
            if (was == frozen.end()) continue;
            prediction.frozen = was->second;
            // What differs behind the digits that are frozen has not moved
            prediction.state = six_digits(prediction.now.value) != six_digits(was->second.value)
                                   ? PredictionState::kMoved
                               : says_of(prediction.now) != says_of(was->second) ? PredictionState::kRestated
                                                                                 : PredictionState::kAsFrozen;
        }
    }
    for (const auto& [id, was] : frozen) {
        if (!others || found.contains(id)) continue;
        all.push_back({.now = was, .frozen = was, .state = *others});
    }
    return all;
}

std::string frozen_head() { return "id,machine,command,quantity,unit,value,low,high,seen,model,date\n"; }

std::string frozen_lines(const std::vector<Prediction>& predictions)
{
    std::string text;
    for (const Prediction& prediction : predictions) {
        if (prediction.frozen) text += line_of(cells_of(*prediction.frozen), *prediction.frozen);
    }
    return text;
}

std::string frozen_text(const std::vector<Prediction>& predictions, const std::string& model, const std::string& date)
{
    std::string text = frozen_head();
    // Without any bars those of before stay; with them a prediction that has none has none
    const bool has_bars = std::any_of(predictions.begin(), predictions.end(), [](const Prediction& each) {
        return each.state != PredictionState::kGone && each.state != PredictionState::kLeftOut && each.now.low;
    });
    for (const Prediction& prediction : predictions) {
        if (prediction.state == PredictionState::kGone) continue;
        FrozenPrediction row = prediction.now;
        const bool kept = prediction.state == PredictionState::kLeftOut ||
                          (prediction.state == PredictionState::kAsFrozen && !has_bars);
        if (kept && !row.low) {
            row.low = prediction.frozen->low;
            row.high = prediction.frozen->high;
        }
        const auto cells = cells_of(row);
        const bool same = prediction.frozen && cells == cells_of(*prediction.frozen);
        row.model = same ? prediction.frozen->model : model;
        row.date = same ? prediction.frozen->date : date;
        text += line_of(cells, row);
    }
    return text;
}

}  // namespace ringmesh::lab
