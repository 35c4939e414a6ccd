// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/table/listing.h"
#include "lab/truth/ledger/predictions.h"
#include "lab/truth/ledger/row.h"

/// The columns of a ledger. Text, Markdown, CSV, JSON, SQL and the page are made of these alone: a new column is an
/// entry of columns.cpp and a line in docs/formats.md.
namespace ringmesh::lab {

/// Tables that have only some of the columns; beside those of Shown.
inline constexpr unsigned kBesideWords = 16;  ///< the numbers below the words of a row
inline constexpr unsigned kInBars = 32;       ///< how surely the rows say what they say

const Listing<Row>& ledger_columns();
/// The published and the simulated number, and the error: "1.90, 2.40 us, +26.32 %"
std::string numbers_text(const Row& row);
const Listing<Prediction>& prediction_columns();

}  // namespace ringmesh::lab
