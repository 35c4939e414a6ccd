// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lab/experiment.h"
#include "lab/explain/transaction.h"
#include "tlm/parameter_list.h"

namespace ringmesh::lab {

/// An explained transaction and its run.
struct Explanation {
    ExperimentRequest request;
    unsigned from = 0;
    unsigned to = 0;
    std::uint32_t bytes = 0;
    std::vector<ParameterRow> parameters;
    Transaction transaction;
    std::vector<std::string> notes;
};

/// "64 bytes from node 0 to node 2 on wulfkit-ring, topology.dimensions=4"
std::string title_of(const Explanation& explanation);

/// The waterfall as text: a table with bars, at most `width` columns wide if names allow it; sums; notes.
std::string explain_text(const Explanation& explanation, std::size_t width);

/// {ringmesh, platform, overlays, settings, from, to, bytes, parameters, request, response, notes}; a leg is {packet,
/// begin_ns, latency_ns, working_ns, waiting_ns, components, stages}. Times count from the beginning of the request.
std::string explain_json(const Explanation& explanation);

/// Every stage, after lines of comment ("# ...") with the effective configuration.
std::string explain_csv(const Explanation& explanation);

}  // namespace ringmesh::lab
