// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "tlm/statistics/component.h"

namespace ringmesh::test {

using Statistics = std::map<std::string, double, std::less<>>;

/// The statistics of a block, by name.
inline Statistics statistics_of(const Component& block)
{
    struct Reader final : StatisticsVisitor {
        Statistics all;
        void value(std::string_view name, double value, std::string_view, std::string_view) override
        {
            all.emplace(name, value);
        }
    } reader;
    block.statistics(reader);
    return reader.all;
}

/// @throws std::out_of_range if the block has no such statistic
inline double statistic_of(const Component& block, const std::string& name) { return statistics_of(block).at(name); }

}  // namespace ringmesh::test
