// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <span>

#include "lab/commands/line/command.h"
#include "lab/commands/line/outputs.h"
#include "lab/process/child_process.h"
#include "lab/process/progress_bar.h"
#include "lab/process/standard_streams.h"
#include "lab/report/parts.h"
#include "lab/run/record/run_record.h"
#include "lab/run/suitable_platforms.h"
#include "lab/run/workload_spec.h"
#include "lab/saturation/report.h"
#include "lab/table/writers/cells.h"
#include "lab/table/writers/text_table.h"
#include "lab/truth/evidence.h"
#include "tlm/error.h"
#include "tlm/machine/traffic_machine.h"
#include "workloads/traffic/pattern.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kSaturate{.name = "saturate",
                                .meaning = "Raise the offered load until a network saturates",
                                .arguments = "saturate PLATFORM [--workload NAME:KEY=VALUE,...] [OPTIONS]",
                                .examples = R"(Examples:
  ringmesh saturate wulfkit-ring
  ringmesh saturate wulfkit-torus-2d --set topology.dimensions=4x4 --workload traffic:pattern=transpose
  ringmesh saturate wulfkit-ring --workload traffic:inject=blink,duration=1ms --csv curve.csv
  ringmesh saturate mesh-8x8 --workload traffic:flits=5

The command first runs the workload traffic at a grid of loads up to 1 (the link rate, or a flit per node and cycle),
and shows the curve. Then it searches, for each of five seeds from --seed on, the load at which a run becomes
saturated: the network accepts less than 95 % of the offered load, or the mean latency is above 10 times the unloaded
one. It doubles the duration of the runs until the interval is sound: not wider than --interval, overlapping the
interval of half the duration, after at least three durations. With 95 % confidence the interval holds for a run of
any seed that is 100 times as long as the given duration. It allows each further doubling to move it as much as the
last one did. If runs of --longest do not suffice, the network may collapse after a time of its own: then the answer
is the largest load that held in the runs of all seeds, the load at which one of them collapsed, and how soon.

Every run is a point of the store and is not run again. docs/reference/results/saturation.md has more.
)",
                                .status_1 = "nothing can be said, or a fault ended a run"};

double parse_width(const std::string& text)
{
    const auto width = number_from<double>(text);
    if (width && *width >= 1e-3 && *width <= 1) return *width;
    throw UserError("not a load from 0.001 to 1; write --interval 0.02");
}

class SaturateCommand final : public Command {
public:
    const CommandHelp& help() const override { return kSaturate; }
    void describe(OptionList& list) override
    {
        add_machine(list, request_);
        list.text("--workload", request_.workload,
                  "The workload traffic with its options, but without a load; uniform traffic if not given",
                  "NAME[:KEY=VALUE,...]");
        add_seed(list, request_.seed);
        list.parsed("--interval", rule_.width, &parse_width, "Largest width of a sound interval; 0.031 if not given",
                    "LOAD");
        list.count(
            "--longest", rule_.longest,
            "Longest runs, in multiples of the duration; the search ends earlier with a sound interval; 128 if not "
            "given");
        add_store(list, store_);
        add_outputs(list, files_, "curve, runs and interval with all parameters", "the curve");
        add_report(list, files_.report);
        add_pictures(list, files_.pictures);
    }
    int execute() override;

private:
    ExperimentRequest request_;
    SaturationRule rule_;
    StoreOptions store_;
    OutputOptions files_;
};

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
    for (const std::string& option : spec.options) {
        const std::string key = option.substr(0, option.find('='));
        const std::string value = option.substr(std::min(key.size() + 1, option.size()));
        if ((key == "load" || key == "rate") && value != "auto") {
            throw UserError(fmt::format("saturate: {} = {}: the search varies it; leave it out", key, value));
        }
    }
    for (const ParameterRow& option : as_asked.workload_options()) {
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
    if (request_.workload.empty()) request_.workload = kWorkload;
    require_searchable(request_);
    Outputs outputs(files_, command_line);
    Store points = Store::at(store_.folder);

    const auto start = std::chrono::steady_clock::now();
    SaturationRuns runs(points, request_, rules_of(store_));
    runs.probe();
    if (!runs.duration()) rule_.longest = 1;
    SaturationSearch search(rule_);
    {
        ProgressBar bar("saturate");
        search.run([&](std::span<const Trial> trials) {
            // How many durations it takes is not known before: the bar is that of the last one
            const int times = trials.back().times;
            return runs.measure(trials, [&](const Execution& now) {
                bar.describe(fmt::format("{} times the duration, at most {}: {}, {} cached", times, rule_.longest,
                                         counted(now.done + now.failed, "run"), now.cached));
                bar.show(static_cast<double>(times) / rule_.longest);
            });
        });
    }
    if (search.points().empty()) throw UserError(runs.refusal() + "; that is the lowest load that saturate tries");
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;

    Experiment as_asked(request_);
    RunRecord record = record_of(as_asked);
    if (!runs.options().empty()) record.workload_options = runs.options();  // with "auto" resolved
    const SaturationReport found = report_of(search, runs);
    record.outcome.results = found.curve;
    auto& notes = record.outcome.results.notes;
    if (!found.answer.empty()) notes.insert(notes.begin(), fmt::format("{}", fmt::join(found.answer, " ")));
    const Answer answer = with_evidence({found.answer}, [&] { return evidence_lines(record, {}, false); });
    outputs.write(
        answer, [&] { return saturation_json(found, record); }, [&] { return run_csv(record); },
        [&] {
            const Room room = output_room();
            return (answer.empty() ? wrapped(found.curve.notes.front(), 0, room.prose()) + "\n\n" : "") +
                   wrapped("saturation of " + title_of(record), 2, room.prose()) + "\n\n" +
                   results_text(found.curve, room);
        });
    outputs.report([&] {
        Page page{.title = "Saturation of " + title_of(record)};
        add_saturation(page, record, found);
        return page;
    });
    const Execution& counts = runs.counts();
    say(fmt::format("{}: {} run in {:.2f} s, {} from the store", counted(counts.wanted, "point"),
                    counts.done + counts.failed, passed.count(), counts.cached));
    return found.answer.empty() ? 1 : 0;
}

std::unique_ptr<Command> make_saturate() { return std::make_unique<SaturateCommand>(); }

}  // namespace ringmesh::lab
