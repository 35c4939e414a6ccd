// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "lab/run/experiment.h"

namespace ringmesh::lab {

/// Orders of the places that are tried, beside that of their numbers: the opposite one, and random ones.
inline constexpr unsigned kOrdersTried = 3;

/// Runs the same in child processes, with its places at one time in their own order and in others, and compares
/// results, statistics and use of each block (not `wakeups` and `go_wait`), and the end of the run, to the digit.
/// @param parallel of these runs at a time @pre the calling process has made no SystemC object yet
/// @return how many other orders there were: of one place none, of two one
/// @throws ModelError naming the first value that differs; UserError for a program, which would be run again
unsigned require_any_order(const ExperimentRequest& request, unsigned parallel);
/// The same of any run. @param values of the run in one order, "NAME: VALUE" in a line each; 0: in that of the numbers
void require_any_order(const std::function<std::string(unsigned order)>& values, unsigned others, unsigned parallel);

}  // namespace ringmesh::lab
