// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tlm/division/processes.h"

/// One simulation in several processes, over Open MPI. MPI and METIS are in a plugin that is loaded when it is needed,
/// so that the program runs where they are not installed.
namespace ringmesh::lab {

/// The processes that mpirun has started, this one among them; 1 if it was not mpirun.
unsigned started_processes();
/// Whether this is the one that speaks and writes files: process 0, or the only one.
bool is_first_process();
/// From now on the others neither print nor say anything; what libraries write on standard error still appears.
void silence_other_processes();
/// Joins the processes that mpirun has started.
/// @param key of the run @throws UserError if there is no plugin, or others have another key
Processes& join_processes(const std::string& key);
/// From now on the others end, too, in the same way.
void end_processes_together();
/// To be called last. Waits for the others if they end together; if not, mpirun ends them.
void leave_processes();
/// Runs this command line anew in so many processes, under mpirun, and ends as they do. A signal goes on to them; that
/// it came, or that one of them was killed, is told here. Does not return.
/// @throws UserError if there is no plugin or no mpirun
[[noreturn]] void start_processes(unsigned count);
/// As Division::cut(), in a process that has not joined.
/// @throws UserError if there is no plugin, or there are fewer places with work than processes
std::vector<unsigned> cut_places(const PlaceGraph& graph, unsigned count);

}  // namespace ringmesh::lab
