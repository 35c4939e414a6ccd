// SPDX-License-Identifier: Apache-2.0
#include "lab/run/order_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lab/process/child_process.h"
#include "lab/run/record/run_record.h"
#include "lab/table/cells.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// "NAME: VALUE" in a line each.
std::string values_of(const Outcome& outcome)
{
    std::string text = fmt::format("end: {} ps\n", outcome.simulated.ps());
    const auto& results = outcome.results;
    for (std::size_t row = 0; row < results.rows.size(); ++row) {
        for (std::size_t column = 0; column < results.columns.size(); ++column) {
            text += fmt::format("{} of row {}: {}\n", results.columns[column].name, row + 1,
                                exact_text(results.rows[row][column]));
        }
    }
    for (const StatisticRow& statistic : outcome.statistics) {
        if (statistic.name == "wakeups") continue;  // those that do nothing count, too
        for (const auto& each : statistic.values) {
            text += fmt::format("{}.{}: {}\n", each.block, statistic.name, each.value);
        }
    }
    for (const PlaceRow& place : outcome.use->places) {
        text += fmt::format("{}, busy: {}\n{}, waited: {}\n{}, mean queue: {}\n", place.name, place.busy_ns, place.name,
                            place.waited_ns, place.name, place.queue_mean);
    }
    return text;
}

std::string values_in_order(const ExperimentRequest& request, unsigned order)
{
    Experiment experiment(request);
    experiment.measure_use();
    experiment.prepare_simulation();
    experiment.build();
    if (order != 0) experiment.shuffle_places(order);
    experiment.run();
    return values_of(outcome_of(experiment));
}

std::vector<std::string_view> lines_of(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return lines;
}

/// What differs, or nothing.
std::string differences(std::string_view in_own_order, std::string_view in_another)
{
    const auto own = lines_of(in_own_order);
    const auto another = lines_of(in_another);
    if (own.size() != another.size()) return "there are other values";
    std::string first;
    std::size_t count = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (own[i] != another[i] && ++count == 1) first = fmt::format("'{}' became '{}'", own[i], another[i]);
    }
    return count > 1 ? fmt::format("{}, and {} more values differ", first, count - 1) : first;
}

}  // namespace

void require_any_order(const ExperimentRequest& request, unsigned parallel)
{
    require_any_order([&request](unsigned order) { return values_in_order(request, order); }, parallel);
}

void require_any_order(const std::function<std::string(unsigned order)>& values, unsigned parallel)
{
    std::vector<Job> jobs;
    for (unsigned order = 0; order <= kOrdersTried; ++order) {
        jobs.emplace_back([&values, order] { return values(order); });
    }
    const std::vector<std::string> all = run_in_children(jobs, parallel);
    for (unsigned order = 1; order <= kOrdersTried; ++order) {
        const std::string different = differences(all[0], all[order]);
        if (different.empty()) continue;
        throw ModelError(
            fmt::format("results depend on the order of places at one time: in random order {} {}", order, different));
    }
}

}  // namespace ringmesh::lab
