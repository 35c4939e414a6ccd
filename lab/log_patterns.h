// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ringmesh::lab {

/// Call it when all modules have been built: each pattern of `assignments` (see set_log_levels) must match a module or
/// the kernel.
/// @throws UserError for one that does not, with the nearest name
void require_log_patterns(std::string_view assignments);

}  // namespace ringmesh::lab
