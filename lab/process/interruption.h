// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <stdexcept>
#include <string>

/// Signals, child processes and standard streams of the process.
namespace ringmesh::lab {

/// From now on SIGINT, SIGTERM and SIGHUP remove partial output files, kill child processes, say "ringmesh:
/// interrupted" and end the process with status 128 + signal (130 for Ctrl-C). A closed pipe and a file over its size
/// limit become write errors instead of signals. Standard input, output and error are opened if closed, so that no file
/// gets their numbers; writing to one that was closed fails. An object of SystemC for which there is no memory throws
/// std::bad_alloc.
void prepare_process();

/// A simulation was interrupted and has stopped; what() says where.
class Interrupted : public std::runtime_error {
public:
    Interrupted(int signal, const std::string& where) : std::runtime_error(where), signal_(signal) {}
    int signal() const { return signal_; }

private:
    int signal_;
};

/// While held, the first signal does not end the process: interruption() tells it, so that a simulation can stop and
/// say where. The second one ends the process at once, and so does a first one that has not been taken for two seconds.
void hold_interruptions(bool held);
/// From now on an interruption says nothing: another process does.
void let_interruptions_be_silent();
bool interruptions_are_held();
/// The signal that came while they were held; 0 if none did. It is told once.
int interruption();
/// Whether SIGUSR1 has come since the last call. Child processes of fork_child() get it, too.
bool status_was_asked();

/// What is said behind "interrupted", so that the user knows how to go on; "" for nothing.
/// @param advice a literal: it is read by the handler of the signal
void advise_at_interruption(const char* advice);

inline constexpr int kMostChildren = 64;

/// Like fork(). The child dies silently when this process is interrupted or dies.
/// @return in the parent the child's number, 0 in the child. @throws std::system_error
/// @pre fewer than kMostChildren are running
pid_t fork_child();
/// Waits for the end of a child of fork_child(). @return its status as of waitpid
int wait_for_child(pid_t child);
/// Kills it first.
void kill_child(pid_t child);

}  // namespace ringmesh::lab
