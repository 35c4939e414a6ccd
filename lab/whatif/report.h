// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/whatif/study.h"

namespace ringmesh::lab {

/// The results of a study as text. @pre evaluated
std::string whatif_text(const Study& study);

/// {ringmesh, changes, components, remedies, latencies, crossovers, gains}; null if missing.
/// @throws ModelError if a number is not finite
std::string whatif_json(const Study& study);

/// The latencies: dimensions, nodes, and for each system formula and simulation, in ns.
std::string whatif_csv(const Study& study);

}  // namespace ringmesh::lab
