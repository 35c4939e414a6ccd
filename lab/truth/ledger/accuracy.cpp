// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/ledger/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/truth/ledger/columns.h"

namespace ringmesh::lab {
namespace {

/// Of the published number, in percent.
double distance(const Row& row) { return std::abs(error_percent(row).value_or(0)); }

std::string share(std::size_t part, const Accuracy& accuracy)
{
    if (accuracy.compared == 0) return "-";
    return fmt::format("{:.0f} %", 100 * static_cast<double>(part) / static_cast<double>(accuracy.compared));
}

}  // namespace

Accuracy accuracy_of(const Report& report)
{
    Accuracy accuracy;
    std::vector<double> errors;
    for (const Row& row : report.rows) {
        if (!is_compared(row)) continue;
        const auto judged = verdict(row);
        if (judged && *judged != Verdict::kPass && !pass(row).value_or(true)) accuracy.misses.push_back(&row);
        if (*row.published == 0) continue;
        const bool holds = is_bound(row) && pass(row).value_or(false);
        errors.push_back(holds ? 0 : distance(row));
        if (errors.back() <= 5) ++accuracy.within_5;
        if (errors.back() <= 10) ++accuracy.within_10;
    }
    std::stable_sort(accuracy.misses.begin(), accuracy.misses.end(),
                     [](const Row* a, const Row* b) { return distance(*a) > distance(*b); });
    if (accuracy.misses.size() > kMostMisses) accuracy.misses.resize(kMostMisses);
    accuracy.compared = errors.size();
    if (errors.empty()) return accuracy;
    std::sort(errors.begin(), errors.end());
    const std::size_t middle = errors.size() / 2;
    accuracy.median_percent = errors.size() % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
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
        table.row({report.machine, std::to_string(accuracy.compared), share(accuracy.within_5, accuracy),
                   share(accuracy.within_10, accuracy), two_digits(accuracy.median_percent) + " %"});
        for (const Row* row : accuracy.misses) misses += fmt::format("- `{}`: {}\n", row->id, numbers_text(*row));
    }
    return table.markdown() + misses;
}

}  // namespace ringmesh::lab
