// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit_params.h"

namespace ringmesh::platforms {

void TopologyParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"nodes", "nodes on the ring", seed("000 Fig. 10")}, nodes, {2, 4096});
}

void WulfkitParams::visit(ParameterVisitor& visitor)
{
    visitor.group("topology", "How many nodes there are and how they are joined", topology);
    visitor.group("cable", "The cable of each link", cable);
    visitor.group("link", "SCI links", link);
    visitor.group("lc2", "LC-2, the link controller", lc2);
    visitor.group("blink", "B-Link, the bus inside the card", blink);
    visitor.group("psb", "PSB, the bridge between PCI and SCI", psb);
    visitor.group("pci", "PCI bus of each PC", pci);
    visitor.group("host", "Processor, host bridge and memory of each PC", host);
}

}  // namespace ringmesh::platforms
