// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lab/study/running/scripts.h"
#include "lab/truth/rows/published.h"
#include "lab/truth/rows/row.h"

namespace ringmesh::lab {

/// From the id of a published row to the parameters and options whose provenance says that it set them.
using Calibrations = std::map<std::string, std::set<std::string>, std::less<>>;
/// A calibrated parameter or option, and the rows that set it. Those of equal name and rows are one constant.
using Constant = std::pair<std::string, std::vector<std::string>>;

struct Calibrated {
    Calibrations by_row;
    std::set<Constant> constants;
};

/// What a ledger is made of.
struct LedgerSources {
    const std::vector<FoundView>& findings;  ///< the views finding_*
    const Published& published;
    const Calibrations& calibrations;
    std::set<std::string> alternatives;  ///< names of variants other than the bases
    bool whole = true;                   ///< all parts: then each published row needs a finding or why_not
    bool with_long = true;               ///< likewise those that are long
};

struct Ledger {
    std::vector<Row> rows;              ///< in the order of published.csv; those of a series in that of their view
    std::vector<std::string> left_out;  ///< ids of long rows
};

/// Joins the findings with what was published and decides the role of each row.
///
/// A view finding_* has the columns id and simulated or analytic or both; it may have `alternative` (a variant),
/// `remark` (words behind the note), `bar_as` (the id of another finding), and what published.csv would say: published,
/// quantity, unit, tolerance, chose, kind, source, note, miss, section.
/// @throws UserError with every problem, one a line: a view without rows, a NULL, an id twice or unknown, a published
/// row with neither finding nor why_not, a published and simulated row without tolerance
Ledger ledger_of(const LedgerSources& sources);

}  // namespace ringmesh::lab
