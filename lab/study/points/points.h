// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lab/store/executor.h"
#include "lab/study/description/study.h"
#include "workloads/workload.h"

namespace ringmesh::lab {

/// One run of a study.
struct StudyPoint {
    std::size_t test = 0;  ///< its place in Study::tests
    std::string variant;
    unsigned repetition = 1;
    std::vector<std::string> axes;  ///< a value for each axis of the test
    bool varies = true;             ///< in error bars and sensitivities
    Wish wish;
};

/// Which points of a study are wanted.
struct PointFilter {
    std::string where = {};                           ///< of the command line, an SQL expression; empty: all
    std::optional<std::set<std::string>> tests = {};  ///< all if not given
    bool without_long = false;                        ///< leaves out those that `long` names
};

/// All points: axes outermost in the order of the test, then variants, then repetitions.
/// @throws UserError if axes that go together differ in length, a value is there twice, a name in ${} is unknown, or a
/// constraint or the filter leaves nothing
std::vector<StudyPoint> points_of(const Study& study, const PointFilter& filter = {});

/// How an axis appears in SQL. An axis with a unit is a number whose name ends in the unit: "link_symbol_time_ns".
struct AxisColumn {
    std::string name;
    std::vector<workloads::Cell> values;  ///< one for each value of the axis
    std::string unit = {};                ///< "MHz"; empty: values are no quantities
};
AxisColumn column_of(const Axis& axis);

}  // namespace ringmesh::lab
