// SPDX-License-Identifier: Apache-2.0
#include "analytic/scc.h"
#include "lab/sql/functions.h"

namespace ringmesh::lab {

std::vector<SqlFunction> scc_functions() { return {}; }

}  // namespace ringmesh::lab
