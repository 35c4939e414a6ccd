// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platforms/wulfkit/shapes/network_shape.h"

namespace ringmesh::platforms {

/// Each node is on a ring in each dimension, or on two that run against each other. Requests take the dimensions
/// upwards, responses downwards; of two directions the shorter one.
class TorusNetwork final : public NetworkShape, public NetworkRoutes {
public:
    enum class Directions : std::uint8_t { kOne = 1, kBoth = 2 };
    TorusNetwork(const WulfkitParams& params, Directions directions);

    const NetworkRoutes* routes() const override { return this; }
    const TorusShape* torus() const override { return shape_.get(); }
    unsigned dimension_of(unsigned link) const override { return link / directions_; }
    Drawing drawing() const override;

    Route route(unsigned from, unsigned to, sci::Class kind) const override;
    std::shared_ptr<const hw::CardRouting> card(sci::NodeId node) const override;
    std::unique_ptr<hw::Routing> link(sci::NodeId node, unsigned link) const override;

private:
    const unsigned directions_;
    const std::shared_ptr<const TorusShape> shape_;
};

}  // namespace ringmesh::platforms
