// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit/params.h"

#include <fmt/format.h>

#include <algorithm>

#include "platforms/wulfkit/shapes/network_shape.h"
#include "tlm/machine/torus_shape.h"
#include "tlm/parameters/names.h"
#include "tlm/parameters/parameter_list.h"

namespace ringmesh::platforms {
namespace {

/// Names of the shapes for which this holds.
template <class Holds>
std::vector<std::string> shapes_that(const Holds& holds)
{
    std::vector<std::string> names;
    for (const ShapeKind& each : shape_kinds()) {
        if (holds(each)) names.emplace_back(each.name);
    }
    return names;
}

/// "torus; counter-rotating: with a second, ..."
std::string meaning_of_shapes()
{
    std::string text;
    for (const ShapeKind& each : shape_kinds()) {
        text += fmt::format("{}{}", text.empty() ? "" : "; ", each.name);
        if (!each.meaning.empty()) text += fmt::format(": {}", each.meaning);
    }
    return text;
}

constexpr NameTable<RoutesKind, 4> kRoutesKindNames{{{{"dimension-order", RoutesKind::kDimensionOrder},
                                                      {"shortest", RoutesKind::kShortest},
                                                      {"up-down", RoutesKind::kUpDown},
                                                      {"table", RoutesKind::kTable}}}};

struct OwnRings {
    NamedValues<RingParams>& all;
    const RingParams& initial;
    void visit(ParameterVisitor& visitor)
    {
        add_names(visitor, all, true, initial);
        for (auto& [name, ring] : all) visitor.group(name, "One ring alone", ring);
    }
};

struct OwnSwitches {
    NamedValues<SwitchParams>& all;
    const SwitchParams& initial;
    void visit(ParameterVisitor& visitor)
    {
        add_names(visitor, all, true, initial);
        for (auto& [name, own] : all) visitor.group(name, "One switch alone", own);
    }
};

struct OwnLink {
    Duration& symbol_time;
    void visit(ParameterVisitor& visitor) { hw::visit_symbol_time(visitor, symbol_time); }
};

struct LinkControllers {
    hw::LinkControllerParams& params;
    bool blink;
    void visit(ParameterVisitor& visitor) { params.visit(visitor, blink); }
};

struct LinkRecoveries {
    hw::RecoveryParams& params;
    bool programs;
    void visit(ParameterVisitor& visitor) { params.visit(visitor, programs); }
};

/// A port of a switch is no node's.
struct OneNode {
    WulfkitNodeParams& params;
    bool on_link;
    bool is_pc;
    void visit(ParameterVisitor& visitor)
    {
        params.visit_chips(visitor, on_link, false);
        params.visit_host(visitor, is_pc);
    }
};

}  // namespace

bool TopologyParams::is_graph() const { return !shape_kind(kind).has_dimensions; }

void TopologyParams::visit(ParameterVisitor& visitor)
{
    static const std::string meaning = meaning_of_shapes();
    visitor.choice({"kind", meaning}, kind, shapes_that([](const ShapeKind&) { return true; }));
    visitor.when("kind", shapes_that([](const ShapeKind& shape) { return shape.has_dimensions; }), [&] {
        visitor.field(
            {"dimensions", "nodes on the rings of each dimension; of a switch: nodes on each ring, and rings"},
            dimensions, {TorusShape::kSmallestRing, TorusShape::kLargestRing});
    });
    visitor.choice({"routing",
                    "dimension-order; shortest: the fewest rings; up-down: never up after down, so without "
                    "deadlock on any graph; table: as the table routes says"},
                   routing, kRoutesKindNames);
    visitor.when("routing", {"dimension-order", "shortest", "up-down"}, [&] {
        visitor.field({"check_routes", "compare the computed routes with the table routes, and refuse differences"},
                      check_routes);
    });
}

void RingParams::visit(ParameterVisitor& visitor)
{
    OwnLink link{symbol_time};
    visitor.group("cable", "The cables of this ring", cable);
    visitor.group("link", "The links of this ring", link);
}

void SwitchParams::visit(ParameterVisitor& visitor)
{
    LinkControllers all{lc2, true};
    visitor.group("lc2", "LC-2, the link controllers of this switch", all);
    visitor.group("blink", "B-Link, the bus inside this switch", blink);
}

unsigned WulfkitParams::links_per_node() const { return shape_kind(topology.kind).links_per_node(*this); }

unsigned WulfkitParams::nodes() const
{
    if (topology.is_graph()) {
        unsigned count = 0;
        for (const auto& [text, ports] : graph.nodes) {
            if (const auto range = range_of(text)) count = std::max(count, std::min(range->second, 65'535U) + 1);
        }
        return count;
    }
    std::int64_t product = 1;
    for (const std::int64_t size : topology.dimensions) product *= size;
    return static_cast<unsigned>(product);
}

bool WulfkitParams::is_further_card(unsigned node) const
{
    return topology.is_graph() && std::any_of(graph.cards.begin(), graph.cards.end(), [node](const auto& each) {
               const auto range = range_of(each.first);
               return range && range->first <= node && node <= range->second;
           });
}

const RingParams* WulfkitParams::of_ring(std::string_view name) const
{
    for (const auto& [each, ring] : graph.ring) {
        if (each == name) return &ring;
    }
    return nullptr;
}

const SwitchParams* WulfkitParams::of_switch(std::string_view name) const
{
    for (const auto& [each, own] : graph.own) {
        if (each == name) return &own;
    }
    return nullptr;
}

void WulfkitNodeParams::visit_chips(ParameterVisitor& visitor, bool on_link, bool switched)
{
    LinkControllers all{lc2, !on_link || switched};
    visitor.group("lc2", "LC-2, the link controller", all);
    visitor.only_if(!on_link, hw::kNoBLink, [&] { visitor.group("blink", "B-Link, the bus inside the card", blink); });
}

void WulfkitNodeParams::visit_host(ParameterVisitor& visitor, bool is_pc)
{
    visitor.group("psb", "PSB, the bridge between PCI and SCI", psb);
    const auto of_pc = [&] {
        visitor.group("pci", "PCI bus of each PC", pci);
        visitor.group("host", "Processor, host bridge and memory of each PC", host);
    };
    visitor.only_if(visitor.nodes() == NodeKind::kProcessor, hw::kNoPrograms, [&] {
        visitor.only_if(is_pc, "the node is a further card; write it of the PC that the card is in", of_pc);
    });
}

void WulfkitParams::visit(ParameterVisitor& visitor)
{
    visitor.group("topology", "How many nodes there are and how they are joined", topology);
    visitor.group("cable", "The cable of each link", cable);
    visitor.group("link", "SCI links", link);
    visitor.when("topology.kind", {"graph"}, [&] {
        const Bounds<std::int64_t> cards{1, GraphParams::kMostPorts};
        using Ports = ValuesByName<std::int64_t>;
        Ports nodes{"link controllers of each of these PCs' cards", cards, cards.low, graph.nodes};
        Ports further{"these nodes are further cards: of this PC, and of those after it", {0, 65'535}, 0, graph.cards};
        Ports switches{
            "link controllers of this switch, on one B-Link", {2, GraphParams::kMostPorts}, 2, graph.switches};
        TextsByName rings{"its ports, in the order of its links", graph.rings};
        const RingParams as_all{cable, link.symbol_time};
        OwnRings own{graph.ring, as_all};
        visitor.group("nodes", "PCs, by number or range", nodes);
        visitor.group("cards", "Nodes that are no PCs but further cards, by number or range", further);
        visitor.group("switches", "SCI switches", switches);
        visitor.group("rings", "Rings of links", rings);
        visitor.group("ring", "Rings that differ", own);
    });
    const bool has_routes = topology.routing == RoutesKind::kTable || topology.check_routes;
    visitor.only_if(has_routes, "set topology.routing=table, or topology.check_routes=true to compare", [&] {
        ValuesByName<std::int64_t> routes{
            "the port for packets to these nodes", {0, GraphParams::kMostPorts - 1}, 0, graph.routes};
        ValuesByName<std::int64_t> responses{
            "the port for responses to these nodes", {0, GraphParams::kMostPorts - 1}, 0, graph.responses};
        TextsByName passes{"nodes whose packets stay on the ring of this port, though the box sends its own elsewhere",
                           graph.passes};
        visitor.group("routes", "For each PC and switch: the port by which packets leave, by node or range", routes);
        visitor.group("responses", "The same of responses, where they leave by another port", responses);
        visitor.group("passes", "For each port: what stays on its ring", passes);
    });
    const bool on_link = visitor.nodes() == NodeKind::kPacketSource && links_per_node() == 1;
    const bool switched = shape_kind(topology.kind).has_switches || !graph.switches.empty();
    visit_chips(visitor, on_link, switched);
    visitor.when("topology.kind",
                 shapes_that([](const ShapeKind& shape) { return shape.has_switches || !shape.has_dimensions; }),
                 [&] { visitor.group("switch_blink", "B-Link, the bus inside an SCI switch", switch_blink); });
    visitor.when("topology.kind", {"graph"}, [&] {
        const SwitchParams as_all{lc2, switch_blink};
        OwnSwitches own{graph.own, as_all};
        visitor.group("switch", "Switches that differ", own);
    });
    visit_host(visitor);
    if (LinkBlockParams::any()) visitor.group("link_block", "A block of another make in each cable", link_block);
    visitor.group("fault", "Faults of the hardware, under any names", faults);
    visitor.only_if(!faults.all.empty(), "the machine has no faults; add one by --fault, or a table fault.NAME", [&] {
        LinkRecoveries of_all{recovery, visitor.nodes() == NodeKind::kProcessor};
        visitor.group("recovery", "What link controllers and software do about faults", of_all);
    });
    if (topology.is_graph() ? nodes() > 0 : TorusShape::problem_of(topology.dimensions).empty()) {
        for (const unsigned node : visitor.nodes_named(nodes())) one_node.try_emplace(node, *this);
    }
    for (auto& [node, params] : one_node) {
        OneNode one{params, on_link, !is_further_card(node)};
        visitor.group(fmt::format("{}{}", kOneNode, node), "One node alone", one);
    }
}

sci::Command WulfkitParams::longest_request() const
{
    sci::Command longest = psb.largest_request();
    for (const auto& [node, own] : one_node) {
        const sci::Command other = own.psb.largest_request();
        if (sci::symbols(other) > sci::symbols(longest)) longest = other;
    }
    return longest;
}

const WulfkitNodeParams& WulfkitParams::of(unsigned node) const
{
    const auto found = one_node.find(node);
    return found == one_node.end() ? *this : found->second;
}

}  // namespace ringmesh::platforms
