// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/sql/functions/functions.h"

struct sqlite3;
namespace SQLite {
class Statement;
}

/// Between SQLite's values and cells.
namespace ringmesh::lab {

/// Sets a parameter of a prepared statement. @param place from 1
void bind(SQLite::Statement& statement, int place, const workloads::Cell& cell);

/// SQL may call the function in this connection, which the function must outlive. What it throws becomes SQL's error,
/// behind the function's name.
void define_in(sqlite3* sqlite, const SqlFunction& function);

}  // namespace ringmesh::lab
