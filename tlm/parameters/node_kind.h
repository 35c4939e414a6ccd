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

/// What programs use of a PC and its card, as far as their workload knows before it runs.
struct ProgramUse {
    bool single_stores = true;  ///< to remote memory, as the next two
    bool memcpy_stores = true;
    bool mmx_stores = true;
    bool loads = true;     ///< of remote memory
    bool barriers = true;  ///< store barriers
    bool dma = true;
    bool interrupts = true;

    bool operator==(const ProgramUse&) const = default;
};

/// The nodes of a machine for a workload: the effect of some parameters depends on them.
struct NodeUse {
    NodeUse(NodeKind kind_of_node = NodeKind::kProcessor, const ProgramUse& used = {}, bool sources_beside = false)
        : kind(kind_of_node), programs(used), sources(sources_beside)
    {}
    NodeKind kind;
    ProgramUse programs;
    bool sources = false;  ///< packet sources beside the processors, for background traffic

    bool operator==(const NodeUse&) const = default;
};

}  // namespace ringmesh
