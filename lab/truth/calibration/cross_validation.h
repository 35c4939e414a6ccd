// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "lab/store/options.h"
#include "lab/truth/ledger/left_out.h"
#include "lab/truth/ledger/report.h"
#include "lab/truth/uncertainty/variations.h"

namespace ringmesh::lab {

/// A table of which a row set an input, and what the inputs are without it.
struct LeftOutTable {
    std::string table;               ///< section of its rows
    std::vector<std::string> stand;  ///< choices that it set, that no other row decides, and that are as they are
    std::string constants;           ///< as LeftOut has them
    std::string unset;               ///< likewise
    std::size_t fitted = 0;          ///< rows of other tables that set the constants
    std::vector<LeftOutRow> rows;
};

struct CrossValidation {
    std::vector<LeftOutTable> tables;
    std::vector<std::string> problems;  ///< why rows have no number
    std::size_t runs = 0;               ///< variations of the study
};

/// Leaves each table out in turn: the inputs that its rows set are set again by counted rows of other tables that they
/// move, and the table's rows are simulated with what they then are. Least squares of errors, each divided by what the
/// source leaves open and a twentieth of the number, in squares, with a loss that is linear for large ones; the range
/// counts as one more number, its middle and its standard deviation, so that an input that nothing else sets lies in
/// the middle. A choice takes the one of its values with the least loss; so does a size or a whole number without a
/// unit, of its value and its ends. The model is that of straight lines between the value and the ends, moved once to
/// what is simulated. Every run is a point of the store.
/// @param report of the study as it is
CrossValidation cross_validate(VariedStudy& study, const Report& report, const StoreOptions& options, Store& store);

/// Writes left_out.csv. @throws UserError
void keep_left_out(const std::filesystem::path& study, const CrossValidation& found);

}  // namespace ringmesh::lab
