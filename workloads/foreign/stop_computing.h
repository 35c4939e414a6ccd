// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

#include <exception>
#include <functional>
#include <string>

namespace ringmesh::workloads {

/// What ends a run whose rank is stopped, from "rank 1 computes since MPI_Barrier and makes no call" and the lines of
/// its source.
using StopComputing = std::function<std::exception_ptr(const std::string& what, const std::string& lines)>;

/// From another thread: the rank of a program of others that computes in `thread` stops there. Without effect if none
/// does, or if it is in a library at the moment, whose locks it may hold: then ask again.
/// @param stop outlives the run @return false: it has stopped
bool stop_computing(pthread_t thread, const StopComputing& stop);

}  // namespace ringmesh::workloads
