// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <systemc>
#include <utility>

#include "lab/commands/commands.h"
#include "lab/process/output_file.h"
#include "lab/process/standard_streams.h"
#include "lab/report/parts.h"
#include "lab/report/report_file.h"
#include "lab/run/packet_log.h"
#include "lab/run/run_record.h"
#include "lab/run/run_status.h"
#include "lab/run/waveform.h"
#include "lab/store/store.h"
#include "lab/table/json.h"
#include "lab/table/text_table.h"
#include "tlm/error.h"
#include "tlm/fault.h"
#include "tlm/journey_log.h"
#include "tlm/log.h"
#include "traces/trace_selection.h"
#include "workloads/replay/recorder.h"

namespace ringmesh::lab {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration_cast<std::chrono::duration<double>>(Clock::now() - start).count();
}

void set_log(const std::string& levels)
{
    if (!levels.empty()) set_log_levels(levels);
}

void add_modules(const std::vector<sc_core::sc_object*>& objects, ObjectNames& names)
{
    for (const sc_core::sc_object* object : objects) {
        if (dynamic_cast<const sc_core::sc_module*>(object) != nullptr) names.emplace(object->name());
        add_modules(object->get_child_objects(), names);
    }
}

/// Each pattern of the levels must match a module, all of which have been built, or the kernel.
/// @throws UserError for one that does not, with the nearest name
void require_log_patterns(std::string_view assignments, const Simulation& simulation)
{
    ObjectNames names{"kernel"};
    add_modules(sc_core::sc_get_top_level_objects(), names);
    for (const Component* component : simulation.components()) names.emplace(component->component_name());
    for (const LogAssignment& assignment : log_assignments(assignments)) {
        const std::string pattern(assignment.pattern);
        const auto matches = [&pattern](const std::string& name) {
            // Parts of a module, such as a mesh's routers, log what packets do there
            return fnmatch(pattern.c_str(), name.c_str(), 0) == 0 || pattern.starts_with(name + '.');
        };
        if (std::any_of(names.begin(), names.end(), matches)) continue;
        throw UserError(
            fmt::format("--log {}: no module matches; {}", assignment.text, cure_for_pattern(pattern, names)));
    }
}

/// A result is worth more than its place in the store: without a store the run goes on, and says so.
std::optional<Store> store_for(const RunCommand& command)
{
    try {
        return Store(command.store.empty() ? Store::usual_folder() : std::filesystem::path(command.store));
    } catch (const UserError& error) {
        say(fmt::format("the run will not be kept: {}", error.what()));
        return std::nullopt;
    }
}

/// Told before the run, which may take long.
void give_up_unless_writable(std::optional<Store>& store)
{
    try {
        if (store) store->require_writable();
    } catch (const UserError& error) {
        say(fmt::format("the run will not be kept: {}", error.what()));
        store.reset();
    }
}

/// What a run records besides its results. It is most of a point's file, so it is kept only if it was asked for.
struct Recorded {
    bool every_block = false;
    Duration sample = Duration::zero();

    /// Whether the point has it. Samples of another interval are no substitute.
    bool is_in(const PointHeader& header) const
    {
        return (header.every_block || !every_block) && (sample == Duration::zero() || header.sample_ps == sample.ps());
    }
};

/// Whether the store has the same run with more of what it recorded, which is not to be lost.
bool has_more(const Store& store, const PointHeader& now)
{
    const auto before = store.find_header(now.key);
    if (!before || before->state != PointState::kDone) return false;
    return (before->every_block && !now.every_block) || (before->sample_ps != 0 && now.sample_ps == 0);
}

void keep(Store& store, const Point& point)
{
    try {
        if (!has_more(store, point.header)) store.put(point);
    } catch (const UserError& error) {
        say(fmt::format("the run is not kept: {}", error.what()));
    }
}

/// The finished run if the store has it, with parameters and provenance as the files have them now; which values the
/// program chose for "auto", the run found.
std::optional<Point> find_stored(const Store& store, const std::string& key, Recorded asked, Experiment& experiment)
{
    const auto header = store.find_header(key);
    if (!header || header->state != PointState::kDone || !asked.is_in(*header)) return std::nullopt;
    auto found = store.find(key);
    if (!found) return std::nullopt;
    Point point{*header, record_of(experiment)};
    point.record.workload_options = std::move(found->record.workload_options);
    point.record.outcome = std::move(found->record.outcome);
    point.record.wall_seconds = found->record.wall_seconds;
    return point;
}

/// What writes the trace, which is ready to; null: none is asked.
workloads::Recorder* recorder_for(Experiment& experiment, const std::string& asked)
{
    if (asked.empty()) return nullptr;
    const std::size_t equals = asked.find('=');
    const std::string format = asked.substr(0, equals);
    const std::string file = equals == std::string::npos ? "" : asked.substr(equals + 1);
    if ((format != "goal" && format != "packets") || file.empty() || file == "-") {
        throw UserError(
            fmt::format("--record {}: write goal=FILE for a program over ranks, packets=FILE for packet "
                        "sources",
                        asked));
    }
    workloads::Recorder* const recorder = experiment.workload().recorder();
    if (recorder == nullptr) {
        throw UserError(
            fmt::format("--record {}: nothing records {}; leave --record out, or run a program over ranks, "
                        "or traffic",
                        asked, experiment.workload_name()));
    }
    if (recorder->format() != format) {
        throw UserError(fmt::format("--record {}: {} is recorded as {}; write --record {}={}", asked,
                                    experiment.workload_name(), recorder->format(), recorder->format(), file));
    }
    recorder->record_to(file);
    return recorder;
}

Point simulate(Experiment& experiment, const RunCommand& command, Recorded recorded, Waveform& waveform,
               PacketLog& packets, workloads::Recorder* recorder, const std::string& key)
{
    const auto start = Clock::now();
    JourneyLog journeys;
    if (recorded.every_block) experiment.measure_use(recorded.sample);
    experiment.prepare_simulation();
    if (!command.packets.empty()) packets.watch(experiment.simulation());
    if (log_wanted(spdlog::level::trace)) experiment.simulation().on_journey(journeys);
    waveform.open();
    experiment.build();
    require_log_patterns(command.log, experiment.simulation());
    waveform.attach(experiment.simulation());
    try {
        run_watched(experiment, experiment.workload_name(), command.status, false, command.limit);
    } catch (const FaultError&) {  // what led there is worth to be seen
        waveform.close();
        throw;
    } catch (...) {
        waveform.close_after_stop();
        throw;
    }
    const double wall_seconds = seconds_since(start);
    waveform.close();
    if (const std::string idle = experiment.simulation().faults().without_strikes(); !idle.empty()) {
        say(fmt::format("{}: never struck in this run; look at where and when", idle));
    }
    if (!command.packets.empty()) {
        const std::size_t arrived = packets.close();
        say(fmt::format("{} in {}", counted(arrived, "packet"), command.packets));
    }
    if (recorder != nullptr) {
        const bool goal = recorder->format() == "goal";
        say(fmt::format("{} in {}", counted(recorder->commit(), goal ? "message" : "packet"),
                        command.trace_out.substr(command.trace_out.find('=') + 1)));
    }
    Point point = point_of(experiment, key, recorded.every_block);
    point.record.wall_seconds = wall_seconds;
    return point;
}

}  // namespace

int RunCommand::execute()
{
    set_log(log);
    experiment = std::make_unique<Experiment>(request);
    Waveform waveform(waves);
    ResultOutputs outputs{OutputFile(json), OutputFile(csv)};
    ReportFile report_file(report);
    PacketLog packet_log(packets);
    workloads::Recorder* const recorder = recorder_for(*experiment, trace_out);

    const std::string key = key_of(*experiment);
    std::optional<Store> points = store_for(*this);
    const bool samples = sample != Duration::zero();
    const Recorded asked{.every_block = statistics || every_block || samples || report_file.wanted(), .sample = sample};
    // A waveform, log lines, packets, a trace and a status need the run itself
    const bool may_look_up =
        !fresh && !waves.asked() && log.empty() && status.empty() && packets.empty() && recorder == nullptr;
    std::optional<Point> point = points && may_look_up ? find_stored(*points, key, asked, *experiment) : std::nullopt;
    const bool is_stored = point.has_value();
    if (!is_stored) {
        give_up_unless_writable(points);
        point = simulate(*experiment, *this, asked, waveform, packet_log, recorder, key);
        if (points) keep(*points, *point);
    }
    RunRecord record = std::move(point->record);
    const std::string took =
        fmt::format("simulated {} in {:.2f} s", rounded(record.outcome.simulated), record.wall_seconds.value_or(0));
    if (!wall_time) record.wall_seconds.reset();
    const auto text = [&] {
        std::string all = title_of(record) + "\n\n" + results_text(record.outcome.results, output_room());
        if (every_block && record.outcome.use) {
            constexpr std::size_t kShownPlaces = 16;
            all += '\n' + place_use_text(*record.outcome.use, record.outcome.simulated, kShownPlaces,
                                         output_room().for_results());
        }
        if (!statistics) return all;
        return all + "\nstatistics that are not zero everywhere\n\n" +
               statistics_table(record.outcome.statistics).text(0, output_room().for_results());
    };
    outputs.write([&] { return run_json(record, asked.every_block); }, [&] { return run_csv(record); }, text);
    if (report_file.wanted()) {
        Page page{.title = title_of(record)};
        add_run(page, request, record_json(record, true));
        report_file.write(std::move(page));
    }
    say(is_stored ? fmt::format("from the store, where {} at {} {}; --fresh runs it again", point->header.machine,
                                point->header.finished, took)
                  : took);
    return 0;
}

}  // namespace ringmesh::lab
