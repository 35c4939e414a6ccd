// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/sql/database.h"
#include "lab/table/writers/csv.h"

namespace ringmesh::lab {

/// A user's own measurements as a table that has the file's name. Cells become whole numbers, numbers, NULL if they are
/// empty, or texts. Blanks around a number and its + do not count. Digits behind a needless zero are texts, and so are
/// the other numbers of their column if all are digits: ids look so.
/// @throws UserError "FILE:LINE: COLUMN = VALUE: ..." for what is no finite number (nan, inf, 1e999), and a text in a
/// column of numbers
SqlTable sql_table_of(const CsvTable& csv);

}  // namespace ringmesh::lab
