// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/run/run_record.h"
#include "lab/saturation/runs.h"
#include "lab/saturation/search.h"

namespace ringmesh::lab {

/// The load-latency curve as a table, a row for each load: the mean of its longest runs. Where it saturates, by which
/// rule, and whether that is sound, as notes.
workloads::Results saturation_results(const SaturationSearch& search, const SaturationRuns& runs);

/// As run_json(), with the curve as results; and {rule, saturation, durations, points}. Null if missing. Equal searches
/// give equal texts, whether they ran or found their points in the store.
/// @param record of the machine and workload as asked, the curve as its results
/// @throws ModelError if a number is not finite
std::string saturation_json(const SaturationSearch& search, const SaturationRuns& runs, const RunRecord& record);

}  // namespace ringmesh::lab
