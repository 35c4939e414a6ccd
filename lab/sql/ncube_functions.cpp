// SPDX-License-Identifier: Apache-2.0
#include "analytic/ncube.h"
#include "lab/sql/functions.h"

namespace ringmesh::lab {

std::vector<SqlFunction> ncube_functions() { return {}; }

}  // namespace ringmesh::lab
