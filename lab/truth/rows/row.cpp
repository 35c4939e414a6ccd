// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/rows/row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lab/table/writers/text_table.h"

namespace ringmesh::lab {
namespace {

/// How far a number is from what the row is judged by; where the tolerance has two different sides, as that of a bound,
/// how far out of it. @pre the row has a tolerance and a reference
double off_by(const Row& row, double number)
{
    const double off = number - *reference(row);
    const double below = *reference(row) - *row.low;
    const double above = *row.high - *reference(row);
    if (std::abs(below - above) <= 1e-9 * std::max(below, above)) return std::abs(off);
    return std::max({0.0, *row.low - number, number - *row.high});
}

}  // namespace

std::string shares_text(const Bar& bar, std::size_t most, double least)
{
    std::vector<std::string> parts;
    for (const Bar::Share& share : bar.hangs_on) {
        if (parts.size() == most || share.part < least) break;
        parts.push_back(fmt::format("{}{} {:.0f} %", share.input, share.calibrated ? "*" : "", share.part * 100));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::string id_suggestion(const std::string& typed, std::vector<std::string> ids)
{
    constexpr std::size_t kShown = 12;
    if (!nearest_name(typed, ids).empty()) return suggestion(typed, ids);
    const auto common = [&typed](const std::string& id) {
        return std::mismatch(typed.begin(), typed.end(), id.begin(), id.end()).first - typed.begin();
    };
    std::ranges::stable_sort(ids, [&common](const auto& a, const auto& b) { return common(a) > common(b); });
    if (!ids.empty() && common(ids.front()) == 0) {
        std::set<std::string> machines;
        for (const std::string& id : ids) machines.insert(id.substr(0, id.find('.') + 1));
        return fmt::format("; ids begin with {}", fmt::join(machines, ", "));
    }
    const std::size_t more = ids.size() - std::min(ids.size(), kShown);
    ids.resize(ids.size() - more);
    return suggestion(typed, ids) + (more == 0 ? "" : fmt::format(" and {} more", more));
}

std::optional<double> reference(const Row& row)
{
    return row.published || !row.simulated ? row.published : row.analytic;
}

std::optional<double> tested(const Row& row) { return row.simulated ? row.simulated : row.analytic; }

std::optional<double> error_percent(const Row& row)
{
    const auto expected = reference(row);
    const auto number = tested(row);
    if (!expected || !number || *expected == 0) return std::nullopt;
    return 100 * (*number - *expected) / std::abs(*expected);
}

std::optional<double> formula_error_percent(const Row& row)
{
    if (!row.published || !row.analytic || *row.published == 0) return std::nullopt;
    return 100 * (*row.analytic - *row.published) / std::abs(*row.published);
}

std::optional<double> tolerance_percent(const Row& row)
{
    const auto expected = reference(row);
    const auto number = tested(row);
    if (!row.low || !row.high || !expected || !number || *expected == 0) return std::nullopt;
    return 100 * (*number < *expected ? *expected - *row.low : *row.high - *expected) / std::abs(*expected);
}

std::optional<bool> pass(const Row& row)
{
    if (!row.low || !row.high) return std::nullopt;
    const auto number = tested(row);
    return reference(row) && number && *row.low <= *number && *number <= *row.high;
}

double frozen_band(const Row& row)
{
    constexpr double kPrinted = 1e-3;
    constexpr double kOfTolerance = 0.1;
    constexpr double kOfMeasurement = 2;
    const double measurement = row.bar ? kOfMeasurement * row.bar->u_num : 0;
    const double tolerance = row.low && row.high ? kOfTolerance * (*row.high - *row.low) / 2 : 0;
    return std::max({measurement, tolerance, kPrinted * std::abs(tested(row).value_or(0))});
}

std::optional<Verdict> verdict(const Row& row)
{
    const auto passed = pass(row);
    if (!passed) return std::nullopt;
    if (row.is_new) return Verdict::kNew;
    if (row.frozen) {
        const auto number = tested(row);
        if (!number || !reference(row)) return Verdict::kWorse;
        const double was = off_by(row, row.frozen->value);
        const double is = off_by(row, *number);
        const double band = (*row.frozen->high - *row.frozen->low) / 2;
        if (!(is <= was + band)) return Verdict::kWorse;
        return is < was - band ? Verdict::kBetter : Verdict::kAsFrozen;
    }
    if (row.miss.empty()) return *passed ? Verdict::kPass : Verdict::kFail;
    return *passed ? Verdict::kFail : Verdict::kMiss;
}

double data_uncertainty(const Row& row)
{
    constexpr double kOpen = 0.01;
    const double open = row.low && row.high ? (*row.high - *row.low) / 2 : 0;
    return open > 0 ? open / std::sqrt(3.0) : kOpen * std::abs(*row.published);
}

double middle_of_published(const Row& row) { return row.low && row.high ? (*row.low + *row.high) / 2 : *row.published; }

bool is_bound(const Row& row)
{
    return row.published && row.low && row.high && *row.low < *row.high &&
           (*row.published == *row.low || *row.published == *row.high);
}

std::optional<ErrorRange> error_range(const Row& row)
{
    if (!row.bar || !is_compared(row)) return std::nullopt;
    // The bar is of the number that it was made with; its width holds for the present one
    const double below = row.bar->simulated - row.bar->low;
    const double above = row.bar->high - row.bar->simulated;
    const double open = row.low && row.high ? (*row.high - *row.low) / 2 : 0;
    const double error = *row.simulated - middle_of_published(row);
    ErrorRange range{.u_data = open / std::sqrt(3.0)};
    if (is_bound(row)) {
        range.low = error - below - open;
        range.high = error + above + open;
    } else {
        range.low = error - std::hypot(below, open);
        range.high = error + std::hypot(above, open);
    }
    if (range.low > 0 || range.high < 0) {
        range.evidence = Evidence::kKnownError;
    } else if (is_bound(row)) {
        if (error - below >= -open && error + above <= open) range.evidence = Evidence::kHolds;
    } else if (std::max(below, above) <= open) {
        range.evidence = Evidence::kAgrees;
    }
    return range;
}

std::string evidence_text(const Row& row)
{
    const auto range = error_range(row);
    if (!range) return "";
    switch (range->evidence) {
        case Evidence::kKnownError: {
            const bool percent = *row.published != 0;
            const double scale = percent ? 100 / std::abs(*row.published) : 1;
            return fmt::format("error {} to {} {}", signed_two_digits(range->low * scale),
                               signed_two_digits(range->high * scale), percent ? "%" : row.unit);
        }
        case Evidence::kAgrees: return "agrees within what is known";
        case Evidence::kHolds: return "the bound holds, whatever the inputs are";
        case Evidence::kSaysNothing: break;
    }
    return "says nothing: the bar is wider than the tolerance";
}

}  // namespace ringmesh::lab
