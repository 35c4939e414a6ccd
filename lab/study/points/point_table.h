// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/study/points/points.h"
#include "lab/table/listing.h"

/// Tables of points: what is known of a point, its values on the axes, then the columns of its program. Text, CSV,
/// JSON, the database of a study and the page are made from these.
namespace ringmesh::lab {

/// A point that has run, and what it gave.
struct DonePoint {
    StudyPoint point;
    Granted granted;
    Outcome outcome;
};

/// What is known of a point beside its axes: a new column of every table of points is one of these.
const std::vector<ListedColumn<DonePoint>>& point_columns();

/// Where the parts of a row are in a whole table of points.
struct PointLayout {
    std::size_t key = 0;
    std::size_t variant = 0;
    std::optional<std::size_t> doubt = {};  ///< why means are no lasting ones: "saturated"; nothing where they are
    std::size_t axes = 0;                   ///< the first one
    std::size_t program = 0;                ///< its first column
};
PointLayout layout_of(const StudyTest& test);

/// A row for each row of results. The whole table has every column; the tidy one what differs: the axes, variants and
/// repetitions if there are several.
/// @pre all points are of this test
workloads::Results whole_points(const StudyTest& test, std::span<const DonePoint> points);
workloads::Results tidy_points(const StudyTest& test, std::span<const DonePoint> points);
/// A row for each statistic of each sort of block.
workloads::Results statistics_of_points(const StudyTest& test, std::span<const DonePoint> points);
/// Names of columns that the two whole tables have beside axes and the program's.
std::vector<std::string> own_column_names();

}  // namespace ringmesh::lab
