// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lab/table/writers/text_table.h"
#include "tlm/simulation/simulation.h"
#include "tlm/statistics/component.h"

namespace ringmesh::lab {

/// One statistic of all blocks of one kind.
struct StatisticRow {
    struct Value {
        std::string block;
        double value = 0;
        double weight = 1;  ///< in the mean over blocks: of a mean, its samples; not kept in files
    };
    std::string blocks;  ///< their common name as a pattern, "node*.lc2"
    std::string name;
    std::string unit;
    std::string meaning;
    std::size_t count = 0;  ///< of blocks that have it: a mean is that of blocks with samples
    double mean = 0;        ///< of a mean: over all samples of all blocks
    double minimum = 0;
    double maximum = 0;
    std::string block_of_maximum;  ///< the first that has it
    std::vector<Value> values;     ///< in the order of the blocks' construction; none if not kept
};

/// Collects from all components; a mean without a sample anywhere has no row. Kinds and statistics in order of first
/// appearance.
std::vector<StatisticRow> collect_statistics(const std::vector<Component*>& components);
/// The same of a machine. If it is divided, each process has counted its part, and process 0 gets the whole.
/// @param programs run on it: each process has set up what others run, and counts its own alone
std::vector<StatisticRow> collect_statistics(const Simulation& simulation, bool programs = false);

/// Mean and extremes of each statistic, without those that are zero everywhere.
TextTable statistics_table(const std::vector<StatisticRow>& rows);

}  // namespace ringmesh::lab
