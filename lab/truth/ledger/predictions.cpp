// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <system_error>
#include <tuple>

#include "lab/table/csv.h"
#include "lab/table/listing.h"
#include "tlm/error.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

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
        const CsvCells cells(table, row, "freeze the predictions again");
        const auto value = cells.number_if_any("value");
        if (!value) throw UserError(fmt::format("{}: value is empty; write a number", table.where(row)));
        const FrozenPrediction read{.id = cells.text("id"),
                                    .machine = cells.text("machine"),
                                    .command = cells.text("command"),
                                    .quantity = cells.text("quantity"),
                                    .unit = cells.text("unit"),
                                    .value = *value,
                                    .low = cells.number_if_any("low"),
                                    .high = cells.number_if_any("high"),
                                    .seen = cells.text("seen"),
                                    .model = cells.text("model"),
                                    .date = cells.text("date")};
        if (!all.emplace(read.id, read).second) {
            throw UserError(fmt::format("{}: '{}' is there twice; keep one", table.where(row), read.id));
        }
        if (read.low.has_value() != read.high.has_value()) {
            throw cells.wrong(read.low ? "high" : "low", "a bar has both ends, or none");
        }
        if (read.low && *read.low > *read.high) throw cells.wrong("low", "above high");
        if (read.low && (read.value < *read.low || read.value > *read.high)) {
            throw cells.wrong("value", "outside of its bar, low to high");
        }
        if (!is_date(read.date)) throw cells.wrong("date", "no date as in 2026-11-23");
    }
    return all;
}

/// What the number is of.
auto says_of(const FrozenPrediction& each) { return std::tie(each.command, each.quantity, each.unit, each.seen); }

const Listing<FrozenPrediction>& frozen_columns()
{
    using Each = FrozenPrediction;
    static const Listing<Each> columns({
        listed<Each>("id", &Each::id),
        listed<Each>("machine", &Each::machine),
        listed<Each>("command", &Each::command),
        listed<Each>("quantity", &Each::quantity),
        listed<Each>("unit", &Each::unit),
        listed<Each>("value", &Each::value),
        listed<Each>("low", &Each::low),
        listed<Each>("high", &Each::high),
        listed<Each>("seen", &Each::seen),
        listed<Each>("model", &Each::model),
        listed<Each>("date", &Each::date),
    });
    return columns;
}

/// The predictions of one view.
std::vector<Prediction> predictions_in(const FoundView& found)
{
    const MadeViews::View& view = found.view;
    const auto& columns = found.rows.columns;
    for (const char* column : {"id", "simulated", "quantity", "unit", "command"}) {
        if (std::any_of(columns.begin(), columns.end(), [&](const auto& each) { return each.name == column; }))
            continue;
        throw UserError(
            fmt::format("{}: {}: no column '{}'; predictions have id, simulated, quantity, unit, command, and seen "
                        "where a number had been read before",
                        view.where, view.name, column));
    }
    std::vector<Prediction> all;
    for (const auto& cells : found.rows.rows) {
        const NamedCells row(found.rows, cells);
        const auto text = [&row](std::string_view column) { return row.text(column).value_or(""); };
        Prediction& prediction = all.emplace_back();
        prediction.bar_as = text("bar_as");
        FrozenPrediction& one = prediction.now;
        one.id = text("id");
        one.machine = one.id.substr(0, one.id.find('.'));
        one.quantity = text("quantity");
        one.unit = text("unit");
        one.command = text("command");
        one.seen = text("seen");
        const auto value = row.number("simulated");
        if (!value) {
            throw UserError(fmt::format("{}: {}: '{}' has no number; give one, or leave the row out", view.where,
                                        view.name, one.id));
        }
        one.value = *value;
        if (one.id.empty()) throw UserError(fmt::format("{}: {}: a row without an id", view.where, view.name));
    }
    return all;
}

}  // namespace

std::vector<Prediction> predictions_of(const std::vector<FoundView>& views, const std::filesystem::path& study,
                                       std::optional<PredictionState> others)
{
    const auto frozen = read_frozen(study);
    std::vector<Prediction> all;
    std::set<std::string> found;
    for (const FoundView& each : views) {
        const MadeViews::View& view = each.view;
        for (Prediction& now : predictions_in(each)) {
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

std::string frozen_csv(const std::vector<FrozenPrediction>& predictions)
{
    return six_digit_csv(frozen_columns().results(predictions));
}

std::string frozen_text(const std::vector<Prediction>& predictions, const std::string& model, const std::string& date)
{
    std::vector<FrozenPrediction> rows;
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
        FrozenPrediction was = prediction.frozen.value_or(FrozenPrediction{});
        row.model = was.model;
        row.date = was.date;
        const bool same = frozen_csv({row}) == frozen_csv({was});
        if (!same) {
            row.model = model;
            row.date = date;
        }
        rows.push_back(std::move(row));
    }
    return frozen_csv(rows);
}

}  // namespace ringmesh::lab
