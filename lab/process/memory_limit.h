// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tlm/units/units.h"

namespace ringmesh::lab {

/// The memory that one run may take: as set, or nine tenths of what was free when it was first asked.
Bytes memory_limit();
/// Of this process and those that it starts, each; beyond it they end with status 3. @throws UserError if it is no
/// size, or less than the program itself needs
void set_memory_limit(const std::string& size);

}  // namespace ringmesh::lab
