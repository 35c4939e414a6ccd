// SPDX-License-Identifier: Apache-2.0
#include "lab/figure/means.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "lab/compare/whatif/point_rows.h"
#include "lab/study/points/points.h"
#include "lab/table/listing.h"
#include "lab/table/welch.h"
#include "lab/table/writers/cells.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Column;
using workloads::Results;

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

/// A row for each row of a table, or, if runs are repeated, for each combination of names, with means, half their
/// intervals and the number of runs.
/// @param columns of the names @param doubt the column of doubts, which is the last if there is any
Results mean_table(const Results& whole, std::vector<Column> columns, const std::vector<std::size_t>& names,
                   const std::vector<std::size_t>& numbers, bool repeated, std::optional<std::size_t> doubt)
{
    const auto has_doubt = [&doubt](const auto& row) { return std::holds_alternative<std::string>(row[*doubt]); };
    if (doubt && std::none_of(whole.rows.begin(), whole.rows.end(), has_doubt)) doubt.reset();
    Results means{.columns = std::move(columns), .rows = {}, .notes = whole.notes};
    for (const std::size_t number : numbers) {
        const Column& column = whole.columns[number];
        means.columns.push_back(column);
        if (repeated) means.columns.push_back({column.name + "_ci95", column.unit});
    }
    if (repeated) means.columns.push_back({"runs", ""});
    if (doubt) means.columns.push_back({kDoubt, ""});
    const auto add_cells = [](std::vector<Cell>& cells, const std::vector<Cell>& row, const auto& places) {
        for (const std::size_t place : places) cells.push_back(row[place]);
    };
    std::map<std::vector<Cell>, std::size_t> places;
    std::vector<std::vector<const std::vector<Cell>*>> rows_of;
    for (const auto& row : whole.rows) {
        std::vector<Cell> key;
        add_cells(key, row, names);
        if (!repeated) {
            add_cells(key, row, numbers);
            if (doubt) key.push_back(row[*doubt]);
            means.rows.push_back(std::move(key));
            continue;
        }
        const auto [found, added] = places.try_emplace(key, rows_of.size());
        if (added) {
            rows_of.emplace_back();
            means.rows.push_back(std::move(key));
        }
        rows_of[found->second].push_back(&row);
    }
    for (std::size_t i = 0; i < rows_of.size(); ++i) {
        for (const std::size_t number : numbers) {
            std::vector<double> values;
            for (const auto* row : rows_of[i]) {
                if (const auto value = number_of((*row)[number])) values.push_back(*value);
            }
            const Sample sample = sample_of(values);
            means.rows[i].push_back(values.empty() ? Cell(std::monostate()) : Cell(sample.mean));
            means.rows[i].push_back(cell_of(mean_interval(sample)));
        }
        means.rows[i].emplace_back(static_cast<std::int64_t>(rows_of[i].size()));
        if (!doubt) continue;
        const auto first = std::find_if(rows_of[i].begin(), rows_of[i].end(),
                                        [&has_doubt](const auto* row) { return has_doubt(*row); });
        means.rows[i].push_back(first == rows_of[i].end() ? Cell(std::monostate()) : (**first)[*doubt]);
    }
    return means;
}

std::size_t values_of(const Results& table, std::size_t column)
{
    std::set<Cell> values;
    for (const auto& row : table.rows) values.insert(row[column]);
    return values.size();
}

/// Fills in what differs and what can be drawn.
void finish(Means& means, const std::vector<std::string>& numbers)
{
    for (auto& dimension : means.dimensions) {
        const std::size_t column = column_place(means.table, dimension.column).value();
        dimension.values = values_of(means.table, column);
        dimension.numeric = std::all_of(means.table.rows.begin(), means.table.rows.end(),
                                        [column](const auto& row) { return number_of(row[column]).has_value(); });
    }
    std::erase_if(means.dimensions, [](const auto& dimension) { return dimension.values < 2; });
    for (const std::string& name : numbers) {
        const bool is_half = name.find("_ci95") != std::string::npos;
        const bool differs =
            means.table.rows.size() < 2 || values_of(means.table, *column_place(means.table, name)) > 1;
        if (is_half || !differs) continue;
        const std::string own = means.repeated ? name + "_ci95" : interval_beside(name);
        means.quantities.push_back({.column = name, .half = column_place(means.table, own) ? own : ""});
    }
}

}  // namespace

const Means::Dimension* Means::find(const std::string& column) const
{
    const auto found = std::find_if(dimensions.begin(), dimensions.end(),
                                    [&column](const Dimension& each) { return each.column == column; });
    return found == dimensions.end() ? nullptr : &*found;
}

namespace {

Means means_in_layout(const StudyTest& test, const Results& whole, const PointLayout& layout)
{
    const PointRows rows(test, whole, layout);
    const std::size_t program = layout.program;
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
                {.title = test.axes[i].name, .unit = column_of(test.axes[i]).unit, .group = group_of(test, i)});
    }
    for (std::size_t i = 0; i < keys; ++i) {
        const Column& column = rows.columns()[i];
        name_by(program + i, {.title = column_title(column), .unit = column.unit, .group = program + 1 + i});
    }
    std::vector<std::size_t> numbers;
    std::vector<std::string> shown;
    for (std::size_t i = keys; i < rows.columns().size(); ++i) {
        const bool number = rows.holds_numbers(i);
        if (number) shown.push_back(rows.columns()[i].name);
        if (number || !means.repeated) numbers.push_back(program + i);
    }
    means.table = mean_table(whole, std::move(columns), names, numbers, means.repeated, layout.doubt);
    finish(means, shown);
    return means;
}

}  // namespace

Means means_of(const StudyTest& test, const Results& whole) { return means_in_layout(test, whole, layout_of(test)); }

Means means_of(const Results& table)
{
    StudyTest test{};
    test.variants.resize(1);
    return means_in_layout(test, table, PointLayout{});  // all columns are the program's
}

}  // namespace ringmesh::lab
