// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/uncertainty/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/process/standard_streams.h"
#include "lab/table/writers/text_table.h"
#include "lab/truth/uncertainty/draws.h"

namespace ringmesh::lab {
namespace {

constexpr std::size_t kDraws = 10'000;
/// Seeds of a study's repetitions are next to each other; those of another run of it lie far from them.
constexpr std::uint64_t kSeedStep = 1000;
/// Where samples miss the rows that set inputs, so many times as many are tried.
constexpr unsigned kRounds = 4;
/// Where fewer than one of so many samples meets them, calibrated inputs are set anew in the others, so many times.
constexpr std::size_t kFew = 3;
constexpr unsigned kAttempts = 4;
/// A row is straight in an input if its value lies this near to the line between the ends, in parts of their distance.
constexpr double kBend = 0.1;

std::optional<double> at(const VariedFindings& found, const std::string& id)
{
    const auto number = found.simulated.find(id);
    return number == found.simulated.end() ? std::nullopt : std::optional(number->second);
}

double relative(double change, double value) { return value == 0 ? std::abs(change) : std::abs(change / value); }

/// Thrown where other shards have not run theirs.
struct RunsAreMissing {};

class Analyst {
public:
    Analyst(VariedQuestion& question, const AnalysisRules& rules, Store& store)
        : question_(&question), rules_(rules), store_(&store)
    {}

    std::optional<Analysis> analyse()
    {
        try {
            vary_inputs();
            find_settings();
            draw();
            if (rules_.numerical) vary_seeds();
            if (rules_.numerical) vary_choices();
            if (rules_.samples > 0) sample();
        } catch (const RunsAreMissing&) {
            return std::nullopt;
        }
        return std::move(analysis_);
    }

private:
    /// Of each input a fraction of its range.
    using Sample = std::vector<double>;
    using Ids = std::set<std::string>;

    /// Of each variation what was found; adds to the runs and problems. @throws RunsAreMissing
    std::vector<VariedFindings> find(const std::vector<Variation>& variations, const Ids& tests, const Shard& shard,
                                     bool all_points = false)
    {
        VariationRules rules = rules_.variations;
        rules.shard = shard;
        rules.all_points = all_points;
        auto found = question_->find(variations, rules, *store_, tests);
        if (!found) throw RunsAreMissing();
        analysis_.runs += variations.size();
        for (VariedFindings& one : *found) {
            if (!all_points) in_parts_of_whole(one.simulated, whole_, varied_);
            if (!one.problem.empty()) analysis_.problems.push_back(one.problem);
        }
        return std::move(*found);
    }
    /// Of our share.
    std::vector<VariedFindings> find(const std::vector<Variation>& variations, const Ids& tests,
                                     bool all_points = false)
    {
        return find(variations, tests, rules_.variations.shard, all_points);
    }

    void vary_inputs()
    {
        // Every shard runs this: it tells on which tests the rows hang
        auto as_it_is = find({{.name = "as it is"}, {.name = "what varies", .varied_only = true}}, {}, Shard{});
        const Ids left_out = question_->without_own_bar();
        Ids ids;
        for (const auto& [id, value] : as_it_is[0].simulated) {
            if (left_out.contains(id) || !as_it_is[1].simulated.contains(id)) continue;
            analysis_.rows.push_back({.id = id, .simulated = value});
            ids.insert(id);
        }
        whole_ = std::move(as_it_is[0].simulated);
        varied_ = std::move(as_it_is[1].simulated);
        tests_ = question_->tests_of(ids);
        numbers_ = question_->inputs_of_tests(tests_);
        std::vector<Variation> variations;
        for (const std::size_t number : numbers_) {
            const Input& input = analysis_.inputs.emplace_back(question_->inputs()[number]);
            for (const std::string& value : input.others()) {
                variations.push_back(
                    {.name = input.name + " = " + value, .inputs = {{number, value}}, .varied_only = true});
            }
        }
        const auto found = find(variations, tests_);
        find_refused(found);
        for (RowEffects& row : analysis_.rows) {
            std::size_t next = 0;
            for (std::size_t i = 0; i < analysis_.inputs.size(); ++i) {
                Effect effect{.input = i, .results = {}};
                bool moves = false;
                const auto& refused = analysis_.inputs[i].refused;
                for (const std::string& other : analysis_.inputs[i].others()) {
                    const auto& result = effect.results.emplace_back(at(found[next++], row.id));
                    if (!result) ++row.unknown;
                    const bool is_refused = std::ranges::find(refused, other) != refused.end();
                    moves = moves || (result ? *result != row.simulated : !is_refused);
                }
                if (moves) row.effects.push_back(std::move(effect));
            }
            std::ranges::stable_sort(row.effects,
                                     [&row](const Effect& a, const Effect& b) { return row.swing(a) > row.swing(b); });
        }
    }

    /// A value is refused if all rows that it might have moved are missing.
    void find_refused(const std::vector<VariedFindings>& found)
    {
        std::size_t next = 0;
        for (Input& input : analysis_.inputs) {
            for (const std::string& other : input.others()) {
                const VariedFindings& tried = found[next++];
                bool missing = false;
                bool moves = false;
                for (const RowEffects& row : analysis_.rows) {
                    const auto value = at(tried, row.id);
                    missing = missing || !value;
                    moves = moves || (value && *value != row.simulated);
                }
                if (missing && !moves) input.refused.push_back(other);
            }
        }
    }

    /// Of the rows with a published number those that an input names as having set it.
    void find_settings()
    {
        std::map<std::string, std::vector<std::string>> sets;
        for (const Input& input : analysis_.inputs) {
            if (input.from != Provenance::kCalibrated) continue;
            bool held = false;
            for (const std::string& id : input.set_by) {
                if (row_of(id) == nullptr || !rules_.published.contains(id)) continue;
                sets[id].push_back(input.name);
                held = true;
            }
            if (!held) analysis_.unheld.push_back(input.name);
        }
        for (auto& [id, inputs] : sets) {
            settings_.emplace(id, rules_.published.at(id));
            analysis_.settings.push_back({.id = id, .met = rules_.published.at(id), .inputs = std::move(inputs)});
        }
    }

    /// Null if no row has this id.
    const RowEffects* row_of(const std::string& id) const
    {
        const auto found = std::ranges::find(analysis_.rows, id, &RowEffects::id);
        return found == analysis_.rows.end() ? nullptr : &*found;
    }

    /// Draws of all inputs, and of those that other studies have besides, as far as their rows tell something of ours.
    void draw()
    {
        std::vector<Input> inputs = analysis_.inputs;
        std::vector<RowEffects> rows = analysis_.rows;
        SettingRows settings = settings_;
        const auto place_of = [](const std::vector<Input>& all, const Input& input) {
            const auto found = std::ranges::find_if(all, [&](const Input& one) { return is_same(one, input); });
            return static_cast<std::size_t>(found - all.begin());
        };
        for (const KeptSettings& kept : rules_.elsewhere) {
            std::vector<std::string> held;
            for (const Input& input : analysis_.inputs) {
                const bool told =
                    place_of(kept.inputs, input) < kept.inputs.size() &&
                    std::ranges::any_of(input.set_by, [&kept](const std::string& id) { return kept.met.contains(id); });
                if (told && std::erase(analysis_.unheld, input.name) > 0) held.push_back(input.name);
            }
            if (held.empty()) continue;
            analysis_.held_elsewhere.emplace(kept.study, std::move(held));
            std::vector<std::size_t> places;  // of their inputs among all
            for (const Input& theirs : kept.inputs) {
                const std::size_t own = place_of(analysis_.inputs, theirs);
                const bool is_own = own < analysis_.inputs.size();
                places.push_back(is_own ? own : inputs.size());
                if (is_own) continue;
                inputs.push_back(theirs);
                inputs.back().name += " in " + kept.study;  // drawn for itself, also if we have one of this name
            }
            for (RowEffects row : kept.rows) {
                for (Effect& effect : row.effects) effect.input = places[effect.input];
                rows.push_back(std::move(row));
            }
            settings.insert(kept.met.begin(), kept.met.end());
        }
        analysis_.draws = hypercube(inputs, kDraws);
        held_ = condition(analysis_.draws, inputs, rows, settings);
        analysis_.draws.resize(analysis_.inputs.size());
        std::erase_if(held_, [this](std::size_t input) { return input >= analysis_.inputs.size(); });
    }

    /// Rows that other seeds do not move need no more of them. Of seeds all points are run, also those that the study
    /// does not vary: one of several repetitions scatters more than their mean.
    void vary_seeds()
    {
        const unsigned seeds = question_->numerical().seeds;
        if (seeds == 0) return;
        auto found = find({{.name = "other seeds", .seeds = kSeedStep}}, tests_, true);
        Ids moved;
        for (const RowEffects& row : analysis_.rows) {
            if (at(found.front(), row.id).value_or(row.simulated) != row.simulated) moved.insert(row.id);
        }
        std::vector<Variation> more;
        for (unsigned i = 2; i <= seeds && !moved.empty(); ++i) {
            more.push_back({.name = fmt::format("seeds {}", i), .seeds = i * kSeedStep});
        }
        if (!more.empty()) {
            auto others = find(more, question_->tests_of(moved), true);
            std::move(others.begin(), others.end(), std::back_inserter(found));
        }
        for (RowEffects& row : analysis_.rows) {
            for (const VariedFindings& one : found) {
                const auto value = moved.contains(row.id) ? at(one, row.id) : std::nullopt;
                if (value) row.seeds.push_back(*value);
            }
        }
    }

    /// Of each choice of the measurement the value that moves a row farthest.
    void vary_choices()
    {
        std::vector<Variation> variations;
        std::vector<std::size_t> choice_of;
        const auto& choices = question_->numerical().choices;
        for (const NumericalChoice& choice : choices) {
            for (const std::string& value : choice.values) {
                choice_of.push_back(static_cast<std::size_t>(&choice - choices.data()));
                variations.push_back({.name = fmt::format("{} of {} = {}", choice.option, choice.program, value),
                                      .program = choice.program,
                                      .option = choice.option,
                                      .value = value,
                                      .varied_only = true});
            }
        }
        if (variations.empty()) return;
        const auto found = find(variations, tests_);
        for (RowEffects& row : analysis_.rows) {
            std::map<std::size_t, double> farthest;
            for (std::size_t i = 0; i < found.size(); ++i) {
                const auto value = at(found[i], row.id);
                if (!value || *value == row.simulated) continue;
                double& so_far = farthest.emplace(choice_of[i], *value).first->second;
                if (std::abs(*value - row.simulated) > std::abs(so_far - row.simulated)) so_far = *value;
            }
            for (const auto& [choice, value] : farthest) row.choices.push_back(value);
        }
    }

    bool moves_much(const RowEffects& row, const Effect& effect) const
    {
        return relative(row.swing(effect), row.simulated) > kMovesRowMuch;
    }

    /// Whether the row follows the input in a straight line through its own value. Another choice may change how the
    /// row follows all other inputs.
    bool is_straight(const RowEffects& row, const Effect& effect) const
    {
        const Input& input = analysis_.inputs[effect.input];
        if (input.is_choice()) {
            return std::ranges::count_if(row.effects, [&](const Effect& other) { return moves_much(row, other); }) < 2;
        }
        if (effect.results.size() != 2 || !effect.results[0] || !effect.results[1]) return true;
        const double low = *number_of(input.low);
        const double high = *number_of(input.high);
        const double part = (*number_of(input.value) - low) / (high - low);
        const double line = *effect.results[0] + part * (*effect.results[1] - *effect.results[0]);
        return std::abs(row.simulated - line) <= kBend * row.swing(effect);
    }

    void sample()
    {
        Ids bent;
        std::set<std::size_t> moving = held_;  // what the calibrating rows leave holds of these together
        for (const RowEffects& row : analysis_.rows) {
            const bool straight = std::ranges::all_of(row.effects, [&](const Effect& effect) {
                return !moves_much(row, effect) || is_straight(row, effect);
            });
            if (straight) continue;
            bent.insert(row.id);
            for (const Effect& effect : row.effects) {
                if (moves_much(row, effect)) moving.insert(effect.input);
            }
        }
        if (bent.empty()) return;
        const unsigned count = rules_.samples;
        say(fmt::format(
            "{} of {} do not follow their inputs in straight lines: {} of {}{}", bent.size(),
            counted(analysis_.rows.size(), "result"), counted(count, "sample"), counted(moving.size(), "input"),
            count < kHypercubeSamples
                ? fmt::format(", between which a further one lies with {} %, not 95", 100 * (count - 1) / (count + 1))
                : ""));
        Ids setting;  // of the bent rows those that set inputs: samples may miss them
        for (const SettingResult& row : analysis_.settings) {
            if (bent.contains(row.id)) setting.insert(row.id);
        }
        std::vector<Sample> met;
        std::vector<Sample> unmet;
        for (unsigned round = 0; round < (setting.empty() ? 1 : kRounds) && met.size() < count; ++round) {
            if (setting.empty()) {
                met = samples_of(round);
            } else {
                split(samples_of(round), moving, setting, met, unmet);
                // At this rate fewer than half will meet them, and then all count
                if (2 * kRounds * met.size() < (round + 1) * count) break;
            }
        }
        analysis_.unmet = unmet.size();
        analysis_.unmet_count = 2 * met.size() < count;
        if (analysis_.unmet_count) std::move(unmet.begin(), unmet.end(), std::back_inserter(met));
        const auto found = find(variations_of(met, moving), question_->tests_of(bent));
        for (RowEffects& row : analysis_.rows) {
            for (const VariedFindings& one : found) {
                const auto value = bent.contains(row.id) ? at(one, row.id) : std::nullopt;
                if (value) row.samples.push_back(*value);
            }
        }
    }

    std::vector<Sample> samples_of(unsigned round) const
    {
        Draws draws = hypercube(analysis_.inputs, rules_.samples, round);
        take_over(draws, analysis_.draws, held_, round);
        std::vector<Sample> samples(rules_.samples);
        for (const auto& of_input : draws) {
            for (std::size_t i = 0; i < samples.size(); ++i) samples[i].push_back(of_input[i]);
        }
        return samples;
    }

    std::vector<Variation> variations_of(const std::vector<Sample>& samples, const std::set<std::size_t>& moving) const
    {
        std::vector<Variation> variations;
        for (const Sample& sample : samples) {
            Variation& variation = variations.emplace_back(
                Variation{.name = fmt::format("sample {}", variations.size() + 1), .varied_only = true});
            for (const std::size_t input : moving) {
                variation.inputs.emplace_back(numbers_[input], analysis_.inputs[input].at(sample[input]));
            }
        }
        return variations;
    }

    /// Samples by whether they meet the rows that set inputs, as simulated. Where few do, the calibrated inputs of
    /// those that do not are set anew, so that the rows are met as in the draw.
    /// @param setting ids of these rows, as far as they do not follow straight lines
    void split(std::vector<Sample> drawn, const std::set<std::size_t>& moving, const Ids& setting,
               std::vector<Sample>& met, std::vector<Sample>& unmet)
    {
        std::vector<const RowEffects*> rows;
        for (const std::string& id : setting) rows.push_back(row_of(id));
        const CalibratedLines lines(rows, analysis_.inputs);
        std::vector<std::vector<double>> wanted;  // changes of the rows, of each sample
        for (const Sample& sample : drawn) wanted.push_back(lines.all_changes(sample));
        for (SettingResult& row : analysis_.settings) row.samples += setting.contains(row.id) ? drawn.size() : 0;
        for (unsigned attempt = 0; !drawn.empty(); ++attempt) {
            const auto found = find(variations_of(drawn, moving), question_->tests_of(setting));
            std::vector<std::size_t> missing;
            for (std::size_t i = 0; i < drawn.size(); ++i) {
                if (misses(found[i], setting).empty()) {
                    met.push_back(drawn[i]);
                } else {
                    missing.push_back(i);
                }
            }
            const bool sets_anew = attempt > 0 || kFew * (drawn.size() - missing.size()) < drawn.size();
            const bool is_last = !sets_anew || attempt == kAttempts;
            std::vector<Sample> again;
            std::vector<std::vector<double>> again_wanted;
            for (const std::size_t i : missing) {
                if (is_last) {
                    for (SettingResult* row : misses(found[i], setting)) ++row->unmet;
                    unmet.push_back(drawn[i]);
                    continue;
                }
                std::vector<double> off;
                for (std::size_t row = 0; row < rows.size(); ++row) {
                    const auto value = at(found[i], rows[row]->id);
                    off.push_back(value ? *value - rows[row]->simulated - wanted[i][row] : 0);
                }
                again.push_back(lines.without(off, drawn[i]));
                again_wanted.push_back(wanted[i]);
            }
            analysis_.set_anew += attempt == 0 ? again.size() : 0;
            drawn = std::move(again);
            wanted = std::move(again_wanted);
        }
    }

    /// The rows that a sample, as simulated, does not meet or does not give.
    std::vector<SettingResult*> misses(const VariedFindings& sample, const Ids& setting)
    {
        std::vector<SettingResult*> all;
        for (SettingResult& row : analysis_.settings) {
            if (!setting.contains(row.id)) continue;
            const auto value = at(sample, row.id);
            const bool is_met = value && std::abs(row.met.error + *value - whole_.at(row.id)) <= kUnmet * row.met.sigma;
            if (!is_met) all.push_back(&row);
        }
        return all;
    }

    VariedQuestion* question_;
    AnalysisRules rules_;
    Store* store_;
    std::map<std::string, double> whole_;   ///< as it is, by id of the row
    std::map<std::string, double> varied_;  ///< likewise, without the points that the study does not vary
    Ids tests_;                             ///< on which a row hangs; the others are left as they are
    std::vector<std::size_t> numbers_;      ///< of the inputs among those of the question
    SettingRows settings_;                  ///< rows that set inputs
    std::set<std::size_t> held_;            ///< inputs that such rows tell something of
    Analysis analysis_;
};

}  // namespace

std::optional<Analysis> analyse(VariedQuestion& question, const AnalysisRules& rules, Store& store)
{
    return Analyst(question, rules, store).analyse();
}

std::optional<double> elasticity(const RowEffects& row, const Effect& effect, const Input& input)
{
    const double value = input.is_choice() ? 0 : *number_of(input.value);
    if (value == 0 || row.simulated == 0) return std::nullopt;
    const auto others = input.others();
    std::vector<std::pair<double, double>> points{{value, row.simulated}};
    for (std::size_t i = 0; i < others.size(); ++i) {
        if (!effect.results[i]) return std::nullopt;
        points.emplace_back(*number_of(others[i]), *effect.results[i]);
    }
    const auto [first, last] = std::ranges::minmax_element(points);
    return ((last->second - first->second) / row.simulated) / ((last->first - first->first) / value);
}

}  // namespace ringmesh::lab
