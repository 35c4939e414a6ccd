// SPDX-License-Identifier: Apache-2.0
#include "lab/report/panels.h"

#include <algorithm>
#include <variant>

#include "lab/table/cells.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Results;

template <class Named>
Named& named(std::vector<Named>& all, const std::string& name)
{
    const auto found = std::find_if(all.begin(), all.end(), [&name](const Named& each) { return each.name == name; });
    if (found != all.end()) return *found;
    all.emplace_back().name = name;
    return all.back();
}

}  // namespace

std::vector<Panel> panels_of(const Chart& chart, const Results& table, const Chart::Quantity& quantity)
{
    const auto name_of = [&table](const std::vector<Cell>& row, const std::vector<std::string>& columns) {
        std::string name;
        for (const std::string& column : columns) {
            const Cell& cell = row[column_place(table, column).value()];
            name += (name.empty() ? "" : ", ") +
                    (std::holds_alternative<std::monostate>(cell) ? std::string("-") : exact_text(cell));
        }
        return name;
    };
    const std::size_t x = column_place(table, chart.x).value();
    const std::size_t y = column_place(table, quantity.column).value();
    const auto half = column_place(table, quantity.half);
    std::vector<Panel> panels;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto& row = table.rows[i];
        const auto at = drawn_number(row[x]);
        const auto value = drawn_number(row[y]);
        if (!at || !value) continue;
        Curve& curve = named(named(panels, name_of(row, chart.facets)).curves, name_of(row, chart.series));
        curve.points.push_back({*at, *value, half ? drawn_number(row[*half]).value_or(0) : 0, i});
    }
    for (Panel& panel : panels) {
        for (Curve& curve : panel.curves) {
            std::stable_sort(curve.points.begin(), curve.points.end(),
                             [](const PanelPoint& a, const PanelPoint& b) { return a.x < b.x; });
        }
    }
    return panels;
}

std::optional<double> drawn_number(const Cell& cell)
{
    const auto* text = std::get_if<std::string>(&cell);
    if (text == nullptr) return number_of(cell);
    std::string plain = *text;
    std::erase(plain, ',');
    if (plain.ends_with(" %")) plain.resize(plain.size() - 2);
    return number_from<double>(std::string_view(plain).substr(plain.starts_with('+') ? 1 : 0));
}

std::vector<double> drawn_numbers(const Results& table, const std::string& column)
{
    const std::size_t place = column_place(table, column).value();
    std::vector<double> all;
    for (const auto& row : table.rows) {
        if (const auto number = drawn_number(row[place])) all.push_back(*number);
    }
    return all;
}

}  // namespace ringmesh::lab
