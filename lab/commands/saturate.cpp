// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <span>

#include "lab/commands/commands.h"
#include "lab/process/child_process.h"
#include "lab/process/output_file.h"
#include "lab/process/progress_bar.h"
#include "lab/process/standard_streams.h"
#include "lab/report/parts.h"
#include "lab/report/report_file.h"
#include "lab/run/run_record.h"
#include "lab/run/suitable_platforms.h"
#include "lab/run/workload_spec.h"
#include "lab/saturation/report.h"
#include "lab/table/json.h"
#include "lab/table/text_table.h"
#include "tlm/error.h"
#include "tlm/traffic_machine.h"
#include "workloads/traffic/pattern.h"

namespace ringmesh::lab {
namespace {

constexpr const char* kWorkload = "traffic";

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

}  // namespace

int SaturateCommand::execute()
{
    if (request.workload.empty()) request.workload = kWorkload;
    require_searchable(request);
    ResultOutputs outputs{OutputFile(json), OutputFile(csv)};
    ReportFile report_file(report);
    Store points(store.folder.empty() ? Store::usual_folder() : std::filesystem::path(store.folder));

    const auto start = std::chrono::steady_clock::now();
    SaturationRuns runs(points, request,
                        {.parallel = store.jobs == 0 ? available_processors() : store.jobs,
                         .fresh = store.fresh,
                         .retry = store.retry});
    runs.probe();
    if (!runs.duration()) rule.longest = 1;
    SaturationSearch search(rule);
    {
        ProgressBar bar("saturate");
        search.run([&](std::span<const Trial> trials) {
            // How many durations it takes is not known before: the bar is that of the last one
            const int times = trials.back().times;
            return runs.measure(trials, [&](const Execution& now) {
                bar.describe(fmt::format("{} times the duration, at most {}: {}, {} cached", times, rule.longest,
                                         counted(now.done + now.failed, "run"), now.cached));
                bar.show(static_cast<double>(times) / rule.longest);
            });
        });
    }
    if (search.points().empty()) throw UserError(runs.refusal() + "; that is the lowest load that saturate tries");
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;

    Experiment as_asked(request);
    RunRecord record = record_of(as_asked);
    if (!runs.options().empty()) record.workload_options = runs.options();  // with "auto" resolved
    record.outcome.results = saturation_results(search, runs);
    outputs.write([&] { return saturation_json(search, runs, record); }, [&] { return run_csv(record); },
                  [&] {
                      return "saturation of " + title_of(record) + "\n\n" +
                             results_text(record.outcome.results, output_room());
                  });
    if (report_file.wanted()) {
        Page page{.title = "Saturation of " + title_of(record)};
        add_saturation(page, request, record.outcome.results, Json::parse(saturation_json(search, runs, record)));
        report_file.write(std::move(page));
    }
    const Execution& counts = runs.counts();
    say(fmt::format("{}: {} run in {:.2f} s, {} from the store", counted(counts.wanted, "point"),
                    counts.done + counts.failed, passed.count(), counts.cached));
    return 0;
}

}  // namespace ringmesh::lab
