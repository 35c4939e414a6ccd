// SPDX-License-Identifier: Apache-2.0
#include "lab/study/point_table.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>

#include "lab/table/cells.h"
#include "lab/table/plain_text.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using workloads::Column;
using workloads::Results;

/// Of a tidy table; beside Shown's bits.
constexpr unsigned kIfVariants = 1U << 16U;
constexpr unsigned kIfRepeated = 1U << 17U;

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

/// The columns before the program's, and their cells.
class Beginning {
public:
    /// @param shown bits of the point's columns @param axes_first as in a tidy table
    Beginning(const StudyTest& test, const std::vector<Column>& behind, unsigned shown, bool axes_first)
        : test_(test), shown_(shown), axes_first_(axes_first)
    {
        for (const Axis& axis : test.axes) {
            axes_.push_back(column_of(axis));
            const auto is_same = [name = lowered(axes_.back().name)](const Column& column) {
                return lowered(column.name) == name;
            };
            if (std::any_of(behind.begin(), behind.end(), is_same)) axes_.back().name.insert(0, "axis_");
        }
    }

    std::vector<Column> columns() const
    {
        std::vector<Column> all;
        for (const AxisColumn& axis : axes_) all.push_back({axis.name, ""});
        const auto own = axes_first_ ? all.end() : all.begin();
        std::vector<Column> of_point;
        for (const auto& column : point_columns()) {
            if (column.shown & shown_) of_point.push_back({column.name, column.unit});
        }
        all.insert(own, of_point.begin(), of_point.end());
        return all;
    }

    std::vector<Cell> cells(const DonePoint& done) const
    {
        std::vector<Cell> all;
        if (axes_first_) add_axes(all, done);
        for (const auto& column : point_columns()) {
            if (column.shown & shown_) all.push_back(column.value(done));
        }
        if (!axes_first_) add_axes(all, done);
        return all;
    }

private:
    void add_axes(std::vector<Cell>& row, const DonePoint& done) const
    {
        for (std::size_t i = 0; i < axes_.size(); ++i) {
            const auto& values = test_.axes[i].values;
            const auto at = std::find(values.begin(), values.end(), done.point.axes[i]) - values.begin();
            row.push_back(axes_[i].values[static_cast<std::size_t>(at)]);
        }
    }

    const StudyTest& test_;
    std::vector<AxisColumn> axes_;
    unsigned shown_;
    bool axes_first_;
};

Results table_of(const StudyTest& test, std::span<const DonePoint> points, unsigned shown, bool axes_first)
{
    const std::vector<Column> program = columns_of_program(points);
    const Beginning beginning(test, program, shown, axes_first);
    Results all{.columns = beginning.columns(), .rows = {}, .notes = {}};
    all.columns.insert(all.columns.end(), program.begin(), program.end());
    for (const DonePoint& done : points) {
        const Results& own = done.outcome.results;
        std::vector<std::optional<std::size_t>> places;
        for (const Column& column : program) places.push_back(column_place(own, column.name));
        const std::vector<Cell> first = beginning.cells(done);
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
    return table_of(test, points, variants | repeated, true);
}

Results statistics_of_points(const StudyTest& test, std::span<const DonePoint> points)
{
    const Beginning beginning(test, columns_of_program(points), kInSql, false);
    Results all{.columns = beginning.columns(), .rows = {}, .notes = {}};
    for (const auto& column : statistic_columns()) all.columns.push_back({column.name, column.unit});
    for (const DonePoint& done : points) {
        const std::vector<Cell> first = beginning.cells(done);
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
