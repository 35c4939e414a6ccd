// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "lab/figure/chart.h"
#include "lab/study/description/study.h"
#include "workloads/workload.h"

namespace ringmesh::lab {

/// Why the means of a row are no lasting ones; only a table with such a row has this column.
inline constexpr const char* kDoubt = "doubt";

/// The results of a test as charts need them: repetitions are one row, with means and half their 95 % intervals
/// (Student).
struct Means {
    /// What tells rows apart: an axis, a column with which the program names its rows, or the variants.
    struct Dimension {
        std::string column;
        std::string title;
        std::string unit;
        bool numeric = false;
        bool is_variant = false;
        std::size_t values = 0;  ///< how many differ
        std::size_t group = 0;   ///< those of one group go in step
    };
    workloads::Results table;                 ///< dimensions first
    std::vector<Dimension> dimensions;        ///< those with more than one value
    std::vector<Chart::Quantity> quantities;  ///< numeric results that differ somewhere
    bool repeated = false;
    /// Whether two rows of the table differ by no more than noise; none: by their intervals.
    std::function<bool(std::size_t, std::size_t)> within_noise = {};

    const Dimension* find(const std::string& column) const;
};

/// @param whole the table of the test, as whole_table() has it
Means means_of(const StudyTest& test, const workloads::Results& whole);

/// Of a table that stands for itself, such as that of one run: columns of whole numbers and texts before the first
/// measured one name its rows.
Means means_of(const workloads::Results& table);

}  // namespace ringmesh::lab
