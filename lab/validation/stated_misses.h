// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace ringmesh::lab {

/// A row that is known to leave its tolerance.
struct StatedMiss {
    std::string_view id;
    std::string_view why;
};

/// All of them. A row that is named here and keeps its tolerance has failed as well: the list says what is so, not what
/// is excused.
std::span<const StatedMiss> stated_misses();

/// Why this row leaves its tolerance; empty if it is not known to.
std::string_view stated_miss(std::string_view id);

}  // namespace ringmesh::lab
