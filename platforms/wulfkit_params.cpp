// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit_params.h"

#include <fmt/format.h>

#include "tlm/names.h"
#include "tlm/torus_shape.h"

namespace ringmesh::platforms {
namespace {

constexpr NameTable<TopologyKind, 3> kTopologyKindNames{{{{"torus", TopologyKind::kTorus},
                                                          {"counter-rotating", TopologyKind::kCounterRotating},
                                                          {"switch", TopologyKind::kSwitch}}}};

struct LinkControllers {
    hw::LinkControllerParams& params;
    bool blink;
    void visit(ParameterVisitor& visitor) { params.visit(visitor, blink); }
};

/// A port of a switch is no node's.
struct OneNode {
    WulfkitNodeParams& params;
    bool on_link;
    void visit(ParameterVisitor& visitor)
    {
        params.visit_chips(visitor, on_link, false);
        params.visit_host(visitor);
    }
};

}  // namespace

void TopologyParams::visit(ParameterVisitor& visitor)
{
    visitor.choice(
        {"kind", "torus; counter-rotating: with a second, opposite ring beside each; switch: rings joined by one"},
        kind, kTopologyKindNames);
    visitor.field({"dimensions", "nodes on the rings of each dimension; of a switch: nodes on each ring, and rings"},
                  dimensions, {TorusShape::kSmallestRing, TorusShape::kLargestRing});
}

unsigned TopologyParams::links_per_node() const
{
    if (kind == TopologyKind::kSwitch) return 1;
    return static_cast<unsigned>(dimensions.size()) * (kind == TopologyKind::kCounterRotating ? 2 : 1);
}

unsigned TopologyParams::nodes() const
{
    std::int64_t product = 1;
    for (const std::int64_t size : dimensions) product *= size;
    return static_cast<unsigned>(product);
}

void WulfkitNodeParams::visit_chips(ParameterVisitor& visitor, bool on_link, bool switched)
{
    LinkControllers all{lc2, !on_link || switched};
    visitor.group("lc2", "LC-2, the link controller", all);
    visitor.only_if(!on_link, hw::kNoBLink, [&] { visitor.group("blink", "B-Link, the bus inside the card", blink); });
}

void WulfkitNodeParams::visit_host(ParameterVisitor& visitor)
{
    visitor.group("psb", "PSB, the bridge between PCI and SCI", psb);
    visitor.only_if(visitor.nodes() == NodeKind::kProcessor, hw::kNoPrograms, [&] {
        visitor.group("pci", "PCI bus of each PC", pci);
        visitor.group("host", "Processor, host bridge and memory of each PC", host);
    });
}

void WulfkitParams::visit(ParameterVisitor& visitor)
{
    visitor.group("topology", "How many nodes there are and how they are joined", topology);
    visitor.group("cable", "The cable of each link", cable);
    visitor.group("link", "SCI links", link);
    const bool on_link = visitor.nodes() == NodeKind::kPacketSource && topology.links_per_node() == 1;
    const bool switched = topology.kind == TopologyKind::kSwitch;
    visit_chips(visitor, on_link, switched);
    visitor.when("topology.kind", {"switch"},
                 [&] { visitor.group("switch_blink", "B-Link, the bus inside an SCI switch", switch_blink); });
    visit_host(visitor);
    if (TorusShape::problem_of(topology.dimensions).empty()) {
        for (const unsigned node : visitor.nodes_named(topology.nodes())) one_node.try_emplace(node, *this);
    }
    for (auto& [node, params] : one_node) {
        OneNode one{params, on_link};
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
