// SPDX-License-Identifier: Apache-2.0
#include "lab/child_process.h"

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
#include <optional>
#include <system_error>
#include <utility>

#include "lab/interruption.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

/// The first byte of what a child writes.
enum class Ending : char { kResult = 'R', kUserError = 'U', kStuckError = 'S', kModelError = 'M', kOtherError = 'E' };

/// A child's whole message: its outcome, then the result or the error's text.
std::string message_of(const Job& job)
{
    const auto message = [](Ending outcome, std::string_view text) {
        return static_cast<char>(outcome) + std::string(text);
    };
    try {
        return message(Ending::kResult, job());
    } catch (const UserError& error) {
        return message(Ending::kUserError, error.what());
    } catch (const StuckError& error) {
        return message(Ending::kStuckError, error.what());
    } catch (const ModelError& error) {
        return message(Ending::kModelError, error.what());
    } catch (const std::exception& error) {
        return message(Ending::kOtherError, error.what());
    }
}

/// Returns the result in a message, or rethrows its error.
std::string result_of(const std::string& message)
{
    std::string text = message.substr(1);
    switch (static_cast<Ending>(message.front())) {
        case Ending::kResult: return text;
        case Ending::kUserError: throw UserError(text);
        case Ending::kStuckError: throw StuckError(text);
        case Ending::kModelError: throw ModelError(text);
        case Ending::kOtherError: break;
    }
    throw std::runtime_error(text);
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
    Child(Child&& other) noexcept
        : number_(other.number_),
          pipe_(std::exchange(other.pipe_, -1)),
          process_(std::exchange(other.process_, 0)),
          text_(std::move(other.text_))
    {}
    Child& operator=(Child&& other) noexcept
    {
        std::swap(number_, other.number_);
        std::swap(pipe_, other.pipe_);
        std::swap(process_, other.process_);
        text_.swap(other.text_);
        return *this;
    }
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

    /// Waits for its end. @return its message
    std::string finish()
    {
        const int status = wait_for_child(std::exchange(process_, 0));
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !text_.empty()) return std::move(text_);
        const std::string how = WIFSIGNALED(status)
                                    ? fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)))
                                    : fmt::format("status {}", WEXITSTATUS(status));
        return static_cast<char>(Ending::kModelError) + fmt::format("a child process ended with {}", how);
    }

private:
    std::size_t number_;
    int pipe_ = -1;
    pid_t process_ = 0;
    std::string text_;
};

/// Waits until at least one child has written or ended.
std::vector<pollfd> wait_for_any(const std::vector<Child>& children)
{
    std::vector<pollfd> pipes;
    pipes.reserve(children.size());
    for (const Child& child : children) pipes.push_back({child.pipe(), POLLIN, 0});
    while (::poll(pipes.data(), pipes.size(), -1) < 0) {
        if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "cannot wait for child processes");
    }
    return pipes;
}

bool is_error(const std::string& message) { return message.front() != static_cast<char>(Ending::kResult); }

}  // namespace

unsigned available_processors()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return std::max(1u, static_cast<unsigned>(CPU_COUNT(&set)));
}

std::vector<std::string> run_in_children(std::span<const Job> jobs, unsigned parallel,
                                         const std::function<void(std::size_t)>& finished)
{
    const std::size_t most = std::clamp<std::size_t>(parallel, 1, kMostChildren);
    std::vector<std::string> messages(jobs.size());
    std::vector<Child> running;
    std::size_t started = 0;
    std::size_t ended = 0;
    bool failed = false;
    while (true) {
        while (!failed && running.size() < most && started < jobs.size()) {
            running.emplace_back(jobs[started], started);
            ++started;
        }
        if (running.empty()) break;
        const std::vector<pollfd> pipes = wait_for_any(running);
        for (std::size_t i = pipes.size(); i-- > 0;) {
            if (pipes[i].revents == 0 || running[i].read()) continue;
            std::string& message = messages[running[i].number()];
            message = running[i].finish();
            failed = failed || is_error(message);
            running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
            ++ended;
            if (finished) finished(ended);
        }
    }
    std::vector<std::string> results;
    for (const std::string& message : messages) {
        if (!message.empty()) results.push_back(result_of(message));
    }
    return results;
}

}  // namespace ringmesh::lab
