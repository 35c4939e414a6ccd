// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit/shapes/switch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "platforms/wulfkit/params.h"

namespace ringmesh::platforms {

SwitchNetwork::SwitchNetwork(const WulfkitParams& params)
    : rings_{static_cast<unsigned>(params.topology.dimensions.at(0)),
             static_cast<unsigned>(params.topology.dimensions.at(1))}
{
    const unsigned nodes = rings_.nodes_per_ring * rings_.rings;
    add_nodes(nodes, 1);
    graph_.add_box("switch", link_names(rings_.rings), true);
    for (unsigned ring = 0; ring < rings_.rings; ++ring) {
        std::vector<unsigned> chips;
        for (unsigned i = 0; i < rings_.nodes_per_ring; ++i) chips.push_back(ring * rings_.nodes_per_ring + i);
        chips.push_back(graph_.chip(nodes, ring));
        graph_.add_ring(fmt::format("ring{}", ring), std::move(chips));
    }
}

std::string SwitchNetwork::problem_of(std::span<const std::int64_t> dimensions)
{
    if (dimensions.size() == 2 && dimensions[1] <= GraphParams::kMostPorts) return "";
    return fmt::format("a switch joins 2 to {} rings of equal size; write [nodes on each ring, rings], such as [2, 4]",
                       GraphParams::kMostPorts);
}

Route SwitchNetwork::route(unsigned from, unsigned to, sci::Class) const
{
    Route route;
    const unsigned on_ring = rings_.nodes_per_ring;
    const unsigned nodes = on_ring + 1;  // the port counts as one
    const unsigned here = from % on_ring;
    const unsigned there = to % on_ring;
    const unsigned ring = from / on_ring;
    if (ring == to / on_ring) {
        if (from != to) route.add({.ring = ring, .nodes = nodes, .hops = (there + nodes - here) % nodes});
    } else {
        route.add({.ring = ring, .nodes = nodes, .hops = nodes - 1 - here});
        route.add({.ring = to / on_ring, .nodes = nodes, .hops = there + 1});
    }
    return route;
}

std::shared_ptr<const hw::CardRouting> SwitchNetwork::card(sci::NodeId node) const
{
    return std::make_shared<const hw::SingleLinkCard>(node, kHostPort, kFirstLinkPort);
}

std::unique_ptr<hw::Routing> SwitchNetwork::link(sci::NodeId node, unsigned) const
{
    return std::make_unique<hw::RingRouting>(node, kHostPort);
}

std::unique_ptr<hw::Routing> SwitchNetwork::switch_port(unsigned port) const
{
    return std::make_unique<hw::SwitchRouting>(rings_, port);
}

Drawing SwitchNetwork::drawing() const
{
    Drawing drawing{.kind = DrawingKind::kSwitch, .nodes = {}, .links = {}, .blocks = {}};
    const unsigned per_ring = rings_.nodes_per_ring;
    const double ring_radius = std::max(1.0, 1.1 * (per_ring + 1) / (2 * std::numbers::pi));
    for (unsigned node = 0; node < graph_.nodes(); ++node) {
        const auto [cx, cy] = on_circle(node / per_ring, rings_.rings, 2 * ring_radius + 1.2);
        const double length = std::hypot(cx, cy);
        // The first place of the circle is the switch's, which is inwards
        const double inwards = std::atan2(-cy / length, -cx / length);
        const double angle = inwards + 2 * std::numbers::pi * (node % per_ring + 1) / (per_ring + 1);
        const double outwards = 1 + ring_radius / length;
        drawing.nodes.push_back(node_at(node, cx * outwards + ring_radius * std::cos(angle),
                                        cy * outwards + ring_radius * std::sin(angle)));
    }
    drawing.nodes.push_back({.id = "switch", .label = "switch", .kind = "switch"});
    return drawing;
}

}  // namespace ringmesh::platforms
