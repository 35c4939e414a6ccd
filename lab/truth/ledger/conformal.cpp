// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/conformal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "lab/table/writers/text_table.h"

namespace ringmesh::lab {
namespace {

constexpr double kPromise = 0.95;
/// Nothing is known better than by this part of it.
constexpr double kLeastKnown = 0.01;

/// How conformal bars are made of others.
struct Conformal {
    double usual = kLeastKnown;  ///< error of the model, as a part of the number
    double factor = 1;

    /// What is known of a number on one side of it: the bar, what the source leaves open, and the usual error, in
    /// squares.
    double known_side(double simulated, double bar, double open) const
    {
        return std::hypot(std::max(0.0, bar), open, usual * std::abs(simulated));
    }
    double known_side(const Row& row, bool above) const
    {
        const double bar = above ? row.bar->high - row.bar->simulated : row.bar->simulated - row.bar->low;
        return known_side(*row.simulated, bar, row.low && row.high ? (*row.high - *row.low) / 2 : 0);
    }
};

/// What the model says of the row without its table.
double unseen_number(const Row& row) { return row.left_out ? *row.left_out->value : *row.simulated; }

/// Whether the row tells how far the model is off where it has not looked.
bool tells(const Row& row)
{
    return row.counted == Counted::kOwn && is_compared(row) && row.bar && *row.published != 0 && *row.simulated != 0 &&
           !is_bound(row) && is_known_unseen(row);
}

double error_of(const Row& row) { return *row.published - unseen_number(row); }

/// By the rows outside this section, none if too few of them tell.
std::optional<Conformal> conformal_without(const Report& report, const std::string* section)
{
    std::vector<const Row*> rows;
    std::vector<double> errors;
    for (const Row& row : report.rows) {
        if (!tells(row) || (section != nullptr && row.section == *section)) continue;
        rows.push_back(&row);
        errors.push_back(std::abs(error_of(row) / *row.simulated));
    }
    if (rows.size() < kLeastConformalRows) return std::nullopt;
    std::ranges::nth_element(errors, errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2));
    Conformal conformal{.usual = std::max(kLeastKnown, errors[errors.size() / 2])};
    std::vector<double> scores;
    for (const Row* row : rows) {
        scores.push_back(std::abs(error_of(*row)) / conformal.known_side(*row, error_of(*row) > 0));
    }
    std::ranges::sort(scores);
    const auto rank = static_cast<std::size_t>(std::ceil(kPromise * static_cast<double>(scores.size() + 1) - 1e-9));
    conformal.factor = scores[std::min(rank, scores.size()) - 1];
    return conformal;
}

/// On the side of zero on which the bar is.
ConformalBar bar_about(double number, const Conformal& conformal, double below, double above, double low, double high)
{
    const auto [usual, factor] = conformal;
    ConformalBar bar{number - factor * below, number + factor * above, factor, usual};
    if (low >= 0 && number >= 0) bar.low = std::max(bar.low, 0.0);
    if (high <= 0 && number <= 0) bar.high = std::min(bar.high, 0.0);
    return bar;
}

}  // namespace

void add_conformal_bars(Report& report)
{
    std::map<std::string, std::optional<Conformal>> of_sections;
    for (Row& row : report.rows) {
        row.conformal.reset();
        if (!row.bar || !row.simulated) continue;
        const auto [found, is_new] = of_sections.try_emplace(row.section);
        if (is_new) found->second = conformal_without(report, &row.section);
        if (!found->second) continue;
        const Conformal& conformal = *found->second;
        row.conformal = bar_about(*row.simulated, conformal, conformal.known_side(row, false),
                                  conformal.known_side(row, true), row.bar->low, row.bar->high);
    }
    const auto conformal = conformal_without(report, nullptr);
    for (Prediction& prediction : report.predictions) {
        const FrozenNumber& now = prediction.now;
        prediction.conformal.reset();
        if (!conformal || !now.low || !now.high) continue;
        prediction.conformal =
            bar_about(now.value, *conformal, conformal->known_side(now.value, now.value - *now.low, 0),
                      conformal->known_side(now.value, *now.high - now.value, 0), *now.low, *now.high);
    }
}

Coverage conformal_coverage_of(std::span<const Report> reports)
{
    CoverageCounter counter;
    for (const Report& report : reports) {
        for (const Row& row : report.rows) {
            if (!tells(row)) continue;
            if (!row.conformal) {
                counter.add_without_bar();
                continue;
            }
            const double error = -error_of(row);
            const Conformal conformal{row.conformal->usual, row.conformal->factor};
            counter.add(row, error - conformal.factor * conformal.known_side(row, false),
                        error + conformal.factor * conformal.known_side(row, true));
        }
    }
    return counter.coverage();
}

std::string conformal_text(std::span<const Report> reports)
{
    const Coverage found = conformal_coverage_of(reports);
    if (found.rows == 0) return "";
    return fmt::format("Of published numbers in conformal bars, made without their tables, {}", coverage_text(found));
}

}  // namespace ringmesh::lab
