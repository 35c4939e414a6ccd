// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringmesh::test {

/// So many bytes that depend on their position.
inline std::vector<std::byte> pattern(std::size_t size, std::uint64_t seed = 1)
{
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(seed * 37 + i * 11);
    return bytes;
}

}  // namespace ringmesh::test
