// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ringmesh::lab {

/// To be called when all modules have been built: each pattern of `assignments` (as set_log_levels takes them) must be
/// that of a module, or of the kernel.
/// @throws UserError for one that is not, with the name that was probably meant
void require_log_patterns(std::string_view assignments);

}  // namespace ringmesh::lab
