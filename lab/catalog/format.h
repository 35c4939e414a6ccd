// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ringmesh::lab {

/// How a list is written.
enum class Format : std::uint8_t { kText, kMarkdown, kJson };

}  // namespace ringmesh::lab
