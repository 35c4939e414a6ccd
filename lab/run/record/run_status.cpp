// SPDX-License-Identifier: Apache-2.0
#include "lab/run/record/run_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <systemc>
#include <utility>

#include "lab/process/interruption.h"
#include "lab/process/output_file.h"
#include "lab/process/standard_streams.h"
#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
#include "tlm/error.h"
#include "tlm/files/atomic_file.h"
#include "tlm/simulation/fault.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh::lab {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};
constexpr std::chrono::milliseconds kBetweenStops{1};
constexpr unsigned kNoAnswer = 10;     // looks
constexpr unsigned kMostStops = 2000;  // then it is in a library for good
constexpr int kOverLimit = 2;          // exit status
constexpr std::chrono::seconds kBetweenFiles{1};

/// "1.2 M"
std::string short_number(double number)
{
    if (number >= 1e6) return fmt::format("{:.1f} M", number / 1e6);
    if (number >= 1e3) return fmt::format("{:.0f} k", number / 1e3);
    return fmt::format("{:.0f}", number);
}

std::string wall_text(double seconds)
{
    return seconds < 1 ? rounded(Duration::picoseconds(std::llround(seconds * 1e12))) : duration_text(seconds);
}

}  // namespace

/// The kernel calls its update() between two delta cycles after another thread has asked for it.
class RunStatus::Glance final : public sc_core::sc_prim_channel {
public:
    explicit Glance(RunStatus& status) : sc_prim_channel(sc_core::sc_gen_unique_name("status")), status_(status) {}
    void ask() { async_request_update(); }

private:
    void update() override { status_.look(); }

    RunStatus& status_;
};

RunStatus::RunStatus(Simulation& simulation, std::string title, std::string file, bool is_child,
                     std::chrono::duration<double> limit, std::function<std::string()> doing)
    : simulation_(simulation),
      title_(std::move(title)),
      file_(std::move(file)),
      is_child_(is_child),
      limit_(limit.count()),
      doing_(std::move(doing)),
      stop_([this](const std::string& what, const std::string& lines) {
          return std::make_exception_ptr(
              OverLimit(beyond_limit(fmt::format("{}; {} have passed", what, wall_text(seconds()))) + lines));
      })
{
    if (file_ == "-") throw UserError("--status -: the status needs a file; write --status FILE");
    if (!is_child_) bar_ = std::make_unique<ProgressBar>(title_);
    simulation_.on_progress([this](double part) { part_ = part; });
    if (!file_.empty()) write_file(simulation_.standing(), "running", {});
    glance_ = std::make_unique<Glance>(*this);
    if (!is_child_) hold_interruptions(true);
    thread_ = std::thread([this] { watch(); });
}

RunStatus::~RunStatus()
{
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    ended_.notify_all();
    thread_.join();
    if (!is_child_) hold_interruptions(false);
    simulation_.on_progress({});
}

void RunStatus::watch()
{
    std::unique_lock lock(mutex_);
    std::chrono::milliseconds until_next = kBetweenLooks;
    unsigned stops = 0;
    while (!ended_.wait_for(lock, until_next, [this] { return over_; })) {
        // A look is asked for even if nobody wants one: it costs less than finding out
        glance_->ask();
        const bool computes = ++unanswered_ > kNoAnswer && limit_ > 0 && seconds() > limit_ &&
                              workloads::stop_computing(simulating_, stop_);
        if (computes && ++stops > kMostStops) {
            remove_partial_files_from_signal_handler();
            say(beyond_limit(fmt::format("it has not looked at the clock for {}", wall_text(seconds()))));
            std::_Exit(kOverLimit);
        }
        until_next = computes ? kBetweenStops : kBetweenLooks;
    }
}

double RunStatus::seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

void RunStatus::look()
{
    unanswered_ = 0;
    const auto time = Clock::now();
    const double since = std::chrono::duration<double>(time - measured_).count();
    const std::uint64_t steps = simulation_.steps();
    if (since > 0) steps_per_second_ = static_cast<double>(steps - steps_then_) / since;
    steps_then_ = steps;
    measured_ = time;
    if (bar_) {
        bar_->describe(title_, fmt::format("at {:.1f} us, {} steps/s, {} packets under way", now().us(),
                                           short_number(steps_per_second_), simulation_.objects_in_use()));
        bar_->show(part_);
    }
    look_at_time();
    const bool asked = status_was_asked();
    const int signal = is_child_ ? 0 : interruption();
    if (asked || signal != 0) {
        const Standing standing = simulation_.standing();
        const std::string where = fmt::format("at {:.3f} us; {}", standing.at.us(), text_of(standing));
        if (asked) {
            say(fmt::format("{}: {}, {} steps/s, {}", title_, progress_text(part_), short_number(steps_per_second_),
                            where));
        }
        if (signal != 0) simulation_.fail(std::make_exception_ptr(Interrupted(signal, where)));
    }
    if (!file_.empty() && (asked || time - written_ >= kBetweenFiles)) {
        written_ = time;
        write_file(simulation_.standing(), "running", {});
    }
}

void RunStatus::look_at_time()
{
    constexpr double kEnoughToTell = 2;  // seconds
    constexpr double kLong = 600;
    const double passed = seconds();
    if (passed < std::min(kEnoughToTell, limit_ > 0 ? limit_ : kEnoughToTell)) return;
    const double all = part_ > 0 ? passed / part_ : passed;
    if (limit_ > 0 && (passed > limit_ || all > 2 * limit_)) {
        const std::string took = part_ > 0 ? fmt::format("{} of it took {}, so that all takes about {}",
                                                         progress_text(part_), wall_text(passed), wall_text(all))
                                           : fmt::format("nothing of it was done after {}", wall_text(passed));
        simulation_.fail(std::make_exception_ptr(OverLimit(beyond_limit(took) + doing_())));
        return;
    }
    if (is_child_ || told_ || error_is_terminal() || passed < 10 * kEnoughToTell || all < kLong) return;
    told_ = true;
    say(fmt::format("{}: {} after {}: all takes about {}; --limit TIME stops a run that takes longer", title_,
                    progress_text(part_), duration_text(passed), duration_text(all)));
}

std::string RunStatus::beyond_limit(const std::string& took) const
{
    return fmt::format("{}: {}, and --limit allows {}; ask for less, or allow more", title_, took, wall_text(limit_));
}

void RunStatus::require_in_time() const
{
    const double passed = seconds();
    if (limit_ > 0 && passed > limit_) throw OverLimit(beyond_limit("it took " + wall_text(passed)));
}

void RunStatus::end(std::string_view state, std::string_view message)
{
    if (!file_.empty()) write_file(simulation_.standing(), state, message);
}

void RunStatus::write_file(const Standing& standing, std::string_view state, std::string_view message)
{
    Json json{{"ringmesh", program_json()}};
    json["title"] = title_;
    json["state"] = state;
    if (!message.empty()) json["message"] = message;
    json["progress"] = state == "done" ? 1 : part_;
    json["simulated_ns"] = standing.at.ns();
    json["wall_seconds"] = seconds();
    json["steps"] = standing.steps;
    json["steps_per_second"] = steps_per_second_;
    json["under_way"] = Json::list(standing.under_way, [&standing](const auto& kind) {
        Json entry{{"kind", kind.kind}, {"count", kind.count}};
        if (kind.oldest != 0) {
            entry["oldest"] = {{"packet", kind.oldest},
                               {"what", kind.what},
                               {"born_ns", kind.born.ns()},
                               {"age_ns", (standing.at - kind.born).ns()}};
        }
        return entry;
    });
    json["not_idle"] = Json::list(standing.held, [](const auto& block) -> Json {
        return {{"block", block.block}, {"what", block.what}};
    });
    OutputFile(file_, kJsonMark).write(json.text() + '\n');
}

void run_watched(Experiment& experiment, const std::string& title, const std::string& file, bool is_child,
                 std::chrono::duration<double> limit)
{
    RunStatus status(experiment.simulation(), title, file, is_child, limit,
                     [&experiment] { return experiment.workload().doing_of_ranks(); });
    try {
        experiment.run();
        if (const int signal = is_child ? 0 : interruption()) throw Interrupted(signal, "at the end of the run");
        status.require_in_time();
    } catch (const std::exception& error) {
        status.end(dynamic_cast<const Interrupted*>(&error) != nullptr  ? "interrupted"
                   : dynamic_cast<const StuckError*>(&error) != nullptr ? "stuck"
                   : dynamic_cast<const FaultError*>(&error) != nullptr ? "fault"
                                                                        : "failed",
                   error.what());
        throw;
    }
    status.end("done");
}

}  // namespace ringmesh::lab
