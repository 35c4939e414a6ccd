// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platforms/wulfkit/shapes/network_shape.h"

namespace ringmesh::platforms {

/// Rings of equal size, each with a port of the one switch behind its last node. Nodes are numbered ring by ring.
class SwitchNetwork final : public NetworkShape, public NetworkRoutes {
public:
    /// @pre problem_of(dimensions) is empty
    explicit SwitchNetwork(const WulfkitParams& params);
    /// Of the nodes on each ring, and the rings.
    static std::string problem_of(std::span<const std::int64_t> dimensions);

    const NetworkRoutes* routes() const override { return this; }
    /// Each ring as a circle of its own, the switch in the middle of them all.
    Drawing drawing() const override;

    Route route(unsigned from, unsigned to, sci::Class kind) const override;
    std::shared_ptr<const hw::CardRouting> card(sci::NodeId node) const override;
    std::unique_ptr<hw::Routing> link(sci::NodeId node, unsigned link) const override;
    std::unique_ptr<hw::Routing> switch_port(unsigned port) const override;

private:
    const hw::SwitchRouting::Rings rings_;
};

}  // namespace ringmesh::platforms
