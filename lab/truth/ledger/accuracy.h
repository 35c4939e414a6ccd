// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lab/table/json.h"
#include "lab/truth/ledger/report.h"

/// How near a study comes to what was published, and whether its error bars hold what they promise.
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

/// Whether error bars hold what they promise, over rows whose published number the model never saw: how many published
/// numbers lie within their interval, and how wide it is. The interval of a row is its bar and what the source leaves
/// open, in squares; of a sound one 95 % hold the number.
struct Coverage {
    std::size_t rows = 0;
    std::size_t inside = 0;
    std::size_t narrow = 0;   ///< intervals of less than a tenth of the published number
    double median_width = 0;  ///< in parts of the published number
    double score = 0;         ///< mean interval score in the same parts: width, and 40 times what a miss is outside
    std::vector<std::string> outside = {};  ///< ids of rows
    std::size_t without_bar = 0;            ///< further rows of which nobody has made one
    std::size_t without_width = 0;  ///< likewise of which nothing moves the number and the source leaves nothing
};

/// Of rows that calibrated nothing and were in sight of no choice. @param whole_tables only of sections in which no row
/// calibrated anything
Coverage coverage_of(const Report& report, bool whole_tables = false);
/// By its members.
Json coverage_json(const Coverage& coverage);
/// "38 of 41 lie within their interval (93 %), ..."
std::string coverage_text(const Coverage& coverage);

}  // namespace ringmesh::lab
