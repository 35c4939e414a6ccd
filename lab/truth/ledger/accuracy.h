// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lab/table/json.h"
#include "lab/truth/ledger/report.h"

namespace ringmesh::lab {

/// How near the simulated numbers of a study come to the published ones, whatever their roles and tolerances.
struct Accuracy {
    std::size_t compared = 0;  ///< rows with both numbers; not those of alternatives, or with 0 published
    std::size_t within_5 = 0;  ///< percent of the published number
    std::size_t within_10 = 0;
    double median_percent = 0;            ///< of the errors without their signs
    std::vector<const Row*> misses = {};  ///< rows out of their tolerance, the farthest first, at most kMostMisses
};
inline constexpr std::size_t kMostMisses = 10;

/// A bound that holds has no error. @param report outlives what is returned
Accuracy accuracy_of(const Report& report);

Json accuracy_json(const Accuracy& accuracy);
/// For docs/how_true.md: a table with a line for each study, then a line for each miss. All of these lines begin with
/// "| " or "- ".
std::string accuracy_markdown(std::span<const Report> reports);

}  // namespace ringmesh::lab
