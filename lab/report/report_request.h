// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ringmesh::lab {

/// The option --report of a command, and -o of `ringmesh report`.
struct ReportRequest {
    std::string file;     ///< empty: no report
    std::string command;  ///< that was typed, as a shell takes it again
};

}  // namespace ringmesh::lab
