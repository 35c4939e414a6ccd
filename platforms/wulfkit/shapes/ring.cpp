// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit/shapes/ring.h"

#include <numeric>

#include "platforms/wulfkit/params.h"

namespace ringmesh::platforms {

RingNetwork::RingNetwork(const WulfkitParams& params) : shape_(params.topology.dimensions)
{
    add_nodes(shape_.nodes(), 1);
    std::vector<unsigned> chips(shape_.nodes());
    std::iota(chips.begin(), chips.end(), 0U);
    graph_.add_ring("x0", std::move(chips));
}

Route RingNetwork::route(unsigned from, unsigned to, sci::Class) const
{
    Route route;
    if (from != to) route.add({.ring = 0, .nodes = shape_.nodes(), .hops = shape_.distance(from, to, 0)});
    return route;
}

std::shared_ptr<const hw::CardRouting> RingNetwork::card(sci::NodeId node) const
{
    return std::make_shared<const hw::SingleLinkCard>(node, kHostPort, kFirstLinkPort);
}

std::unique_ptr<hw::Routing> RingNetwork::link(sci::NodeId node, unsigned) const
{
    return std::make_unique<hw::RingRouting>(node, kHostPort);
}

Drawing RingNetwork::drawing() const
{
    Drawing drawing{.kind = DrawingKind::kRing, .nodes = {}, .links = {}, .blocks = {}};
    for (unsigned node = 0; node < shape_.nodes(); ++node) {
        const auto [x, y] = on_circle(node, shape_.nodes(), 1.2);
        drawing.nodes.push_back(node_at(node, x, y));
    }
    return drawing;
}

}  // namespace ringmesh::platforms
