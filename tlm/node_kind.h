// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ringmesh {

/// What a workload needs at each node of a machine.
enum class NodeKind : std::uint8_t {
    kProcessor,     ///< the whole host or core, for programs
    kPacketSource,  ///< a source of packets as near to the links as can be: on the link controller of a ring's node, on
                    ///< the B-Link where a card has several, at the router's local port of a mesh
    kCardSource,    ///< a source of packets in the place of the host's bridge: on the B-Link
};

}  // namespace ringmesh
