// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ringmesh::workloads::foreign {

/// A call as C declares it.
struct FortranCall {
    std::string_view name;
    std::string_view result;
    std::string_view parameters;
    std::size_t arguments = 0;  ///< that Fortran passes, the lengths of texts with them
};
const std::vector<FortranCall>& known_fortran_calls();

}  // namespace ringmesh::workloads::foreign
