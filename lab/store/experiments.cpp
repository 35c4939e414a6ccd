// SPDX-License-Identifier: Apache-2.0
#include "lab/store/experiments.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "lab/store/executor.h"
#include "lab/table/cells.h"
#include "lab/table/results.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

std::size_t place_of(const workloads::Results& results, std::string_view column)
{
    if (const auto place = column_place(results, column)) return *place;
    throw ModelError(fmt::format("the results have no column '{}'", column));
}

double number_in(const workloads::Cell& cell)
{
    if (const auto number = number_in_cell(cell)) return *number;
    throw ModelError(fmt::format("the result '{}' is not a number", cell_text(cell, 0)));
}

}  // namespace

void Experiments::plan(const std::string& name, ExperimentRequest request)
{
    const bool taken = std::any_of(requests_.begin(), requests_.end(),
                                   [&name](const Planned& planned) { return planned.name == name; });
    if (taken) throw ModelError(fmt::format("two experiments are called '{}'", name));
    requests_.push_back({name, std::move(request)});
}

std::size_t Experiments::run(Store& store, unsigned parallel, const std::function<void(std::size_t)>& finished,
                             bool fresh)
{
    std::vector<Wish> wishes;
    wishes.reserve(requests_.size());
    for (const Planned& planned : requests_) {
        wishes.push_back({.title = "experiment " + planned.name, .request = planned.request});
    }
    const ExecutionRules rules{.parallel = parallel, .stop_at_failure = true, .fresh = fresh};
    Execution last;
    const auto granted = grant(store, wishes, rules, [&](const Execution& now) {
        last = now;
        if (finished) finished(now.ended());
    });
    for (std::size_t i = 0; i < granted.size(); ++i) {
        if (granted[i].cached || granted[i].ran) granted[i].require_done(wishes[i].title);
    }
    for (std::size_t i = 0; i < granted.size(); ++i) {
        auto point = store.find(granted[i].key);
        if (!point) throw ModelError(fmt::format("{}: its point is gone from the store", wishes[i].title));
        outcomes_[requests_[i].name] = std::move(point->record.outcome);
    }
    return last.done;
}

void Experiments::answer(const std::function<Outcome(const ExperimentRequest&)>& answer)
{
    for (const Planned& planned : requests_) outcomes_[planned.name] = answer(planned.request);
}

const Outcome& Experiments::outcome(std::string_view name) const
{
    if (const Outcome* found = find(name)) return *found;
    throw ModelError(fmt::format("no experiment '{}' has run", name));
}

const Outcome* Experiments::find(std::string_view name) const
{
    const auto found = outcomes_.find(name);
    return found == outcomes_.end() ? nullptr : &found->second;
}

double result(const Outcome& outcome, std::string_view column, std::string_view key, std::int64_t at)
{
    const workloads::Results& results = outcome.results;
    const std::size_t key_place = place_of(results, key);
    const std::size_t place = place_of(results, column);
    for (const auto& row : results.rows) {
        const auto* value = std::get_if<std::int64_t>(&row[key_place]);
        if (value != nullptr && *value == at) return number_in(row[place]);
    }
    throw ModelError(fmt::format("the results have no row with {} = {}", key, at));
}

std::vector<double> column(const Outcome& outcome, std::string_view name)
{
    const std::size_t place = place_of(outcome.results, name);
    std::vector<double> numbers;
    numbers.reserve(outcome.results.rows.size());
    for (const auto& row : outcome.results.rows) numbers.push_back(number_in(row[place]));
    return numbers;
}

double statistic(const Outcome& outcome, std::string_view blocks, std::string_view name)
{
    for (const StatisticRow& row : outcome.statistics) {
        if (row.blocks == blocks && row.name == name) return row.maximum;
    }
    throw ModelError(fmt::format("the blocks {} have no statistic '{}'", blocks, name));
}

}  // namespace ringmesh::lab
