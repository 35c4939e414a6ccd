// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace ringmesh::lab {

/// A row known to be out of its tolerance.
struct StatedMiss {
    std::string_view id;
    std::string_view why;
};

/// All stated misses. A row listed here that is within its tolerance has failed: the list records facts, not excuses.
std::span<const StatedMiss> stated_misses();

/// Why this row is out of its tolerance; empty if no miss is stated.
std::string_view stated_miss(std::string_view id);

}  // namespace ringmesh::lab
