// SPDX-License-Identifier: Apache-2.0
#include "lab/table/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "lab/table/writers/cells.h"
#include "lab/table/writers/json.h"
#include "tlm/error.h"

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
    if (const auto* number = std::get_if<double>(&cell); number != nullptr && !std::isfinite(*number)) {
        throw ModelError(fmt::format("the result {} is {}, not a number", column.name, *number));
    }
    return csv_cell(exact_text(cell));
}

enum class RightIf { kAnyNumber, kAllNumbers };

/// Cells for readers. @param heading of a column @param right which columns are aligned at the right; of texts, those
/// that look like numbers count in kAllNumbers
template <class Heading>
TextTable table_with(const Results& results, const Heading& heading, RightIf right)
{
    const auto looks_like_a_number = [](const Cell& cell) {
        const auto* text = std::get_if<std::string>(&cell);
        return text == nullptr ||
               (!text->empty() && text->find_first_not_of("0123456789.,+-%() to") == std::string::npos);
    };
    std::vector<TableColumn> columns;
    std::vector<std::vector<std::string>> texts;
    const auto& rows = results.rows;
    for (std::size_t c = 0; c < results.columns.size(); ++c) {
        const bool any = std::any_of(rows.begin(), rows.end(), [c](const auto& row) { return is_number(row[c]); });
        const bool all = !rows.empty() && std::all_of(rows.begin(), rows.end(),
                                                      [&](const auto& row) { return looks_like_a_number(row[c]); });
        columns.push_back(heading(results.columns[c]));
        columns.back().align = (right == RightIf::kAnyNumber ? any : all) ? Align::kRight : Align::kLeft;
        texts.push_back(column_texts(results, c));
    }
    TextTable table(std::move(columns));
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::vector<std::string> cells;
        cells.reserve(texts.size());
        for (auto& column : texts) cells.push_back(std::move(column[r]));
        table.row(std::move(cells));
    }
    return table;
}

/// The table; if it has one row and is too wide, a line for each column.
std::string text_of(const TextTable& table, Room printed, Room room)
{
    std::string text = table.text(0, printed);
    const auto cells = table.cells();
    if (cells.size() != 1 || (widest_line(text) <= room.width && text.find("\n\n") == std::string::npos)) return text;
    text.clear();
    std::size_t longest = 0;
    for (const auto& column : table.columns()) longest = std::max(longest, display_width(column.title));
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
        const auto& [title, align, unit] = table.columns()[i];
        const bool has_unit = !unit.empty() && cells[0][i] != "-";
        text += fmt::format("{}{}  {}{}{}\n", title, std::string(longest - display_width(title), ' '), cells[0][i],
                            has_unit ? " " : "", has_unit ? unit : "");
    }
    return text;
}

TableColumn title_and_unit(const Column& column)
{
    const std::string& name = column.name;
    const std::size_t begin = name.rfind(" (");
    if (begin == std::string::npos || !name.ends_with(')')) return {name};
    return {name.substr(0, begin), Align::kLeft, name.substr(begin + 2, name.size() - begin - 3)};
}

}  // namespace

const Cell* NamedCells::cell(std::string_view column) const
{
    const auto place = column_place(*results_, column);
    return place ? &(*cells_)[*place] : nullptr;
}

std::optional<Results> rows_of_last_ranks(const Results& table)
{
    const auto rank = column_place(table, "rank");
    const auto idle = column_place(table, "idle_ns");
    if (!rank || !idle || !column_place(table, kEndOfRank)) return std::nullopt;
    Results last{.columns = table.columns, .rows = {}, .notes = table.notes, .doubt = table.doubt};
    for (const auto& row : table.rows) {
        if (number_of(row[*idle]) != 0.0) continue;
        const bool is_same_run =
            !last.rows.empty() &&
            std::equal(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(*rank), last.rows.back().begin());
        if (!is_same_run) last.rows.push_back(row);
    }
    if (last.rows.empty()) return std::nullopt;
    return last;
}

bool has_numbers(const Results& results, std::size_t column)
{
    return std::ranges::any_of(results.rows, [column](const auto& row) { return number_of(row[column]).has_value(); });
}

std::size_t mean_instead(const Results& results, std::size_t column)
{
    constexpr std::string_view kLeast = "min";
    const std::string& name = results.columns[column].name;
    const std::size_t at = name.find(kLeast);
    if (at == std::string::npos) return column;
    for (const char* word : {"avg", "mean"}) {
        const std::string other = name.substr(0, at) + word + name.substr(at + kLeast.size());
        if (const auto found = column_place(results, other); found && has_numbers(results, *found)) return *found;
    }
    return column;
}

std::optional<double> NamedCells::number(std::string_view column) const
{
    const Cell* found = cell(column);
    const auto number = found == nullptr ? std::nullopt : number_of(*found);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<std::string> NamedCells::text(std::string_view column) const
{
    const Cell* found = cell(column);
    const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(found);
    return text == nullptr ? std::nullopt : std::optional(*text);
}

bool is_time(const Column& column)
{
    constexpr std::array<std::string_view, 5> kTimes{"ns", "us", "ms", "s", "cycles"};
    return std::ranges::find(kTimes, column.unit) != kTimes.end() || column.name.ends_with("_cycles");
}

bool is_rate(const Column& column)
{
    return column.unit.ends_with("/s") || column.unit.ends_with("/cycle") || column.name.ends_with("_load");
}

bool is_measured(const Column& column)
{
    return (is_time(column) || is_rate(column)) && !column.name.starts_with("offered") &&
           !column.name.starts_with("zero_load");
}

std::string column_title(const Column& column)
{
    std::string title = column.name;
    for (const std::string& suffix :
         {suffix_of(column.unit), fmt::format(" ({})", column.unit)}) {  // SQL's, as written
        if (!column.unit.empty() && title.ends_with(suffix)) title.resize(title.size() - suffix.size());
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
    for (const auto& row : results.rows) texts.push_back(cell_text(row[column], decimals));
    return texts;
}

std::string results_text(const Results& results, Room room)
{
    const auto heading = [](const Column& column) {
        return TableColumn{column_title(column), Align::kLeft, column.unit};
    };
    TextTable table = table_with(results, heading, RightIf::kAnyNumber);
    std::string alike;
    for (const auto& [title, cell] : table.leave_out_equal(room)) {
        alike += fmt::format("{}{} {}", alike.empty() ? "" : ", ", title, cell);
    }
    std::string text = text_of(table, room.for_results(), room);
    if (!alike.empty()) text += '\n' + wrapped("in all rows: " + alike, 2, room.prose()) + '\n';
    if (!results.notes.empty()) text += '\n';
    for (const std::string& note : results.notes) text += wrapped(note, 2, room.prose()) + '\n';
    return text;
}

TextTable view_table(const Results& results)
{
    if (results.columns.empty() || results.columns.front().name != "section") {
        return table_with(results, title_and_unit, RightIf::kAllNumbers);
    }
    Results shown = results;
    shown.columns.erase(shown.columns.begin());
    for (auto& row : shown.rows) row.erase(row.begin());
    const TextTable whole = table_with(shown, title_and_unit, RightIf::kAllNumbers);
    TextTable table(whole.columns());
    const auto cells = whole.cells();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Cell& section = results.rows[i].front();
        if (i == 0 || section != results.rows[i - 1].front()) table.section(cell_text(section, 0));
        table.row(cells[i]);
    }
    return table;
}

std::string answer_text(const Results& results, Room room)
{
    const auto heading = [](const Column& column) { return TableColumn{column.name}; };
    return text_of(table_with(results, heading, RightIf::kAllNumbers), room.splits ? room : Room(kUnbroken), room);
}

std::string cell_text(const Cell& cell, int decimals)
{
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return with_thousands(*integer);
    if (const auto* number = std::get_if<double>(&cell)) return with_thousands(*number, decimals);
    return "-";
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

std::string six_digit_csv(Results results)
{
    for (auto& row : results.rows) {
        for (Cell& cell : row) {
            if (const auto* number = std::get_if<double>(&cell)) cell = six_digits(*number);
        }
    }
    return results_csv(results);
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

Json results_json(const Results& results)
{
    Json columns = Json::list(results.columns, [](const Column& column) -> Json {
        return {{"name", column.name}, {"unit", column.unit}};
    });
    // Of columns of one name, which a query may have, an object holds the last
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < results.columns.size(); ++i) {
        const auto is_same = [&](const Column& later) { return later.name == results.columns[i].name; };
        if (std::none_of(results.columns.begin() + static_cast<std::ptrdiff_t>(i) + 1, results.columns.end(),
                         is_same)) {
            shown.push_back(i);
        }
    }
    Json rows = Json::array();
    for (const auto& row : results.rows) {
        Json cells = Json::object();
        for (const std::size_t i : shown) cells.add(results.columns[i].name, cell_json(row[i]));
        rows.push_back(std::move(cells));
    }
    Json json{{"columns", std::move(columns)}, {"rows", std::move(rows)}, {"notes", results.notes}};
    if (!results.doubt.empty()) json["doubt"] = results.doubt;
    if (const auto& backlog = results.backlog) {
        json["backlog"] = {{"interval_ns", backlog->interval.ns()}, {"packets", backlog->packets}};
    }
    return json;
}

Cell cell_from(const Json& json)
{
    if (json.is_null()) return std::monostate();
    if (json.is_text()) return json.as_text();
    if (json.is_float()) return json.as_number();
    return json.is_unsigned() ? unsigned_cell(json.as_unsigned()) : json.as_integer();
}

Results results_from(const Json& json)
{
    Results results;
    for (const Json& column : json.at("columns").values()) {
        results.columns.push_back({column.at("name").as_text(), column.at("unit").as_text()});
    }
    for (const Json& row : json.at("rows").values()) {
        auto& cells = results.rows.emplace_back();
        const auto& members = row.members();
        for (std::size_t i = 0; i < results.columns.size(); ++i) {  // they stand in the order of the columns, as a rule
            const std::string& name = results.columns[i].name;
            const bool is_next = i < members.size() && members[i].first == name;
            cells.push_back(cell_from(is_next ? members[i].second : row.at(name)));
        }
    }
    results.notes = json.at("notes").as_texts();
    json.read("doubt", results.doubt);
    if (const Json* backlog = json.find("backlog")) {
        const double interval_ns = backlog->at("interval_ns").as_number();
        results.backlog = {.interval = Duration::picoseconds(std::llround(interval_ns * 1e3)), .packets = {}};
        backlog->read("packets", results.backlog->packets);
    }
    return results;
}

Json results_document(const Results& results)
{
    Json json = {{"ringmesh", program_json()}};
    const Json table = results_json(results);
    for (const auto& [key, value] : table.members()) json.add(key, value);
    return json;
}

}  // namespace ringmesh::lab
