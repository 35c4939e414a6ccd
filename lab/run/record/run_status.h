// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "lab/process/progress_bar.h"
#include "lab/run/experiment.h"
#include "tlm/error.h"
#include "tlm/simulation/simulation.h"
#include "workloads/foreign/computation.h"

namespace ringmesh::lab {

/// A run takes longer than it may.
class OverLimit : public UserError {
public:
    using UserError::UserError;
};

/// Watches a run from a thread of its own, which asks the kernel for a look between two of its delta cycles: ten times
/// a second, without effect on the simulation. It shows
///
/// - progress on a terminal: part, simulated time, delta cycles a second, packets under way;
/// - on SIGUSR1, on standard error, where the run stands (Standing) with its oldest packet;
/// - the same as JSON in a file, each second and at the end, which always appears whole;
/// - once, if a run of which no terminal shows the progress is going to take long, how long;
/// - and lets a run that is interrupted, or is going to take more than it may, stop where it is, and say where that
/// was.
class RunStatus {
public:
    /// @param title of the run, for messages
    /// @param file for the status; empty for none. It is written at once. @throws UserError
    /// @param is_child of another process of ours, which shows progress and says what ended it
    /// @param limit of wall time; zero: none
    /// @param doing lines for the message of a run that is stopped, each behind a line feed
    /// @pre the machine has been built, the run has not begun
    RunStatus(Simulation& simulation, std::string title, std::string file, bool is_child,
              std::chrono::duration<double> limit, std::function<std::string()> doing);
    ~RunStatus();
    RunStatus(const RunStatus&) = delete;
    RunStatus& operator=(const RunStatus&) = delete;

    /// A run of less than a look is over. @throws UserError if it took longer than it may
    void require_in_time() const;
    /// The run is over. @param state "done", "stuck", "interrupted" or "failed"
    void end(std::string_view state, std::string_view message = {});

private:
    class Glance;
    using Clock = std::chrono::steady_clock;

    void watch();
    /// In the thread of the simulation.
    void look();
    /// Stops what has taken, or by its progress would take, more than it may. The first part of a run is often slower
    /// or faster than the rest: an estimate stops it if it is twice the limit.
    void look_at_time();
    std::string beyond_limit(const std::string& took) const;
    void write_file(const Standing& standing, std::string_view state, std::string_view message);
    double seconds() const;

    Simulation& simulation_;
    const std::string title_;
    const std::string file_;
    const bool is_child_;
    std::unique_ptr<ProgressBar> bar_;
    const double limit_;  ///< seconds; 0: none
    const std::function<std::string()> doing_;
    bool told_ = false;  ///< how long it takes
    double part_ = 0;
    const Clock::time_point started_ = Clock::now();
    Clock::time_point measured_ = started_;
    Clock::time_point written_ = started_;
    std::uint64_t steps_then_ = 0;
    double steps_per_second_ = 0;
    std::unique_ptr<Glance> glance_;
    const pthread_t simulating_ = ::pthread_self();
    std::atomic<unsigned> unanswered_ = 0;  ///< looks that were asked for
    const workloads::StopComputing stop_;   ///< of a rank that computes, so that no look is taken
    std::mutex mutex_;
    std::condition_variable ended_;
    bool over_ = false;
    std::thread thread_;
};

/// Experiment::run() with its status. @param file, is_child, limit as above @throws UserError beyond the limit
void run_watched(Experiment& experiment, const std::string& title, const std::string& file, bool is_child,
                 std::chrono::duration<double> limit = {});

}  // namespace ringmesh::lab
