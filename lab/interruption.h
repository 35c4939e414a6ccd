// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

/// Ctrl-C and its relatives, and what else a process has to settle with the system before it starts work.
namespace ringmesh::lab {

/// From now on SIGINT, SIGTERM and SIGHUP remove partial output files, kill child processes, say "ringmesh:
/// interrupted" and end the process with status 128 + signal (130 for Ctrl-C). A reader that closes a pipe and a file
/// that grows over its limit become errors of the write instead of signals. Standard input, output and error are open,
/// so that no file gets their numbers; if one was closed, writing to it fails.
void prepare_process();

inline constexpr int kMostChildren = 64;

/// Like fork(). The child dies when this process is interrupted or dies, and says nothing about it.
/// @return in the parent the child's number, 0 in the child. @throws std::system_error
/// @pre fewer than kMostChildren are running
pid_t fork_child();
/// Waits for the end of a child of fork_child(). @return its status as of waitpid
int wait_for_child(pid_t child);
/// Kills it first.
void kill_child(pid_t child);

}  // namespace ringmesh::lab
