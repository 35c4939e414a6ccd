// SPDX-License-Identifier: Apache-2.0
#include "lab/report/means.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "lab/compare/whatif/point_rows.h"
#include "lab/run/run_record.h"
#include "lab/study/points.h"
#include "lab/table/welch.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Column;
using workloads::Results;

/// "_ns" behind the name of an axis is its unit.
std::string unit_of_axis(const Axis& axis)
{
    std::string unit = column_of(axis).name.substr(axis.name.size());
    if (!unit.empty()) unit.erase(0, 1);
    return unit == "mhz" ? "MHz" : unit;
}

std::size_t group_of(const StudyTest& test, std::size_t axis)
{
    for (std::size_t i = 0; i < axis; ++i) {
        for (const auto& names : test.together) {
            const auto has = [&names](const std::string& name) {
                return std::find(names.begin(), names.end(), name) != names.end();
            };
            if (has(test.axes[i].name) && has(test.axes[axis].name)) return i;
        }
    }
    return axis;
}

/// "latency_mean_ns" has its interval in "latency_ci95_ns".
std::string interval_beside(const std::string& name)
{
    const std::size_t at = name.rfind("_mean");
    return at == std::string::npos ? "" : name.substr(0, at) + "_ci95" + name.substr(at + 5);
}

/// What the means are made of: columns of one table.
class Grouping {
public:
    Grouping(const Results& whole, std::vector<std::size_t> names, std::vector<std::size_t> numbers, bool repeated)
        : whole_(whole), names_(std::move(names)), numbers_(std::move(numbers)), repeated_(repeated)
    {}

    Results table(const std::vector<Column>& names) const
    {
        Results means;
        means.columns = names;
        for (const std::size_t number : numbers_) {
            means.columns.push_back(whole_.columns[number]);
            if (repeated_) means.columns.push_back(half_of(whole_.columns[number]));
        }
        if (repeated_) means.columns.push_back({"runs", ""});
        std::map<std::vector<Cell>, std::size_t> places;
        std::vector<std::vector<std::size_t>> rows_of;
        for (std::size_t row = 0; row < whole_.rows.size(); ++row) {
            std::vector<Cell> key;
            for (const std::size_t name : names_) key.push_back(whole_.rows[row][name]);
            if (!repeated_) key.emplace_back(static_cast<std::int64_t>(row));  // each stands for itself
            const auto [found, added] = places.emplace(std::move(key), rows_of.size());
            if (added) rows_of.emplace_back();
            rows_of[found->second].push_back(row);
        }
        for (const auto& rows : rows_of) means.rows.push_back(mean_row(rows));
        means.notes = whole_.notes;
        return means;
    }

    static Column half_of(const Column& column) { return {column.name + "_ci95", column.unit}; }

private:
    std::vector<Cell> mean_row(const std::vector<std::size_t>& rows) const
    {
        std::vector<Cell> cells;
        for (const std::size_t name : names_) cells.push_back(whole_.rows[rows.front()][name]);
        for (const std::size_t number : numbers_) {
            if (!repeated_) {
                cells.push_back(whole_.rows[rows.front()][number]);
                continue;
            }
            std::vector<double> values;
            for (const std::size_t row : rows) {
                if (const auto value = number_of(whole_.rows[row][number])) values.push_back(*value);
            }
            const Sample sample = sample_of(values);
            const auto interval = mean_interval(sample);
            cells.push_back(values.empty() ? Cell(std::monostate()) : Cell(sample.mean));
            cells.push_back(interval ? Cell(*interval) : Cell(std::monostate()));
        }
        if (repeated_) cells.emplace_back(static_cast<std::int64_t>(rows.size()));
        return cells;
    }

    const Results& whole_;
    std::vector<std::size_t> names_;
    std::vector<std::size_t> numbers_;
    bool repeated_;
};

bool is_numeric(const Results& table, std::size_t column)
{
    return std::all_of(table.rows.begin(), table.rows.end(),
                       [column](const auto& row) { return number_of(row[column]).has_value(); });
}

std::size_t values_of(const Results& table, std::size_t column)
{
    std::set<Cell> values;
    for (const auto& row : table.rows) values.insert(row[column]);
    return values.size();
}

std::size_t place_of(const Results& table, const std::string& column)
{
    const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                    [&column](const Column& each) { return each.name == column; });
    return static_cast<std::size_t>(found - table.columns.begin());
}

/// Fills in what differs and what can be drawn.
void finish(Means& means, const std::vector<std::string>& numbers)
{
    for (auto& dimension : means.dimensions) {
        const std::size_t column = place_of(means.table, dimension.column);
        dimension.values = values_of(means.table, column);
        dimension.numeric = is_numeric(means.table, column);
    }
    std::erase_if(means.dimensions, [](const auto& dimension) { return dimension.values < 2; });
    const auto has = [&](const std::string& name) {
        return !name.empty() && place_of(means.table, name) < means.table.columns.size();
    };
    for (const std::string& name : numbers) {
        if (values_of(means.table, place_of(means.table, name)) < 2 && means.table.rows.size() > 1) continue;
        const std::string own = means.repeated ? name + "_ci95" : interval_beside(name);
        const bool is_half = name.find("_ci95") != std::string::npos;
        if (!is_half) means.quantities.push_back({.column = name, .half = has(own) ? own : ""});
    }
}

}  // namespace

const Means::Dimension* Means::find(const std::string& column) const
{
    const auto found = std::find_if(dimensions.begin(), dimensions.end(),
                                    [&column](const Dimension& each) { return each.column == column; });
    return found == dimensions.end() ? nullptr : &*found;
}

std::string Means::unit_of(const std::string& column) const
{
    const std::size_t at = place_of(table, column);
    return at == table.columns.size() ? "" : table.columns[at].unit;
}

namespace {

Means means_of(const StudyTest& test, const Results& whole, const PointLayout& layout)
{
    const PointRows rows(test, whole, layout);
    const std::size_t program = layout.program;
    std::vector<std::size_t> numeric;
    for (std::size_t i = 0; i < rows.columns().size(); ++i) {
        if (rows.holds_numbers(i)) numeric.push_back(i);
    }
    const std::size_t measured = rows.first_measured().value_or(rows.columns().size());
    const auto [keys, told_apart] = rows.keys(measured);

    Means means{.table = {}, .dimensions = {}, .quantities = {}, .repeated = test.repeat > 1 && told_apart};
    std::vector<std::size_t> names;
    std::vector<Column> columns;
    const auto name_by = [&](std::size_t column, Means::Dimension dimension) {
        dimension.column = whole.columns[column].name;
        names.push_back(column);
        columns.push_back({dimension.column, dimension.unit});
        means.dimensions.push_back(std::move(dimension));
    };
    if (test.variants.size() > 1) name_by(layout.variant, {.title = "variant", .is_variant = true, .group = program});
    for (std::size_t i = 0; i < test.axes.size(); ++i) {
        name_by(layout.axes + i,
                {.title = test.axes[i].name, .unit = unit_of_axis(test.axes[i]), .group = group_of(test, i)});
    }
    for (std::size_t i = 0; i < keys; ++i) {
        const Column& column = rows.columns()[i];
        name_by(program + i, {.title = column_title(column), .unit = column.unit, .group = program + 1 + i});
    }
    std::vector<std::size_t> numbers;
    std::vector<std::string> shown;
    for (std::size_t i = keys; i < rows.columns().size(); ++i) {
        const bool number = std::find(numeric.begin(), numeric.end(), i) != numeric.end();
        if (number) shown.push_back(rows.columns()[i].name);
        if (number || !means.repeated) numbers.push_back(program + i);
    }
    means.table = Grouping(whole, names, numbers, means.repeated).table(columns);
    finish(means, shown);
    return means;
}

}  // namespace

Means means_of(const StudyTest& test, const Results& whole) { return means_of(test, whole, layout_of(test)); }

Means means_of(const Results& table)
{
    StudyTest test{};
    test.variants.resize(1);
    return means_of(test, table, PointLayout{});  // all columns are the program's
}

}  // namespace ringmesh::lab
