// SPDX-License-Identifier: Apache-2.0
#include "lab/report/panels.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <variant>

#include "lab/compare/whatif/point_rows.h"
#include "tlm/parameter_list.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Results;

std::vector<std::size_t> places(const Results& table, const std::vector<std::string>& names)
{
    std::vector<std::size_t> all;
    all.reserve(names.size());
    for (const std::string& name : names) all.push_back(column_place(table, name));
    return all;
}

std::string joined(const std::vector<Cell>& row, const std::vector<std::size_t>& columns)
{
    std::string text;
    for (const std::size_t column : columns) text += (text.empty() ? "" : ", ") + name_of(row[column]);
    return text;
}

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
    const std::size_t x = column_place(table, chart.x);
    const std::size_t y = column_place(table, quantity.column);
    const std::size_t half = column_place(table, quantity.half);
    const auto series = places(table, chart.series);
    const auto facets = places(table, chart.facets);
    std::vector<Panel> panels;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto& row = table.rows[i];
        const auto at = drawn_number(row[x]);
        const auto value = drawn_number(row[y]);
        if (!at || !value) continue;
        Curve& curve = named(named(panels, joined(row, facets)).curves, joined(row, series));
        const auto interval = half < table.columns.size() ? drawn_number(row[half]) : std::nullopt;
        curve.points.push_back({*at, *value, interval.value_or(0), i});
    }
    for (Panel& panel : panels) {
        for (Curve& curve : panel.curves) {
            std::stable_sort(curve.points.begin(), curve.points.end(),
                             [](const PanelPoint& a, const PanelPoint& b) { return a.x < b.x; });
        }
    }
    return panels;
}

CommonPoints common_points(const Curve& a, const Curve& b)
{
    CommonPoints common;
    auto other = b.points.begin();
    for (const PanelPoint& point : a.points) {
        while (other != b.points.end() && other->x < point.x) ++other;
        if (other == b.points.end()) break;
        const bool again = !common.x.empty() && common.x.back() == point.x;
        if (other->x != point.x || again) continue;
        common.x.push_back(point.x);
        common.a.push_back(point.y);
        common.b.push_back(other->y);
        common.of_a.push_back(&point);
        common.of_b.push_back(&*other);
    }
    return common;
}

std::size_t column_place(const Results& table, const std::string& name)
{
    const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                    [&name](const workloads::Column& each) { return each.name == name; });
    return static_cast<std::size_t>(found - table.columns.begin());
}

std::optional<double> drawn_number(const Cell& cell)
{
    const auto* text = std::get_if<std::string>(&cell);
    if (text == nullptr) return number_of(cell);
    std::string plain;
    for (const char c : *text) {
        if (c != ',') plain += c;
    }
    if (plain.ends_with(" %")) plain.resize(plain.size() - 2);
    if (plain.starts_with('+')) plain.erase(0, 1);
    double number = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), number);
    if (error != std::errc{} || end != plain.data() + plain.size() || plain.empty()) return std::nullopt;
    return number;
}

std::string name_of(const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
    if (const auto* number = std::get_if<double>(&cell)) return number_text(*number);
    return "-";
}

}  // namespace ringmesh::lab
