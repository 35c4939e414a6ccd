// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "lab/store/executor.h"
#include "lab/study/study.h"
#include "workloads/workload.h"

namespace ringmesh::lab {

/// One run of a study.
struct StudyPoint {
    std::size_t test = 0;  ///< its place in Study::tests
    std::string variant;
    unsigned repetition = 1;
    std::vector<std::string> axes;  ///< a value for each axis of the test
    Wish wish;
};

/// All points: axes outermost in the order of the test, then variants, then repetitions.
/// @param filter of the command line, an SQL expression over axes, variant and repetition; empty: all
/// @throws UserError if axes that go together differ in length, a value is there twice, a name in ${} is unknown, or a
/// constraint or the filter leaves nothing
std::vector<StudyPoint> points_of(const Study& study, const std::string& filter = {});

/// How an axis appears in SQL. An axis with a unit is a number whose name ends in the unit: "link_symbol_time_ns".
struct AxisColumn {
    std::string name;
    std::vector<workloads::Cell> values;  ///< one for each value of the axis
};
AxisColumn column_of(const Axis& axis);

}  // namespace ringmesh::lab
