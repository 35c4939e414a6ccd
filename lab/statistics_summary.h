// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lab/text_table.h"
#include "tlm/component.h"

namespace ringmesh::lab {

/// One statistic of all blocks of one sort.
struct StatisticRow {
    struct Value {
        std::string block;
        double value = 0;
    };
    std::string blocks;  ///< their common name as a pattern, "node*.lc2"
    std::string name;
    std::string unit;
    std::string meaning;
    std::vector<Value> values;  ///< in the order in which the blocks were made

    double minimum() const;
    double maximum() const;
    double mean() const;
    /// The first block that has the maximum.
    const std::string& block_of_maximum() const;
};

/// Asks all components; sorts and statistics in the order in which they first come.
std::vector<StatisticRow> collect_statistics(const std::vector<Component*>& components);

/// Mean and extremes of each statistic, those that are zero everywhere left out.
TextTable statistics_table(const std::vector<StatisticRow>& rows);

}  // namespace ringmesh::lab
