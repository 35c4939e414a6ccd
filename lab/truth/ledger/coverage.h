// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lab/table/json.h"
#include "lab/truth/ledger/report.h"

namespace ringmesh::lab {

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
/// Fewer rows than this can tell nothing of a part of 90 to 98 %.
inline constexpr std::size_t kLeastForCoverage = 10;

/// Of rows that calibrated nothing and were in sight of no choice.
Coverage coverage_of(std::span<const Report> reports);
/// Likewise, only of sections in which no row calibrated anything: whole tables that were left out.
Coverage coverage_of_tables_left_out(std::span<const Report> reports);

/// By its members.
Json coverage_json(const Coverage& coverage);

/// "; 20 not counted, without a bar"; empty if all were counted.
std::string left_out_text(const Coverage& coverage);
/// "38 of 41 lie within their interval (93 %), ..."
std::string coverage_text(const Coverage& coverage);

}  // namespace ringmesh::lab
