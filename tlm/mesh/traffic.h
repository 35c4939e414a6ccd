// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/mesh/packet.h"
#include "tlm/traffic.h"

/// Injection::kind and size on a mesh.
namespace ringmesh::mesh {

inline Injection injection(Duration at, std::uint32_t to, std::uint32_t flits, Class kind)
{
    return {.at = at, .to = to, .size = flits, .kind = static_cast<std::uint8_t>(kind)};
}
inline Class class_of(const Injection& injection) { return static_cast<Class>(injection.kind); }

}  // namespace ringmesh::mesh
