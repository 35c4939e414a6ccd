// SPDX-License-Identifier: Apache-2.0
#include "lab/ledger/row.h"

#include <fmt/format.h>

#include <cmath>

#include "lab/text_table.h"

namespace ringmesh::lab {

std::optional<double> reference(const Row& row)
{
    return row.published || !row.simulated ? row.published : row.analytic;
}

std::optional<double> error_percent(const Row& row)
{
    const auto expected = reference(row);
    const auto tested = row.simulated ? row.simulated : row.analytic;
    if (!expected || !tested || *expected == 0) return std::nullopt;
    return 100 * (*tested - *expected) / std::abs(*expected);
}

std::optional<double> formula_error_percent(const Row& row)
{
    if (!row.published || !row.analytic || *row.published == 0) return std::nullopt;
    return 100 * (*row.analytic - *row.published) / std::abs(*row.published);
}

std::optional<double> tolerance_percent(const Row& row)
{
    const auto expected = reference(row);
    const auto tested = row.simulated ? row.simulated : row.analytic;
    if (!row.low || !row.high || !expected || !tested || *expected == 0) return std::nullopt;
    return 100 * (*tested < *expected ? *expected - *row.low : *row.high - *expected) / std::abs(*expected);
}

std::optional<bool> pass(const Row& row)
{
    if (!row.low || !row.high) return std::nullopt;
    const auto tested = row.simulated ? row.simulated : row.analytic;
    return reference(row) && tested && *row.low <= *tested && *tested <= *row.high;
}

Verdict verdict(const Row& row)
{
    const auto passed = pass(row);
    if (!passed) return Verdict::kNotJudged;
    if (row.miss.empty()) return *passed ? Verdict::kPass : Verdict::kFail;
    return *passed ? Verdict::kFail : Verdict::kMiss;
}

std::string result_of(const Row& row)
{
    switch (verdict(row)) {
        case Verdict::kNotJudged: break;
        case Verdict::kPass: return "pass";
        case Verdict::kMiss: return "miss";
        case Verdict::kFail: return "FAIL";
    }
    return "-";
}

std::optional<ErrorRange> error_range(const Row& row)
{
    if (!row.bar || !row.published || !row.simulated || row.role == Role::kAlternative) return std::nullopt;
    // The bar is of the number that it was made with; its width holds for the present one
    const double below = row.bar->simulated - row.bar->low;
    const double above = row.bar->high - row.bar->simulated;
    const double open = row.low && row.high ? (*row.high - *row.low) / 2 : 0;
    const double error = *row.simulated - *row.published;
    ErrorRange range{.low = error - std::hypot(below, open),
                     .high = error + std::hypot(above, open),
                     .u_data = open / std::sqrt(3.0)};
    if (range.low > 0 || range.high < 0) {
        range.evidence = Evidence::kKnownError;
    } else if ((below + above) / 2 <= open) {
        range.evidence = Evidence::kAgrees;
    }
    return range;
}

std::string evidence_text(const Row& row)
{
    const auto range = error_range(row);
    if (!range) return "";
    const bool percent = *row.published != 0;
    const double scale = percent ? 100 / std::abs(*row.published) : 1;
    const std::string unit = percent ? "%" : row.unit;
    switch (range->evidence) {
        case Evidence::kKnownError:
            return fmt::format("the model's error is between {} and {} {}", signed_two_digits(range->low * scale),
                               signed_two_digits(range->high * scale), unit);
        case Evidence::kAgrees: return "agrees within what is known";
        case Evidence::kSaysNothing: break;
    }
    return "says nothing: the bar is wider than the tolerance";
}

}  // namespace ringmesh::lab
