// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "lab/child_process.h"
#include "lab/commands.h"
#include "lab/output_file.h"
#include "lab/progress_bar.h"
#include "lab/run_record.h"
#include "lab/saturation/loaded_workload.h"
#include "lab/saturation/report.h"
#include "lab/standard_streams.h"
#include "tlm/error.h"
#include "workloads/traffic/open_loop.h"

namespace ringmesh::lab {
namespace {

constexpr const char* kStuck = "stuck";
constexpr const char* kTooMuch = "too much";

std::string run_point(const ExperimentRequest& request)
{
    Experiment experiment(request);
    experiment.prepare_simulation();
    try {
        experiment.build();
        experiment.run();
    } catch (const workloads::TooMuchOffered&) {
        return kTooMuch;
    } catch (const StuckError&) {
        return kStuck;
    }
    return to_text(outcome_of(experiment));
}

std::optional<double> number(const workloads::Results& results, const std::string& column)
{
    for (std::size_t i = 0; i < results.columns.size(); ++i) {
        if (results.columns[i].name != column) continue;
        if (const auto* value = std::get_if<double>(&results.rows.front()[i])) return *value;
    }
    return std::nullopt;
}

LoadPoint point_of(const LoadedWorkload& workload, double load, const std::string& text)
{
    LoadPoint point{.load = load, .stuck = text == kStuck};
    if (point.stuck) return point;
    const workloads::Results results = outcome_from_text(text).results;
    point.accepted_part = number(results, "accepted_part").value_or(0);
    point.offered = workload.offered_column.empty() ? load : number(results, workload.offered_column).value_or(0);
    point.accepted = number(results, workload.accepted_column).value_or(0);
    point.latency_mean_ns = number(results, "latency_mean_ns").value_or(0);
    point.latency_ci95_ns = number(results, "latency_ci95_ns");
    point.latency_p99_ns = number(results, "latency_p99_ns").value_or(0);
    point.link_use_highest = number(results, "link_use_highest").value_or(0);
    point.blink_use_highest = number(results, "blink_use_highest");
    return point;
}

}  // namespace

int SaturateCommand::execute()
{
    if (json == "-" && csv == "-") throw UserError("--json - and --csv -: only one of them can go to standard output");
    const LoadedWorkload& workload = loaded_workload(request);
    if (request.workload.empty()) request.workload = workload.name;
    require_searchable(request);
    OutputFile json_file(json);
    OutputFile csv_file(csv);

    const auto start = std::chrono::steady_clock::now();
    const SaturationRule rule;
    SaturationSearch search(rule);
    {
        ProgressBar bar("saturate");
        std::size_t done = 0;
        search.run([&](std::span<const double> loads, int times_the_duration) {
            std::vector<Job> jobs;
            for (const double load : loads) {
                jobs.emplace_back(
                    [&, load] { return run_point(at_load(request, workload, load, times_the_duration)); });
            }
            const auto texts = run_in_children(jobs, available_processors(), [&](std::size_t finished) {
                bar.show(static_cast<double>(done + finished) / static_cast<double>(SaturationSearch::kRuns));
            });
            done += texts.size();
            std::vector<LoadPoint> points;
            for (std::size_t i = 0; i < texts.size(); ++i) {
                if (texts[i] != kTooMuch) points.push_back(point_of(workload, loads[i], texts[i]));
            }
            return points;
        });
    }
    if (search.points().empty()) {
        throw UserError(fmt::format(
            "saturate: the sources of this machine cannot offer the lowest load that is tried; {}", workload.sources));
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;

    const Experiment as_asked(request);
    const RunRecord record{
        .request = request,
        .workload = as_asked.workload_name(),
        .workload_options = as_asked.workload_options(),
        .library = {},
        .library_options = {},
        .parameters = as_asked.parameters(),
        .outcome = {.results = saturation_results(search, rule, workload), .statistics = {}, .simulated = {}},
        .wall_seconds = {}};
    if (json_file.wanted()) json_file.write(saturation_json(search, rule, workload, request));
    if (csv_file.wanted()) csv_file.write(run_csv(record));
    if (!json_file.is_standard_output() && !csv_file.is_standard_output()) {
        print("saturation of " + title_of(record) + "\n\n" + results_text(record.outcome.results, output_width()));
    }
    say(fmt::format("{} runs in {:.2f} s", search.points().size(), passed.count()));
    return 0;
}

}  // namespace ringmesh::lab
