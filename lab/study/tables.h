// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lab/sql/database.h"
#include "lab/study/points/point_table.h"

namespace ringmesh::lab {

/// The points of a test that have run, with what they gave. @param granted as long as `points`
std::vector<DonePoint> done_points(std::size_t test, std::span<const StudyPoint> points,
                                   std::span<const Granted> granted, const Store& store, bool statistics = false);

/// What the points of a study gave, as tables: of each test whole_points() under its name, and statistics_of_points()
/// as NAME_statistics. Points that are not done have no rows.
/// @param granted as long as `points`
/// @param is_wanted whether a NAME_statistics will be read: the others stay empty, because they take most of the time
Database tables_of(const Study& study, std::span<const StudyPoint> points, std::span<const Granted> granted,
                   const Store& store, const std::function<bool(const std::string& table)>& is_wanted);

/// The machine of each test and variant, by its first point: test, variant, key, value, number (of a quantity, in ns,
/// MHz, bytes, metres or cycles), meaning. @throws UserError for a configuration that cannot be
workloads::Results parameters_of(const Study& study, std::span<const StudyPoint> points);

/// whole_points() of one test.
workloads::Results whole_table(const Study& study, std::size_t test, std::span<const StudyPoint> points,
                               std::span<const Granted> granted, const Store& store);

/// tidy_points() of one test.
workloads::Results tidy_table(const Study& study, std::size_t test, std::span<const StudyPoint> points,
                              std::span<const Granted> granted, const Store& store);

}  // namespace ringmesh::lab
