// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ringmesh {

/// The equipment of each node of a machine.
enum class NodeKind : std::uint8_t {
    kProcessor,     ///< the whole host or core, for programs
    kPacketSource,  ///< a source of packets as close to the links as possible: on the link controller of a ring's node,
                    ///< on the B-Link where a card has several, at the router's local port of a mesh
    kCardSource,    ///< a source of packets in place of the host's bridge: on the B-Link
};

}  // namespace ringmesh
