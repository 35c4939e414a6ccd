// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lab/sql/database.h"
#include "lab/study/points.h"

namespace ringmesh::lab {

/// What the points of a study gave, as tables: of each test one of its name, a row for each row of results, with point,
/// variant, repetition, seed, the axes, then the program's columns; and NAME_statistics, a row for each statistic of
/// each sort of block. Points that are not done have no rows.
/// @param granted as long as `points`
/// @param is_wanted whether a NAME_statistics will be read: the others stay empty, because they take most of the time
Database tables_of(const Study& study, std::span<const StudyPoint> points, std::span<const Granted> granted,
                   const Store& store, const std::function<bool(const std::string& table)>& is_wanted);

/// The table of one test as tables_of() has it: point, variant, repetition, seed, the axes, then the program's columns
/// with their units.
workloads::Results whole_table(const Study& study, std::size_t test, std::span<const StudyPoint> points,
                               std::span<const Granted> granted, const Store& store);

/// The tidy table of one test: what differs (axes; variant and repetition if there are several), then the program's
/// columns with their units.
workloads::Results tidy_table(const Study& study, std::size_t test, std::span<const StudyPoint> points,
                              std::span<const Granted> granted, const Store& store);

}  // namespace ringmesh::lab
