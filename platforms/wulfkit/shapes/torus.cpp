// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit/shapes/torus.h"

#include <fmt/format.h>

#include <array>

#include "platforms/wulfkit/params.h"

namespace ringmesh::platforms {
namespace {

/// Dimensions 0 and 1 are a plane; those above lay planes beside and below each other.
std::pair<double, double> on_planes(const TorusShape& shape, unsigned node)
{
    const auto coordinate = [&](unsigned d) { return d < shape.dimensions() ? shape.coordinate(node, d) : 0U; };
    const auto size = [&](unsigned d) { return d < shape.dimensions() ? shape.size(d) : 1U; };
    return {coordinate(0) + coordinate(2) * (size(0) + 1.0), coordinate(1) + coordinate(3) * (size(1) + 1.0)};
}

}  // namespace

TorusNetwork::TorusNetwork(const WulfkitParams& params, Directions directions)
    : directions_(static_cast<unsigned>(directions)),
      shape_(std::make_shared<const TorusShape>(params.topology.dimensions))
{
    std::vector<std::string> names;
    for (unsigned d = 0; d < shape_->dimensions(); ++d) {
        if (directions == Directions::kOne) names.push_back(fmt::format("lc2_{}", d));
        if (directions == Directions::kBoth) names.push_back(fmt::format("lc2_{}_up", d));
        if (directions == Directions::kBoth) names.push_back(fmt::format("lc2_{}_down", d));
    }
    for (unsigned node = 0; node < shape_->nodes(); ++node) graph_.add_box(fmt::format("node{}", node), names, false);
    for (unsigned d = 0; d < shape_->dimensions(); ++d) {
        for (unsigned first = 0; first < shape_->nodes(); ++first) {
            if (shape_->coordinate(first, d) != 0) continue;
            for (unsigned way = 0; way < directions_; ++way) {
                const unsigned n = shape_->size(d);
                std::vector<unsigned> chips;
                for (unsigned i = 0; i < n; ++i) {
                    const unsigned node = shape_->moved(first, d, way == 0 ? i : (n - i) % n);
                    chips.push_back(graph_.chip(node, directions_ * d + way));
                }
                graph_.add_ring(fmt::format("{}{}", "xyzw"[d], graph_.rings().size()), std::move(chips));
            }
        }
    }
}

Route TorusNetwork::route(unsigned from, unsigned to, sci::Class kind) const
{
    Route route;
    std::array<unsigned, TorusShape::kMaxDimensions> first_ring{};
    for (unsigned d = 1; d < shape_->dimensions(); ++d) {
        first_ring[d] = first_ring[d - 1] + shape_->nodes() / shape_->size(d - 1);
    }
    unsigned at = from;
    for (unsigned i = 0; i < shape_->dimensions(); ++i) {
        const unsigned d = kind == sci::Class::kRequest ? i : shape_->dimensions() - 1 - i;
        const unsigned n = shape_->size(d);
        const unsigned upwards = shape_->distance(at, to, d);
        if (upwards == 0) continue;
        const bool down = directions_ == 2 && 2 * upwards > n;
        const unsigned way = down ? 1 : 0;
        route.add({.ring = directions_ * (first_ring[d] + shape_->ring(at, d)) + way,
                   .nodes = n,
                   .hops = down ? n - upwards : upwards,
                   .group = directions_ * d + way});
        at = shape_->moved(at, d, shape_->coordinate(to, d));
    }
    return route;
}

std::shared_ptr<const hw::CardRouting> TorusNetwork::card(sci::NodeId node) const
{
    const hw::TorusCard::Ports ports{.host = kHostPort, .first_link = kFirstLinkPort};
    return std::make_shared<const hw::TorusCard>(shape_, node, ports, directions_ == 2);
}

std::unique_ptr<hw::Routing> TorusNetwork::link(sci::NodeId node, unsigned link) const
{
    return std::make_unique<hw::TorusRouting>(shape_, node, dimension_of(link), card(node));
}

Drawing TorusNetwork::drawing() const
{
    const bool circle = shape_->dimensions() == 1;
    Drawing drawing{.kind = circle ? DrawingKind::kRing : DrawingKind::kTorus, .nodes = {}, .links = {}, .blocks = {}};
    for (unsigned node = 0; node < shape_->nodes(); ++node) {
        const auto [x, y] = circle ? on_circle(node, shape_->nodes(), 1.2) : on_planes(*shape_, node);
        drawing.nodes.push_back(node_at(node, x, y));
    }
    return drawing;
}

}  // namespace ringmesh::platforms
