// SPDX-License-Identifier: Apache-2.0
#include "lab/experiments.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "lab/child_process.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

std::string run_to_text(const ExperimentRequest& request)
{
    Experiment experiment(request);
    experiment.prepare_simulation();
    experiment.build();
    experiment.run();
    return to_text(outcome_of(experiment));
}

std::size_t place_of(const workloads::Results& results, std::string_view column)
{
    for (std::size_t i = 0; i < results.columns.size(); ++i) {
        if (results.columns[i].name == column) return i;
    }
    throw ModelError(fmt::format("the results have no column '{}'", column));
}

double number_in(const workloads::Cell& cell)
{
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    const auto* word = std::get_if<std::string>(&cell);
    throw ModelError(fmt::format("the result '{}' is not a number", word != nullptr ? *word : "-"));
}

}  // namespace

void Experiments::plan(const std::string& name, ExperimentRequest request)
{
    const bool taken = std::any_of(requests_.begin(), requests_.end(),
                                   [&name](const Planned& planned) { return planned.name == name; });
    if (taken) throw ModelError(fmt::format("two experiments are called '{}'", name));
    requests_.push_back({name, std::move(request)});
}

void Experiments::run(unsigned parallel, const std::function<void(std::size_t)>& finished)
{
    std::vector<Job> jobs;
    for (const Planned& planned : requests_) {
        jobs.emplace_back([&planned] {
            try {
                return run_to_text(planned.request);
            } catch (const UserError& error) {
                throw UserError(fmt::format("experiment {}: {}", planned.name, error.what()));
            } catch (const StuckError& error) {
                throw StuckError(fmt::format("experiment {}: {}", planned.name, error.what()));
            } catch (const std::exception& error) {
                throw ModelError(fmt::format("experiment {}: {}", planned.name, error.what()));
            }
        });
    }
    const auto texts = run_in_children(jobs, parallel, finished);
    for (std::size_t i = 0; i < texts.size(); ++i) outcomes_[requests_[i].name] = outcome_from_text(texts[i]);
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
        if (row.blocks == blocks && row.name == name) return row.maximum();
    }
    throw ModelError(fmt::format("the blocks {} have no statistic '{}'", blocks, name));
}

}  // namespace ringmesh::lab
