// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lab/truth/ledger/report.h"

namespace ringmesh::lab {
namespace {

/// Of 95 %: the interval score adds 2 / 0.05 times the distance from the interval to its width (Gneiting and Raftery,
/// J. Am. Stat. Assoc. 102, 2007).
constexpr double kPenalty = 40;
constexpr double kNarrow = 0.1;

/// Of the published number, in percent.
double distance(const Row& row) { return std::abs(error_percent(row).value_or(0)); }

double percent_of(std::size_t part, std::size_t all)
{
    return 100 * static_cast<double>(part) / static_cast<double>(all);
}

/// 0 of none.
double median(std::vector<double> values)
{
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

}  // namespace

Accuracy accuracy_of(const Report& report)
{
    Accuracy accuracy;
    std::vector<double> errors;
    for (const Row& row : report.rows) {
        if (!is_compared(row)) continue;
        const bool passes = pass(row).value_or(true);
        if (!passes) accuracy.misses.push_back(&row);
        if (*row.published == 0) continue;
        errors.push_back(is_bound(row) && passes ? 0 : distance(row));
        if (errors.back() <= 5) ++accuracy.within_5;
        if (errors.back() <= 10) ++accuracy.within_10;
    }
    std::ranges::stable_sort(accuracy.misses, [](const Row* a, const Row* b) { return distance(*a) > distance(*b); });
    if (accuracy.misses.size() > kMostMisses) accuracy.misses.resize(kMostMisses);
    accuracy.compared = errors.size();
    accuracy.median_percent = median(std::move(errors));
    return accuracy;
}

Json accuracy_json(const Accuracy& accuracy)
{
    Json misses = Json::array();
    for (const Row* row : accuracy.misses) misses.push_back(row->id);
    return {{"compared", accuracy.compared},
            {"within_5_percent", accuracy.within_5},
            {"within_10_percent", accuracy.within_10},
            {"median_error_percent", accuracy.median_percent},
            {"largest_misses", std::move(misses)}};
}

std::string accuracy_markdown(std::span<const Report> reports)
{
    TextTable table({{"machine"},
                     {"compared", Align::kRight},
                     {"within 5 %", Align::kRight},
                     {"within 10 %", Align::kRight},
                     {"median error", Align::kRight}});
    std::string misses;
    for (const Report& report : reports) {
        const Accuracy accuracy = accuracy_of(report);
        if (accuracy.compared == 0) continue;
        const auto share = [&](std::size_t part) {
            return fmt::format("{:.0f} %", percent_of(part, accuracy.compared));
        };
        table.row({report.machine, std::to_string(accuracy.compared), share(accuracy.within_5),
                   share(accuracy.within_10), two_digits(accuracy.median_percent) + " %"});
        for (const Row* row : accuracy.misses) misses += fmt::format("- `{}`: {}\n", row->id, numbers_text(*row));
    }
    return table.markdown() + misses;
}

Coverage coverage_of(const Report& report, bool whole_tables)
{
    std::set<std::string> set_something;
    for (const Row& row : report.rows) {
        if (whole_tables && row.role == Role::kCalibration) set_something.insert(row.section);
    }
    Coverage coverage;
    std::vector<double> widths;
    for (const Row& row : report.rows) {
        if (row.role != Role::kPrediction || set_something.contains(row.section)) continue;
        if (!row.published || !row.simulated || *row.published == 0) continue;
        const auto range = error_range(row);
        if (!range || range->low == range->high) {
            ++(range ? coverage.without_width : coverage.without_bar);
            continue;
        }
        const double scale = 1 / std::abs(*row.published);
        const double width = (range->high - range->low) * scale;
        const double miss = std::max({0.0, range->low * scale, -range->high * scale});
        widths.push_back(width);
        coverage.score += width + kPenalty * miss;
        if (width < kNarrow) ++coverage.narrow;
        if (miss > 0) coverage.outside.push_back(row.id);
    }
    coverage.rows = widths.size();
    coverage.inside = widths.size() - coverage.outside.size();
    if (!widths.empty()) coverage.score /= static_cast<double>(widths.size());
    coverage.median_width = median(std::move(widths));
    return coverage;
}

Json coverage_json(const Coverage& coverage)
{
    return {{"rows", coverage.rows},
            {"inside", coverage.inside},
            {"narrow", coverage.narrow},
            {"median_width", coverage.median_width},
            {"score", coverage.score},
            {"outside", coverage.outside},
            {"without_bar", coverage.without_bar},
            {"without_width", coverage.without_width}};
}

std::string coverage_text(const Coverage& coverage)
{
    std::string text = "there is none";
    if (coverage.rows > 0) {
        text = fmt::format(
            "{} of {} lie within their interval ({:.0f} %); {} intervals ({:.0f} %) are narrower than 10 %, the median "
            "is "
            "{} %; mean interval score {} % of the number",
            coverage.inside, coverage.rows, percent_of(coverage.inside, coverage.rows), coverage.narrow,
            percent_of(coverage.narrow, coverage.rows), two_digits(100 * coverage.median_width),
            two_digits(100 * coverage.score));
    }
    if (coverage.without_bar > 0) text += fmt::format("; {} not counted, without a bar", coverage.without_bar);
    if (coverage.without_width > 0) {
        text += fmt::format("; {} not counted, whose interval has no width", coverage.without_width);
    }
    return text;
}

}  // namespace ringmesh::lab
