// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/calibration/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "lab/run/experiment.h"
#include "lab/table/text_table.h"
#include "lab/truth/least_squares.h"
#include "tlm/error.h"
#include "tlm/names.h"
#include "tlm/parameter_list.h"
#include "tlm/student_t.h"

namespace ringmesh::lab {
namespace {

/// A slope is taken over this part of the range: wide, because results of whole clocks are stairs.
constexpr double kStep = 0.1;

bool is_whole(const Input& input) { return input.kind == "cycles" || input.kind == "integer" || input.kind == "size"; }

/// The step of a value, in the unit of number_of(): whole cycles and numbers; of others about a thousandth of the
/// range, a power of ten, so that what is found is short and near places are one run.
double grain_of(const Input& input)
{
    if (is_whole(input)) return 1;
    const double least = input.kind == "duration" ? 1e-3 : 1e-6;
    const double range = *number_of(input.high) - *number_of(input.low);
    return std::max(least, std::pow(10, std::floor(std::log10(range / 1000))));
}

double root_mean_square(const std::vector<double>& residuals)
{
    if (residuals.empty()) return 0;
    return std::sqrt(std::inner_product(residuals.begin(), residuals.end(), residuals.begin(), 0.0) /
                     static_cast<double>(residuals.size()));
}

bool matches(const std::string& pattern, const std::string& id)
{
    return pattern.ends_with('*') ? id.starts_with(pattern.substr(0, pattern.size() - 1)) : id == pattern;
}

std::string group_of(const Row& row, const std::string& leave_out)
{
    if (leave_out == "row") return row.id;
    if (leave_out == "machine") return row.machine;
    if (leave_out == "section") return row.section;
    std::size_t begin = 0;
    for (int part = std::stoi(leave_out.substr(3)); part > 1 && begin != std::string::npos; --part) {
        begin = row.id.find('.', begin);
        if (begin != std::string::npos) ++begin;
    }
    return begin == std::string::npos ? "" : row.id.substr(begin, row.id.find('.', begin) - begin);
}

/// The row that it repeats, directly or by way of others.
std::string evidence_of(const Row& row, const Report& report)
{
    if (row.repeats.empty()) return row.id;
    const auto other = std::find_if(report.rows.begin(), report.rows.end(),
                                    [&row](const Row& each) { return each.id == row.repeats; });
    return other == report.rows.end() ? row.repeats : evidence_of(*other, report);
}

void require_enough(std::size_t inputs, std::size_t rows)
{
    if (inputs <= rows) return;
    throw UserError(
        fmt::format("calibrate: {} inputs are free, and there {} {} to set them by; set fewer "
                    "free, or name more rows",
                    inputs, rows == 1 ? "is" : "are", rows == 1 ? "1 row" : fmt::format("{} rows", rows)));
}

class Calibrator {
public:
    Calibrator(VariedStudy& study, const Report& report, const CalibrationRules& rules, Store& store)
        : study_(&study), rules_(rules), store_(&store)
    {
        made_.machine = configuration_of(study.points().front().wish.request).machine();
        made_.inputs = free_inputs(study, rules);
        choose_rows(report);
        require_enough(made_.inputs.size(), made_.rows.size());
        choose_groups();
    }

    Calibration calibrate()
    {
        std::vector<double> start;
        start.reserve(made_.inputs.size());
        for (const FreeInput& input : made_.inputs) start.push_back(input.start);
        std::set<std::string> ids;
        for (const FittedRow& row : made_.rows) ids.insert(row.id);
        results_at(start);  // also tells on which tests the rows hang
        tests_ = study_->tests_of(ids);
        const std::vector<double> before = require_results(start);
        require_moves(start);

        std::vector<bool> all(made_.rows.size(), true);
        Fit fit = fitted(start, all);
        const std::vector<double> after = require_results(fit.x);
        for (std::size_t i = 0; i < made_.rows.size(); ++i) {
            made_.rows[i].before = before[i];
            made_.rows[i].after = after[i];
        }
        made_.converged = fit.converged;
        made_.before = spread(before, all);
        made_.after = spread(after, all);
        describe(fit, all);
        cross_validate();
        made_.runs = known_.size();
        return std::move(made_);
    }

private:
    struct Fit {
        std::vector<double> x;
        std::optional<std::vector<std::vector<double>>> covariance;
        bool converged = true;
    };

    void choose_rows(const Report& report)
    {
        std::vector<std::string> known;
        for (const Row& row : report.rows) {
            if (!row.published || !row.simulated || row.role == Role::kAlternative) continue;
            known.push_back(row.id);
            const bool named = rules_.rows.empty() ||
                               std::any_of(rules_.rows.begin(), rules_.rows.end(),
                                           [&row](const std::string& pattern) { return matches(pattern, row.id); });
            if (!named) continue;
            const double sigma = data_uncertainty(row);
            made_.rows.push_back({.id = row.id,
                                  .section = row.section,
                                  .published = *row.published,
                                  .aim = middle_of_published(row),
                                  .sigma = sigma > 0 ? sigma : 1,
                                  .group = group_of(row, rules_.leave_out),
                                  .evidence = evidence_of(row, report)});
        }
        for (const std::string& pattern : rules_.rows) {
            if (std::any_of(known.begin(), known.end(), [&](const auto& id) { return matches(pattern, id); })) continue;
            throw UserError(fmt::format("calibrate: --row {}: no such row with a published and a simulated number{}",
                                        pattern, id_suggestion(pattern, known)));
        }
    }

    /// Before anything runs: whether what is left without each group sets the inputs.
    void choose_groups()
    {
        for (const FittedRow& row : made_.rows) groups_.insert(row.group);
        made_.groups = groups_.size();
        if (groups_.size() < 2) return;
        for (const std::string& group : groups_) {
            const auto left = left_without(group);
            const auto count = static_cast<std::size_t>(std::count(left.begin(), left.end(), true));
            if (count >= made_.inputs.size()) continue;
            throw UserError(
                fmt::format("calibrate: --leave-out {}: without '{}' {} left for {} inputs; leave out smaller groups, "
                            "or name more rows",
                            rules_.leave_out, group, count == 1 ? "1 row is" : fmt::format("{} rows are", count),
                            made_.inputs.size()));
        }
    }

    /// Which rows tell nothing of the group: what repeats one of its rows is out with it.
    std::vector<bool> left_without(const std::string& group) const
    {
        std::set<std::string> evidence;
        for (const FittedRow& row : made_.rows) {
            if (row.group == group) evidence.insert(row.evidence);
        }
        std::vector<bool> left;
        for (const FittedRow& row : made_.rows) left.push_back(row.group != group && !evidence.contains(row.evidence));
        return left;
    }

    Variation variation_at(const std::vector<double>& x) const
    {
        Variation variation{.name = "calibration"};
        for (std::size_t i = 0; i < x.size(); ++i) {
            const Input& input = *made_.inputs[i].input;
            const std::string text = quantity_text(input, x[i]);
            if (number_of(text) == number_of(input.value)) continue;
            variation.inputs.emplace_back(static_cast<std::size_t>(&input - study_->inputs().data()), text);
        }
        return variation;
    }

    /// Numbers that differ by less than the grain are the same run.
    std::vector<double> grained(std::vector<double> x) const
    {
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double grain = grain_of(*made_.inputs[i].input);
            x[i] = std::clamp(std::round(x[i] / grain) * grain, low_of(i), high_of(i));
        }
        return x;
    }

    /// Simulated numbers of the rows at each of these places; what is known is not run again.
    std::vector<std::optional<std::vector<double>>> results_at(const std::vector<std::vector<double>>& places)
    {
        std::vector<std::vector<double>> missing;
        std::vector<Variation> variations;
        for (const auto& place : places) {
            const auto x = grained(place);
            if (known_.contains(x) || std::find(missing.begin(), missing.end(), x) != missing.end()) continue;
            missing.push_back(x);
            variations.push_back(variation_at(x));
        }
        if (!variations.empty()) {
            const auto found =
                study_->find(variations, {.store = rules_.store, .quiet = true, .all_points = true}, *store_, tests_);
            for (std::size_t i = 0; i < missing.size(); ++i) known_[missing[i]] = numbers_of((*found)[i]);
        }
        std::vector<std::optional<std::vector<double>>> all;
        all.reserve(places.size());
        for (const auto& place : places) all.push_back(known_.at(grained(place)));
        return all;
    }

    /// Between whole numbers, a straight line in each direction: whole cycles are stairs to a solver of slopes.
    std::optional<std::vector<double>> results_at(const std::vector<double>& x)
    {
        std::vector<double> base = grained(x);
        std::vector<std::vector<double>> places{base};
        std::vector<std::pair<std::size_t, double>> steps;  // input, fraction of the way to the neighbour
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double grain = grain_of(*made_.inputs[i].input);
            const double rest = (x[i] - base[i]) / grain;
            if (std::abs(rest) < 1e-6 || !is_whole(*made_.inputs[i].input)) continue;
            places.push_back(base);
            places.back()[i] += rest > 0 ? grain : -grain;
            steps.emplace_back(i, std::abs(rest));
        }
        const auto all = results_at(places);
        if (!all[0]) return std::nullopt;
        std::vector<double> results = *all[0];
        for (std::size_t step = 0; step < steps.size(); ++step) {
            if (!all[step + 1]) return std::nullopt;
            for (std::size_t row = 0; row < results.size(); ++row) {
                results[row] += steps[step].second * ((*all[step + 1])[row] - (*all[0])[row]);
            }
        }
        return results;
    }

    std::vector<double> require_results(const std::vector<double>& x)
    {
        auto results = results_at(x);
        if (results) return std::move(*results);
        std::string values;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const Input& input = *made_.inputs[i].input;
            values += fmt::format("{}{} = {}", i == 0 ? "" : ", ", input.name, quantity_text(input, x[i]));
        }
        throw UserError(fmt::format(
            "calibrate: with {} the study gives no number for a row; leave out the rows that it cannot find "
            "there, or set another input free",
            values));
    }

    std::optional<std::vector<double>> numbers_of(const VariedFindings& found) const
    {
        std::vector<double> numbers;
        numbers.reserve(made_.rows.size());
        for (const FittedRow& row : made_.rows) {
            const auto number = found.simulated.find(row.id);
            if (number == found.simulated.end()) return std::nullopt;
            numbers.push_back(number->second);
        }
        return numbers;
    }

    std::vector<double> residuals_of(const std::vector<double>& results, const std::vector<bool>& takes_part) const
    {
        std::vector<double> residuals;
        for (std::size_t i = 0; i < results.size(); ++i) {
            const FittedRow& row = made_.rows[i];
            if (takes_part[i]) residuals.push_back(row.residual(results[i]));
        }
        return residuals;
    }

    double spread(const std::vector<double>& results, const std::vector<bool>& takes_part) const
    {
        return root_mean_square(residuals_of(results, takes_part));
    }

    double low_of(std::size_t i) const { return *number_of(made_.inputs[i].input->low); }
    double high_of(std::size_t i) const { return *number_of(made_.inputs[i].input->high); }

    /// d residual / d x by steps of a part of the range, to both sides where there is room.
    std::optional<std::vector<std::vector<double>>> slopes_at(const std::vector<double>& x,
                                                              const std::vector<bool>& takes_part)
    {
        std::vector<std::vector<double>> places;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double step = std::max(kStep * (high_of(i) - low_of(i)), grain_of(*made_.inputs[i].input));
            for (const double side : {-step, step}) {
                places.push_back(x);
                places.back()[i] = std::clamp(x[i] + side, low_of(i), high_of(i));
            }
        }
        const auto found = results_at(places);
        std::vector<std::vector<double>> slopes;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!found[2 * i] || !found[2 * i + 1]) return std::nullopt;
            const auto below = residuals_of(*found[2 * i], takes_part);
            const auto above = residuals_of(*found[2 * i + 1], takes_part);
            const double distance = grained(places[2 * i + 1])[i] - grained(places[2 * i])[i];
            slopes.resize(below.size(), std::vector<double>(x.size(), 0));
            for (std::size_t row = 0; row < below.size(); ++row) slopes[row][i] = (above[row] - below[row]) / distance;
        }
        return slopes;
    }

    void require_moves(const std::vector<double>& x)
    {
        const std::vector<bool> all(made_.rows.size(), true);
        const auto slopes = slopes_at(x, all);
        if (!slopes) throw UserError("calibrate: near the present values the study gives no number for a row");
        std::vector<std::string> problems;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (std::any_of(slopes->begin(), slopes->end(), [i](const auto& row) { return row[i] != 0; })) continue;
            problems.push_back(
                fmt::format("calibrate: --free {}: moves none of the rows; leave it out, or name rows "
                            "that it moves",
                            made_.inputs[i].input->name));
        }
        for (std::size_t row = 0; row < slopes->size(); ++row) {
            const auto& own = (*slopes)[row];
            if (std::any_of(own.begin(), own.end(), [](double slope) { return slope != 0; })) continue;
            problems.push_back(
                fmt::format("calibrate: --row {}: nothing that is free moves it; leave it out", made_.rows[row].id));
        }
        if (!problems.empty()) throw UserError(fmt::format("{}", fmt::join(problems, "\n")));
        // Over the ranges, in parts of each row: what differs in scale alone is not independent
        auto scaled = *slopes;
        for (auto& row : scaled) {
            double most = 0;
            for (std::size_t i = 0; i < row.size(); ++i) {
                row[i] *= high_of(i) - low_of(i);
                most = std::max(most, std::abs(row[i]));
            }
            for (double& each : row) each /= most;
        }
        made_.rank = rank_of(scaled, kIndependent);
    }

    Fit fitted(const std::vector<double>& start, const std::vector<bool>& takes_part)
    {
        std::vector<double> low;
        std::vector<double> high;
        for (std::size_t i = 0; i < start.size(); ++i) {
            low.push_back(low_of(i));
            high.push_back(high_of(i));
        }
        const LeastSquaresFit found = least_squares(
            start, low, high,
            [&](const std::vector<double>& x) -> std::optional<std::vector<double>> {
                const auto results = results_at(x);
                if (!results) return std::nullopt;
                return residuals_of(*results, takes_part);
            },
            [&](const std::vector<double>& x) { return slopes_at(x, takes_part); });
        Fit fit{.x = whole(found.x, start, takes_part), .covariance = found.covariance, .converged = found.converged};
        return fit;
    }

    /// The best place of whole numbers, from the better of the nearest one and the first on: a step in one direction,
    /// or in two at a time, for what one input gives another may take.
    std::vector<double> whole(const std::vector<double>& from, const std::vector<double>& start,
                              const std::vector<bool>& takes_part)
    {
        const auto cost = [&](const std::optional<std::vector<double>>& results) {
            return results ? spread(*results, takes_part) : std::numeric_limits<double>::infinity();
        };
        std::vector<double> x;
        double best = std::numeric_limits<double>::infinity();
        const auto take_best = [&](const std::vector<std::vector<double>>& places) {
            const auto found = results_at(places);
            bool better = false;
            for (std::size_t i = 0; i < places.size(); ++i) {
                if (!x.empty() && cost(found[i]) >= best) continue;
                best = cost(found[i]);
                x = grained(places[i]);
                better = true;
            }
            return better;
        };
        take_best({from, start});
        while (take_best(neighbours(x))) {
        }
        return x;
    }

    /// Places one grain away in one or two of the inputs that are whole numbers.
    std::vector<std::vector<double>> neighbours(const std::vector<double>& x) const
    {
        std::vector<std::vector<double>> places;
        const auto step = [&](const std::vector<double>& near, std::size_t i) {
            if (!is_whole(*made_.inputs[i].input)) return;
            for (const double side : {-1.0, 1.0}) {
                if (near[i] + side < low_of(i) || near[i] + side > high_of(i)) continue;
                places.push_back(near);
                places.back()[i] += side;
            }
        };
        for (std::size_t i = 0; i < x.size(); ++i) {
            const std::size_t first = places.size();
            step(x, i);
            const std::vector<std::vector<double>> once(places.begin() + static_cast<std::ptrdiff_t>(first),
                                                        places.end());
            for (const auto& near : once) {
                for (std::size_t j = i + 1; j < x.size(); ++j) step(near, j);
            }
        }
        return places;
    }

    /// Of each input half of 95 %; infinite if the rows do not tell the inputs apart. The residuals
    /// may be larger than the sources' uncertainties: then the model, not they, sets how far the rows determine the
    /// inputs.
    std::vector<double> widths_of(const Fit& fit, const std::vector<bool>& takes_part)
    {
        if (!fit.covariance) return std::vector<double>(fit.x.size(), std::numeric_limits<double>::infinity());
        const auto residuals = residuals_of(require_results(fit.x), takes_part);
        const double square = std::inner_product(residuals.begin(), residuals.end(), residuals.begin(), 0.0);
        const double freedom = static_cast<double>(residuals.size()) - static_cast<double>(fit.x.size());
        const double scale = freedom > 0 ? std::max(1.0, square / freedom) : 1.0;
        const double factor = scale > 1 ? student_975(freedom) : student_975(1e6);
        std::vector<double> widths;
        for (std::size_t i = 0; i < fit.x.size(); ++i) {
            const double variance = (*fit.covariance)[i][i];
            widths.push_back(variance > 0 ? factor * std::sqrt(scale * variance)
                                          : width_at_end(fit.x, i, residuals, factor * std::sqrt(scale), takes_part));
        }
        return widths;
    }

    /// Of an input that the fit holds at an end of its range: how far into the range the sum of squares rises by as
    /// much as at so many standard deviations, the others as they are.
    double width_at_end(const std::vector<double>& x, std::size_t i, const std::vector<double>& residuals,
                        double deviations, const std::vector<bool>& takes_part)
    {
        const auto slopes = slopes_at(x, takes_part);
        double gradient = 0;
        double square = 0;
        for (std::size_t row = 0; slopes && row < slopes->size(); ++row) {
            gradient += (*slopes)[row][i] * residuals[row];
            square += (*slopes)[row][i] * (*slopes)[row][i];
        }
        if (square == 0) return std::numeric_limits<double>::infinity();
        gradient = std::abs(gradient);
        return (std::sqrt(gradient * gradient + deviations * deviations * square) - gradient) / square;
    }

    void describe(const Fit& fit, const std::vector<bool>& takes_part)
    {
        const std::vector<double> widths = widths_of(fit, takes_part);
        for (std::size_t i = 0; i < fit.x.size(); ++i) {
            FreeInput& input = made_.inputs[i];
            input.value = fit.x[i];
            input.text = quantity_text(*input.input, fit.x[i]);
            input.determined = std::isfinite(widths[i]);
            input.low = std::max(low_of(i), fit.x[i] - widths[i]);
            input.high = std::min(high_of(i), fit.x[i] + widths[i]);
            const double grain = grain_of(*input.input);
            const auto rounded = [&](double x) { return quantity_text(*input.input, std::round(x / grain) * grain); };
            input.region = fmt::format("{} to {}", rounded(input.low), rounded(input.high));
            const double room = 1e-6 * (high_of(i) - low_of(i));
            input.at_end = fit.x[i] <= low_of(i) + room || fit.x[i] >= high_of(i) - room;
        }
    }

    /// Whether the rows say more of each input than its range does.
    bool determine_all(const Fit& fit, const std::vector<bool>& takes_part)
    {
        if (!results_at(fit.x)) return false;
        const std::vector<double> widths = widths_of(fit, takes_part);
        for (std::size_t i = 0; i < widths.size(); ++i) {
            if (2 * widths[i] >= high_of(i) - low_of(i)) return false;
        }
        return true;
    }

    /// From the middle of each range: the present values may be what the group that is left out gave.
    void cross_validate()
    {
        if (groups_.size() < 2) return;
        std::vector<double> middle;
        for (std::size_t i = 0; i < made_.inputs.size(); ++i) middle.push_back((low_of(i) + high_of(i)) / 2);
        std::vector<double> residuals;
        for (const std::string& group : groups_) {
            const std::vector<bool> takes_part = left_without(group);
            const Fit fit = fitted(middle, takes_part);
            if (!determine_all(fit, takes_part)) {
                made_.needed.push_back(group);
                continue;
            }
            if (!fit.converged) made_.unsettled.push_back(group);
            const std::vector<double> results = require_results(fit.x);
            for (std::size_t i = 0; i < made_.rows.size(); ++i) {
                FittedRow& row = made_.rows[i];
                if (row.group != group) continue;
                row.left_out = results[i];
                residuals.push_back(row.residual(results[i]));
            }
        }
        if (!residuals.empty()) made_.left_out = root_mean_square(residuals);
    }

    VariedStudy* study_;
    CalibrationRules rules_;
    Store* store_;
    Calibration made_;
    std::set<std::string> groups_;  ///< of the cross-validation
    std::set<std::string> tests_;
    std::map<std::vector<double>, std::optional<std::vector<double>>> known_;
};

}  // namespace

std::vector<FreeInput> free_inputs(const VariedStudy& study, const CalibrationRules& rules)
{
    std::vector<FreeInput> free;
    std::vector<std::string> known;
    known.reserve(study.inputs().size());
    for (const Input& input : study.inputs()) known.push_back(input.name);
    std::vector<std::string> problems;
    for (const std::string& name : rules.free) {
        const auto& inputs = study.inputs();
        const auto found =
            std::find_if(inputs.begin(), inputs.end(), [&name](const Input& input) { return input.name == name; });
        if (found == inputs.end()) {
            problems.push_back(
                fmt::format("calibrate: --free {}: no input of this study{}; `ringmesh "
                            "sensitivity` lists them",
                            name, suggestion(name, known)));
            continue;
        }
        if (std::any_of(free.begin(), free.end(), [&](const FreeInput& input) { return input.input == &*found; })) {
            problems.push_back(fmt::format("calibrate: --free {}: is there twice; name it once", name));
            continue;
        }
        if (found->is_choice()) {
            problems.push_back(
                fmt::format("calibrate: --free {}: a choice has no range; try its values as variants", name));
            continue;
        }
        const double value = *number_of(found->value);
        free.push_back({.input = &*found, .start = value, .value = value, .text = found->value});
    }
    for (auto row = rules.rows.begin(); row != rules.rows.end(); ++row) {
        if (std::find(rules.rows.begin(), row, *row) == row) continue;
        problems.push_back(fmt::format("calibrate: --row {}: is there twice; name it once", *row));
    }
    if (!problems.empty()) throw UserError(fmt::format("{}", fmt::join(problems, "\n")));
    // Before anything runs, where the rows are all named
    const bool are_named =
        !rules.rows.empty() &&
        std::none_of(rules.rows.begin(), rules.rows.end(), [](const std::string& row) { return row.ends_with('*'); });
    if (are_named) require_enough(free.size(), rules.rows.size());
    return free;
}

Calibration calibrate(VariedStudy& study, const Report& report, const CalibrationRules& rules, Store& store)
{
    return Calibrator(study, report, rules, store).calibrate();
}

}  // namespace ringmesh::lab
