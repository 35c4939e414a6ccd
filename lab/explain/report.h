// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "lab/explain/explanation.h"
#include "lab/table/answer.h"
#include "lab/table/writers/json.h"
#include "workloads/workload.h"

namespace ringmesh::lab {

/// "1,234.567": whole picoseconds, so that what is shown adds up.
std::string in_ns(Duration time);
std::string in_ns_unless_zero(Duration time);

/// "64 bytes from node 0 to node 2 on wulfkit-ring, topology.dimensions=4"
std::string title_of(const Explanation& explanation);

/// How long it takes, how much of it is waiting, and where most of the time goes.
Answer answer_of(const Explanation& explanation);

/// The waterfall as text: a table with bars, at most `width` columns wide if names allow it; sums; notes.
std::string explain_text(const Explanation& explanation, std::size_t width);

/// {ringmesh, platform, overlays, settings, library, from, to, bytes, parameters, library_options, legs, notes}; legs
/// as legs_json() says.
Json explain_json(const Explanation& explanation);

/// Every part, after lines of comment ("# ...") with the effective configuration.
std::string explain_csv(const Explanation& explanation);

/// [{name, packet, begin_ns, latency_ns, working_ns, waiting_ns, groups: {NAME: {steps, latency_ns}}, parts: [{step,
/// group, where, what, packet, from_ns, to_ns, duration_ns, waiting, behind}]}]; `behind` is there if a part waits for
/// a packet that is known. Times count from `zero`.
Json legs_json(const std::vector<Way>& ways, Duration zero);

/// A heading and every part of all ways.
std::string legs_csv(const std::vector<Way>& ways, Duration zero);
/// The same for the page, where each way has a name of its own.
workloads::Results legs_table(const std::vector<Way>& ways, Duration zero);

/// Notes below a text: each begins a line, behind an empty one.
std::string notes_text(const std::vector<std::string>& notes, std::size_t width);

}  // namespace ringmesh::lab
