// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/foreign/program/table.h"

namespace ringmesh::workloads::foreign {

/// What the simulator does for programs of others.
const ringmesh_table* table();

}  // namespace ringmesh::workloads::foreign
