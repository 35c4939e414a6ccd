// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <system_error>
#include <tuple>

#include "lab/table/csv.h"
#include "lab/table/listing.h"
#include "tlm/error.h"
#include "tlm/names.h"

namespace ringmesh::lab {
namespace {

/// The texts of a frozen prediction, in the order in which predictions.csv has them before and behind its numbers.
struct FrozenText {
    const char* column;
    std::string FrozenPrediction::*member;
};
constexpr FrozenText kFrozenWords[] = {{"id", &FrozenPrediction::id},
                                       {"machine", &FrozenPrediction::machine},
                                       {"command", &FrozenPrediction::command},
                                       {"quantity", &FrozenPrediction::quantity},
                                       {"unit", &FrozenPrediction::unit}};
constexpr FrozenText kFrozenOrigin[] = {
    {"seen", &FrozenPrediction::seen}, {"model", &FrozenPrediction::model}, {"date", &FrozenPrediction::date}};

/// "2026-11-23"
bool is_date(const std::string& text)
{
    std::tm date{};
    const char* const end = ::strptime(text.c_str(), "%Y-%m-%d", &date);
    return text.size() == 10 && end == text.c_str() + text.size();
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
        FrozenPrediction read;
        for (const auto& text : kFrozenWords) read.*text.member = cells.text(text.column);
        for (const auto& text : kFrozenOrigin) read.*text.member = cells.text(text.column);
        read.value = cells.number("value");
        read.low = cells.number_if_any("low");
        read.high = cells.number_if_any("high");
        if (read.low.has_value() != read.high.has_value()) {
            throw cells.wrong(read.low ? "high" : "low", "a bar has both ends, or none");
        }
        if (read.low && *read.low > *read.high) throw cells.wrong("low", "above high");
        if (read.low && (read.value < *read.low || read.value > *read.high)) {
            throw cells.wrong("value", "outside of its bar, low to high");
        }
        if (!is_date(read.date)) throw cells.wrong("date", "no date as in 2026-11-23");
        if (!all.emplace(read.id, read).second) throw cells.wrong("id", "is there twice");
    }
    return all;
}

/// What the number is of.
auto says_of(const FrozenPrediction& each) { return std::tie(each.command, each.quantity, each.unit, each.seen); }

const Listing<FrozenPrediction>& frozen_columns()
{
    static const Listing<FrozenPrediction> columns([] {
        std::vector<ListedColumn<FrozenPrediction>> all;
        for (const auto& text : kFrozenWords) all.push_back(listed<FrozenPrediction>(text.column, text.member));
        all.push_back(listed<FrozenPrediction>("value", &FrozenPrediction::value));
        all.push_back(listed<FrozenPrediction>("low", &FrozenPrediction::low));
        all.push_back(listed<FrozenPrediction>("high", &FrozenPrediction::high));
        for (const auto& text : kFrozenOrigin) all.push_back(listed<FrozenPrediction>(text.column, text.member));
        return all;
    }());
    return columns;
}

/// The predictions of one view.
std::vector<Prediction> predictions_in(const FoundView& found)
{
    const MadeViews::View& view = found.view;
    const auto& columns = found.rows.columns;
    for (const char* column : {"id", "simulated", "quantity", "unit", "command"}) {
        if (std::ranges::any_of(columns, [&](const auto& each) { return each.name == column; })) continue;
        throw UserError(
            fmt::format("{}: {}: no column '{}'; predictions have id, simulated, quantity, unit, command, and seen "
                        "where a number had been read before",
                        view.where, view.name, column));
    }
    std::vector<Prediction> all;
    for (const auto& cells : found.rows.rows) {
        const NamedCells row(found.rows, cells);
        const auto text = [&row](std::string_view column) { return row.text(column).value_or(""); };
        const std::string id = text("id");
        const auto value = row.number("simulated");
        if (id.empty()) throw UserError(fmt::format("{}: {}: a row without an id", view.where, view.name));
        if (!value) {
            throw UserError(
                fmt::format("{}: {}: '{}' has no number; give one, or leave the row out", view.where, view.name, id));
        }
        all.push_back({.now = {.id = id,
                               .machine = id.substr(0, id.find('.')),
                               .command = text("command"),
                               .quantity = text("quantity"),
                               .unit = text("unit"),
                               .value = *value,
                               .low = {},
                               .high = {},
                               .seen = text("seen"),
                               .model = {},
                               .date = {}},
                       .frozen = {},
                       .bar_as = text("bar_as")});
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
    const bool has_bars = std::ranges::any_of(predictions, [](const Prediction& each) {
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
        const FrozenPrediction was = prediction.frozen.value_or(FrozenPrediction{});
        row.model = was.model;
        row.date = was.date;
        if (frozen_csv({row}) != frozen_csv({was})) {
            row.model = model;
            row.date = date;
        }
        rows.push_back(std::move(row));
    }
    return frozen_csv(rows);
}

}  // namespace ringmesh::lab
