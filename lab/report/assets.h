// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ringmesh::lab {

/// What lab/report/web/dist holds, compiled into the program: the page's program and its style.
std::string report_script();
std::string report_style();

}  // namespace ringmesh::lab
