// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ringmesh::lab {

/// Why a row is known to leave its tolerance; empty if it is not. A row that is named here and keeps its tolerance has failed
/// as well: the list says what is so, not what is excused.
std::string_view stated_miss(std::string_view id);

}  // namespace ringmesh::lab
