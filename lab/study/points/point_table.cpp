// SPDX-License-Identifier: Apache-2.0
#include "lab/study/points/point_table.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <variant>

#include "lab/table/writers/cells.h"
#include "lab/table/writers/plain_text.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Column;
using workloads::Results;

/// Of a tidy table; beside Shown's bits.
constexpr unsigned kIfVariants = 1U << 16U;
constexpr unsigned kIfRepeated = 1U << 17U;
constexpr unsigned kIfDoubted = 1U << 18U;

const std::vector<ListedColumn<StatisticRow>>& statistic_columns()
{
    static const std::vector<ListedColumn<StatisticRow>> columns{
        {.name = "modules", .title = {}, .value = [](const auto& row) { return row.blocks; }},
        {.name = "name", .title = {}, .value = [](const auto& row) { return row.name; }},
        {.name = "unit", .title = {}, .value = [](const auto& row) { return row.unit; }},
        {.name = "count", .title = {}, .value = [](const auto& row) { return unsigned_cell(row.count); }},
        {.name = "mean", .title = {}, .value = [](const auto& row) { return row.mean; }},
        {.name = "minimum", .title = {}, .value = [](const auto& row) { return row.minimum; }},
        {.name = "maximum", .title = {}, .value = [](const auto& row) { return row.maximum; }},
    };
    return columns;
}

/// Those of all points, in the order in which they first come.
std::vector<Column> columns_of_program(std::span<const DonePoint> points)
{
    Results all;
    for (const DonePoint& done : points) {
        for (const Column& column : done.outcome.results.columns) {
            if (!column_place(all, column.name)) all.columns.push_back(column);
        }
    }
    return all.columns;
}

using PointColumns = std::vector<ListedColumn<DonePoint>>;

/// The columns before the program's: what is known of a point, and its values on the axes.
/// @param behind columns of the program @param shown bits of the point's columns @param axes_first as in a tidy table
PointColumns beginning_of(const StudyTest& test, const std::vector<Column>& behind, unsigned shown, bool axes_first)
{
    PointColumns all;
    std::copy_if(point_columns().begin(), point_columns().end(), std::back_inserter(all),
                 [shown](const auto& column) { return (column.shown & shown) != 0; });
    const auto first = axes_first ? 0 : static_cast<std::ptrdiff_t>(all.size());
    for (std::size_t i = 0; i < test.axes.size(); ++i) {
        AxisColumn axis = column_of(test.axes[i]);
        const bool taken = std::any_of(behind.begin(), behind.end(), [name = lowered(axis.name)](const Column& column) {
            return lowered(column.name) == name;
        });
        if (taken) axis.name.insert(0, "axis_");
        const auto value = [&values = test.axes[i].values, cells = std::move(axis.values), i](const DonePoint& done) {
            const auto at = std::find(values.begin(), values.end(), done.point.axes[i]) - values.begin();
            return cells[static_cast<std::size_t>(at)];
        };
        all.insert(all.begin() + first + static_cast<std::ptrdiff_t>(i),
                   {.name = axis.name, .title = {}, .value = value, .unit = axis.unit});
    }
    return all;
}

/// A table with these columns, then others, without rows.
Results empty_table(const PointColumns& beginning, std::vector<Column> others)
{
    Results all;
    for (const auto& column : beginning) all.columns.push_back({column.name, column.unit});
    all.columns.insert(all.columns.end(), others.begin(), others.end());
    return all;
}

std::vector<Cell> cells_of(const PointColumns& columns, const DonePoint& done)
{
    std::vector<Cell> cells;
    for (const auto& column : columns) cells.push_back(column.value(done));
    return cells;
}

Results table_of(const StudyTest& test, std::span<const DonePoint> points, unsigned shown, bool axes_first)
{
    const std::vector<Column> program = columns_of_program(points);
    const PointColumns beginning = beginning_of(test, program, shown, axes_first);
    Results all = empty_table(beginning, program);
    for (const DonePoint& done : points) {
        const Results& own = done.outcome.results;
        std::vector<std::optional<std::size_t>> places;
        for (const Column& column : program) places.push_back(column_place(own, column.name));
        const std::vector<Cell> first = cells_of(beginning, done);
        for (const auto& cells : own.rows) {
            auto& row = all.rows.emplace_back(first);
            for (const auto& place : places) row.push_back(place ? cells[*place] : Cell(std::monostate()));
        }
    }
    return all;
}

}  // namespace

const std::vector<ListedColumn<DonePoint>>& point_columns()
{
    static const std::vector<ListedColumn<DonePoint>> columns{
        {.name = "point",
         .title = {},
         .value = [](const DonePoint& done) { return done.granted.key; },
         .shown = kInSql},
        {.name = "variant",
         .title = {},
         .value = [](const DonePoint& done) { return done.point.variant; },
         .shown = kInSql | kIfVariants},
        {.name = "repetition",
         .title = {},
         .value = [](const DonePoint& done) { return unsigned_cell(done.point.repetition); },
         .shown = kInSql | kIfRepeated},
        {.name = "seed",
         .title = {},
         .value = [](const DonePoint& done) { return unsigned_cell(done.point.wish.request.seed); },
         .shown = kInSql | kIfRepeated},
        {.name = "doubt",
         .title = {},
         .value = [](const DonePoint& done) { return cell_of(done.outcome.results.doubt); },
         .shown = kInSql | kIfDoubted},
    };
    return columns;
}

PointLayout layout_of(const StudyTest& test)
{
    const auto& columns = point_columns();
    const auto place = [&columns](std::string_view name) {
        const auto found =
            std::find_if(columns.begin(), columns.end(), [name](const auto& column) { return column.name == name; });
        return static_cast<std::size_t>(found - columns.begin());
    };
    return {.key = place("point"),
            .variant = place("variant"),
            .doubt = place("doubt"),
            .axes = columns.size(),
            .program = columns.size() + test.axes.size()};
}

Results whole_points(const StudyTest& test, std::span<const DonePoint> points)
{
    return table_of(test, points, kInSql, false);
}

Results tidy_points(const StudyTest& test, std::span<const DonePoint> points)
{
    const unsigned variants = test.variants.size() > 1 ? kIfVariants : 0;
    const unsigned repeated = test.repeat > 1 ? kIfRepeated : 0;
    const bool any_doubt =
        std::any_of(points.begin(), points.end(), [](const auto& done) { return !done.outcome.results.doubt.empty(); });
    const unsigned doubted = any_doubt ? kIfDoubted : 0;
    return table_of(test, points, variants | repeated | doubted, true);
}

Results statistics_of_points(const StudyTest& test, std::span<const DonePoint> points)
{
    const PointColumns beginning = beginning_of(test, columns_of_program(points), kInSql, false);
    std::vector<Column> others;
    for (const auto& column : statistic_columns()) others.push_back({column.name, column.unit});
    Results all = empty_table(beginning, others);
    for (const DonePoint& done : points) {
        const std::vector<Cell> first = cells_of(beginning, done);
        for (const StatisticRow& statistic : done.outcome.statistics) {
            auto& row = all.rows.emplace_back(first);
            for (const auto& column : statistic_columns()) row.push_back(column.value(statistic));
        }
    }
    return all;
}

std::vector<std::string> own_column_names()
{
    std::vector<std::string> names;
    for (const auto& column : point_columns()) names.push_back(column.name);
    for (const auto& column : statistic_columns()) names.push_back(column.name);
    return names;
}

}  // namespace ringmesh::lab
