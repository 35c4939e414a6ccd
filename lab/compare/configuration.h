// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lab/store/point.h"

/// The inputs of points, and the differences between the inputs of two or more points.
namespace ringmesh::lab {

/// Everything that was put in, but for the seed, by name: {"link.symbol_time", "5 ns"}.
std::vector<std::pair<std::string, std::string>> configuration_of(const Point& point);

/// What decides the results of a point but for model and seed: points with the same one are repetitions of each other.
std::string identity_of(const RunRecord& record);

/// A value of the configuration that is not the same in all of the points.
struct ConfigurationDifference {
    std::string name;                 ///< "link.symbol_time", "option sizes", "model"
    std::vector<std::string> values;  ///< of each point; "-" if it has none
};
/// @param points those without a key have no configuration
std::vector<ConfigurationDifference> configuration_differences(std::span<const Point* const> points);

}  // namespace ringmesh::lab
