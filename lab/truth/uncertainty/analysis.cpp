// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/uncertainty/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/process/standard_streams.h"
#include "lab/table/text_table.h"
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

class Analyst {
public:
    Analyst(VariedQuestion& question, const AnalysisRules& rules, Store& store)
        : question_(&question), rules_(rules), store_(&store)
    {}

    std::optional<Analysis> analyse()
    {
        if (!vary_inputs()) return std::nullopt;
        find_settings();
        draw();
        if (rules_.numerical && !vary_measurement()) return std::nullopt;
        if (rules_.samples > 0 && !sample()) return std::nullopt;
        return std::move(analysis_);
    }

private:
    /// Of each variation what was found; adds to the runs and problems.
    bool find(const std::vector<Variation>& variations, std::vector<VariedFindings>& found,
              const std::set<std::string>& tests = {}, const Shard& shard = {}, bool all_points = false)
    {
        VariationRules rules = rules_.variations;
        rules.shard = shard;
        rules.all_points = all_points;
        auto all = question_->find(variations, rules, *store_, tests);
        if (!all) return false;
        found = std::move(*all);
        for (VariedFindings& one : found) {
            if (!all_points) in_parts_of_whole(one);
        }
        analysis_.runs += variations.size();
        for (const VariedFindings& one : found) {
            if (!one.problem.empty()) analysis_.problems.push_back(one.problem);
        }
        return true;
    }

    /// What the varied points alone give, as the whole would be: changed in the same proportion.
    void in_parts_of_whole(VariedFindings& found) const
    {
        for (auto& [id, value] : found.simulated) {
            const auto whole = whole_.find(id);
            const auto part = varied_.find(id);
            if (whole == whole_.end() || part == varied_.end() || whole->second == part->second) continue;
            value = part->second == 0 ? whole->second + value : whole->second * (value / part->second);
        }
    }

    bool vary_inputs()
    {
        std::vector<VariedFindings> found;
        // Every shard runs this: it tells on which tests the rows hang
        const std::vector<Variation> as_it_is{{.name = "as it is"}, {.name = "what varies", .varied_only = true}};
        if (!find(as_it_is, found)) return false;
        const auto left_out = question_->without_own_bar();
        std::set<std::string> ids;
        for (const auto& [id, value] : found[0].simulated) {
            if (left_out.contains(id) || !found[1].simulated.contains(id)) continue;
            analysis_.rows.push_back({.id = id, .simulated = value});
            ids.insert(id);
        }
        whole_ = std::move(found[0].simulated);
        varied_ = std::move(found[1].simulated);
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
        if (!find(variations, found, tests_, rules_.variations.shard)) return false;
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
                    const bool is_refused = std::find(refused.begin(), refused.end(), other) != refused.end();
                    moves = moves || (result ? *result != row.simulated : !is_refused);
                }
                if (moves) row.effects.push_back(std::move(effect));
            }
            std::stable_sort(row.effects.begin(), row.effects.end(),
                             [&row](const Effect& a, const Effect& b) { return row.swing(a) > row.swing(b); });
        }
        return true;
    }

    /// A value is refused if all rows that it might have moved are missing.
    void find_refused(const std::vector<VariedFindings>& found)
    {
        std::size_t next = 0;
        for (Input& input : analysis_.inputs) {
            for (const std::string& other : input.others()) {
                const VariedFindings& tried = found[next++];
                std::size_t missing = 0;
                bool moves = false;
                for (const RowEffects& row : analysis_.rows) {
                    const auto value = at(tried, row.id);
                    if (!value) ++missing;
                    moves = moves || (value && *value != row.simulated);
                }
                if (missing > 0 && !moves) input.refused.push_back(other);
            }
        }
    }

    /// Of the rows with a published number those that an input names as having set it.
    void find_settings()
    {
        std::set<std::string> found;
        for (const RowEffects& row : analysis_.rows) found.insert(row.id);
        std::map<std::string, std::vector<std::string>> sets;
        for (const Input& input : analysis_.inputs) {
            if (input.from != Provenance::kCalibrated) continue;
            bool held = false;
            for (const std::string& id : input.set_by) {
                if (!found.contains(id) || !rules_.published.contains(id)) continue;
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

    /// Draws of all inputs, and of those that other studies have besides, as far as their rows tell something of ours.
    void draw()
    {
        std::vector<Input> inputs = analysis_.inputs;
        std::vector<RowEffects> rows = analysis_.rows;
        SettingRows settings = settings_;
        for (const KeptSettings& kept : rules_.elsewhere) {
            auto& held = analysis_.held_elsewhere[kept.study];
            for (const Input& input : analysis_.inputs) {
                const bool unheld =
                    std::find(analysis_.unheld.begin(), analysis_.unheld.end(), input.name) != analysis_.unheld.end();
                const bool told = std::any_of(kept.inputs.begin(), kept.inputs.end(),
                                              [&](const Input& theirs) { return is_same(input, theirs); }) &&
                                  std::any_of(input.set_by.begin(), input.set_by.end(),
                                              [&kept](const std::string& id) { return kept.met.contains(id); });
                if (unheld && told) held.push_back(input.name);
            }
            if (held.empty()) {
                analysis_.held_elsewhere.erase(kept.study);
                continue;
            }
            for (const std::string& name : held) std::erase(analysis_.unheld, name);
            std::vector<std::size_t> places;  // of their inputs among all
            for (const Input& theirs : kept.inputs) {
                const auto own = std::find_if(analysis_.inputs.begin(), analysis_.inputs.end(),
                                              [&theirs](const Input& input) { return is_same(input, theirs); });
                places.push_back(own == analysis_.inputs.end()
                                     ? inputs.size()
                                     : static_cast<std::size_t>(own - analysis_.inputs.begin()));
                if (own != analysis_.inputs.end()) continue;
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
    bool vary_measurement()
    {
        const auto& numerical = question_->numerical();
        std::vector<VariedFindings> found;
        if (numerical.seeds > 0) {
            if (!find({{.name = "other seeds", .seeds = kSeedStep}}, found, tests_, rules_.variations.shard, true)) {
                return false;
            }
            std::set<std::string> moved;
            for (RowEffects& row : analysis_.rows) {
                const auto value = at(found.front(), row.id);
                if (!value || *value == row.simulated) continue;
                moved.insert(row.id);
                row.seeds.push_back(*value);
            }
            std::vector<Variation> more;
            for (unsigned i = 2; i <= numerical.seeds && !moved.empty(); ++i) {
                more.push_back({.name = fmt::format("seeds {}", i), .seeds = i * kSeedStep});
            }
            if (!more.empty()) {
                if (!find(more, found, question_->tests_of(moved), rules_.variations.shard, true)) return false;
                for (RowEffects& row : analysis_.rows) {
                    for (const VariedFindings& one : found) {
                        const auto value = moved.contains(row.id) ? at(one, row.id) : std::nullopt;
                        if (value) row.seeds.push_back(*value);
                    }
                }
            }
        }
        std::vector<Variation> choices;
        std::vector<std::size_t> choice_of;
        for (const NumericalChoice& choice : numerical.choices) {
            for (const std::string& value : choice.values) {
                choice_of.push_back(static_cast<std::size_t>(&choice - numerical.choices.data()));
                choices.push_back({.name = fmt::format("{} of {} = {}", choice.option, choice.program, value),
                                   .program = choice.program,
                                   .option = choice.option,
                                   .value = value,
                                   .varied_only = true});
            }
        }
        if (choices.empty()) return true;
        if (!find(choices, found, tests_, rules_.variations.shard)) return false;
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
        return true;
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
            const auto others = std::count_if(row.effects.begin(), row.effects.end(),
                                              [&](const Effect& other) { return moves_much(row, other); });
            return others < 2;
        }
        if (effect.results.size() != 2 || !effect.results[0] || !effect.results[1]) return true;
        const double low = *number_of(input.low);
        const double high = *number_of(input.high);
        const double part = (*number_of(input.value) - low) / (high - low);
        const double line = *effect.results[0] + part * (*effect.results[1] - *effect.results[0]);
        return std::abs(row.simulated - line) <= kBend * row.swing(effect);
    }

    bool sample()
    {
        std::set<std::string> bent;
        std::set<std::size_t> moving;
        for (const RowEffects& row : analysis_.rows) {
            const bool straight = std::all_of(row.effects.begin(), row.effects.end(), [&](const Effect& effect) {
                return !moves_much(row, effect) || is_straight(row, effect);
            });
            if (straight) continue;
            bent.insert(row.id);
            for (const Effect& effect : row.effects) {
                if (moves_much(row, effect)) moving.insert(effect.input);
            }
        }
        if (bent.empty()) return true;
        // What the calibrating rows leave holds of all inputs that move them, together
        moving.insert(held_.begin(), held_.end());
        const unsigned count = rules_.samples;
        say(fmt::format(
            "{} of {} do not follow their inputs in straight lines: {} of {}{}", bent.size(),
            counted(analysis_.rows.size(), "result"), counted(count, "sample"), counted(moving.size(), "input"),
            count < kHypercubeSamples
                ? fmt::format(", between which a further one lies with {} %, not 95", 100 * (count - 1) / (count + 1))
                : ""));
        const bool may_miss = std::any_of(analysis_.settings.begin(), analysis_.settings.end(),
                                          [&bent](const SettingResult& row) { return bent.contains(row.id); });
        std::vector<Sample> met;
        std::vector<Sample> unmet;
        std::vector<VariedFindings> found;
        for (unsigned round = 0; round < (may_miss ? kRounds : 1) && met.size() < count; ++round) {
            std::vector<Sample> drawn = samples_of(round);
            if (may_miss && !split(std::move(drawn), moving, bent, met, unmet)) return false;
            if (!may_miss) met = std::move(drawn);
        }
        analysis_.unmet = unmet.size();
        analysis_.unmet_count = 2 * met.size() < count;
        if (analysis_.unmet_count) std::move(unmet.begin(), unmet.end(), std::back_inserter(met));
        if (!find(variations_of(met, moving), found, question_->tests_of(bent), rules_.variations.shard)) return false;
        for (RowEffects& row : analysis_.rows) {
            if (!bent.contains(row.id)) continue;
            for (const VariedFindings& one : found) {
                if (const auto value = at(one, row.id)) row.samples.push_back(*value);
            }
        }
        return true;
    }

    /// Of each input a fraction of its range.
    using Sample = std::vector<double>;

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
        variations.reserve(samples.size());
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
    /// @return false if other shards have not run theirs
    bool split(std::vector<Sample> drawn, const std::set<std::size_t>& moving, const std::set<std::string>& bent,
               std::vector<Sample>& met, std::vector<Sample>& unmet)
    {
        std::vector<const RowEffects*> rows;  // those of analysis_.settings that do not follow straight lines
        std::set<std::string> ids;
        for (const SettingResult& setting : analysis_.settings) {
            if (!bent.contains(setting.id)) continue;
            ids.insert(setting.id);
            rows.push_back(&*std::find_if(analysis_.rows.begin(), analysis_.rows.end(),
                                          [&](const RowEffects& row) { return row.id == setting.id; }));
        }
        const CalibratedLines lines(rows, analysis_.inputs);
        std::vector<std::vector<double>> wanted;  // changes of the rows, of each sample
        for (const Sample& sample : drawn) wanted.push_back(lines.all_changes(sample));
        for (SettingResult& setting : analysis_.settings) {
            if (ids.contains(setting.id)) setting.samples += drawn.size();
        }
        for (unsigned attempt = 0; !drawn.empty(); ++attempt) {
            std::vector<VariedFindings> found;
            if (!find(variations_of(drawn, moving), found, question_->tests_of(ids), rules_.variations.shard)) {
                return false;
            }
            std::vector<Sample> missing;
            std::vector<std::vector<double>> missing_wanted;
            std::vector<std::size_t> places;
            for (std::size_t i = 0; i < drawn.size(); ++i) {
                if (is_met(found[i], ids)) {
                    met.push_back(drawn[i]);
                } else {
                    places.push_back(i);
                }
            }
            const bool sets_anew = attempt > 0 || kFew * (drawn.size() - places.size()) < drawn.size();
            const bool is_last = !sets_anew || attempt == kAttempts || places.empty();
            for (const std::size_t i : places) {
                if (is_last) {
                    count_misses(found[i], ids);
                    unmet.push_back(drawn[i]);
                    continue;
                }
                std::vector<double> off;
                for (std::size_t row = 0; row < rows.size(); ++row) {
                    const auto value = at(found[i], rows[row]->id);
                    off.push_back(value ? *value - rows[row]->simulated - wanted[i][row] : 0);
                }
                missing.push_back(lines.without(off, drawn[i]));
                missing_wanted.push_back(wanted[i]);
            }
            if (is_last) break;
            analysis_.set_anew += attempt == 0 ? missing.size() : 0;
            drawn = std::move(missing);
            wanted = std::move(missing_wanted);
        }
        return true;
    }

    /// How far a sample, as simulated, is from a row that set inputs; none: it does not give it.
    std::optional<double> miss(const VariedFindings& sample, const SettingResult& setting) const
    {
        const auto value = at(sample, setting.id);
        return value ? std::optional(setting.met.error + *value - whole_.at(setting.id)) : std::nullopt;
    }

    bool is_met(const VariedFindings& sample, const SettingResult& setting) const
    {
        const auto off = miss(sample, setting);
        return off && std::abs(*off) <= kUnmet * setting.met.sigma;
    }

    bool is_met(const VariedFindings& sample, const std::set<std::string>& ids) const
    {
        return std::all_of(analysis_.settings.begin(), analysis_.settings.end(), [&](const SettingResult& setting) {
            return !ids.contains(setting.id) || is_met(sample, setting);
        });
    }

    void count_misses(const VariedFindings& sample, const std::set<std::string>& ids)
    {
        for (SettingResult& setting : analysis_.settings) {
            if (ids.contains(setting.id) && !is_met(sample, setting)) ++setting.unmet;
        }
    }

    VariedQuestion* question_;
    AnalysisRules rules_;
    Store* store_;
    std::map<std::string, double> whole_;   ///< as it is, by id of the row
    std::map<std::string, double> varied_;  ///< likewise, without the points that the study does not vary
    std::set<std::string> tests_;           ///< on which a row hangs; the others are left as they are
    std::vector<std::size_t> numbers_;      ///< of the inputs among those of the question
    SettingRows settings_;                  ///< rows that set inputs
    std::set<std::size_t> held_;            ///< inputs that such rows tell something of
    Analysis analysis_;
};

}  // namespace

double RowEffects::swing(const Effect& effect) const
{
    double low = simulated;
    double high = simulated;
    for (const auto& result : effect.results) {
        if (!result) continue;
        low = std::min(low, *result);
        high = std::max(high, *result);
    }
    return high - low;
}

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
    const auto [first, last] = std::minmax_element(points.begin(), points.end());
    return ((last->second - first->second) / row.simulated) / ((last->first - first->first) / value);
}

}  // namespace ringmesh::lab
