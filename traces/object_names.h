// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

/// Hierarchical names, and messages about patterns of them that match none.
namespace ringmesh {

/// "node0.lc2.link"
using ObjectNames = std::set<std::string, std::less<>>;

/// "did you mean '*.lc2'?" or, if no name is similar, "known: core0..core47, mesh" with the top-level names, numbered
/// ones as ranges. @pre there are names
std::string cure_for_pattern(std::string_view typed, const ObjectNames& names);

}  // namespace ringmesh
