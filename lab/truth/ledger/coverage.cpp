// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lab/table/text_table.h"

namespace ringmesh::lab {
namespace {

/// Of 95 %: the interval score adds 2 / 0.05 times the distance from the interval to its width (Gneiting and Raftery,
/// J. Am. Stat. Assoc. 102, 2007).
constexpr double kPenalty = 40;
constexpr double kNarrow = 0.1;

Coverage covered(std::span<const Report> reports, bool tables_left_out)
{
    Coverage coverage;
    std::vector<double> widths;
    double scores = 0;
    for (const Report& report : reports) {
        std::set<std::string> set_something;
        for (const Row& row : report.rows) {
            if (row.role == Role::kCalibration) set_something.insert(row.section);
        }
        for (const Row& row : report.rows) {
            if (row.role != Role::kPrediction || (tables_left_out && set_something.contains(row.section))) continue;
            if (!row.published || !row.simulated || *row.published == 0) continue;
            const auto range = error_range(row);
            if (!range || range->low == range->high) {
                ++(range ? coverage.without_width : coverage.without_bar);
                continue;
            }
            const double scale = 1 / std::abs(*row.published);
            const double width = (range->high - range->low) * scale;
            const double miss = std::max({0.0, range->low * scale, -range->high * scale});
            ++coverage.rows;
            widths.push_back(width);
            scores += width + kPenalty * miss;
            if (width < kNarrow) ++coverage.narrow;
            if (miss == 0) {
                ++coverage.inside;
            } else {
                coverage.outside.push_back(row.id);
            }
        }
    }
    if (widths.empty()) return coverage;
    std::sort(widths.begin(), widths.end());
    const std::size_t middle = widths.size() / 2;
    coverage.median_width = widths.size() % 2 == 1 ? widths[middle] : (widths[middle - 1] + widths[middle]) / 2;
    coverage.score = scores / static_cast<double>(widths.size());
    return coverage;
}

}  // namespace

Coverage coverage_of(std::span<const Report> reports) { return covered(reports, false); }

Coverage coverage_of_tables_left_out(std::span<const Report> reports) { return covered(reports, true); }

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

std::string left_out_text(const Coverage& coverage)
{
    std::string text;
    if (coverage.without_bar > 0) text += fmt::format("; {} not counted, without a bar", coverage.without_bar);
    if (coverage.without_width > 0) {
        text += fmt::format("; {} not counted, whose interval has no width", coverage.without_width);
    }
    return text;
}

std::string coverage_text(const Coverage& coverage)
{
    if (coverage.rows == 0) return "there is none" + left_out_text(coverage);
    const auto percent = [&coverage](std::size_t part) {
        return 100 * static_cast<double>(part) / static_cast<double>(coverage.rows);
    };
    return fmt::format(
        "{} of {} lie within their interval ({:.0f} %); {} intervals ({:.0f} %) are narrower than 10 %, "
        "the median is {} %; mean interval score {} % of the number{}",
        coverage.inside, coverage.rows, percent(coverage.inside), coverage.narrow, percent(coverage.narrow),
        two_digits(100 * coverage.median_width), two_digits(100 * coverage.score), left_out_text(coverage));
}

}  // namespace ringmesh::lab
