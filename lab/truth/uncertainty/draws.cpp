// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/uncertainty/draws.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "tlm/simulation/random.h"

namespace ringmesh::lab {
namespace {

/// A fraction of a range is below 1.
constexpr double kMost = 1 - 1e-12;

/// Nothing is between choices, and of sizes and whole numbers only their ends and the value.
bool has_values_between(const Input& input) { return !input.is_choice() && !input.has_steps(); }

/// Into the range again, as a mirror at its end does.
double reflected(double fraction)
{
    fraction = std::fabs(std::fmod(fraction, 2.0));
    return std::min(fraction > 1 ? 2 - fraction : fraction, kMost);
}

/// A row that set inputs, in its own standard uncertainties.
struct Setting {
    double miss;  ///< of the model as it is
    double sigma;
    std::vector<std::optional<Response>> responses;  ///< by the number of the input among those that are moved
};

/// Draws of the inputs that move rows which set inputs.
class Population {
public:
    Population(const Draws& draws, const std::vector<Input>& inputs, const std::vector<RowEffects>& rows,
               const SettingRows& settings)
        : random_(seed_for(1, "what the calibrating rows leave"))
    {
        std::set<std::size_t> moved;
        for (const RowEffects& row : rows) {
            if (!settings.contains(row.id)) continue;
            for (const Effect& effect : row.effects) {
                if (row.swing(effect) > 0) moved.insert(effect.input);
            }
        }
        inputs_.assign(moved.begin(), moved.end());
        for (const RowEffects& row : rows) {
            const auto found = settings.find(row.id);
            if (found == settings.end() || found->second.sigma <= 0) continue;
            const double sigma = found->second.sigma;
            Setting& setting = settings_.emplace_back(Setting{found->second.error / sigma, sigma, {}});
            setting.responses.resize(inputs_.size());
            for (const Effect& effect : row.effects) {
                if (row.swing(effect) == 0) continue;
                const auto place = std::ranges::lower_bound(inputs_, effect.input) - inputs_.begin();
                setting.responses[static_cast<std::size_t>(place)].emplace(row, effect, inputs[effect.input]);
            }
        }
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            if (has_values_between(inputs[inputs_[i]])) between_.push_back(i);
        }
        for (std::size_t draw = 0; draw < draws.front().size(); ++draw) {
            Particle& particle = particles_.emplace_back();
            for (const std::size_t input : inputs_) particle.x.push_back(draws[input][draw]);
            particle.misses = misses_at(particle.x);
        }
    }

    const std::vector<std::size_t>& inputs() const { return inputs_; }
    /// Of a draw, by the number of the input among inputs().
    const std::vector<double>& draw(std::size_t number) const { return particles_[number].x; }

    void condition()
    {
        constexpr int kSweeps = 3;       // while the rows count more and more
        constexpr int kLastSweeps = 10;  // when they count in full
        if (settings_.empty()) return;
        for (double counts = 0; counts < 1;) {
            const double next = next_weight(counts);
            resample(next - counts);
            counts = next;
            for (int sweep = 0; sweep < (counts < 1 ? kSweeps : kLastSweeps); ++sweep) shake(counts);
        }
    }

private:
    struct Particle {
        std::vector<double> x;
        std::vector<double> misses;  ///< of each row, in its standard uncertainties

        /// Its logarithm of the likelihood, but for the sign.
        double misfit() const { return std::inner_product(misses.begin(), misses.end(), misses.begin(), 0.0) / 2; }
    };

    std::vector<double> misses_at(const std::vector<double>& x) const
    {
        std::vector<double> misses;
        misses.reserve(settings_.size());
        for (const Setting& setting : settings_) {
            double change = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
                if (setting.responses[i]) change += setting.responses[i]->at(x[i]);
            }
            misses.push_back(setting.miss + change / setting.sigma);
        }
        return misses;
    }

    /// How much more the rows can count before half of the draws, by their weights, would be lost.
    double next_weight(double counts) const
    {
        std::vector<double> misfits;
        for (const Particle& particle : particles_) misfits.push_back(particle.misfit());
        const double least = *std::ranges::min_element(misfits);
        const auto are_enough = [&](double next) {
            double sum = 0;
            double squares = 0;
            for (const double misfit : misfits) {
                const double weight = std::exp(-(next - counts) * (misfit - least));
                sum += weight;
                squares += weight * weight;
            }
            return sum * sum / squares >= static_cast<double>(misfits.size()) / 2;
        };
        if (are_enough(1)) return 1;
        double low = counts;
        double high = 1;
        for (int step = 0; step < 40; ++step) {
            const double middle = (low + high) / 2;
            (are_enough(middle) ? low : high) = middle;
        }
        return std::max(low, counts + 1e-9);
    }

    /// Each draw as often as its weight says.
    void resample(double more)
    {
        std::vector<double> sums;
        double sum = 0;
        const auto misfit = [](const Particle& a, const Particle& b) { return a.misfit() < b.misfit(); };
        const double least = std::ranges::min_element(particles_, misfit)->misfit();
        for (const Particle& particle : particles_) {
            sum += std::exp(-more * (particle.misfit() - least));
            sums.push_back(sum);
        }
        const double step = sum / static_cast<double>(particles_.size());
        const double first = random_.unit() * step;
        std::vector<Particle> chosen;
        chosen.reserve(particles_.size());
        std::size_t from = 0;
        for (std::size_t i = 0; i < particles_.size(); ++i) {
            while (from + 1 < sums.size() && sums[from] < first + static_cast<double>(i) * step) ++from;
            chosen.push_back(particles_[from]);
        }
        particles_ = std::move(chosen);
    }

    bool takes(double before, double after, double counts)
    {
        return random_.unit() < std::exp(counts * (before - after));
    }

    /// Each input of each draw anew, then all of them, then two.
    void shake(double counts)
    {
        for (Particle& particle : particles_) {
            for (std::size_t i = 0; i < inputs_.size(); ++i) shake_one(particle, i, counts);
            if (between_.empty()) continue;
            const double usual = 2.38 / std::sqrt(2 * static_cast<double>(between_.size()));
            shake_together(particle, between_, random_.below(10) == 0 ? 1 : usual, counts);
            const std::size_t one = between_[random_.below(between_.size())];
            const std::size_t other = between_[random_.below(between_.size())];
            if (one != other) shake_together(particle, {one, other}, random_.unit(), counts);
        }
    }

    const Particle& any() { return particles_[random_.below(particles_.size())]; }

    void shake_one(Particle& particle, std::size_t i, double counts)
    {
        const bool anywhere = random_.below(2) == 0;
        double x = random_.unit();
        if (!anywhere && std::ranges::find(between_, i) != between_.end()) {
            const double from = any().x[i];
            x = reflected(particle.x[i] + any().x[i] - from);
        }
        std::vector<double> misses = particle.misses;
        for (std::size_t row = 0; row < settings_.size(); ++row) {
            const auto& response = settings_[row].responses[i];
            if (response) misses[row] += (response->at(x) - response->at(particle.x[i])) / settings_[row].sigma;
        }
        const double before = particle.misfit();
        const double after = std::inner_product(misses.begin(), misses.end(), misses.begin(), 0.0) / 2;
        if (!takes(before, after, counts)) return;
        particle.x[i] = x;
        particle.misses = std::move(misses);
    }

    /// Along a part of the way from any draw to any other one.
    void shake_together(Particle& particle, const std::vector<std::size_t>& which, double part, double counts)
    {
        const Particle& from = any();
        const Particle& to = any();
        Particle next{particle.x, {}};
        for (const std::size_t i : which) next.x[i] = reflected(next.x[i] + part * (to.x[i] - from.x[i]));
        next.misses = misses_at(next.x);
        if (takes(particle.misfit(), next.misfit(), counts)) particle = std::move(next);
    }

    Random random_;
    std::vector<std::size_t> inputs_;   ///< among all
    std::vector<std::size_t> between_;  ///< among inputs_: those with values between
    std::vector<Setting> settings_;
    std::vector<Particle> particles_;
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
        for (std::size_t i = 0; i < others.size(); ++i) steps_.push_back(change(i).value_or(0));
        return;
    }
    range_.emplace(input);
    points_.emplace_back(*number_of(input.value), 0);
    for (std::size_t i = 0; i < others.size(); ++i) {
        if (change(i)) points_.emplace_back(*number_of(others[i]), *change(i));
    }
    std::ranges::sort(points_);
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
    return change_at(range_->at(fraction));
}

double Response::change_at(double x) const
{
    x = std::clamp(x, points_.front().first, points_.back().first);
    for (std::size_t i = 1; i < points_.size(); ++i) {
        if (x > points_[i].first) continue;
        const auto& [x0, y0] = points_[i - 1];
        const auto& [x1, y1] = points_[i];
        return y0 + (x - x0) / (x1 - x0) * (y1 - y0);
    }
    return points_.front().second;
}

double Response::mean_square() const
{
    double sum = 0;
    for (const double change : steps_) sum += change * change / static_cast<double>(steps_.size());
    for (std::size_t i = 1; i < points_.size(); ++i) {
        const auto& [x0, y0] = points_[i - 1];
        const auto& [x1, y1] = points_[i];
        sum += (x1 - x0) / range_->width() * (y0 * y0 + y0 * y1 + y1 * y1) / 3;
    }
    return sum;
}

Draws hypercube(const std::vector<Input>& inputs, std::size_t count, unsigned round)
{
    Draws draws(inputs.size(), std::vector<double>(count));
    for (std::size_t input = 0; input < inputs.size(); ++input) {
        Random random(seed_for(1 + round, inputs[input].name));
        std::vector<std::size_t> strata(count);
        std::iota(strata.begin(), strata.end(), std::size_t{0});
        for (std::size_t i = count; i > 1; --i) std::swap(strata[i - 1], strata[random.below(i)]);
        for (std::size_t i = 0; i < count; ++i) {
            draws[input][i] = (static_cast<double>(strata[i]) + random.unit()) / static_cast<double>(count);
        }
    }
    return draws;
}

std::set<std::size_t> condition(Draws& draws, const std::vector<Input>& inputs, const std::vector<RowEffects>& rows,
                                const SettingRows& settings)
{
    if (draws.empty() || draws.front().empty()) return {};
    Population population(draws, inputs, rows, settings);
    population.condition();
    const auto& moved = population.inputs();
    for (std::size_t draw = 0; draw < draws.front().size(); ++draw) {
        for (std::size_t i = 0; i < moved.size(); ++i) draws[moved[i]][draw] = population.draw(draw)[i];
    }
    return {moved.begin(), moved.end()};
}

CalibratedLines::CalibratedLines(const std::vector<const RowEffects*>& rows, const std::vector<Input>& inputs)
{
    for (const RowEffects* row : rows) {
        auto& responses = responses_.emplace_back();
        auto& lines = lines_.emplace_back();
        for (const Effect& effect : row->effects) {
            if (row->swing(effect) == 0) continue;
            const Input& input = inputs[effect.input];
            const Response& response = responses.emplace_back(effect.input, Response(*row, effect, input)).second;
            if (input.from != Provenance::kCalibrated || !has_values_between(input)) continue;
            const double slope = response.at(kMost) - response.at(0);
            if (slope != 0) lines.push_back({effect.input, slope});
        }
    }
}

std::vector<double> CalibratedLines::all_changes(const std::vector<double>& sample) const
{
    std::vector<double> all;
    for (const auto& of_row : responses_) {
        double change = 0;
        for (const auto& [input, response] : of_row) change += response.at(sample[input]);
        all.push_back(change);
    }
    return all;
}

std::vector<double> CalibratedLines::without(const std::vector<double>& changes, std::vector<double> sample) const
{
    constexpr int kSweeps = 200;
    const std::vector<double> from = sample;
    // Each row in turn, to the nearest point where it is as wanted (Kaczmarz), and back into the ranges
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        for (std::size_t row = 0; row < lines_.size(); ++row) {
            double off = changes[row];
            double squares = 0;
            for (const auto& [input, slope] : lines_[row]) {
                off += slope * (sample[input] - from[input]);
                squares += slope * slope;
            }
            if (squares == 0) continue;
            for (const auto& [input, slope] : lines_[row]) {
                sample[input] = std::clamp(sample[input] - off * slope / squares, 0.0, kMost);
            }
        }
    }
    return sample;
}

void take_over(Draws& samples, const Draws& draws, const std::set<std::size_t>& inputs, unsigned round)
{
    for (const std::size_t input : inputs) {
        const std::size_t count = samples[input].size();
        const auto& from = draws[input];
        const std::size_t step = std::max<std::size_t>(from.size() / count, 1);  // more samples: some draws twice
        for (std::size_t i = 0; i < count; ++i) samples[input][i] = from[(i * step + round * 31 % step) % from.size()];
    }
}

}  // namespace ringmesh::lab
