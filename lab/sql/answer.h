// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "lab/text_table.h"
#include "workloads/workload.h"

/// What SQL answers, for people. Numbers of a column have as many decimals as its smallest needs; texts stand as they
/// are; NULL is "-".
namespace ringmesh::lab {

/// A column "published (ns)" is one of this title and unit.
TextTable report_table(const workloads::Results& results);

/// Headings are the columns' names as the query has them, because users write them again; no line is broken. One row
/// that is wider than the room is turned: a line for each column.
std::string answer_text(const workloads::Results& results, Room room);

/// A cell alone.
std::string cell_text(const workloads::Cell& cell, int decimals);

}  // namespace ringmesh::lab
