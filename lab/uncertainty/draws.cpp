// SPDX-License-Identifier: Apache-2.0
#include "lab/uncertainty/draws.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "lab/calibration/least_squares.h"
#include "tlm/random.h"

namespace ringmesh::lab {
namespace {

/// Of a number that is anywhere between 0 and 1.
constexpr double kEvenVariance = 1.0 / 12;

/// Sizes and whole numbers are tried at their ends alone, and nothing can be drawn between choices.
bool can_follow(const Input& input)
{
    return input.from == Provenance::kCalibrated && !input.is_choice() && input.kind != "size" &&
           input.kind != "integer";
}

/// Of a normal distribution.
double normal(Random& random)
{
    return std::sqrt(-2 * std::log(1 - random.unit())) * std::cos(2 * std::numbers::pi * random.unit());
}

/// A row that set inputs: how it follows all of them, in its own standard uncertainties.
struct Setting {
    Setting(const RowEffects& row, double uncertainty, const std::vector<Input>& inputs)
        : sigma(uncertainty), noise(seed_for(1, row.id)), responses(inputs.size())
    {
        for (const Effect& effect : row.effects) {
            responses[effect.input].emplace(row, effect, inputs[effect.input]);
        }
    }

    double slope(std::size_t input) const
    {
        return responses[input] ? (responses[input]->at(1) - responses[input]->at(0)) / sigma : 0;
    }

    double change(const Draws& draws, std::size_t draw) const
    {
        double sum = 0;
        for (std::size_t i = 0; i < responses.size(); ++i) {
            if (responses[i]) sum += responses[i]->at(draws[i][draw]);
        }
        return sum / sigma;
    }

    double sigma;
    Random noise;
    std::vector<std::optional<Response>> responses;  ///< by input
};

}  // namespace

Response::Response(const RowEffects& row, const Effect& effect, const Input& input) : choice_(input.is_choice())
{
    const double low = choice_ ? 0 : *number_of(input.low);
    const double range = choice_ ? 0 : *number_of(input.high) - low;
    const auto place = [&](const std::string& value) { return choice_ ? 0 : (*number_of(value) - low) / range; };
    const auto others = input.others();
    points_.emplace_back(place(input.value), 0);
    for (std::size_t i = 0; i < others.size(); ++i) {
        if (effect.results[i]) points_.emplace_back(place(others[i]), *effect.results[i] - row.simulated);
    }
    if (!choice_) std::sort(points_.begin(), points_.end());
}

double Response::at(double fraction) const
{
    if (choice_) {
        const auto place = static_cast<std::size_t>(fraction * static_cast<double>(points_.size()));
        return points_[std::min(place, points_.size() - 1)].second;
    }
    for (std::size_t i = 1; i < points_.size(); ++i) {
        if (fraction > points_[i].first && i + 1 < points_.size()) continue;
        const auto& [x0, y0] = points_[i - 1];
        const auto& [x1, y1] = points_[i];
        return y0 + (fraction - x0) / (x1 - x0) * (y1 - y0);
    }
    return 0;
}

double Response::mean_square() const
{
    double sum = 0;
    if (choice_) {
        for (const auto& point : points_) sum += point.second * point.second;
        return sum / static_cast<double>(points_.size());
    }
    for (std::size_t i = 1; i < points_.size(); ++i) {
        const auto& [x0, y0] = points_[i - 1];
        const auto& [x1, y1] = points_[i];
        sum += (x1 - x0) * (y0 * y0 + y0 * y1 + y1 * y1) / 3;
    }
    return sum;
}

Draws even_draws(const std::vector<Input>& inputs, std::size_t count)
{
    Draws draws(inputs.size(), std::vector<double>(count));
    for (std::size_t input = 0; input < inputs.size(); ++input) {
        Random random(seed_for(1, inputs[input].name));
        for (double& fraction : draws[input]) fraction = random.unit();
    }
    return draws;
}

Draws hypercube(const std::vector<Input>& inputs, std::size_t count)
{
    Draws draws(inputs.size(), std::vector<double>(count));
    for (std::size_t input = 0; input < inputs.size(); ++input) {
        Random random(seed_for(1, inputs[input].name));
        std::vector<std::size_t> strata(count);
        std::iota(strata.begin(), strata.end(), std::size_t{0});
        for (std::size_t i = count; i > 1; --i) std::swap(strata[i - 1], strata[random.below(i)]);
        for (std::size_t i = 0; i < count; ++i) {
            draws[input][i] = (static_cast<double>(strata[i]) + random.unit()) / static_cast<double>(count);
        }
    }
    return draws;
}

void follow_rows(Draws& draws, const std::vector<Input>& inputs, const std::vector<RowEffects>& rows,
                 const std::map<std::string, double>& calibrating)
{
    // Rows do not follow their inputs in straight lines quite: three steps come to rest
    constexpr int kSteps = 3;
    std::vector<Setting> settings;
    for (const RowEffects& row : rows) {
        const auto found = calibrating.find(row.id);
        if (found != calibrating.end() && found->second > 0) settings.emplace_back(row, found->second, inputs);
    }
    std::vector<std::size_t> followers;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const bool is_set = std::any_of(settings.begin(), settings.end(),
                                        [i](const Setting& setting) { return setting.slope(i) != 0; });
        if (can_follow(inputs[i]) && is_set) followers.push_back(i);
    }
    if (followers.empty()) return;
    std::vector<std::vector<double>> slopes;
    for (const Setting& setting : settings) {
        auto& row = slopes.emplace_back();
        for (const std::size_t input : followers) row.push_back(setting.slope(input));
    }
    const auto gain = gain_of(slopes, kEvenVariance);
    for (std::size_t draw = 0; draw < draws.front().size(); ++draw) {
        std::vector<double> drawn;
        std::vector<double> noise;
        for (const std::size_t input : followers) drawn.push_back(draws[input][draw]);
        for (Setting& setting : settings) noise.push_back(normal(setting.noise));
        for (int step = 0; step < kSteps; ++step) {
            std::vector<double> wanted = noise;
            for (std::size_t row = 0; row < settings.size(); ++row) {
                wanted[row] -= settings[row].change(draws, draw);
                for (std::size_t i = 0; i < followers.size(); ++i) {
                    wanted[row] += slopes[row][i] * (draws[followers[i]][draw] - drawn[i]);
                }
            }
            for (std::size_t i = 0; i < followers.size(); ++i) {
                const double way = std::inner_product(gain[i].begin(), gain[i].end(), wanted.begin(), 0.0);
                draws[followers[i]][draw] = std::clamp(drawn[i] + way, 0.0, 1.0);
            }
        }
    }
}

}  // namespace ringmesh::lab
