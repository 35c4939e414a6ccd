// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/figure/chart.h"
#include "lab/figure/means.h"

/// Chooses charts for a table that has no charts.toml, and what is marked on them.
namespace ringmesh::lab {

struct PanelPoint {
    double x = 0;
    double y = 0;
    double half = 0;  ///< of the interval; 0 if there is none
    std::optional<double> low;
    std::optional<double> high;
    std::size_t row = 0;  ///< of the table
    bool doubted = false;
};

struct Curve {
    std::string name;  ///< values of the columns that tell curves apart, ", " between; empty: the only one
    std::vector<PanelPoint> points;  ///< by rising x
};

struct Panel {
    std::string name;  ///< likewise of those that tell panels apart
    std::vector<Curve> curves;
};

/// The column of this name. @pre the table has it
const workloads::Column& column_named(const workloads::Results& table, const std::string& name);

/// The texts of a column that is no numbers, each once; empty for one of numbers.
std::vector<std::string> category_texts(const workloads::Results& table, const std::string& column);

/// Rows without x or y are left out. A text is its place among category_texts().
std::vector<Panel> panels_of(const Chart& chart, const workloads::Results& table, const Chart::Quantity& quantity);

/// A number, or a text that is one, as SQL's printf gives it: "1,234.5", "+3.1 %".
std::optional<double> drawn_number(const workloads::Cell& cell);

/// All of a column that can be drawn.
std::vector<double> drawn_numbers(const workloads::Results& table, const std::string& column);

/// The axis of numbers with the most values is x; the variants, and what else fits, tell curves apart; what is left
/// tells panels apart. A chart for each unit of the results, times and rates first, at most three; plain numbers, such
/// as counts, only if nothing has a unit.
/// @param table id of the page's table that holds the means
std::vector<Chart> charts_of(const Means& means, const std::string& table, const std::string& title);

/// Logarithmic if the values are positive and multiply rather than add: each step about as many times the one before,
/// over a factor of 16 at least.
Scale scale_of_axis(std::vector<double> values);
/// Logarithmic if the values are positive and reach over more than two decades.
Scale scale_of_results(std::span<const double> values);

/// Of an axis of words: bars begin at zero, which a logarithmic axis has not.
ChartForm form_over_words(Scale results);

/// Marks where two curves of a panel cross (analytic::crossings), on straight lines between their common points;
/// nothing in a panel with more than kMostCrossings, and a note instead.
inline constexpr std::size_t kMostCrossings = 8;
void mark_crossings(Chart& chart, const Means& means);

/// Marks from where on each curve is saturated (analytic::SaturationRule).
/// @pre x is the load
void mark_saturation(Chart& chart, const workloads::Results& table);

}  // namespace ringmesh::lab
