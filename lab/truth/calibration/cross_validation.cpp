// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/calibration/cross_validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "lab/store/point.h"
#include "lab/truth/calibration/calibration.h"
#include "lab/truth/inputs/least_squares.h"
#include "lab/truth/uncertainty/bar_file.h"
#include "lab/truth/uncertainty/draws.h"

namespace ringmesh::lab {
namespace {

/// What a model is off besides what the source leaves open, in parts of the number.
constexpr double kModelError = 0.05;
/// An input sets a row if it moves it by this part over its range.
constexpr double kSets = 0.01;
/// Times that the lines are moved to what is simulated.
constexpr int kMoves = 1;
/// A slope is taken over this part of the range.
constexpr double kSlopeStep = 1e-4;

/// Linear beyond one standard deviation: few rows that the model misses by far do not decide.
double with_soft_loss(double residual)
{
    return std::copysign(std::sqrt(2 * (std::sqrt(1 + residual * residual) - 1)), residual);
}

/// Without the value that tells inputs of one name apart.
std::string bare_name(const Input& input) { return input.name.substr(0, input.name.find(" = ")); }

class CrossValidator {
public:
    CrossValidator(VariedStudy& study, const Report& report, const StoreOptions& options, Store& store)
        : study_(&study), report_(&report), options_(options), store_(&store)
    {}

    CrossValidation found()
    {
        choose_tables();
        find_lines();
        for (Table& table : tables_) {
            choose_rows(table);
            choose_choices(table);
        }
        for (int move = 0; move <= kMoves; ++move) {
            for (Table& table : tables_) fit(table);
            simulate();
        }
        for (Table& table : tables_) describe(table);
        return std::move(made_);
    }

private:
    using Numbers = std::map<std::string, double>;  ///< by id
    using Vector = std::vector<double>;

    struct Fitted {
        const Row* row;
        double sigma;
        double shift = 0;  ///< of what is simulated from the lines
    };
    struct Choice {
        std::size_t input;
        std::string value;
        bool is_set = false;
    };
    struct Table {
        std::string name;
        std::set<std::string> evidence;
        std::vector<std::size_t> inputs;  ///< that its rows set and that have a range
        std::vector<Choice> choices;      ///< without one: choices, sizes and whole numbers
        std::vector<Fitted> fitted = {};
        std::vector<bool> is_set = {};  ///< of the inputs: a fitted row follows it
        Vector x = {};
        Numbers simulated = {};  ///< at x
    };

    void choose_tables()
    {
        for (const Row& row : report_->rows) {
            if (!is_compared(row)) continue;
            auto table = std::ranges::find(tables_, row.section, &Table::name);
            if (table == tables_.end()) {
                tables_.push_back({.name = row.section, .evidence = {}, .inputs = {}, .choices = {}});
                table = tables_.end() - 1;
            }
            table->evidence.insert(evidence_of(row, *report_));
        }
        const auto& inputs = study_->inputs();
        for (Table& table : tables_) {
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                if (inputs[i].from != Provenance::kCalibrated) continue;
                const bool is_its = std::ranges::any_of(inputs[i].set_by, [&](const std::string& id) {
                    const Row* row = report_->find(id);
                    return row != nullptr && table.evidence.contains(evidence_of(*row, *report_));
                });
                if (!is_its) continue;
                if (inputs[i].is_choice() || inputs[i].has_steps()) {
                    table.choices.push_back({i, inputs[i].value});
                    tried_.try_emplace(i);
                } else {
                    table.inputs.push_back(i);
                    lines_.try_emplace(i);
                }
            }
        }
        std::erase_if(tables_, [](const Table& table) { return table.inputs.empty() && table.choices.empty(); });
    }

    std::vector<Numbers> find(const std::vector<Variation>& variations)
    {
        auto found = study_->find(variations, {.store = options_, .quiet = true}, *store_, tests_);
        made_.runs += variations.size();
        std::vector<Numbers> all;
        for (VariedFindings& each : *found) {
            if (!each.problem.empty()) made_.problems.push_back(each.problem);
            all.push_back(std::move(each.simulated));
        }
        return all;
    }

    void find_lines()
    {
        auto as_it_is = find({{.name = "as it is"}, {.name = "what varies", .varied_only = true}});
        whole_ = std::move(as_it_is[0]);
        varied_ = std::move(as_it_is[1]);
        std::set<std::string> ids;
        for (const Row& row : report_->rows) {
            if (is_compared(row) && varied_.contains(row.id)) ids.insert(row.id);
        }
        tests_ = study_->tests_of(ids);
        std::vector<std::size_t> inputs;
        for (const auto& [number, lines] : lines_) inputs.push_back(number);
        for (const auto& [number, numbers] : tried_) inputs.push_back(number);
        std::vector<Variation> variations;
        for (const std::size_t number : inputs) {
            const Input& input = study_->inputs()[number];
            for (const std::string& value : input.others()) {
                variations.push_back(
                    {.name = input.name + " = " + value, .inputs = {{number, value}}, .varied_only = true});
            }
        }
        if (variations.empty()) return;
        auto found = find(variations);
        auto next = found.begin();
        for (const std::size_t number : inputs) {
            const Input& input = study_->inputs()[number];
            std::vector<Numbers> tried;
            for (std::size_t i = 0; i < input.others().size(); ++i) {
                in_parts_of_whole(*next, whole_, varied_);
                tried.push_back(std::move(*next++));
            }
            if (lines_.contains(number)) {
                add_lines(number, tried);
                continue;
            }
            tried_.at(number).emplace(input.value, whole_);
            for (std::size_t i = 0; i < tried.size(); ++i) {
                tried_.at(number).emplace(input.others()[i], std::move(tried[i]));
            }
        }
    }

    /// How each row follows an input. @param tried what is at its other values
    void add_lines(std::size_t number, const std::vector<Numbers>& tried)
    {
        for (const Row& row : report_->rows) {
            if (!is_compared(row)) continue;
            Effect effect{.input = number, .results = {}};
            for (const Numbers& numbers : tried) {
                const auto found = numbers.find(row.id);
                effect.results.push_back(found == numbers.end() ? std::nullopt : std::optional(found->second));
            }
            const RowEffects of_row{.id = row.id, .simulated = *row.simulated};
            lines_.at(number).emplace(row.id, Response(of_row, effect, study_->inputs()[number]));
        }
    }

    /// What another value of a choice changes.
    double change(std::size_t input, const std::string& value, const Row& row) const
    {
        const Numbers& numbers = tried_.at(input).at(value);
        const auto number = numbers.find(row.id);
        return number == numbers.end() ? 0 : number->second - *row.simulated;
    }

    /// Over the range, in parts of the row.
    double swing(std::size_t input, const Row& row) const
    {
        const Response& line = lines_.at(input).at(row.id);
        const Range range(study_->inputs()[input]);
        return std::abs(line.change_at(range.low() + range.width()) - line.change_at(range.low())) /
               std::abs(*row.published);
    }

    bool chooses(std::size_t input, const std::string& value, const Row& row) const
    {
        return std::abs(change(input, value, row)) >= kSets * std::abs(*row.published);
    }

    /// Whether a choice that no other table tells moves the row.
    bool hangs_on_choice(const Table& table, const Row& row) const
    {
        return std::ranges::any_of(table.choices, [&](const Choice& choice) {
            return !choice.is_set && std::ranges::any_of(tried_.at(choice.input), [&](const auto& tried) {
                return chooses(choice.input, tried.first, row);
            });
        });
    }

    void choose_rows(Table& table)
    {
        table.is_set.assign(table.inputs.size(), false);
        for (const Row& row : report_->rows) {
            if (row.counted != Counted::kOwn || !is_compared(row) || is_bound(row) || *row.published == 0) continue;
            if (table.evidence.contains(evidence_of(row, *report_))) continue;
            bool sets = false;
            for (std::size_t i = 0; i < table.inputs.size(); ++i) {
                if (swing(table.inputs[i], row) < kSets) continue;
                table.is_set[i] = true;
                sets = true;
            }
            for (Choice& choice : table.choices) {
                for (const auto& [value, numbers] : tried_.at(choice.input)) {
                    if (!chooses(choice.input, value, row)) continue;
                    choice.is_set = true;
                    sets = true;
                }
            }
            if (sets) {
                table.fitted.push_back(
                    {&row, std::hypot(data_uncertainty(row), kModelError * std::abs(*row.published))});
            }
        }
    }

    /// Each by itself, the one with the least sum of losses; all else as it is.
    void choose_choices(Table& table) const
    {
        for (Choice& choice : table.choices) {
            double least = std::numeric_limits<double>::infinity();
            std::string best = choice.value;
            for (const auto& [value, numbers] : tried_.at(choice.input)) {
                double sum = 0;
                for (const Fitted& fitted : table.fitted) {
                    const double number = *fitted.row->simulated + change(choice.input, value, *fitted.row);
                    sum += std::pow(with_soft_loss((number - middle_of_published(*fitted.row)) / fitted.sigma), 2);
                }
                if (sum >= least) continue;
                least = sum;
                best = value;
            }
            if (choice.is_set) choice.value = best;
        }
    }

    double predicted(const Table& table, const Fitted& fitted, const Vector& x) const
    {
        double number = *fitted.row->simulated + fitted.shift;
        for (const Choice& choice : table.choices) number += change(choice.input, choice.value, *fitted.row);
        for (std::size_t i = 0; i < x.size(); ++i) {
            number += lines_.at(table.inputs[i]).at(fitted.row->id).change_at(x[i]);
        }
        return number;
    }

    void fit(Table& table) const
    {
        if (table.inputs.empty()) return;
        Vector low;
        Vector high;
        Vector middle;
        for (const std::size_t input : table.inputs) {
            const Allowed allowed(study_->inputs()[input]);
            low.push_back(allowed.low);
            high.push_back(allowed.high);
            middle.push_back((allowed.low + allowed.high) / 2);
        }
        const auto residuals = [&](const Vector& x) {
            Vector all;
            for (const Fitted& fitted : table.fitted) {
                all.push_back(
                    with_soft_loss((predicted(table, fitted, x) - middle_of_published(*fitted.row)) / fitted.sigma));
            }
            for (std::size_t i = 0; i < x.size(); ++i) {
                all.push_back((x[i] - middle[i]) / ((high[i] - low[i]) / std::sqrt(12.0)));
            }
            return std::optional(all);
        };
        const auto slopes = [&](const Vector& x) {
            const Vector here = *residuals(x);
            std::vector<Vector> rows(here.size(), Vector(x.size()));
            for (std::size_t i = 0; i < x.size(); ++i) {
                Vector there = x;
                const double step = (x[i] > middle[i] ? -kSlopeStep : kSlopeStep) * (high[i] - low[i]);
                there[i] += step;
                const Vector beside = *residuals(there);
                for (std::size_t row = 0; row < here.size(); ++row) rows[row][i] = (beside[row] - here[row]) / step;
            }
            return std::optional(rows);
        };
        table.x = least_squares(middle, low, high, residuals, slopes).x;
        for (std::size_t i = 0; i < table.x.size(); ++i) {
            const Allowed allowed(study_->inputs()[table.inputs[i]]);
            table.x[i] = allowed.clamped(allowed.rounded(table.is_set[i] ? table.x[i] : middle[i]));
        }
    }

    /// All tables at once, and how far the lines are off there.
    void simulate()
    {
        std::vector<Variation> variations;
        for (const Table& table : tables_) {
            Variation& variation =
                variations.emplace_back(Variation{.name = "without " + table.name, .varied_only = true});
            for (std::size_t i = 0; i < table.x.size(); ++i) {
                const Input& input = study_->inputs()[table.inputs[i]];
                const std::string text = quantity_text(input, table.x[i]);
                if (number_of(text) != number_of(input.value)) variation.inputs.emplace_back(table.inputs[i], text);
            }
        }
        for (std::size_t i = 0; i < tables_.size(); ++i) {
            for (const Choice& choice : tables_[i].choices) {
                if (choice.value == study_->inputs()[choice.input].value) continue;
                variations[i].inputs.emplace_back(choice.input, choice.value);
            }
        }
        if (variations.empty()) return;
        auto found = find(variations);
        for (std::size_t i = 0; i < tables_.size(); ++i) {
            Table& table = tables_[i];
            in_parts_of_whole(found[i], whole_, varied_);
            table.simulated = std::move(found[i]);
            for (Fitted& fitted : table.fitted) {
                const auto number = table.simulated.find(fitted.row->id);
                if (number != table.simulated.end()) fitted.shift += number->second - predicted(table, fitted, table.x);
            }
        }
    }

    /// Of a row that the study does not vary, as the row whose bar it takes changes.
    std::optional<double> simulated(const Table& table, const Row& row) const
    {
        const auto own = table.simulated.find(row.id);
        if (own != table.simulated.end()) return own->second;
        const auto other = table.simulated.find(row.bar_as);
        const auto was = whole_.find(row.bar_as);
        if (other == table.simulated.end() || was == whole_.end() || was->second == 0) return std::nullopt;
        return *row.simulated * (other->second / was->second);
    }

    void describe(const Table& table)
    {
        LeftOutTable& made = made_.tables.emplace_back();
        made.table = table.name;
        for (const Choice& choice : table.choices) {
            if (!choice.is_set) made.stand.push_back(bare_name(study_->inputs()[choice.input]));
        }
        made.fitted = table.fitted.size();
        std::vector<std::string> constants;
        std::vector<std::string> unset;
        for (std::size_t i = 0; i < table.x.size(); ++i) {
            const Input& input = study_->inputs()[table.inputs[i]];
            constants.push_back(fmt::format("{} = {}", bare_name(input), quantity_text(input, table.x[i])));
            if (!table.is_set[i]) unset.push_back(bare_name(input));
        }
        for (const Choice& choice : table.choices) {
            if (choice.is_set) {
                constants.push_back(fmt::format("{} = {}", bare_name(study_->inputs()[choice.input]), choice.value));
            }
        }
        made.constants = fmt::format("{}", fmt::join(constants, "; "));
        made.unset = fmt::format("{}", fmt::join(unset, "; "));
        for (const Row& row : report_->rows) {
            if (!is_compared(row) || row.section != table.name) continue;
            const bool is_open = hangs_on_choice(table, row);
            const auto number = is_open ? std::nullopt : simulated(table, row);
            if (!number && !is_open) {
                made_.problems.push_back(fmt::format("{}: no number without its table", row.id));
                continue;
            }
            made.rows.push_back({row.id, table.name, *row.published,
                                 LeftOut{.simulated = *row.simulated,
                                         .value = number,
                                         .constants = made.constants,
                                         .unset = made.unset,
                                         .model = model_version()}});
        }
    }

    VariedStudy* study_;
    const Report* report_;
    StoreOptions options_;
    Store* store_;
    std::vector<Table> tables_;
    std::map<std::size_t, std::map<std::string, Response>> lines_;  ///< by input and row
    std::map<std::size_t, std::map<std::string, Numbers>> tried_;   ///< of choices, by input and value
    std::set<std::string> tests_;
    Numbers whole_;
    Numbers varied_;  ///< of the points that the study varies, alone
    CrossValidation made_;
};

}  // namespace

CrossValidation cross_validate(VariedStudy& study, const Report& report, const StoreOptions& options, Store& store)
{
    return CrossValidator(study, report, options, store).found();
}

void keep_left_out(const std::filesystem::path& study, const CrossValidation& found)
{
    std::vector<LeftOutRow> rows;
    for (const LeftOutTable& table : found.tables) rows.insert(rows.end(), table.rows.begin(), table.rows.end());
    keep_bars(study, {{kLeftOutFile, six_digit_csv(left_out_columns().results(rows))}});
}

}  // namespace ringmesh::lab
