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

/// Nothing can be drawn between choices, and of sizes and whole numbers only their ends and the value.
bool can_follow(const Input& input) { return !input.is_choice() && !input.has_steps(); }

/// Of a normal distribution.
double normal(Random& random)
{
    return std::sqrt(-2 * std::log(1 - random.unit())) * std::cos(2 * std::numbers::pi * random.unit());
}

/// A row that set inputs: how it follows all of them, in its own standard uncertainties.
struct Setting {
    Setting(const RowEffects& row, double uncertainty, const std::vector<Input>& inputs)
        : sigma(uncertainty), random(seed_for(1, row.id)), responses(inputs.size())
    {
        for (const Effect& effect : row.effects) {
            responses[effect.input].emplace(row, effect, inputs[effect.input]);
        }
    }

    bool hangs_on(std::size_t input) const { return responses[input] && responses[input]->mean_square() > 0; }
    double slope(std::size_t input) const
    {
        return responses[input] ? (responses[input]->at(1) - responses[input]->at(0)) / sigma : 0;
    }
    double change(const std::vector<double>& draw) const
    {
        double sum = 0;
        for (std::size_t i = 0; i < responses.size(); ++i) {
            if (responses[i]) sum += responses[i]->at(draw[i]);
        }
        return sum / sigma;
    }

    double sigma;
    Random random;
    std::vector<std::optional<Response>> responses;  ///< by input
};

/// Moves calibrated inputs of one draw after another to where the rows that set them are met.
class Follower {
public:
    Follower(const std::vector<Input>& inputs, const std::vector<RowEffects>& rows,
             const std::map<std::string, double>& calibrating)
        : inputs_(&inputs), random_(seed_for(1, "whether steps are taken"))
    {
        for (const RowEffects& row : rows) {
            const auto found = calibrating.find(row.id);
            if (found != calibrating.end() && found->second > 0) settings_.emplace_back(row, found->second, inputs);
        }
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const bool is_set = std::any_of(settings_.begin(), settings_.end(),
                                            [i](const Setting& setting) { return setting.hangs_on(i); });
            if (is_set && inputs[i].from == Provenance::kCalibrated) {
                (can_follow(inputs[i]) ? followers_ : steppers_).push_back(i);
            }
        }
        for (const Setting& setting : settings_) {
            auto& row = slopes_.emplace_back();
            for (const std::size_t input : followers_) row.push_back(setting.slope(input));
        }
        if (!followers_.empty()) gain_ = gain_of(slopes_, kEvenVariance);
    }

    void follow(std::vector<double>& draw)
    {
        std::vector<double> noise;
        for (Setting& setting : settings_) noise.push_back(normal(setting.random));
        // Steps are so large that nothing makes up for them in straight lines: another value is kept as far as the rows
        // let it, all else as it is
        for (const std::size_t input : steppers_) {
            double missed = 0;
            for (const Setting& setting : settings_) {
                if (setting.responses[input])
                    missed += std::pow(setting.responses[input]->at(draw[input]) / setting.sigma, 2);
            }
            if (random_.unit() > std::exp(-missed / 2)) draw[input] = (*inputs_)[input].own_fraction();
        }
        move(draw, noise);
    }

private:
    void move(std::vector<double>& draw, const std::vector<double>& noise) const
    {
        constexpr int kSteps = 3;  // rows do not follow their inputs in straight lines quite
        const std::vector<double> drawn = draw;
        for (int step = 0; step < kSteps; ++step) {
            std::vector<double> wanted = noise;
            for (std::size_t row = 0; row < settings_.size(); ++row) {
                wanted[row] -= settings_[row].change(draw);
                for (std::size_t i = 0; i < followers_.size(); ++i) {
                    wanted[row] += slopes_[row][i] * (draw[followers_[i]] - drawn[followers_[i]]);
                }
            }
            for (std::size_t i = 0; i < followers_.size(); ++i) {
                const double way = std::inner_product(gain_[i].begin(), gain_[i].end(), wanted.begin(), 0.0);
                draw[followers_[i]] = std::clamp(drawn[followers_[i]] + way, 0.0, 1.0);
            }
        }
    }

    const std::vector<Input>* inputs_;
    Random random_;
    std::vector<Setting> settings_;
    std::vector<std::size_t> followers_;  ///< calibrated inputs with values between
    std::vector<std::size_t> steppers_;   ///< those without
    std::vector<std::vector<double>> slopes_;
    std::vector<std::vector<double>> gain_;
};

}  // namespace

Response::Response(const RowEffects& row, const Effect& effect, const Input& input)
{
    const auto others = input.others();
    const auto change = [&](std::size_t i) {
        return effect.results[i] ? std::optional(*effect.results[i] - row.simulated) : std::nullopt;
    };
    if (input.is_choice()) {
        steps_.push_back(0);
        for (std::size_t i = 0; i < others.size(); ++i) {
            if (change(i)) steps_.push_back(*change(i));
        }
        return;
    }
    const double low = *number_of(input.low);
    const double range = *number_of(input.high) - low;
    points_.emplace_back((*number_of(input.value) - low) / range, 0);
    for (std::size_t i = 0; i < others.size(); ++i) {
        if (change(i)) points_.emplace_back((*number_of(others[i]) - low) / range, *change(i));
    }
    std::sort(points_.begin(), points_.end());
    if (!input.has_steps()) return;
    steps_ = {points_.front().second, 0, points_.back().second};
    points_.clear();
}

double Response::at(double fraction) const
{
    if (!steps_.empty()) {
        const auto place = static_cast<std::size_t>(fraction * static_cast<double>(steps_.size()));
        return steps_[std::min(place, steps_.size() - 1)];
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
    for (const double change : steps_) sum += change * change / static_cast<double>(steps_.size());
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
    if (draws.empty()) return;
    Follower follower(inputs, rows, calibrating);
    for (std::size_t draw = 0; draw < draws.front().size(); ++draw) {
        std::vector<double> one;
        for (const auto& of_input : draws) one.push_back(of_input[draw]);
        follower.follow(one);
        for (std::size_t i = 0; i < one.size(); ++i) draws[i][draw] = one[i];
    }
}

}  // namespace ringmesh::lab
