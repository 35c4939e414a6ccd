// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "lab/child_process.h"
#include "lab/commands.h"
#include "lab/output_file.h"
#include "lab/progress_bar.h"
#include "lab/run_record.h"
#include "lab/saturation/report.h"
#include "lab/standard_streams.h"
#include "lab/suitable_platforms.h"
#include "lab/workload_spec.h"
#include "tlm/error.h"
#include "workloads/traffic/open_loop.h"
#include "workloads/traffic/traffic.h"

namespace ringmesh::lab {
namespace {

constexpr const char* kWorkload = "traffic";
/// What a run says in place of its outcome.
constexpr std::string_view kStuck = "stuck";
constexpr std::string_view kTooMuch = "too much: ";

std::string run_at(const ExperimentRequest& request, double load, int times_the_duration)
{
    Experiment experiment(request);
    dynamic_cast<workloads::Traffic&>(experiment.workload()).load_with(load, times_the_duration);
    experiment.prepare_simulation();
    try {
        experiment.build();
        experiment.run();
    } catch (const workloads::TooMuchOffered& error) {
        return std::string(kTooMuch) + error.what();
    } catch (const StuckError&) {
        return std::string(kStuck);
    }
    return to_text(outcome_of(experiment));
}

/// Everything but the load is checked before the first run. @throws UserError if something makes no sense in a search
void require_searchable(const ExperimentRequest& request)
{
    const WorkloadSpec spec = parse_workload_spec("--workload", request.workload);
    if (spec.name != kWorkload) {
        throw UserError(fmt::format("saturate: --workload {}: has no load to raise; write --workload {}:pattern=...",
                                    spec.name, kWorkload));
    }
    require_offered("saturate", {TrafficMachine::kIs}, request.platform,
                    platforms::machine_kind(configuration_of(request)));
    const Experiment as_asked(request);
    for (const ParameterRow& option : as_asked.workload_options()) {
        if ((option.key == "load" || option.key == "rate") && option.value != "auto") {
            throw UserError(
                fmt::format("saturate: {} = {}: the search varies it; leave it out", option.key, option.value));
        }
        if (option.key == "packets" && option.value != "0") {
            throw UserError(
                fmt::format("saturate: packets = {}: the first source that has sent them ends the measurement, so what "
                            "is accepted says nothing; write duration instead",
                            option.value));
        }
        if (option.key == "pattern" && workloads::PatternChoice(option.value)->loop == workloads::Loop::kClosed) {
            throw UserError(
                fmt::format("saturate: pattern = {}: is an operation, which has no load to raise; choose one "
                            "of: {}",
                            option.value, fmt::join(workloads::open_patterns().names(), ", ")));
        }
    }
}

std::optional<double> number(const workloads::Results& results, const std::string& column)
{
    for (std::size_t i = 0; i < results.columns.size(); ++i) {
        if (results.columns[i].name != column) continue;
        if (const auto* value = std::get_if<double>(&results.rows.front()[i])) return *value;
    }
    return std::nullopt;
}

LoadPoint point_of(double load, const workloads::Results& results)
{
    LoadPoint point{.load = load};
    point.accepted_part = number(results, "accepted_part").value_or(0);
    point.accepted_load = number(results, "accepted_load").value_or(0);
    point.offered_total_mb_per_s = number(results, "offered_total_mb_per_s").value_or(0);
    point.accepted_total_mb_per_s = number(results, "accepted_total_mb_per_s").value_or(0);
    point.latency_mean_ns = number(results, "latency_mean_ns").value_or(0);
    point.latency_ci95_ns = number(results, "latency_ci95_ns");
    point.latency_p99_ns = number(results, "latency_p99_ns").value_or(0);
    point.link_use_highest = number(results, "link_use_highest").value_or(0);
    point.blink_use_highest = number(results, "blink_use_highest");
    return point;
}

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

int SaturateCommand::execute()
{
    if (request.workload.empty()) request.workload = kWorkload;
    require_searchable(request);
    ResultOutputs outputs{OutputFile(json), OutputFile(csv)};

    const auto start = std::chrono::steady_clock::now();
    const SaturationRule rule;
    SaturationSearch search(rule);
    LoadTerms terms;
    std::string too_much;
    {
        ProgressBar bar("saturate");
        std::size_t done = 0;
        search.run([&](std::span<const double> loads, int times_the_duration) {
            std::vector<Job> jobs;
            for (const double load : loads) {
                jobs.emplace_back([&, load] { return run_at(request, load, times_the_duration); });
            }
            const auto texts = run_in_children(jobs, available_processors(), [&](std::size_t finished) {
                bar.show(static_cast<double>(done + finished) / static_cast<double>(SaturationSearch::kRuns));
            });
            done += texts.size();
            std::vector<LoadPoint> points;
            for (std::size_t i = 0; i < texts.size(); ++i) {
                if (texts[i].starts_with(kTooMuch)) {
                    if (too_much.empty()) too_much = texts[i].substr(kTooMuch.size());
                } else if (texts[i] == kStuck) {
                    points.push_back({.load = loads[i], .stuck = true});
                } else {
                    const workloads::Results results = outcome_from_text(texts[i]).results;
                    points.push_back(point_of(loads[i], results));
                    terms = terms_of(results);
                }
            }
            return points;
        });
    }
    if (search.points().empty()) {
        throw UserError("saturate: the sources cannot offer the lowest load that is tried: " + too_much);
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;

    Experiment as_asked(request);
    RunRecord record = record_of(as_asked);
    record.outcome.results = saturation_results(search, rule, terms);
    outputs.write([&] { return saturation_json(search, rule, terms, request); }, [&] { return run_csv(record); },
                  [&] {
                      return "saturation of " + title_of(record) + "\n\n" +
                             results_text(record.outcome.results, output_width());
                  });
    say(fmt::format("{} runs in {:.2f} s", search.points().size(), passed.count()));
    return 0;
}

}  // namespace ringmesh::lab
