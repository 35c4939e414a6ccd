// SPDX-License-Identifier: Apache-2.0
#include "lab/ledger/row.h"

#include <cmath>

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

}  // namespace ringmesh::lab
