// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

/// Signals, child processes and standard streams of the process.
namespace ringmesh::lab {

/// From now on SIGINT, SIGTERM and SIGHUP remove partial output files, kill child processes, say "ringmesh:
/// interrupted" and end the process with status 128 + signal (130 for Ctrl-C). A closed pipe and a file over its size
/// limit become write errors instead of signals. Standard input, output and error are opened if closed, so that no file
/// gets their numbers; writing to one that was closed fails.
void prepare_process();

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
