// SPDX-License-Identifier: Apache-2.0
#include "lab/saturation/runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/run/workload_spec.h"
#include "tlm/error.h"
#include "tlm/units/quantity.h"
#include "workloads/traffic/kinds/open_loop.h"

namespace ringmesh::lab {
namespace {

/// Deadlock, livelock, or a fault that nothing repaired.
bool goes_no_further(PointState state) { return state == PointState::kStuck || state == PointState::kFault; }

LoadTerms terms_of(const workloads::Results& results)
{
    LoadTerms terms;
    for (const workloads::Column& column : results.columns) {
        if (column.name == "offered_load") terms.unit = column.unit;
        if (column.name == "blink_use_highest") terms.has_blinks = true;
    }
    for (const std::string& note : results.notes) {
        if (note.starts_with(workloads::kLoadNote)) terms.meaning = note;
    }
    return terms;
}

}  // namespace

SaturationRuns::SaturationRuns(Store& store, const ExperimentRequest& request, const ExecutionRules& rules)
    : store_(store), request_(request), rules_(rules)
{}

Wish SaturationRuns::wish_of(double load, const std::optional<std::string>& duration, std::uint64_t seed) const
{
    Wish wish{.title = fmt::format("saturate: load {:g}", load), .request = request_};
    const WorkloadSpec spec = parse_workload_spec("--workload", request_.workload);
    wish.request.workload = fmt::format("{}:load={}", spec.name, load);
    for (const std::string& option : spec.options) {
        const bool searched = option.starts_with("load=") || (duration && option.starts_with("duration="));
        if (!searched) wish.request.workload += "," + option;
    }
    if (duration) {
        // As one writes it by hand: the text is part of the point's key
        std::string text = *duration;
        std::erase(text, ' ');
        wish.request.workload += ",duration=" + text;
    }
    wish.request.seed = seed;
    return wish;
}

void SaturationRuns::probe()
{
    const std::vector<Wish> wishes{wish_of(Trial{kLowestStep}.load(), std::nullopt, request_.seed)};
    const Granted granted = grant(store_, wishes, rules_).front();
    if (granted.state == PointState::kFault) {
        throw FaultError(fmt::format("at load {:.3f}, the lowest that saturate tries, already: {}",
                                     Trial{kLowestStep}.load(), granted.message));
    }
    if (goes_no_further(granted.state)) return;
    granted.require_done(wishes.front().title);
    const auto point = store_.find(granted.key);
    if (!point) throw UserError(fmt::format("{}: the point has left the store; run again", store_.folder().string()));
    options_ = point->record.workload_options;
    std::erase_if(options_, [](const ParameterRow& row) { return row.key == "load"; });
    for (const ParameterRow& row : options_) {
        if (row.key == "duration") duration_ = parse_duration(row.value).value;
    }
}

std::string SaturationRuns::duration_text(int times) const { return to_string(duration_.value() * times); }

std::vector<std::optional<LoadPoint>> SaturationRuns::measure(std::span<const Trial> trials,
                                                              const std::function<void(const Execution&)>& progress)
{
    std::vector<Wish> wishes;
    wishes.reserve(trials.size());
    for (const Trial& trial : trials) {
        const auto duration = duration_ ? std::optional(duration_text(trial.times)) : std::nullopt;
        wishes.push_back(wish_of(trial.load(), duration, seed_of(trial)));
    }
    Execution last;
    const auto all = grant(store_, wishes, rules_, [&](const Execution& now) {
        last = now;
        progress({counts_.wanted + now.wanted, counts_.cached + now.cached, counts_.done + now.done,
                  counts_.failed + now.failed});
    });
    counts_ = {counts_.wanted + last.wanted, counts_.cached + last.cached, counts_.done + last.done,
               counts_.failed + last.failed};
    std::vector<std::optional<LoadPoint>> points;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        keys_[trials[i]] = all[i].key;
        // The lowest load runs with the same options, so it is the load that cannot be
        if (all[i].state == PointState::kRefused) {
            if (refusal_.empty()) refusal_ = all[i].message;
            points.emplace_back();
        } else if (goes_no_further(all[i].state)) {
            points.push_back(LoadPoint{.stuck = true, .by_fault = all[i].state == PointState::kFault});
        } else {
            all[i].require_done(wishes[i].title);
            points.push_back(point_of(all[i]));
        }
    }
    return points;
}

LoadPoint SaturationRuns::point_of(const Granted& granted)
{
    const auto stored = store_.find(granted.key);
    if (!stored) throw UserError(fmt::format("{}: a point has left the store; run again", store_.folder().string()));
    const workloads::Results& results = stored->record.outcome.results;
    if (terms_.meaning.empty()) terms_ = terms_of(results);
    LoadPoint point;
    const NamedCells cells(results, results.rows.front());
    for (const LoadMeasure& measure : kLoadMeasures) {
        const auto number = cells.number(measure.name);
        if (measure.number != nullptr) {
            point.*measure.number = number.value_or(0);
        } else {
            point.*measure.number_if_any = number;
        }
    }
    point.backlog = results.backlog;
    return point;
}

}  // namespace ringmesh::lab
