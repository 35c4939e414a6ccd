// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lab/sql/functions.h"
#include "lab/table/welch.h"
#include "tlm/line_fit.h"
#include "tlm/parameter_list.h"

namespace ringmesh::lab {
namespace {

using workloads::Cell;
using Rows = std::span<const std::vector<double>>;

SqlFunction aggregate(std::string name, std::vector<std::string> arguments, std::string meaning,
                      std::function<Cell(Rows)> of)
{
    return {.name = std::move(name),
            .arguments = std::move(arguments),
            .unit = "",
            .meaning = std::move(meaning),
            .source = "",
            .aggregate = std::move(of)};
}

LineFit line_of(Rows rows)
{
    std::vector<LinePoint> points;
    points.reserve(rows.size());
    for (const auto& row : rows) points.push_back({row[0], row[1]});
    return fit_line(points);
}

Sample sample_of_column(Rows rows)
{
    std::vector<double> values;
    values.reserve(rows.size());
    for (const auto& row : rows) values.push_back(row[0]);
    return sample_of(values);
}

/// A curve has one y for each x; of two, which one counts would be decided by their order.
void require_each_x_once(Rows rows)
{
    const auto same =
        std::adjacent_find(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a[0] == b[0]; });
    if (same == rows.end()) return;
    throw std::domain_error(
        fmt::format("two rows have x = {}; take one of each, as in SELECT x, mean(y) AS y ... GROUP BY x",
                    number_text((*same)[0])));
}

/// The value that a column must have in all rows.
double constant_of(Rows rows, std::size_t column, std::string_view what)
{
    const double value = rows.front()[column];
    for (const auto& row : rows) {
        if (row[column] == value) continue;
        throw std::domain_error(
            fmt::format("{} is {} in one row and {} in another; write one number for all, or GROUP "
                        "BY it",
                        what, number_text(value), number_text(row[column])));
    }
    return value;
}

/// Neighbours depend on each other: a queue that is long now is long a moment later. Means of long batches nearly do
/// not.
Cell batch_interval_of(Rows rows, double batches)
{
    if (!(batches >= 2 && batches <= 1000 && batches == std::floor(batches))) {
        throw std::domain_error("the number of batches is not a whole number from 2 to 1000");
    }
    require_each_x_once(rows);
    const auto count = static_cast<std::size_t>(batches);
    const std::size_t length = rows.size() / count;
    if (length == 0) return std::monostate();
    std::vector<double> means;
    for (Rows rest = rows.last(length * count); !rest.empty(); rest = rest.subspan(length)) {
        double sum = 0;
        for (const auto& row : rest.first(length)) sum += row[1];
        means.push_back(sum / static_cast<double>(length));
    }
    return *mean_interval(sample_of(means));
}

/// Linear between the ranks, as spreadsheets and numpy have it.
double quantile_of(Rows rows, double part)
{
    if (!(part >= 0 && part <= 1)) throw std::domain_error("the part is not from 0 to 1");
    const double place = part * static_cast<double>(rows.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, rows.size() - 1);
    return rows[below][0] + (rows[above][0] - rows[below][0]) * (place - static_cast<double>(below));
}

/// The first x, between two points by a straight line, at which a - b changes its sign.
Cell crossover_of(Rows rows)
{
    require_each_x_once(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double here = rows[i][1] - rows[i][2];
        if (here == 0) return rows[i][0];
        if (i == 0) continue;
        const double before = rows[i - 1][1] - rows[i - 1][2];
        if (before * here < 0) {
            return rows[i - 1][0] + (rows[i][0] - rows[i - 1][0]) * before / (before - here);
        }
    }
    return std::monostate();
}

/// Where y is extreme; of several the smallest x.
double place_of_extreme(Rows rows, double sign)
{
    std::size_t best = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        if (sign * rows[i][1] > sign * rows[best][1]) best = i;
    }
    return rows[best][0];
}

/// The x before the largest step of y in this direction; none if there is no such step.
Cell before_largest_step(Rows rows, double sign)
{
    require_each_x_once(rows);
    Cell place = std::monostate();
    double most = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const double step = sign * (rows[i][1] - rows[i - 1][1]);
        if (step <= most) continue;
        most = step;
        place = rows[i - 1][0];
    }
    return place;
}

/// The largest deviation of a slope between neighbours from the slope between the ends, relative to it.
double unevenness_of(Rows rows)
{
    if (rows.size() < 2) throw std::domain_error("needs two points");
    require_each_x_once(rows);
    const auto slope = [&rows](std::size_t from, std::size_t to) {
        return (rows[to][1] - rows[from][1]) / (rows[to][0] - rows[from][0]);
    };
    const double mean = slope(0, rows.size() - 1);
    double most = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) most = std::max(most, std::abs(slope(i - 1, i) / mean - 1));
    return most;
}

}  // namespace

std::vector<SqlFunction> curve_functions()
{
    return {
        aggregate("slope", {"x", "y"}, "of the least-squares line", [](Rows rows) { return line_of(rows).slope; }),
        aggregate("intercept", {"x", "y"}, "of the least-squares line, at x = 0",
                  [](Rows rows) { return line_of(rows).intercept; }),
        aggregate("largest_residual", {"x", "y"}, "largest distance in y from the least-squares line",
                  [](Rows rows) { return line_of(rows).largest_residual; }),
        aggregate("mean", {"x"}, "arithmetic mean; unlike avg() independent of the order of rows",
                  [](Rows rows) { return sample_of_column(rows).mean; }),
        aggregate("deviation", {"x"}, "standard deviation of a sample",
                  [](Rows rows) -> Cell {
                      if (rows.size() < 2) return std::monostate();
                      return std::sqrt(sample_of_column(rows).variance);
                  }),
        aggregate("ci95", {"x"}, "half the width of the 95 % interval of the mean, by Student's t; NULL for one value",
                  [](Rows rows) -> Cell {
                      const auto interval = mean_interval(sample_of_column(rows));
                      return interval ? Cell(*interval) : Cell(std::monostate());
                  }),
        aggregate("batch_ci95", {"place", "x", "batches"},
                  "the same for values that depend on their neighbours: batch means in the order of places, of as many "
                  "batches of equal length (the first values that are left over are dropped); NULL for fewer values",
                  [](Rows rows) { return batch_interval_of(rows, constant_of(rows, 2, "the number of batches")); }),
        aggregate("median", {"x"}, "the middle value, or the mean of the two in the middle",
                  [](Rows rows) { return quantile_of(rows, 0.5); }),
        aggregate("quantile", {"x", "part"}, "the value below which this part of them lies, linear between two",
                  [](Rows rows) { return quantile_of(rows, constant_of(rows, 1, "the part")); }),
        aggregate("at_least", {"x", "y"}, "the x at which y is least; of several the smallest",
                  [](Rows rows) { return place_of_extreme(rows, -1); }),
        aggregate("at_most", {"x", "y"}, "the x at which y is largest; of several the smallest",
                  [](Rows rows) { return place_of_extreme(rows, 1); }),
        aggregate("crossover", {"x", "a", "b"},
                  "the first x at which two curves meet, by straight lines between points; NULL if they do not",
                  &crossover_of),
        aggregate("drops_after", {"x", "y"}, "the x before the largest fall of y; NULL if it never falls",
                  [](Rows rows) { return before_largest_step(rows, -1); }),
        aggregate("rises_after", {"x", "y"}, "the x before the largest rise of y; NULL if it never rises",
                  [](Rows rows) { return before_largest_step(rows, 1); }),
        aggregate("unevenness", {"x", "y"},
                  "largest deviation of a slope between neighbours from that between the ends, relative to it",
                  [](Rows rows) { return unevenness_of(rows); }),
    };
}

}  // namespace ringmesh::lab
