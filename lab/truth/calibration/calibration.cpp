// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/calibration/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "lab/run/experiment.h"
#include "lab/table/writers/text_table.h"
#include "lab/truth/inputs/least_squares.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"
#include "tlm/parameters/parameter_list.h"
#include "tlm/statistics/student_t.h"

namespace ringmesh::lab {
namespace {

/// A slope is taken over this part of the range: wide, because results of whole clocks are stairs.
constexpr double kStep = 0.1;

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

std::string rows_are(std::size_t count) { return count == 1 ? "1 row is" : fmt::format("{} rows are", count); }

void require_enough(std::size_t inputs, std::size_t rows)
{
    if (inputs <= rows) return;
    throw UserError(
        fmt::format("calibrate: {} inputs are free, and {} there to set them by; set fewer free, or name more rows",
                    inputs, rows_are(rows)));
}

class Calibrator {
public:
    Calibrator(VariedStudy& study, const Report& report, const CalibrationRules& rules, Store& store)
        : study_(&study), rules_(rules), store_(&store)
    {
        made_.machine = configuration_of(study.points().front().wish.request).machine();
        made_.inputs = free_inputs(study, rules);
        for (const FreeInput& input : made_.inputs) allowed_.emplace_back(*input.input);
        choose_rows(report);
        require_enough(made_.inputs.size(), made_.rows.size());
        choose_groups();
    }

    Calibration calibrate()
    {
        Vector start;
        for (const FreeInput& input : made_.inputs) start.push_back(input.start);
        std::set<std::string> ids;
        for (const FittedRow& row : made_.rows) ids.insert(row.id);
        results_at(start);  // also tells on which tests the rows hang
        tests_ = study_->tests_of(ids);
        const Vector before = require_results(start);
        require_moves(start);

        const Mask all(made_.rows.size(), true);
        const LeastSquaresFit fit = fitted(start, all);
        const Vector after = require_results(fit.x);
        for (std::size_t i = 0; i < made_.rows.size(); ++i) {
            made_.rows[i].before = before[i];
            made_.rows[i].after = after[i];
        }
        made_.converged = fit.converged;
        made_.before = spread(before, all);
        made_.after = spread(after, all);
        describe(fit.x, widths_of(fit, all));
        cross_validate();
        made_.runs = known_.size();
        return std::move(made_);
    }

private:
    using Vector = std::vector<double>;
    using Mask = std::vector<bool>;  ///< of the rows: whether each takes part
    using Numbers = std::optional<Vector>;

    void choose_rows(const Report& report)
    {
        std::vector<std::string> known;
        for (const Row& row : report.rows) {
            if (!is_compared(row)) continue;
            known.push_back(row.id);
            const auto names = [&row](const std::string& pattern) { return matches(pattern, row.id); };
            if (!rules_.rows.empty() && std::ranges::none_of(rules_.rows, names)) continue;
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
            if (std::ranges::any_of(known, [&](const auto& id) { return matches(pattern, id); })) continue;
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
            const Mask left = left_without(group);
            const auto count = static_cast<std::size_t>(std::ranges::count(left, true));
            if (count >= made_.inputs.size()) continue;
            throw UserError(
                fmt::format("calibrate: --leave-out {}: without '{}' {} left for {} inputs; leave out smaller groups, "
                            "or name more rows",
                            rules_.leave_out, group, rows_are(count), made_.inputs.size()));
        }
    }

    /// Which rows tell nothing of the group: what repeats one of its rows is out with it.
    Mask left_without(const std::string& group) const
    {
        std::set<std::string> evidence;
        for (const FittedRow& row : made_.rows) {
            if (row.group == group) evidence.insert(row.evidence);
        }
        Mask left;
        for (const FittedRow& row : made_.rows) left.push_back(row.group != group && !evidence.contains(row.evidence));
        return left;
    }

    Variation variation_at(const Vector& x) const
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
    Vector grained(Vector x) const
    {
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = allowed_[i].clamped(allowed_[i].rounded(x[i]));
        return x;
    }

    /// Simulated numbers of the rows at each of these places; what is known is not run again.
    std::vector<Numbers> results_at(const std::vector<Vector>& places)
    {
        std::vector<Vector> missing;
        std::vector<Variation> variations;
        for (const auto& place : places) {
            const Vector x = grained(place);
            if (known_.contains(x) || std::ranges::find(missing, x) != missing.end()) continue;
            missing.push_back(x);
            variations.push_back(variation_at(x));
        }
        if (!variations.empty()) {
            const auto found =
                study_->find(variations, {.store = rules_.store, .quiet = true, .all_points = true}, *store_, tests_);
            for (std::size_t i = 0; i < missing.size(); ++i) known_[missing[i]] = numbers_of((*found)[i]);
        }
        std::vector<Numbers> all;
        for (const auto& place : places) all.push_back(known_.at(grained(place)));
        return all;
    }

    /// Between whole numbers, a straight line in each direction: whole cycles are stairs to a solver of slopes.
    Numbers results_at(const Vector& x)
    {
        std::vector<Vector> places{grained(x)};
        Vector parts{0};  // of each place behind the first, the way to it
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double rest = (x[i] - places[0][i]) / allowed_[i].grain;
            if (std::abs(rest) < 1e-6 || !allowed_[i].whole) continue;
            places.push_back(places[0]);
            places.back()[i] += rest > 0 ? allowed_[i].grain : -allowed_[i].grain;
            parts.push_back(std::abs(rest));
        }
        const auto all = results_at(places);
        if (std::ranges::any_of(all, [](const Numbers& each) { return !each; })) return std::nullopt;
        Vector results = *all[0];
        for (std::size_t place = 1; place < all.size(); ++place) {
            for (std::size_t row = 0; row < results.size(); ++row) {
                results[row] += parts[place] * ((*all[place])[row] - (*all[0])[row]);
            }
        }
        return results;
    }

    Vector require_results(const Vector& x)
    {
        if (auto results = results_at(x)) return std::move(*results);
        std::vector<std::string> values;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const Input& input = *made_.inputs[i].input;
            values.push_back(fmt::format("{} = {}", input.name, quantity_text(input, x[i])));
        }
        throw UserError(fmt::format(
            "calibrate: with {} the study gives no number for a row; leave out the rows that it cannot find "
            "there, or set another input free",
            fmt::join(values, ", ")));
    }

    Numbers numbers_of(const VariedFindings& found) const
    {
        Vector numbers;
        for (const FittedRow& row : made_.rows) {
            const auto number = found.simulated.find(row.id);
            if (number == found.simulated.end()) return std::nullopt;
            numbers.push_back(number->second);
        }
        return numbers;
    }

    Vector residuals_of(const Vector& results, const Mask& takes_part) const
    {
        Vector residuals;
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (takes_part[i]) residuals.push_back(made_.rows[i].residual(results[i]));
        }
        return residuals;
    }

    double spread(const Vector& results, const Mask& takes_part) const
    {
        return root_mean_square(residuals_of(results, takes_part));
    }

    /// d residual / d x by steps of a part of the range, to both sides where there is room.
    std::optional<std::vector<Vector>> slopes_at(const Vector& x, const Mask& takes_part)
    {
        std::vector<Vector> places;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const Allowed& allowed = allowed_[i];
            const double step = std::max(kStep * (allowed.high - allowed.low), allowed.grain);
            for (const double side : {-step, step}) {
                places.push_back(x);
                places.back()[i] = allowed.clamped(x[i] + side);
            }
        }
        const auto found = results_at(places);
        std::vector<Vector> slopes;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!found[2 * i] || !found[2 * i + 1]) return std::nullopt;
            const Vector below = residuals_of(*found[2 * i], takes_part);
            const Vector above = residuals_of(*found[2 * i + 1], takes_part);
            const double distance = grained(places[2 * i + 1])[i] - grained(places[2 * i])[i];
            slopes.resize(below.size(), Vector(x.size(), 0));
            for (std::size_t row = 0; row < below.size(); ++row) slopes[row][i] = (above[row] - below[row]) / distance;
        }
        return slopes;
    }

    void require_moves(const Vector& x)
    {
        auto slopes = slopes_at(x, Mask(made_.rows.size(), true));
        if (!slopes) throw UserError("calibrate: near the present values the study gives no number for a row");
        std::vector<std::string> problems;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (std::ranges::any_of(*slopes, [i](const auto& row) { return row[i] != 0; })) continue;
            problems.push_back(
                fmt::format("calibrate: --free {}: moves none of the rows; leave it out, or name rows that it moves",
                            made_.inputs[i].input->name));
        }
        // Over the ranges, in parts of each row: what differs in scale alone is not independent
        for (std::size_t row = 0; row < slopes->size(); ++row) {
            double most = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
                (*slopes)[row][i] *= allowed_[i].high - allowed_[i].low;
                most = std::max(most, std::abs((*slopes)[row][i]));
            }
            for (double& each : (*slopes)[row]) each /= most;
            if (most > 0) continue;
            problems.push_back(
                fmt::format("calibrate: --row {}: nothing that is free moves it; leave it out", made_.rows[row].id));
        }
        if (!problems.empty()) throw UserError(fmt::format("{}", fmt::join(problems, "\n")));
        made_.rank = rank_of(*slopes, kIndependent);
    }

    LeastSquaresFit fitted(const Vector& start, const Mask& takes_part)
    {
        Vector low;
        Vector high;
        for (const Allowed& allowed : allowed_) {
            low.push_back(allowed.low);
            high.push_back(allowed.high);
        }
        LeastSquaresFit fit = least_squares(
            start, low, high,
            [&](const Vector& x) {
                Numbers results = results_at(x);
                return results ? Numbers(residuals_of(*results, takes_part)) : std::nullopt;
            },
            [&](const Vector& x) { return slopes_at(x, takes_part); });
        fit.x = whole(fit.x, start, takes_part);
        return fit;
    }

    /// The best place of whole numbers, from the better of the nearest one and the first on: a step in one direction,
    /// or in two at a time, for what one input gives another may take.
    Vector whole(const Vector& from, const Vector& start, const Mask& takes_part)
    {
        Vector x;
        double best = std::numeric_limits<double>::infinity();
        const auto take_best = [&](const std::vector<Vector>& places) {
            const auto found = results_at(places);
            bool better = false;
            for (std::size_t i = 0; i < places.size(); ++i) {
                const double cost = found[i] ? spread(*found[i], takes_part) : std::numeric_limits<double>::infinity();
                if (!x.empty() && cost >= best) continue;
                best = cost;
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
    std::vector<Vector> neighbours(const Vector& x) const
    {
        std::vector<Vector> places;
        const auto step = [&](const Vector& near, std::size_t i) {
            if (!allowed_[i].whole) return;
            for (const double side : {-1.0, 1.0}) {
                if (near[i] + side < allowed_[i].low || near[i] + side > allowed_[i].high) continue;
                places.push_back(near);
                places.back()[i] += side;
            }
        };
        for (std::size_t i = 0; i < x.size(); ++i) {
            const std::size_t first = places.size();
            step(x, i);
            const std::size_t last = places.size();
            for (std::size_t once = first; once < last; ++once) {
                for (std::size_t j = i + 1; j < x.size(); ++j) step(Vector(places[once]), j);
            }
        }
        return places;
    }

    /// Of each input half of 95 %; infinite if the rows do not tell the inputs apart. The residuals may be larger than
    /// the sources' uncertainties: then the model, not they, sets how far the rows determine the inputs.
    Vector widths_of(const LeastSquaresFit& fit, const Mask& takes_part)
    {
        if (!fit.covariance) return Vector(fit.x.size(), std::numeric_limits<double>::infinity());
        const Vector residuals = residuals_of(require_results(fit.x), takes_part);
        const double square = std::inner_product(residuals.begin(), residuals.end(), residuals.begin(), 0.0);
        const double freedom = static_cast<double>(residuals.size()) - static_cast<double>(fit.x.size());
        const double scale = freedom > 0 ? std::max(1.0, square / freedom) : 1.0;
        const double factor = scale > 1 ? student_975(freedom) : student_975(1e6);
        Vector widths;
        for (std::size_t i = 0; i < fit.x.size(); ++i) {
            const double variance = (*fit.covariance)[i][i];
            widths.push_back(variance > 0 ? factor * std::sqrt(scale * variance)
                                          : width_at_end(fit.x, i, residuals, factor * std::sqrt(scale), takes_part));
        }
        return widths;
    }

    /// Of an input that the fit holds at an end of its range: how far into the range the sum of squares rises by as
    /// much as at so many standard deviations, the others as they are.
    double width_at_end(const Vector& x, std::size_t i, const Vector& residuals, double deviations,
                        const Mask& takes_part)
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

    void describe(const Vector& x, const Vector& widths)
    {
        for (std::size_t i = 0; i < x.size(); ++i) {
            FreeInput& input = made_.inputs[i];
            const Allowed& allowed = allowed_[i];
            const auto text = [&](double value) { return quantity_text(*input.input, value); };
            input.value = x[i];
            input.text = text(x[i]);
            input.determined = std::isfinite(widths[i]);
            input.low = std::max(allowed.low, x[i] - widths[i]);
            input.high = std::min(allowed.high, x[i] + widths[i]);
            input.region = fmt::format("{} to {}", text(allowed.rounded(input.low)), text(allowed.rounded(input.high)));
            const double room = 1e-6 * (allowed.high - allowed.low);
            input.at_end = x[i] <= allowed.low + room || x[i] >= allowed.high - room;
        }
    }

    /// Whether the rows say more of each input than its range does.
    bool determine_all(const LeastSquaresFit& fit, const Mask& takes_part)
    {
        if (!results_at(fit.x)) return false;
        const Vector widths = widths_of(fit, takes_part);
        return std::equal(widths.begin(), widths.end(), allowed_.begin(),
                          [](double width, const Allowed& allowed) { return 2 * width < allowed.high - allowed.low; });
    }

    /// From the middle of each range: the present values may be what the group that is left out gave.
    void cross_validate()
    {
        if (groups_.size() < 2) return;
        Vector middle;
        for (const Allowed& allowed : allowed_) middle.push_back((allowed.low + allowed.high) / 2);
        Vector residuals;
        for (const std::string& group : groups_) {
            const Mask takes_part = left_without(group);
            const LeastSquaresFit fit = fitted(middle, takes_part);
            if (!determine_all(fit, takes_part)) {
                made_.needed.push_back(group);
                continue;
            }
            if (!fit.converged) made_.unsettled.push_back(group);
            const Vector results = require_results(fit.x);
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
    std::vector<Allowed> allowed_;  ///< of the free inputs
    std::set<std::string> groups_;  ///< of the cross-validation
    std::set<std::string> tests_;
    std::map<Vector, Numbers> known_;
};

}  // namespace

Allowed::Allowed(const Input& input)
    : low(*number_of(input.low)),
      high(*number_of(input.high)),
      whole(input.kind == "cycles" || input.has_steps()),
      grain(whole ? 1
                  : std::max(input.kind == "duration" ? 1e-3 : 1e-6,
                             std::pow(10, std::floor(std::log10((high - low) / 1000)))))
{}

double Allowed::rounded(double x) const { return std::round(x / grain) * grain; }

double Allowed::clamped(double x) const { return std::clamp(x, low, high); }

std::string evidence_of(const Row& row, const Report& report)
{
    if (row.repeats.empty()) return row.id;
    const Row* other = report.find(row.repeats);
    return other == nullptr ? row.repeats : evidence_of(*other, report);
}

std::vector<FreeInput> free_inputs(const VariedStudy& study, const CalibrationRules& rules)
{
    const auto& inputs = study.inputs();
    std::vector<std::string> known;
    for (const Input& input : inputs) known.push_back(input.name);
    std::vector<FreeInput> free;
    std::vector<std::string> problems;
    const auto require_once = [&problems](const char* option, const std::vector<std::string>& names) {
        for (auto name = names.begin(); name != names.end(); ++name) {
            if (std::find(names.begin(), name, *name) == name) continue;
            problems.push_back(fmt::format("calibrate: {} {}: is there twice; name it once", option, *name));
        }
    };
    require_once("--free", rules.free);
    require_once("--row", rules.rows);
    for (const std::string& name : rules.free) {
        const auto place = std::ranges::find(known, name) - known.begin();
        if (place == std::ssize(known)) {
            problems.push_back(
                fmt::format("calibrate: --free {}: no input of this study{}; `ringmesh sensitivity` lists them", name,
                            suggestion(name, known)));
            continue;
        }
        const Input& input = inputs[static_cast<std::size_t>(place)];
        if (input.is_choice()) {
            problems.push_back(
                fmt::format("calibrate: --free {}: a choice has no range; try its values as variants", name));
            continue;
        }
        const double value = *number_of(input.value);
        free.push_back({.input = &input, .start = value, .value = value, .text = input.value});
    }
    if (!problems.empty()) throw UserError(fmt::format("{}", fmt::join(problems, "\n")));
    // Before anything runs, where the rows are all named
    const bool are_named = !rules.rows.empty() &&
                           std::ranges::none_of(rules.rows, [](const std::string& row) { return row.ends_with('*'); });
    if (are_named) require_enough(free.size(), rules.rows.size());
    return free;
}

Calibration calibrate(VariedStudy& study, const Report& report, const CalibrationRules& rules, Store& store)
{
    return Calibrator(study, report, rules, store).calibrate();
}

}  // namespace ringmesh::lab
