// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <systemc>
#include <utility>

#include "lab/commands/line/outputs.h"
#include "lab/process/interruption.h"
#include "lab/process/mpi/processes.h"
#include "lab/process/standard_streams.h"
#include "lab/report/parts.h"
#include "lab/run/order/order_check.h"
#include "lab/run/record/packet_log.h"
#include "lab/run/record/run_record.h"
#include "lab/run/record/run_status.h"
#include "lab/run/record/waveform.h"
#include "lab/run/workload_spec.h"
#include "lab/store/store.h"
#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
#include "lab/truth/evidence.h"
#include "tlm/error.h"
#include "tlm/simulation/fault.h"
#include "tlm/simulation/fault_times.h"
#include "tlm/simulation/journey_log.h"
#include "tlm/simulation/log.h"
#include "tlm/time/calendar.h"
#include "tlm/time/kernel_time.h"
#include "tlm/units/quantity.h"
#include "traces/trace_selection.h"
#include "workloads/recording/recorder.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kRun{
    .name = "run",
    .meaning = "Run a workload on a platform and show what it measured",
    .arguments = "run PLATFORM --workload NAME[:KEY=VALUE,...] [--library NAME[:KEY=VALUE,...]] [OPTIONS]",
    .examples = R"(Examples:
  ringmesh run wulfkit-ring --workload ping-pong
  ringmesh run wulfkit-ring --workload ping-pong:sizes=64,128,repetitions=10 --set topology.dimensions=8
  ringmesh run wulfkit-torus-2d --workload ping-pong --library scampi
  ringmesh run deck-cluster --workload 'ping-pong:sizes=0..62 step 1' --library deck:protocol=1
  ringmesh run wulfkit-ring --workload one-way --overlay link-4.0Gbps --json result.json
  ringmesh run wulfkit-ring --workload ping-pong:sizes=64 --vcd run.vcd --trace 'node0,*.lc2' --window 20us..30us
  ringmesh run wulfkit-ring --workload ping-pong:sizes=64 --fst run.fst --timeline run.pftrace --window packet:5
  ringmesh run wulfkit-ring --workload traffic:load=0.5 --set topology.dimensions=64 --statistics
  ringmesh run mesh-8x8 --workload traffic --fault where=mesh.r1_1.east,what=down,when=5us..9us

'ringmesh list workloads' shows the workloads with their options, 'ringmesh list parameters' what --set can change.
Values carry their unit: --set cable.length=3m. 'ringmesh list faults PLATFORM' shows what --fault can do, and when:
when=10us means from then on, to the end. Of a run that stops before its end, waveforms, timelines and packets are kept
up to there, and say "interrupted at".
)",
    .status_1 = "a fault ended the run"};

Duration parse_interval(const std::string& text)
{
    const auto interval = parse_duration(text);
    if (interval.value && *interval.value > Duration::zero()) return *interval.value;
    throw UserError(fmt::format("{}; write --sample 1us", interval.value ? "not above zero" : "not a time"));
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

class RunCommand final : public Command {
public:
    const CommandHelp& help() const override { return kRun; }
    std::string examples() const override
    {
        std::string text = fmt::format("{}\n--fault where=BLOCKS,what=WHAT and one of these:\n", kRun.examples);
        for (const FaultTimeForm& form : kFaultTimeForms) text += fmt::format("  {:<22}{}\n", form.when, form.meaning);
        return text;
    }
    void describe(OptionList& list) override
    {
        add_machine(list, request_);
        add_workload(list, asked_workload_);
        list.text("--library", request_.library,
                  "Message passing library, with its options; the first suitable one if not given",
                  "NAME[:KEY=VALUE,...]");
        add_seed(list, request_.seed);
        add_outputs(list, files_, "results, parameters and statistics", "the results");
        add_report(list, files_.report);
        add_pictures(list, files_.pictures);
        list.text("--vcd", waves_.vcd, "Record a waveform, and views of it for GTKWave beside it", "FILE");
        list.text("--fst", waves_.fst, "Record the waveform as FST, a third of the size or less", "FILE");
        list.text("--timeline", waves_.timeline, "Record a timeline for Perfetto", "FILE");
        list.text("--trace", waves_.trace, "Signals or modules to record, such as 'node0,*.lc2'; all if not given",
                  "PATTERN");
        list.text("--window", waves_.window,
                  "Part of the run to record: 2us..4us, packet:5, call:3, first:busy-echo, slowest, last:5us",
                  "WINDOW");
        list.text("--log", log_, "Which modules write log lines, from which level on, such as 'node0.*=debug'",
                  "PATTERN=LEVEL,...");
        list.text("--status", status_, "Write the progress of the run to this file, each second", "FILE");
        list.parsed("--limit", limit_, &parse_limit,
                    "Stop the run after this time, such as 600s, or once it is expected to take twice as long", "TIME");
        list.flag("--statistics", statistics_,
                  "Show the counters of the hardware blocks; the JSON then also has them block by block");
        list.flag("--every-block", every_block_,
                  "Show how busy each link, bus, queue, memory bank and processor was, the busiest first");
        list.parsed("--sample", sample_, &parse_interval,
                    "Record how busy they were at this interval, such as 1us, for --json, --report and the store",
                    "TIME");
        list.text("--packets", packets_,
                  "Write a CSV of packets: when each was created, injected and received, and what it waited for",
                  "FILE");
        list.text("--record", trace_out_,
                  "Write a trace for the workload 'replay': a program as GOAL text, or the packets of sources as CSV",
                  "goal=FILE|packets=FILE");
        list.count("--processes", processes_,
                   "Run the simulation in this many processes, with Open MPI; in one, with the reason, if it cannot be "
                   "divided");
        list.flag("--no-wall-time", no_wall_time_,
                  "Leave wall_seconds out of the JSON, so that equal runs give equal files");
        list.flag(
            "--check-order", check_order_,
            "Run it again with the machine's places (nodes, switches) in other orders at equal times, and fail if "
            "a value differs");
        add_folder(list, store_);
        list.flag("--fresh", fresh_, "Run it again, even if the store has it");
    }
    int execute() override;

private:
    ExperimentRequest request_;
    AskedWorkload asked_workload_;
    OutputOptions files_;
    WaveformOptions waves_;
    std::string log_;
    std::string store_;                      ///< a folder; empty for the usual one
    std::string status_;                     ///< a file; empty for none
    std::chrono::duration<double> limit_{};  ///< of its time; zero: none
    bool fresh_ = false;                     ///< run it, also if it is in the store
    bool statistics_ = false;
    bool every_block_ = false;            ///< show the use of places
    Duration sample_ = Duration::zero();  ///< interval at which the use of places is recorded; zero: not
    std::string packets_;                 ///< a file for the outcome of each packet; empty for none
    std::string trace_out_;               ///< "goal=FILE" or "packets=FILE"; empty for none
    unsigned processes_ = 1;
    bool no_wall_time_ = false;
    bool check_order_ = false;

    /// Why one process runs it, as a sentence without its end; empty: it can run in several.
    std::string undivided() const;
    /// What the run records for the point.
    Recorded recorded() const;
    /// Joins the processes that run it. Where they are still to be started, does not return.
    /// @return whether there are several
    bool divide();

    std::string not_recorded_;  ///< why there is no waveform, though one was asked for
    Point simulate(Recorded recorded, Waveform& waveform, PacketLog& packet_log, workloads::Recorder* recorder,
                   const std::string& key);

    /// Left standing after execute(): taking a big machine apart takes seconds, ending the process does it at once.
    std::unique_ptr<Experiment> experiment_;
};

using Clock = std::chrono::steady_clock;

void add_modules(const std::vector<sc_core::sc_object*>& objects, ObjectNames& names)
{
    for (const sc_core::sc_object* object : objects) {
        if (dynamic_cast<const Calendar*>(object) != nullptr) continue;  // nothing of the machine logs there
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
template <class Work>
bool without_store(const Work& with_store)
{
    try {
        with_store();
        return false;
    } catch (const UserError& error) {
        say(fmt::format("the run is not kept: {}", error.what()));
        return true;
    }
}

/// Whether the store has the same run with more of what it recorded, which is not to be lost.
bool has_more(const Store& store, const PointHeader& now)
{
    const auto before = store.find_header(now.key);
    if (!before || before->state != PointState::kDone) return false;
    return (before->every_block && !now.every_block) || (before->sample_ps != 0 && now.sample_ps == 0);
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
    auto options = std::move(found->record.workload_options);
    for (ParameterRow& option : options) {  // the store has keys and values alone
        const auto known = std::ranges::find(point.record.workload_options, option.key, &ParameterRow::key);
        if (known != point.record.workload_options.end()) option.not_in_use = known->not_in_use;
    }
    point.record.workload_options = std::move(options);
    point.record.outcome = std::move(found->record.outcome);
    point.record.wall_seconds = found->record.wall_seconds;
    return point;
}

/// In a word or two, for the files that it recorded.
std::string what_stopped(const std::exception& error)
{
    if (const auto* interrupted = dynamic_cast<const Interrupted*>(&error)) {
        return interrupted->signal() == SIGINT ? "Ctrl-C" : fmt::format("signal {}", interrupted->signal());
    }
    if (dynamic_cast<const FaultError*>(&error) != nullptr) return "a fault";
    if (dynamic_cast<const StuckError*>(&error) != nullptr) return "no progress";
    return dynamic_cast<const OverLimit*>(&error) != nullptr ? "--limit" : "an error";
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

}  // namespace

Recorded RunCommand::recorded() const
{
    return {.every_block = statistics_ || every_block_ || sample_ != Duration::zero() || !files_.report.empty() ||
                           files_.pictures.shows_machine(),
            .sample = sample_};
}

std::string RunCommand::undivided() const
{
    for (const auto& [asked, option] : {std::pair(!status_.empty(), "--status"), {check_order_, "--check-order"}}) {
        if (asked) return fmt::format("{} needs the whole machine in one process", option);
    }
    return experiment_->undivided(recorded().every_block || waves_.asked());
}

bool RunCommand::divide()
{
    const unsigned started = started_processes();
    if (started == 1 && processes_ == 1) return false;
    if (started > 1 && processes_ > 1 && processes_ != started) {
        say(fmt::format("--processes {} is not used: mpirun has started {}", processes_, started));
    }
    const std::string key = key_of(*experiment_);
    Processes* const all = started > 1 ? &join_processes(key + '\n' + command_line) : nullptr;
    if (const std::string why = undivided(); !why.empty()) {
        say(fmt::format("one process runs it: {}", why));
        end_processes_together();
        return false;
    }
    if (all != nullptr) {
        experiment_->divide(*all);
        return true;
    }
    std::optional<Store> points;
    if (!fresh_) without_store([&] { points = Store::at(store_); });
    if (!points || !find_stored(*points, key, recorded(), *experiment_)) start_processes(processes_);
    return false;
}

Point RunCommand::simulate(Recorded recorded, Waveform& waveform, PacketLog& packet_log, workloads::Recorder* recorder,
                           const std::string& key)
{
    const auto start = Clock::now();
    JourneyLog journeys;
    if (recorded.every_block) experiment_->measure_use(recorded.sample);
    experiment_->prepare_simulation();
    // Each process knows all names
    if (waves_.asked() || !log_.empty()) experiment_->simulation().build_all();
    if (!packets_.empty()) packet_log.watch(experiment_->simulation());
    if (log_wanted(spdlog::level::trace)) experiment_->simulation().on_journey(journeys);
    waveform.open();
    // Where all processes have failed, the first one tells; what one alone has met, nobody else can tell
    const auto note_failure = [this] {
        const Division* const division = experiment_->simulation().division();
        if (division == nullptr) return;
        if (division->all_have_failed()) {
            end_processes_together();
        } else {
            let_say(true);
        }
    };
    try {
        experiment_->build();
    } catch (const std::exception&) {
        note_failure();
        throw;
    }
    require_log_patterns(log_, experiment_->simulation());
    waveform.attach(experiment_->simulation());
    const auto keep_recorded = [&](const std::string& stopped) {
        not_recorded_ = waveform.close(stopped);
        if (packets_.empty()) return;
        say(fmt::format("{} in {}", counted(packet_log.close(stopped), "packet"), packets_));
    };
    try {
        run_watched(*experiment_, experiment_->workload_name(), status_, !is_first_process(),
                    is_first_process() ? limit_ : std::chrono::duration<double>::zero());
    } catch (const std::exception& error) {
        note_failure();
        // What led there is worth to be seen
        try {
            const Duration end = experiment_->simulation().end();
            keep_recorded(fmt::format("interrupted at {:.6f} us: {}", end.us(), what_stopped(error)));
        } catch (const std::exception& other) {
            if (std::string_view(other.what()) != error.what()) say(other.what());
        }
        if (recorder != nullptr) say(fmt::format("--record {}: not written, because the run did not end", trace_out_));
        throw;
    }
    const double wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    keep_recorded({});
    if (const std::string idle = experiment_->simulation().faults().without_strikes(); !idle.empty()) {
        say(fmt::format("{}: never struck in this run; look at where and when", idle));
    }
    if (recorder != nullptr) {
        const bool goal = recorder->format() == "goal";
        say(fmt::format("{} in {}", counted(recorder->commit(), goal ? "message" : "packet"),
                        trace_out_.substr(trace_out_.find('=') + 1)));
    }
    if (!is_first_process()) {
        statistics_of(*experiment_);
        end_processes_together();
        return {};
    }
    Point point = point_of(*experiment_, key, recorded.every_block);
    end_processes_together();
    point.record.wall_seconds = wall_seconds;
    return point;
}

int RunCommand::execute()
{
    if (!log_.empty()) set_log_levels(log_);
    asked_workload_.require_given("run");
    request_.workload = asked_workload_.text("run");
    experiment_ = std::make_unique<Experiment>(request_);
    const bool divided = divide();
    Waveform waveform(waves_);
    PacketLog packet_log(is_first_process() ? packets_ : "");
    if (!is_first_process()) {
        if (divided && !trace_out_.empty()) experiment_->workload().recorder()->record_to("");
        if (divided) simulate(recorded(), waveform, packet_log, nullptr, {});
        return 0;
    }
    Outputs outputs(files_, command_line);
    workloads::Recorder* const recorder = recorder_for(*experiment_, trace_out_);

    if (check_order_) {
        const unsigned orders = require_any_order(experiment_->request(), available_processors());
        say(orders == 0 ? "--check-order: what happens here at one time has one order: nothing to compare"
                        : fmt::format("equal in {} of places", counted(orders, "other order")));
    }
    const std::string key = key_of(*experiment_);
    std::optional<Store> points;
    without_store([&] { points = Store::at(store_); });
    const Recorded asked = recorded();
    // A waveform, log lines, packets, a trace, a status and what a program prints need the run itself
    const bool prints = experiment_->workload().prints();
    if (prints) outputs.talk();
    experiment_->workload().let_print(!outputs.has_standard_output());
    const bool may_look_up = !fresh_ && !divided && !prints && !waves_.asked() && log_.empty() && status_.empty() &&
                             packets_.empty() && recorder == nullptr;
    std::optional<Point> point = points && may_look_up ? find_stored(*points, key, asked, *experiment_) : std::nullopt;
    const bool is_stored = point.has_value();
    if (!is_stored) {
        // Told before the run, which may take long
        if (points && without_store([&] { points->require_writable(); })) points.reset();
        try {
            point = simulate(asked, waveform, packet_log, recorder, key);
        } catch (const std::exception&) {
            if (recorder != nullptr) recorder->give_up();  // it is never destroyed
            throw;
        }
        if (points && !has_more(*points, point->header)) without_store([&] { points->put(*point); });
    }
    RunRecord record = std::move(point->record);
    const std::string took =
        fmt::format("simulated {} in {:.2f} s", rounded(record.outcome.simulated), record.wall_seconds.value_or(0));
    if (no_wall_time_) record.wall_seconds.reset();
    const auto text = [&] {
        std::string all = wrapped(title_of(record), 2, output_room().prose()) + "\n\n" +
                          results_text(record.outcome.results, output_room());
        if (every_block_ && record.outcome.use) {
            constexpr std::size_t kShownPlaces = 16;
            all += '\n' + place_use_text(*record.outcome.use, record.outcome.simulated, kShownPlaces,
                                         output_room().for_results());
        }
        if (!statistics_) return all;
        return all + "\nstatistics that are not zero everywhere\n\n" +
               statistics_table(record.outcome.statistics).text(0, output_room().for_results());
    };
    const Answer answer =
        with_evidence(answer_of(record), [&] { return evidence_lines(record, record.outcome.results, false); });
    const auto write_results = [&] {
        outputs.write(
            answer, [&] { return record_json(record, asked.every_block); }, [&] { return run_csv(record); }, text);
    };
    const auto write_report = [&] {
        outputs.report([&] {
            Page page{.title = title_of(record)};
            add_run(page, record);
            return page;
        });
    };
    const auto refuse_waveform = [&] {
        if (!not_recorded_.empty()) throw UserError(not_recorded_);
    };
    do_all({write_results, write_report, refuse_waveform});
    say(is_stored ? fmt::format("from the store: computer {} at {} {}; --fresh runs it again", point->header.machine,
                                point->header.finished, took)
                  : took);
    return experiment_->workload().exit_status();
}

std::unique_ptr<Command> make_run() { return std::make_unique<RunCommand>(); }

}  // namespace ringmesh::lab
