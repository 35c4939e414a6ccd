// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "hw/sci/params.h"

namespace ringmesh::hw {

inline std::ostream& operator<<(std::ostream& out, FlowControl value) { return out << kFlowControls.name(value); }

}  // namespace ringmesh::hw
