// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lab/truth/ledger/row.h"
#include "lab/truth/uncertainty/analysis.h"

namespace ringmesh::lab {

/// The bar of a row's simulated number: each input anywhere within its range, or at any of its choices, as likely as
/// the rows that set inputs leave it. Where the row follows its inputs in straight lines, the draws go along these;
/// otherwise the row has been simulated at samples.
Bar bar_of(const RowEffects& row, const Analysis& analysis);

/// Whether an input moves a row, by kMovesRow of it or more.
bool moves(const RowEffects& row, const Effect& effect);

/// How an input moves the rows that are judged.
struct InputSummary {
    const Input* input;
    std::size_t rows = 0;    ///< that it moves by kMovesRow of them or more
    std::size_t judged = 0;  ///< likewise, of those that were published and simulated
    double largest = 0;      ///< largest swing, in parts of the row
    std::string largest_row = {};
};
/// @param judged ids of rows
std::vector<InputSummary> summaries_of(const Analysis& analysis, const std::set<std::string>& judged);

}  // namespace ringmesh::lab
