// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lab/report/means.h"
#include "lab/report/page.h"

/// Chooses charts for a table that has no charts.toml, and what is marked on them.
namespace ringmesh::lab {

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
