// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "lab/truth/ledger/accuracy.h"
#include "lab/truth/ledger/report.h"

/// Bars that hold what they promise: each is multiplied by what the published numbers of other tables need, so that
/// what the model lacks counts, too. Locally weighted split conformal inference (Lei, G'Sell, Rinaldo, Tibshirani and
/// Wasserman, J. Am. Stat. Assoc. 113, 2018), the tables of a study left out in turn.
namespace ringmesh::lab {

/// Of 95 %: with fewer rows of other tables than this, the largest of them stands for the percentile.
inline constexpr std::size_t kConformalRows = 19;
/// With fewer than so many there is no conformal bar.
inline constexpr std::size_t kLeastConformalRows = 9;

/// Gives rows and predictions with a bar their conformal bar. @pre bars, left-out numbers and `counted` are there
void add_conformal_bars(Report& report);

/// Of counted rows, each as what the model says without its table, in its conformal bar, which that table did not make.
Coverage conformal_coverage_of(std::span<const Report> reports);
/// In a sentence; nothing if there is no such row.
std::string conformal_text(std::span<const Report> reports);

}  // namespace ringmesh::lab
