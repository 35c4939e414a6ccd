// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "hw/psb/params.h"
#include "tests/hw/printing.h"

namespace ringmesh::hw {

inline std::ostream& operator<<(std::ostream& out, StreamAssignment rule)
{
    return out << kStreamAssignments.name(rule);
}

}  // namespace ringmesh::hw
