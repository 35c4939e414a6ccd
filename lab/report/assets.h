// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ringmesh::lab {

/// The page's program and its style, bundled from lab/report/web and compiled in (cmake/ReportPage.cmake).
std::string report_script();
std::string report_style();

}  // namespace ringmesh::lab
