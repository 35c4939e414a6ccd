// SPDX-License-Identifier: Apache-2.0
#include "lab/process/interruption.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sysc/kernel/sc_cmnhdr.h>
#include <sysc/utils/sc_mempool.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>

#include "tlm/error.h"
#include "tlm/files/atomic_file.h"

namespace sc_core {

// In place of the library's own pool, which writes to what malloc() returned when memory ends. Its switch
// SYSTEMC_MEMPOOL_DONT_USE is read before main() begins, and so comes too late from here.
void* sc_mempool::allocate(std::size_t size) { return ::operator new(size); }
void sc_mempool::release(void* memory, std::size_t /*size*/) { ::operator delete(memory); }

}  // namespace sc_core

namespace ringmesh::lab {
namespace {

constexpr std::array kInterruptions{SIGINT, SIGTERM, SIGHUP};

// State of the handler: in fixed memory, because it may neither allocate nor lock.
std::array<std::atomic<pid_t>, kMostChildren> children{};
std::atomic<bool> silent{false};  // somebody else says so
std::atomic<bool> terminal{false};
std::atomic<const char*> advice_after{""};
std::atomic<bool> held_back{false};
std::atomic<int> held_signal{0};
std::atomic<bool> status_asked{false};
static_assert(std::atomic<pid_t>::is_always_lock_free);

void write_now(const char* text)
{
    // An error cannot be handled here; using the result avoids a compiler warning.
    if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void pass_to_children(int signal)
{
    for (const auto& child : children) {
        if (const pid_t pid = child.load(); pid > 0) ::kill(pid, signal);
    }
}

/// Wherever it happens: an exception may meet code that lets none through, or be taken for something else.
[[noreturn]] void out_of_memory()
{
    constexpr int kStatus = 3;
    remove_partial_files_from_signal_handler();
    write_now(
        "ringmesh: out of memory; ask for fewer nodes, repetitions or records, a lower load or a shorter duration, or "
        "for fewer runs at a time (--jobs)\n");
    std::_Exit(kStatus);
}

extern "C" void ringmesh_status_asked(int signal)
{
    status_asked.store(true);
    pass_to_children(signal);
}

extern "C" void ringmesh_interrupted(int signal)
{
    if (signal == SIGALRM) {
        signal = held_signal.load();
        if (signal == 0) return;  // it was taken meanwhile
    } else if (held_back.exchange(false)) {
        held_signal.store(signal);
        ::alarm(2);
        return;
    }
    remove_partial_files_from_signal_handler();
    pass_to_children(SIGKILL);
    if (!silent.load()) {
        // Erase the progress bar and the terminal's own "^C"
        if (terminal.load()) write_now("\r\033[K");
        write_now("ringmesh: interrupted");
        const char* advice = advice_after.load();
        if (*advice != '\0') write_now("; ");
        write_now(advice);
        write_now("\n");
    }
    ::_exit(128 + signal);
}

sigset_t interruption_signals()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : kInterruptions) sigaddset(&set, signal);
    return set;
}

void open_if_closed(int descriptor, int flags)
{
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) return;
    // open() takes the lowest free number: this one, because those below are open
    if (::open("/dev/null", flags) != descriptor) ::_exit(2);
}

}  // namespace

void prepare_process()
{
    open_if_closed(STDIN_FILENO, O_WRONLY);
    open_if_closed(STDOUT_FILENO, O_RDONLY);
    open_if_closed(STDERR_FILENO, O_WRONLY);
    terminal = ::isatty(STDERR_FILENO) == 1;

    struct sigaction action {};
    action.sa_mask = interruption_signals();
    action.sa_handler = &ringmesh_interrupted;
    for (const int signal : kInterruptions) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        // nohup ignores SIGHUP
        if (signal == SIGHUP && before.sa_handler == SIG_IGN) continue;
        ::sigaction(signal, &action, nullptr);
    }
    ::sigaction(SIGALRM, &action, nullptr);
    struct sigaction status {};
    status.sa_handler = &ringmesh_status_asked;
    status.sa_flags = SA_RESTART;
    ::sigaction(SIGUSR1, &status, nullptr);
    std::set_new_handler(&out_of_memory);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

void let_interruptions_be_silent() { silent.store(true); }

void hold_interruptions(bool held) { held_back.store(held); }

bool interruptions_are_held() { return held_back.load(); }

int interruption() { return held_signal.exchange(0); }

bool status_was_asked() { return status_asked.exchange(false); }

void advise_at_interruption(const char* advice) { advice_after.store(advice); }

pid_t fork_child()
{
    const pid_t parent = ::getpid();
    const auto entry =
        std::find_if(children.begin(), children.end(), [](const auto& each) { return each.load() == 0; });
    if (entry == children.end()) throw ModelError("too many child processes at a time");

    // A signal meets either no child or one that is in the list
    const sigset_t held = interruption_signals();
    sigset_t before{};
    ::sigprocmask(SIG_BLOCK, &held, &before);
    const pid_t child = ::fork();
    const int error = errno;
    if (child > 0) entry->store(child);
    if (child == 0) {
        for (auto& other : children) other.store(0);
        silent.store(true);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(128 + SIGKILL);  // died before the line above
    }
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    if (child < 0) throw std::system_error(error, std::generic_category(), "cannot start a child process");
    return child;
}

int wait_for_child(pid_t child)
{
    int status = 0;
    pid_t ended = -1;
    do {
        ended = ::waitpid(child, &status, 0);
    } while (ended < 0 && errno == EINTR);
    const int error = errno;
    for (auto& entry : children) {
        pid_t expected = child;
        if (entry.compare_exchange_strong(expected, 0)) break;
    }
    if (ended < 0) throw std::system_error(error, std::generic_category(), "cannot wait for a child process");
    return status;
}

void kill_child(pid_t child)
{
    ::kill(child, SIGKILL);
    wait_for_child(child);
}

}  // namespace ringmesh::lab
