// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platforms/wulfkit/shapes/network_shape.h"

namespace ringmesh::platforms {

/// One ring: node i sends to node i + 1, the last one to node 0.
class RingNetwork final : public NetworkShape, public NetworkRoutes {
public:
    explicit RingNetwork(const WulfkitParams& params);

    const NetworkRoutes* routes() const override { return this; }
    const TorusShape* torus() const override { return &shape_; }
    Drawing drawing() const override;

    Route route(unsigned from, unsigned to, sci::Class kind) const override;
    std::shared_ptr<const hw::CardRouting> card(sci::NodeId node) const override;
    std::unique_ptr<hw::Routing> link(sci::NodeId node, unsigned link) const override;

private:
    const TorusShape shape_;
};

}  // namespace ringmesh::platforms
