// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "lab/compare/comparison.h"
#include "lab/table/text_table.h"

namespace ringmesh::lab {

/// Configuration first, then what differs in results and statistics; what is equal is counted.
std::string comparison_text(const Comparison& comparison, Room room);
/// Everything, equal values as well. @throws ModelError if a number is not finite
std::string comparison_json(const Comparison& comparison);
/// The same, a line for each value: part, place, row, name, unit, a, b, difference_percent, interval, beyond_noise.
std::string comparison_csv(const Comparison& comparison);

}  // namespace ringmesh::lab
