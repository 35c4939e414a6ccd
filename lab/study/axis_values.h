// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ringmesh::lab {

/// The values of an axis as people write them, commas between items:
///
///     5 ns,half             values as they stand
///     64..512 step 64       from the first to the last or just below it, each 64 more (also 64..512/64)
///     0.1..0.3 step 0.1     likewise with decimals: 0.1, 0.2, 0.3
///     2ns..6ns step 500ps   with a unit, the same at both ends and one of its kind for the step: 2ns, 2.5ns, ...
///     1us..100us x10        each ten times the one before
///
/// @throws UserError if there are none, or a range cannot be read, has ends in different units, leads nowhere or to
/// more than 10,000 values; messages begin with `where`
std::vector<std::string> axis_values(const std::string& text, const std::string& where);

}  // namespace ringmesh::lab
