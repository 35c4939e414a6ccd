// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace ringmesh::lab {

/// Work whose result is a text.
using Job = std::function<std::string()>;

/// As many as there are processors for this process, at least 1.
unsigned available_processors();

/// How a job ended.
struct JobEnd {
    enum class How : std::uint8_t {
        kResult,
        kUserError,
        kStuckError,
        kFaultError,
        kModelError,
        kOtherError,
        kCrash,
        kLate
    };

    std::size_t job = 0;
    How how = How::kResult;
    std::string text;  ///< the result or the error

    /// The result. @throws the error
    std::string result() const;
};

/// What to do after a job has ended.
enum class Then : std::uint8_t { kGoOn, kStartNoMore };

/// Runs each job in a forked child process of its own, at most `parallel` at a time: SystemC allows one simulation per
/// process. `ended` is called in this process for each, in the order in which they end.
/// @param limits of the time of each job, zero for none; or empty. What takes longer is killed and kLate.
/// @param starts asked in this process before each job; if it says no, the job is left out. Empty: all start
/// @pre the calling process has made no SystemC object yet
void run_in_children(std::span<const Job> jobs, unsigned parallel,
                     std::span<const std::chrono::duration<double>> limits, const std::function<Then(JobEnd)>& ended,
                     const std::function<bool(std::size_t job)>& starts = {});

/// The same without limits.
///
/// Returns the results in the order of the jobs. After a failure no further job is started, and the error of the first
/// failed job, in the order of the jobs, is rethrown as a UserError or ModelError. A job that ends its process is a
/// ModelError.
/// @pre the calling process has made no SystemC object yet
/// @param finished called in this process with the number of jobs that have ended, after each
std::vector<std::string> run_in_children(std::span<const Job> jobs, unsigned parallel,
                                         const std::function<void(std::size_t finished)>& finished = {});

}  // namespace ringmesh::lab
