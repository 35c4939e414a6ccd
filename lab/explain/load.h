// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "lab/explain/load_report.h"
#include "lab/explain/slowest.h"

namespace ringmesh::lab {

/// Runs a workload twice, first in a child process, and explains its slowest packets.
/// @param experiment the second run is left standing in it
/// @pre no SystemC object exists in this process yet
/// @throws UserError for mistakes in the request, and if no packet arrives
LoadExplanation explain_load(const ExperimentRequest& request, const Slowest& asked,
                             std::unique_ptr<Experiment>& experiment);

}  // namespace ringmesh::lab
