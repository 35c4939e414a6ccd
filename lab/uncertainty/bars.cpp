// SPDX-License-Identifier: Apache-2.0
#include "lab/uncertainty/bars.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tlm/random.h"

namespace ringmesh::lab {
namespace {

constexpr std::size_t kDraws = 10'000;
/// Of all draws the bar leaves out this part on each side.
constexpr double kTail = 0.025;
/// An input moves a row alone if it has at least this part of the variance.
constexpr double kAlone = 0.99;

/// What an input adds to a row, over its range.
class Response {
public:
    Response(const RowEffects& row, const Effect& effect, const Input& input)
    {
        const auto others = input.others();
        points_.emplace_back(input.is_choice() ? 0 : *number_of(input.value), 0);
        for (std::size_t i = 0; i < others.size(); ++i) {
            if (!effect.results[i]) continue;
            points_.emplace_back(input.is_choice() ? 0 : *number_of(others[i]), *effect.results[i] - row.simulated);
        }
        if (input.is_choice()) return;
        std::sort(points_.begin(), points_.end());
        low_ = *number_of(input.low);
        high_ = *number_of(input.high);
    }

    double at(double fraction) const
    {
        if (low_ == high_) {
            const auto place = static_cast<std::size_t>(fraction * static_cast<double>(points_.size()));
            return points_[std::min(place, points_.size() - 1)].second;
        }
        const double x = low_ + fraction * (high_ - low_);
        for (std::size_t i = 1; i < points_.size(); ++i) {
            if (x > points_[i].first && i + 1 < points_.size()) continue;
            const auto& [x0, y0] = points_[i - 1];
            const auto& [x1, y1] = points_[i];
            return y0 + (x - x0) / (x1 - x0) * (y1 - y0);
        }
        return 0;
    }

private:
    std::vector<std::pair<double, double>> points_;
    double low_ = 0;
    double high_ = 0;
};

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

Bar bar_of(const RowEffects& row, const std::vector<Input>& inputs)
{
    Bar bar{.simulated = row.simulated, .u_num = numerical_of(row)};
    std::vector<double> changes(kDraws, 0);
    double variance = 0;
    for (const Effect& effect : row.effects) {
        const Input& input = inputs[effect.input];
        const Response response(row, effect, input);
        Random random(seed_for(1, input.name));
        std::vector<double> own(kDraws);
        for (std::size_t i = 0; i < kDraws; ++i) {
            own[i] = response.at(random.unit());
            changes[i] += own[i];
        }
        const double square = mean_square(own);
        variance += square;
        bar.hangs_on.push_back({input.name, square, input.from == Provenance::kCalibrated});
    }
    std::sort(bar.hangs_on.begin(), bar.hangs_on.end(),
              [](const Bar::Share& a, const Bar::Share& b) { return a.part > b.part; });
    for (Bar::Share& share : bar.hangs_on) share.part = variance == 0 ? 0 : share.part / variance;
    const double least = kMoves * std::abs(row.simulated);
    bar.moved = std::any_of(row.effects.begin(), row.effects.end(),
                            [&](const Effect& effect) { return row.swing(effect) > least; });
    bar.entered = bar.moved && bar.hangs_on.front().calibrated && bar.hangs_on.front().part >= kAlone;
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
