// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/host/params.h"
#include "hw/pci/params.h"
#include "hw/psb/params.h"
#include "hw/sci/params.h"
#include "tlm/parameters.h"

namespace ringmesh::platforms {

struct TopologyParams {
    std::int64_t nodes = 8;

    void visit(ParameterVisitor& visitor);
};

/// PCs with Wulfkit cards on one SCI ringlet: everything about them that can be set.
struct WulfkitParams {
    TopologyParams topology;
    hw::CableParams cable;
    hw::LinkParams link;
    hw::LinkControllerParams lc2;
    hw::BLinkParams blink;
    hw::PsbParams psb;
    hw::PciParams pci;
    hw::HostParams host;

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh::platforms
