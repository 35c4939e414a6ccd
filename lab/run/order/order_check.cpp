// SPDX-License-Identifier: Apache-2.0
#include "lab/run/order/order_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/process/child_process.h"
#include "lab/run/record/run_record.h"
#include "lab/table/writers/cells.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// "NAME: VALUE" in a line each.
std::string values_of(const Outcome& outcome)
{
    std::string text = fmt::format("end: {} ps\ndoubt: {}\n", outcome.simulated.ps(), outcome.results.doubt);
    const auto& results = outcome.results;
    for (std::size_t row = 0; row < results.rows.size(); ++row) {
        for (std::size_t column = 0; column < results.columns.size(); ++column) {
            text += fmt::format("{} of row {}: {}\n", results.columns[column].name, row + 1,
                                exact_text(results.rows[row][column]));
        }
    }
    for (const std::string& note : results.notes) text += fmt::format("note: {}\n", note);
    for (const StatisticRow& statistic : outcome.statistics) {
        // Wake-ups that do nothing count, too; a go bit is told before it comes, which in a tie moves the begin of a
        // wait
        if (statistic.name == "wakeups" || statistic.name == "go_wait") continue;
        for (const auto& each : statistic.values) {
            text += fmt::format("{}.{}: {}\n", each.block, statistic.name, each.value);
        }
    }
    for (const PlaceRow& place : outcome.use->places) {
        const auto add = [&](std::string_view what, const auto& value) {
            text += fmt::format("{}, {}: {}\n", place.name, what, value);
        };
        add("busy", place.busy_ns);
        add("bytes", place.bytes);
        add("packets", place.packets);
        add("waits", place.waits);
        add("refusals", place.refusals);
        add("waited", place.waited_ns);
        add("longest wait", place.longest_wait_ns);
        add("mean queue", place.queue_mean);
        add("longest queue", place.queue_highest);
        for (const auto& [state, span] : place.states_ns) add(state, span);
    }
    return text;
}

std::string values_in_order(const ExperimentRequest& request, unsigned order)
{
    Experiment experiment(request);
    experiment.measure_use();
    experiment.prepare_simulation();
    experiment.build();
    experiment.shuffle_places(order);
    try {
        experiment.run();
    } catch (const std::runtime_error& error) {  // of a fault, or without progress: a result, too
        return fmt::format("end: {}\n", error.what());
    }
    return values_of(outcome_of(experiment));
}

std::vector<std::string_view> lines_of(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1);
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
    std::string first;
    std::size_t count = 0;
    for (std::size_t i = 0; i < std::max(own.size(), another.size()); ++i) {
        const std::string_view one = i < own.size() ? own[i] : "nothing";
        const std::string_view other = i < another.size() ? another[i] : "nothing";
        if (one != other && ++count == 1) first = fmt::format("'{}' became '{}'", one, other);
    }
    return count > 1 ? fmt::format("{}, and {} more values differ", first, count - 1) : first;
}

/// "places" of the machine that the request builds, as text.
std::string count_places(const ExperimentRequest& request)
{
    Experiment experiment(request);
    experiment.prepare_simulation();
    experiment.build();
    return std::to_string(experiment.simulation().calendar().places());
}

}  // namespace

unsigned require_any_order(const ExperimentRequest& request, unsigned parallel)
{
    if (Experiment(request).workload().prints()) {
        throw UserError("--check-order: a program would read and write its files in each run; leave it out");
    }
    const Job count = [&request] { return count_places(request); };
    const auto places = std::stoul(run_in_children(std::span(&count, 1), 1).front());
    const unsigned others = places < 2 ? 0 : places == 2 ? 1 : kOrdersTried;
    if (others == 0) return 0;
    require_any_order([&request](unsigned order) { return values_in_order(request, order); }, others, parallel);
    return others;
}

void require_any_order(const std::function<std::string(unsigned order)>& values, unsigned others, unsigned parallel)
{
    std::vector<Job> jobs;
    for (unsigned order = 0; order <= others; ++order) {
        jobs.emplace_back([&values, order] { return values(order); });
    }
    const std::vector<std::string> all = run_in_children(jobs, parallel);
    for (unsigned order = 1; order <= others; ++order) {
        const std::string different = differences(all[0], all[order]);
        if (different.empty()) continue;
        throw ModelError(fmt::format("results depend on the order of places at one time: in {} {}",
                                     order == 1 ? "the opposite order" : fmt::format("random order {}", order),
                                     different));
    }
}

}  // namespace ringmesh::lab
