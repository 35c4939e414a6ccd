// SPDX-License-Identifier: Apache-2.0
#include "lab/sql/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Results;

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

TextTable report_table(const Results& results) { return table_with(results, &title_and_unit); }

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

}  // namespace ringmesh::lab
