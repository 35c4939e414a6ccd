// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit_network.h"

#include <fmt/format.h>

namespace ringmesh::platforms {

WulfkitNetwork::WulfkitNetwork(const WulfkitParams& params)
    : params_(params),
      longest_(params.longest_request()),
      shape_(std::make_shared<const TorusShape>(params.topology.dimensions)),
      timing_on_blink_(std::make_shared<const hw::LinkTiming>(params.link, params.cable, params.lc2, params.blink)),
      timing_on_source_(std::make_shared<const hw::LinkTiming>(params.link, params.cable, params.lc2, std::nullopt))
{}

unsigned WulfkitNetwork::links_per_node() const { return params_.topology.links_per_node(); }

unsigned WulfkitNetwork::rings() const
{
    if (is_switch()) return shape_->size(1);
    unsigned sum = 0;
    for (unsigned d = 0; d < shape_->dimensions(); ++d) sum += shape_->nodes() / shape_->size(d);
    return counter_rotating() ? 2 * sum : sum;
}

unsigned WulfkitNetwork::neighbour(unsigned node, unsigned link) const
{
    const unsigned dimension = dimension_of(link);
    const unsigned n = shape_->size(dimension);
    const unsigned at = shape_->coordinate(node, dimension);
    if (is_switch() && at + 1 == n) return nodes() + shape_->coordinate(node, 1);
    return shape_->moved(node, dimension, (at + (downwards(link) ? n - 1 : 1)) % n);
}

Route WulfkitNetwork::route(unsigned from, unsigned to, sci::Class kind) const
{
    Route route;
    if (is_switch()) {
        const unsigned nodes = shape_->size(0) + 1;  // the port counts as one
        const unsigned here = shape_->coordinate(from, 0);
        const unsigned there = shape_->coordinate(to, 0);
        const unsigned ring = shape_->coordinate(from, 1);
        if (ring == shape_->coordinate(to, 1)) {
            if (from != to) route.add({.ring = ring, .nodes = nodes, .hops = (there + nodes - here) % nodes});
        } else {
            route.add({.ring = ring, .nodes = nodes, .hops = nodes - 1 - here});
            route.add({.ring = shape_->coordinate(to, 1), .nodes = nodes, .hops = there + 1});
        }
        return route;
    }
    unsigned at = from;
    std::array<unsigned, TorusShape::kMaxDimensions> first_ring{};
    for (unsigned d = 1; d < shape_->dimensions(); ++d) {
        first_ring[d] = first_ring[d - 1] + shape_->nodes() / shape_->size(d - 1);
    }
    for (unsigned i = 0; i < shape_->dimensions(); ++i) {
        const unsigned d = kind == sci::Class::kRequest ? i : shape_->dimensions() - 1 - i;
        const unsigned n = shape_->size(d);
        const unsigned upwards = shape_->distance(at, to, d);
        if (upwards == 0) continue;
        const bool down = counter_rotating() && 2 * upwards > n;
        const unsigned ring = first_ring[d] + shape_->ring(at, d);
        route.add({.ring = counter_rotating() ? 2 * ring + (down ? 1 : 0) : ring,
                   .nodes = n,
                   .hops = down ? n - upwards : upwards,
                   .group = counter_rotating() ? 2 * d + (down ? 1 : 0) : d});
        at = shape_->moved(at, d, shape_->coordinate(to, d));
    }
    return route;
}

std::string WulfkitNetwork::link_name(unsigned link) const
{
    if (links_per_node() == 1) return "lc2";
    const auto name = fmt::format("lc2_{}", dimension_of(link));
    return counter_rotating() ? name + (downwards(link) ? "_down" : "_up") : name;
}

hw::LinkController::Config WulfkitNetwork::link_controller(sci::NodeId node, unsigned link, Behind behind) const
{
    hw::LinkController::Config config{.node = node,
                                      .scrubber = shape_->coordinate(node, dimension_of(link)) == 0,
                                      .link = params_.link,
                                      .cable = params_.cable,
                                      .chip = params_.of(node).lc2};
    if (behind == Behind::kBLink) config.blink = params_.of(node).blink;
    config.longest = longest_;
    return config;
}

std::unique_ptr<hw::Routing> WulfkitNetwork::ring_routing(sci::NodeId node, unsigned link) const
{
    if (links_per_node() == 1) return std::make_unique<hw::RingRouting>(node, kHostPort);
    return std::make_unique<hw::TorusRouting>(shape_, node, dimension_of(link), card_routing(node));
}

std::shared_ptr<const hw::CardRouting> WulfkitNetwork::card_routing(sci::NodeId node) const
{
    if (links_per_node() == 1) return std::make_shared<const hw::SingleLinkCard>(node, kHostPort, kFirstLinkPort);
    const hw::TorusCard::Ports ports{.host = kHostPort, .first_link = kFirstLinkPort};
    return std::make_shared<const hw::TorusCard>(shape_, node, ports, counter_rotating());
}

std::shared_ptr<const hw::LinkTiming> WulfkitNetwork::timing(sci::NodeId node, Behind behind) const
{
    if (params_.one_node.contains(node)) return nullptr;
    return behind == Behind::kBLink ? timing_on_blink_ : timing_on_source_;
}

hw::LinkController::Config WulfkitNetwork::switch_port(unsigned ring) const
{
    hw::LinkController::Config config{.node = static_cast<sci::NodeId>(nodes() + ring),
                                      .link = params_.link,
                                      .cable = params_.cable,
                                      .chip = params_.lc2};
    config.blink = params_.switch_blink;
    config.longest = longest_;
    return config;
}

}  // namespace ringmesh::platforms
