// SPDX-License-Identifier: Apache-2.0
#include "lab/uncertainty/bars.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "lab/uncertainty/draws.h"

namespace ringmesh::lab {
namespace {

/// Of all draws the bar leaves out this part on each side.
constexpr double kTail = 0.025;
/// An input moves a row alone if it has at least this part of the variance.
constexpr double kAlone = 0.99;

double mean_square(const std::vector<double>& changes)
{
    if (changes.empty()) return 0;
    return std::inner_product(changes.begin(), changes.end(), changes.begin(), 0.0) /
           static_cast<double>(changes.size());
}

/// Between two of the sorted values.
double quantile(const std::vector<double>& sorted, double part)
{
    const double place = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const double rest = place - static_cast<double>(below);
    return sorted[below] + rest * (sorted[std::min(below + 1, sorted.size() - 1)] - sorted[below]);
}

/// The smallest and the largest number that any run gave.
std::pair<double, double> found_between(const RowEffects& row)
{
    std::vector<double> all{row.simulated};
    for (const auto* some : {&row.seeds, &row.choices, &row.samples}) all.insert(all.end(), some->begin(), some->end());
    for (const Effect& effect : row.effects) {
        for (const auto& result : effect.results) {
            if (result) all.push_back(*result);
        }
    }
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    return {*least, *most};
}

double numerical_of(const RowEffects& row)
{
    double square = 0;
    if (!row.seeds.empty()) {
        std::vector<double> all = row.seeds;
        all.push_back(row.simulated);
        const double mean = std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
        for (const double value : all) square += (value - mean) * (value - mean) / static_cast<double>(all.size() - 1);
    }
    // Another choice of the measurement is as good as the one made: half of what lies between them, evenly
    for (const double value : row.choices) square += std::pow(value - row.simulated, 2) / 12;
    return std::sqrt(square);
}

}  // namespace

Bar bar_of(const RowEffects& row, const Analysis& analysis)
{
    Bar bar{.simulated = row.simulated, .u_num = numerical_of(row)};
    const std::size_t count = analysis.draws.empty() ? 1 : analysis.draws.front().size();
    std::vector<double> changes(count, 0);
    double variance = 0;  // over the ranges, whatever the rows leave of them
    double most = 0;
    double drawn = 0;  // of all inputs, where they were drawn
    for (const Effect& effect : row.effects) {
        const Input& input = analysis.inputs[effect.input];
        const Response response(row, effect, input);
        const double square = response.mean_square();
        variance += square;
        if (input.from == Provenance::kCalibrated) most = std::max(most, square);
        std::vector<double> own;
        own.reserve(count);
        for (const double fraction : analysis.draws[effect.input]) own.push_back(response.at(fraction));
        std::transform(own.begin(), own.end(), changes.begin(), changes.begin(), std::plus<>());
        bar.hangs_on.push_back({input.name, mean_square(own), input.from == Provenance::kCalibrated});
        drawn += bar.hangs_on.back().part;
    }
    for (Bar::Share& share : bar.hangs_on) share.part = drawn == 0 ? 0 : share.part / drawn;
    std::stable_sort(bar.hangs_on.begin(), bar.hangs_on.end(),
                     [](const Bar::Share& a, const Bar::Share& b) { return a.part > b.part; });
    const double least = kMoves * std::abs(row.simulated);
    bar.moved = std::any_of(row.effects.begin(), row.effects.end(),
                            [&](const Effect& effect) { return row.swing(effect) > least; });
    bar.entered = bar.moved && most >= kAlone * variance;
    if (!row.samples.empty()) {
        bar.sampled = true;
        changes.clear();
        changes.reserve(row.samples.size());
        for (const double value : row.samples) changes.push_back(value - row.simulated);
    }
    bar.u_input = std::sqrt(mean_square(changes));
    std::sort(changes.begin(), changes.end());
    // The numerical part has no direction: it widens both sides, in squares
    const double numerical = 2 * bar.u_num;
    bar.low = row.simulated - std::hypot(std::max(0.0, -quantile(changes, kTail)), numerical);
    bar.high = row.simulated + std::hypot(std::max(0.0, quantile(changes, 1 - kTail)), numerical);
    const auto [least_found, most_found] = found_between(row);
    if (least_found >= 0) bar.low = std::max(bar.low, 0.0);
    if (most_found <= 0) bar.high = std::min(bar.high, 0.0);
    return bar;
}

std::vector<InputSummary> summaries_of(const Analysis& analysis, const std::set<std::string>& judged)
{
    std::vector<InputSummary> all;
    all.reserve(analysis.inputs.size());
    for (const Input& input : analysis.inputs) all.push_back({.input = &input});
    for (const RowEffects& row : analysis.rows) {
        for (const Effect& effect : row.effects) {
            const double swing = row.swing(effect);
            const double part = row.simulated == 0 ? swing : swing / std::abs(row.simulated);
            if (part < kMoves) continue;
            InputSummary& summary = all[effect.input];
            ++summary.rows;
            if (judged.contains(row.id)) ++summary.judged;
            if (part <= summary.largest) continue;
            summary.largest = part;
            summary.largest_row = row.id;
        }
    }
    return all;
}

}  // namespace ringmesh::lab
