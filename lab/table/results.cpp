// SPDX-License-Identifier: Apache-2.0
#include "lab/table/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "lab/table/json.h"
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
    if (const auto* text = std::get_if<std::string>(&cell)) return csv_cell(*text);
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
    if (std::holds_alternative<std::monostate>(cell)) return {};
    const double number = std::get<double>(cell);
    if (!std::isfinite(number)) throw ModelError(fmt::format("the result {} is {}, not a number", column.name, number));
    return number_text(number);
}

TextTable table_with(const Results& results, TableColumn (*heading)(const std::string& name))
{
    std::vector<TableColumn> columns;
    std::vector<int> decimals;
    for (std::size_t c = 0; c < results.columns.size(); ++c) {
        std::vector<double> numbers;
        bool right = !results.rows.empty();
        for (const auto& row : results.rows) {
            if (const auto* number = std::get_if<double>(&row[c])) numbers.push_back(*number);
            if (const auto* text = std::get_if<std::string>(&row[c])) {
                right = right && !text->empty() && text->find_first_not_of("0123456789.,+-%() to") == std::string::npos;
            }
        }
        columns.push_back(heading(results.columns[c].name));
        columns.back().align = right ? Align::kRight : Align::kLeft;
        decimals.push_back(decimals_for(numbers));
    }
    TextTable table(std::move(columns));
    for (const auto& row : results.rows) {
        std::vector<std::string> cells;
        for (std::size_t c = 0; c < row.size(); ++c) cells.push_back(cell_text(row[c], decimals[c]));
        table.row(std::move(cells));
    }
    return table;
}

TableColumn title_and_unit(const std::string& name)
{
    const std::size_t begin = name.rfind(" (");
    if (begin == std::string::npos || !name.ends_with(')')) return {name};
    return {name.substr(0, begin), Align::kLeft, name.substr(begin + 2, name.size() - begin - 3)};
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

TextTable view_table(const Results& results) { return table_with(results, &title_and_unit); }

std::string answer_text(const Results& results, Room room)
{
    const TextTable table = table_with(results, [](const std::string& name) { return TableColumn{name}; });
    std::string text = table.text(0, room.splits ? room : Room(kUnbroken));
    if (results.rows.size() != 1 || (widest_line(text) <= room.width && text.find("\n\n") == std::string::npos)) {
        return text;
    }
    text.clear();
    std::size_t longest = 0;
    for (const auto& column : table.columns()) longest = std::max(longest, display_width(column.title));
    const auto cells = table.cells().front();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string& name = table.columns()[i].title;
        text += fmt::format("{}{}  {}\n", name, std::string(longest - display_width(name), ' '), cells[i]);
    }
    return text;
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

std::string results_json_text(const Results& results)
{
    Json json = {{"ringmesh", program_json()}};
    const Json table = results_json(results);
    for (const auto& [key, value] : table.members()) json[key] = value;
    return json_text(json);
}

}  // namespace ringmesh::lab
