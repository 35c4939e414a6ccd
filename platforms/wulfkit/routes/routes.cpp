// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit/routes/routes.h"

namespace ringmesh::platforms {

Route TableRoutes::route(unsigned from, unsigned to, sci::Class kind) const
{
    Route route;
    if (from == to) return route;
    for (const Crossing& each : crossings(graph_, *table_, from, to, kind)) {
        const unsigned ring = graph_.ring_of(each.from);
        route.add({.ring = ring,
                   .nodes = static_cast<unsigned>(graph_.rings()[ring].chips.size()),
                   .hops = each.hops,
                   .group = graph_.port_of(each.from)});
    }
    return route;
}

std::shared_ptr<const hw::CardRouting> TableRoutes::card(sci::NodeId node) const
{
    return std::make_shared<const hw::TableCard>(table_, node, kHostPort, kFirstLinkPort);
}

std::unique_ptr<hw::Routing> TableRoutes::link(sci::NodeId node, unsigned link) const
{
    const hw::TableRouting::Place place{.box = node, .chip = graph_.chip(node, link), .self = node};
    return std::make_unique<hw::TableRouting>(table_, place, card(node));
}

std::unique_ptr<hw::Routing> TableRoutes::switch_port(unsigned port) const
{
    const unsigned chip = graph_.first_switch_chip() + port;
    const hw::TableRouting::Place place{
        .box = graph_.box_of(chip), .chip = chip, .self = static_cast<sci::NodeId>(graph_.number_of(chip))};
    return std::make_unique<hw::TableRouting>(table_, place, nullptr);
}

hw::RouteTable table_of(const SciGraph& graph, const NetworkRoutes& routes)
{
    const auto boxes = static_cast<unsigned>(graph.boxes().size());
    const unsigned nodes = graph.nodes();
    const unsigned first = graph.first_switch_chip();
    hw::RouteTable table(boxes, graph.chips(), nodes);
    table.split_classes();
    for (const sci::Class kind : {sci::Class::kRequest, sci::Class::kResponse}) {
        for (unsigned node = 0; node < nodes; ++node) {
            const auto card = routes.card(static_cast<sci::NodeId>(node));
            for (unsigned target = 0; target < nodes; ++target) {
                if (target == node) continue;
                const unsigned port = card->port(static_cast<sci::NodeId>(target), kind);
                table.set_port(node, target, port - unsigned{NetworkRoutes::kFirstLinkPort}, kind);
            }
        }
        for (unsigned box = nodes; box < boxes; ++box) {
            const auto any_port = routes.switch_port(graph.chip(box, 0) - first);
            for (unsigned target = 0; target < nodes; ++target) {
                table.set_port(box, target, any_port->blink_port(static_cast<sci::NodeId>(target), kind), kind);
            }
        }
    }
    for (unsigned chip = 0; chip < graph.chips(); ++chip) {
        const unsigned box = graph.box_of(chip);
        const auto routing = box < nodes ? routes.link(static_cast<sci::NodeId>(box), graph.port_of(chip))
                                         : routes.switch_port(chip - first);
        for (unsigned target = 0; target < nodes; ++target) {
            if (routing->strips(static_cast<sci::NodeId>(target))) table.set_strips(chip, target);
        }
    }
    return table;
}

}  // namespace ringmesh::platforms
