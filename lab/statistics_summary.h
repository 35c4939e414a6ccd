// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lab/text_table.h"
#include "tlm/component.h"

namespace ringmesh::lab {

/// One statistic of all blocks of one kind.
struct StatisticRow {
    struct Value {
        std::string block;
        double value = 0;
    };
    std::string blocks;  ///< their common name as a pattern, "node*.lc2"
    std::string name;
    std::string unit;
    std::string meaning;
    std::vector<Value> values;  ///< in the order of the blocks' construction

    double minimum() const;
    double maximum() const;
    double mean() const;
    /// The first block that has the maximum.
    const std::string& block_of_maximum() const;
};

/// Collects from all components; kinds and statistics in order of first appearance.
std::vector<StatisticRow> collect_statistics(const std::vector<Component*>& components);

/// Mean and extremes of each statistic, without those that are zero everywhere.
TextTable statistics_table(const std::vector<StatisticRow>& rows);

}  // namespace ringmesh::lab
