// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/experiment.h"
#include "lab/saturation/search.h"
#include "workloads/workload.h"

namespace ringmesh::lab {

/// The unit of the network's load.
struct LoadTerms {
    std::string unit;     ///< "flits/cycle"; empty: a part of something
    std::string meaning;  ///< "load: flits per sending node and cycle"
    bool has_blinks = false;
};

/// The load-latency curve as a table, a row for each load, and where it saturates as notes.
workloads::Results saturation_results(const SaturationSearch& search, const SaturationRule& rule,
                                      const LoadTerms& terms);

/// {ringmesh, platform, overlays, settings, workload, seed, rule, points, saturation}; null if missing.
/// @throws ModelError if a number is not finite
std::string saturation_json(const SaturationSearch& search, const SaturationRule& rule, const LoadTerms& terms,
                            const ExperimentRequest& request);

}  // namespace ringmesh::lab
