// SPDX-License-Identifier: Apache-2.0
#include "tests/support/case_processes.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <system_error>

namespace ringmesh::test {
namespace {

using Clock = std::chrono::steady_clock;

/// What a child tells: written before and after each case.
struct Record {
    enum class What : int { kStarted, kPassed, kFailed };
    What what = What::kStarted;
    off_t output = 0;  ///< bytes written so far
};

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

void flush()
{
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
}

void tell(int pipe, Record::What what)
{
    flush();
    const Record record{what, ::lseek(STDOUT_FILENO, 0, SEEK_CUR)};
    if (::write(pipe, &record, sizeof record) != ssize_t{sizeof record}) std::_Exit(EXIT_FAILURE);
}

std::string text(int file, off_t from, off_t to)
{
    std::string bytes(static_cast<std::size_t>(std::max<off_t>(to - from, 0)), '\0');
    const ssize_t got = ::pread(file, bytes.data(), bytes.size(), from);
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return bytes;
}

}  // namespace

struct CaseProcesses::Running {
    std::vector<std::size_t> batch;
    std::size_t next = 0;    ///< of the batch: the case that runs or starts next
    bool in_a_case = false;  ///< it has started
    bool timed_out = false;
    pid_t pid = 0;
    int records = -1;
    int output = -1;
    off_t shown = 0;  ///< bytes of the output that belong to earlier cases
    Clock::time_point since;
};

CaseProcesses::CaseProcesses(Child child, Run run, Seconds limit)
    : child_(std::move(child)), run_(std::move(run)), limit_(limit)
{}

CaseProcesses::~CaseProcesses() = default;

void CaseProcesses::run(std::vector<std::vector<std::size_t>> batches, std::size_t parallel, const Done& done)
{
    waiting_ = std::move(batches);
    std::reverse(waiting_.begin(), waiting_.end());
    while (!waiting_.empty() || !running_.empty()) {
        while (!waiting_.empty() && running_.size() < parallel) {
            auto batch = std::move(waiting_.back());
            waiting_.pop_back();
            if (!batch.empty()) start(std::move(batch));
        }
        std::vector<pollfd> polled;
        for (const Running& child : running_) polled.push_back({child.records, POLLIN, 0});
        if (::poll(polled.data(), polled.size(), 100) < 0 && errno != EINTR) fail("poll");
        for (std::size_t i = 0; i < running_.size(); ++i) {
            if (polled[i].revents != 0) hear(running_[i], done);
            Running& child = running_[i];
            if (child.pid != 0 && !child.timed_out && Clock::now() - child.since > limit_) {
                child.timed_out = true;
                ::kill(-child.pid, SIGKILL);
            }
        }
        std::erase_if(running_, [](const Running& child) { return child.pid == 0; });
    }
}

void CaseProcesses::start(std::vector<std::size_t> batch)
{
    flush();
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) fail("pipe2");
    Running child;
    child.output = ::memfd_create("output", MFD_CLOEXEC);
    if (child.output < 0) fail("memfd_create");
    child.pid = ::fork();
    if (child.pid < 0) fail("fork");
    if (child.pid == 0) {
        ::setpgid(0, 0);  // a time-out ends the programs that it has started as well
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::dup2(child.output, STDOUT_FILENO);
        ::dup2(child.output, STDERR_FILENO);
        std::exit(child_([&, self = ::getpid()] {
            for (const std::size_t number : batch) {
                tell(pipe[1], Record::What::kStarted);
                const bool passed = run_(number);
                if (::getpid() != self) std::_Exit(EXIT_FAILURE);  // forked by the case, which has thrown out of it
                tell(pipe[1], passed ? Record::What::kPassed : Record::What::kFailed);
            }
        }));
    }
    ::setpgid(child.pid, child.pid);
    ::close(pipe[1]);
    child.batch = std::move(batch);
    child.records = pipe[0];
    child.since = Clock::now();
    running_.push_back(std::move(child));
}

void CaseProcesses::hear(Running& child, const Done& done)
{
    Record record;
    if (::read(child.records, &record, sizeof record) != ssize_t{sizeof record}) return finish(child, done);
    const auto now = Clock::now();
    if (record.what == Record::What::kStarted) {
        child.in_a_case = true;
    } else {
        done({child.batch[child.next], record.what == Record::What::kPassed, "",
              text(child.output, child.shown, record.output), now - child.since});
        ++child.next;
        child.in_a_case = false;
    }
    child.shown = record.output;
    child.since = now;
}

void CaseProcesses::finish(Running& child, const Done& done)
{
    int status = 0;
    while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    ::kill(-child.pid, SIGKILL);  // what it has left behind
    std::string how;
    if (child.timed_out) {
        how = "took longer than " + std::to_string(std::lround(limit_.count())) + " s";
    } else if (WIFSIGNALED(status)) {
        how = std::string("crashed: ") + ::strsignal(WTERMSIG(status));
    } else if (WEXITSTATUS(status) != 0 || child.next < child.batch.size()) {
        how = "the process ended with exit status " + std::to_string(WEXITSTATUS(status));
        if (!child.in_a_case) how += child.next == 0 ? " before it" : " after it";
    }
    if (!how.empty()) {
        const bool between = !child.in_a_case && child.next > 0;
        if (between) --child.next;
        done({child.batch[child.next], false, how, text(child.output, child.shown, ::lseek(child.output, 0, SEEK_END)),
              Clock::now() - child.since});
        child.batch.erase(child.batch.begin(), child.batch.begin() + static_cast<std::ptrdiff_t>(child.next) + 1);
        if (!child.batch.empty()) waiting_.push_back(std::move(child.batch));
    }
    ::close(child.records);
    ::close(child.output);
    child.pid = 0;
}

}  // namespace ringmesh::test
