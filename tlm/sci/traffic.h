// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tlm/sci/packet.h"
#include "tlm/traffic.h"

/// Injection::kind on an SCI network; its size is unused.
namespace ringmesh::sci {

inline Injection injection(Duration at, NodeId to, Command command)
{
    return {.at = at, .to = to, .size = 0, .kind = static_cast<std::uint8_t>(command)};
}
inline Command command_of(const Injection& injection) { return static_cast<Command>(injection.kind); }

}  // namespace ringmesh::sci
