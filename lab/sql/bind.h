// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/workload.h"

namespace SQLite {
class Statement;
}

namespace ringmesh::lab {

/// Sets a parameter of a prepared statement. @param place from 1
void bind(SQLite::Statement& statement, int place, const workloads::Cell& cell);

}  // namespace ringmesh::lab
