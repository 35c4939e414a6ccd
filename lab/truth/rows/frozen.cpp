// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/rows/frozen.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <system_error>
#include <tuple>

#include "lab/table/listing.h"
#include "lab/table/writers/csv.h"
#include "tlm/error.h"
#include "tlm/files/input_file.h"
#include "tlm/parameters/names.h"

namespace ringmesh::lab {
namespace {

/// Its name when only predictions were frozen.
constexpr const char* kFrozenBefore = "predictions.csv";

/// The texts of a frozen number, in the order of frozen.csv: before and behind its numbers.
struct FrozenText {
    const char* column;
    std::string FrozenNumber::*member;
};
constexpr FrozenText kFrozenWords[] = {{"id", &FrozenNumber::id},
                                       {"machine", &FrozenNumber::machine},
                                       {"command", &FrozenNumber::command},
                                       {"quantity", &FrozenNumber::quantity},
                                       {"unit", &FrozenNumber::unit}};
constexpr FrozenText kFrozenOrigin[] = {
    {"seen", &FrozenNumber::seen}, {"model", &FrozenNumber::model}, {"date", &FrozenNumber::date}};

constexpr const char* kPublishedColumn = "published";
constexpr const char* kRoleColumn = "role";

/// "2026-11-23"
bool is_date(const std::string& text)
{
    std::tm date{};
    const char* const end = ::strptime(text.c_str(), "%Y-%m-%d", &date);
    return text.size() == 10 && end == text.c_str() + text.size();
}

/// What the number is of.
auto says_of(const FrozenNumber& each) { return std::tie(each.command, each.quantity, each.unit, each.seen); }

const Listing<FrozenNumber>& frozen_columns()
{
    static const Listing<FrozenNumber> columns([] {
        std::vector<ListedColumn<FrozenNumber>> all;
        for (const auto& text : kFrozenWords) all.push_back(listed<FrozenNumber>(text.column, text.member));
        all.push_back(listed<FrozenNumber>("value", &FrozenNumber::value));
        all.push_back(listed<FrozenNumber>("low", &FrozenNumber::low));
        all.push_back(listed<FrozenNumber>("high", &FrozenNumber::high));
        all.push_back(listed<FrozenNumber>(kPublishedColumn, &FrozenNumber::published));
        all.push_back(listed<FrozenNumber>(kRoleColumn, &FrozenNumber::role));
        for (const auto& text : kFrozenOrigin) all.push_back(listed<FrozenNumber>(text.column, text.member));
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
        if (text("quantity").empty()) {
            throw UserError(fmt::format("{}: {}: '{}' has no quantity; say what it is", view.where, view.name, id));
        }
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
                               .seen = text("seen")},
                       .frozen = {},
                       .bar_as = text("bar_as")});
    }
    return all;
}

}  // namespace

Frozen read_frozen(const std::filesystem::path& study)
{
    Frozen all;
    std::error_code error;
    if (const auto before = study / kFrozenBefore; std::filesystem::exists(before, error)) {
        throw UserError(fmt::format("{}: is {} now, where rows of the ledger are frozen, too; rename it",
                                    before.string(), kFrozenFile));
    }
    const auto file = study / kFrozenFile;
    if (!std::filesystem::exists(file, error)) return all;
    const CsvTable table = csv_from_text(read_own(file), file);  // --freeze replaces it
    const bool has_published = std::ranges::find(table.columns, kPublishedColumn) != table.columns.end();
    for (const CsvTable::Row& row : table.rows) {
        const CsvCells cells(table, row, "freeze again with validate --freeze");
        FrozenNumber read;
        for (const auto& text : kFrozenWords) read.*text.member = cells.text(text.column);
        for (const auto& text : kFrozenOrigin) read.*text.member = cells.text(text.column);
        read.value = cells.number("value");
        read.low = cells.number_if_any("low");
        read.high = cells.number_if_any("high");
        if (has_published) {  // older files lack it
            read.published = cells.number_if_any(kPublishedColumn);
            read.role = cells.text(kRoleColumn);
        }
        if (read.low.has_value() != read.high.has_value()) {
            throw cells.wrong(read.low ? "high" : "low", "a bar has both ends, or none");
        }
        if (read.low && *read.low > *read.high) throw cells.wrong("low", "above high");
        if (read.low && (read.value < *read.low || read.value > *read.high)) {
            throw cells.wrong("value", "outside of its bar, low to high");
        }
        if (!is_date(read.date)) throw cells.wrong("date", "no date as in 2026-11-23");
        const bool is_row = read.quantity.empty();
        if (is_row && !read.low) throw cells.wrong("low", "a row of the ledger has a band");
        if (!(is_row ? all.rows : all.predictions).emplace(read.id, read).second) {
            throw cells.wrong("id", "is there twice");
        }
    }
    return all;
}

std::vector<Prediction> predictions_of(const std::vector<FoundView>& views, const FrozenNumbers& frozen,
                                       std::optional<PredictionState> others)
{
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

std::string frozen_csv(const std::vector<FrozenNumber>& predictions)
{
    return six_digit_csv(frozen_columns().results(predictions));
}

std::vector<FrozenNumber> expect(std::vector<Row>& rows, const FrozenNumbers& frozen)
{
    if (frozen.empty()) return {};
    FrozenNumbers missing = frozen;
    for (Row& row : rows) {
        if (!pass(row)) continue;
        const auto was = missing.find(row.id);
        row.is_new = was == missing.end();
        if (row.is_new) continue;
        row.frozen = was->second;
        const auto& published = row.frozen->published;
        if (published && six_digits(published) != six_digits(row.published)) {
            throw UserError(
                fmt::format("{}: {} = {}, of '{}': compared with {} now; freeze again with validate --freeze",
                            kFrozenFile, kPublishedColumn, six_digits(published), row.id,
                            row.published ? six_digits(row.published) : "no number"));
        }
        missing.erase(was);
    }
    std::vector<FrozenNumber> all;
    for (auto& [id, number] : missing) all.push_back(std::move(number));
    return all;
}

std::vector<FrozenNumber> frozen_rows(const std::vector<Row>& rows, const std::string& model, const std::string& date)
{
    std::vector<FrozenNumber> all;
    for (const Row& row : rows) {
        const auto number = tested(row);
        if (!pass(row) || !number) continue;
        const double band = frozen_band(row);
        FrozenNumber now{.id = row.id,
                         .machine = row.machine,
                         .unit = row.unit,
                         .value = *number,
                         .low = *number - band,
                         .high = *number + band,
                         .model = model,
                         .date = date};
        // So that a band does not follow a row that creeps; beside it, it would judge another number than the row's
        const bool in_band = row.frozen && *row.frozen->low <= now.value && now.value <= *row.frozen->high;
        if (in_band && verdict(row) == Verdict::kAsFrozen) now = *row.frozen;
        now.published = row.published;
        now.role = kRoleNames.name(row.role);
        all.push_back(std::move(now));
    }
    return all;
}

std::vector<FrozenNumber> frozen_predictions(const std::vector<Prediction>& predictions, const std::string& model,
                                             const std::string& date)
{
    std::vector<FrozenNumber> rows;
    // Without any bars those of before stay; with them a prediction that has none has none
    const bool has_bars = std::ranges::any_of(predictions, [](const Prediction& each) {
        return each.state != PredictionState::kGone && each.state != PredictionState::kLeftOut && each.now.low;
    });
    for (const Prediction& prediction : predictions) {
        if (prediction.state == PredictionState::kGone) continue;
        FrozenNumber row = prediction.now;
        const bool kept = prediction.state == PredictionState::kLeftOut ||
                          (prediction.state == PredictionState::kAsFrozen && !has_bars);
        if (kept && !row.low) {
            row.low = prediction.frozen->low;
            row.high = prediction.frozen->high;
        }
        const FrozenNumber was = prediction.frozen.value_or(FrozenNumber{});
        row.model = was.model;
        row.date = was.date;
        if (frozen_csv({row}) != frozen_csv({was})) {
            row.model = model;
            row.date = date;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace ringmesh::lab
