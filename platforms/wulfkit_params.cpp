// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit_params.h"

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

void WulfkitParams::visit(ParameterVisitor& visitor)
{
    visitor.group("topology", "How many nodes there are and how they are joined", topology);
    visitor.group("cable", "The cable of each link", cable);
    visitor.group("link", "SCI links", link);
    const bool on_link = visitor.nodes() == NodeKind::kPacketSource && topology.links_per_node() == 1;
    LinkControllers all{lc2, !on_link || topology.kind == TopologyKind::kSwitch};
    visitor.group("lc2", "LC-2, the link controller", all);
    visitor.only_if(!on_link, hw::kNoBLink, [&] { visitor.group("blink", "B-Link, the bus inside the card", blink); });
    visitor.when("topology.kind", {"switch"},
                 [&] { visitor.group("switch_blink", "B-Link, the bus inside an SCI switch", switch_blink); });
    visitor.group("psb", "PSB, the bridge between PCI and SCI", psb);
    visitor.only_if(visitor.nodes() == NodeKind::kProcessor, hw::kNoPrograms, [&] {
        visitor.group("pci", "PCI bus of each PC", pci);
        visitor.group("host", "Processor, host bridge and memory of each PC", host);
    });
}

}  // namespace ringmesh::platforms
