// SPDX-License-Identifier: Apache-2.0
#include "lab/process/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <list>
#include <optional>
#include <system_error>
#include <utility>

#include "lab/process/interruption.h"
#include "tlm/error.h"
#include "tlm/simulation/fault.h"

namespace ringmesh::lab {
namespace {

using How = JobEnd::How;
using Clock = std::chrono::steady_clock;

/// A child's whole message: how it ended as the first byte, then the result or the error's text.
std::string message_of(const Job& job)
{
    const auto message = [](How how, std::string_view text) { return static_cast<char>(how) + std::string(text); };
    try {
        return message(How::kResult, job());
    } catch (const UserError& error) {
        return message(How::kUserError, error.what());
    } catch (const StuckError& error) {
        return message(How::kStuckError, error.what());
    } catch (const FaultError& error) {
        return message(How::kFaultError, error.what());
    } catch (const ModelError& error) {
        return message(How::kModelError, error.what());
    } catch (const std::exception& error) {
        return message(How::kOtherError, error.what());
    }
}

[[noreturn]] void work(const Job& job, int pipe)
{
    const std::string message = message_of(job);
    std::string_view rest = message;
    while (!rest.empty()) {
        const ssize_t written = ::write(pipe, rest.data(), rest.size());
        if (written < 0 && errno != EINTR) ::_exit(1);
        if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
    }
    // No destructors and exit handlers: they are the parent's, and destroying a big simulation is slow
    ::_exit(0);
}

/// A running child and its output so far. The destructor kills a child that is still running.
class Child {
public:
    Child(const Job& job, std::size_t number) : number_(number)
    {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
            throw std::system_error(errno, std::generic_category(), "cannot start a child process");
        }
        pipe_ = ends[0];
        try {
            process_ = fork_child();
        } catch (...) {
            ::close(ends[0]);
            ::close(ends[1]);
            throw;
        }
        if (process_ == 0) work(job, ends[1]);
        ::close(ends[1]);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child()
    {
        if (pipe_ >= 0) ::close(pipe_);
        if (process_ > 0) kill_child(process_);
    }

    std::size_t number() const { return number_; }
    int pipe() const { return pipe_; }

    /// Reads from the pipe. @return false at its end
    bool read()
    {
        std::array<char, 65536> buffer;
        const ssize_t size = ::read(pipe_, buffer.data(), buffer.size());
        if (size < 0 && (errno == EINTR || errno == EAGAIN)) return true;
        if (size > 0) text_.append(buffer.data(), static_cast<std::size_t>(size));
        return size > 0;
    }

    Clock::time_point started() const { return started_; }

    /// Waits for its end.
    JobEnd finish()
    {
        const int status = wait_for_child(std::exchange(process_, 0));
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !text_.empty()) {
            return {number_, static_cast<How>(text_.front()), text_.substr(1)};
        }
        const std::string how = WIFSIGNALED(status)
                                    ? fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)))
                                    : fmt::format("status {}", WEXITSTATUS(status));
        return {number_, How::kCrash, fmt::format("a child process ended with {}", how)};
    }

private:
    Clock::time_point started_ = Clock::now();
    std::size_t number_;
    int pipe_ = -1;
    pid_t process_ = 0;
    std::string text_;
};

/// Waits until at least one child has written or ended, or `most` has passed.
std::vector<pollfd> wait_for_any(const std::list<Child>& children, std::optional<Clock::duration> most)
{
    std::vector<pollfd> pipes;
    for (const Child& child : children) pipes.push_back({child.pipe(), POLLIN, 0});
    const auto ceil = std::chrono::ceil<std::chrono::milliseconds>(most.value_or(std::chrono::hours(1))).count();
    const int milliseconds = static_cast<int>(std::clamp<std::int64_t>(ceil, 0, 3'600'000));
    while (::poll(pipes.data(), pipes.size(), milliseconds) < 0) {
        if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "cannot wait for child processes");
    }
    return pipes;
}

}  // namespace

unsigned available_processors()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return std::max(1u, static_cast<unsigned>(CPU_COUNT(&set)));
}

std::string JobEnd::result() const
{
    if (how == How::kResult) return text;
    if (how == How::kUserError) throw UserError(text);
    if (how == How::kStuckError) throw StuckError(text);
    if (how == How::kFaultError) throw FaultError(text);
    if (how == How::kOtherError) throw std::runtime_error(text);
    throw ModelError(text);
}

void run_in_children(std::span<const Job> jobs, unsigned parallel,
                     std::span<const std::chrono::duration<double>> limits, const std::function<Then(JobEnd)>& ended,
                     const std::function<bool(std::size_t)>& starts)
{
    const std::size_t most = std::clamp<std::size_t>(parallel, 1, kMostChildren);
    const auto limit_of = [limits](const Child& child) {
        return limits.empty() ? std::chrono::duration<double>(0) : limits[child.number()];
    };
    const auto time_left = [&limit_of](const Child& child) -> std::optional<Clock::duration> {
        const auto limit = limit_of(child);
        if (limit.count() <= 0) return std::nullopt;
        return child.started() + std::chrono::duration_cast<Clock::duration>(limit) - Clock::now();
    };
    std::list<Child> running;
    std::size_t started = 0;
    bool start_more = true;
    while (true) {
        for (; start_more && running.size() < most && started < jobs.size(); ++started) {
            if (!starts || starts(started)) running.emplace_back(jobs[started], started);
        }
        if (running.empty()) return;
        std::optional<Clock::duration> least;
        for (const Child& child : running) {
            if (const auto left = time_left(child)) least = std::min(least.value_or(*left), *left);
        }
        auto child = running.begin();
        for (const pollfd& pipe : wait_for_any(running, least)) {
            const auto each = child++;
            const bool has_news = pipe.revents != 0;
            const auto left = time_left(*each);
            if (has_news ? each->read() : !left || left->count() > 0) continue;
            JobEnd end = has_news ? each->finish()
                                  : JobEnd{each->number(), How::kLate,
                                           fmt::format("not finished after {:g} s", limit_of(*each).count())};
            running.erase(each);
            if (ended(std::move(end)) == Then::kStartNoMore) start_more = false;
        }
    }
}

std::vector<std::string> run_in_children(std::span<const Job> jobs, unsigned parallel,
                                         const std::function<void(std::size_t)>& finished)
{
    std::vector<std::optional<JobEnd>> ends(jobs.size());
    std::size_t count = 0;
    run_in_children(jobs, parallel, {}, [&](JobEnd end) {
        const Then then = end.how == How::kResult ? Then::kGoOn : Then::kStartNoMore;
        ends[end.job] = std::move(end);
        ++count;
        if (finished) finished(count);
        return then;
    });
    std::vector<std::string> results;
    for (const auto& end : ends) {
        if (end) results.push_back(end->result());
    }
    return results;
}

}  // namespace ringmesh::lab
