// SPDX-License-Identifier: Apache-2.0
#include "analytic/deck.h"
#include "lab/sql/functions.h"

namespace ringmesh::lab {

std::vector<SqlFunction> deck_functions() { return {}; }

}  // namespace ringmesh::lab
