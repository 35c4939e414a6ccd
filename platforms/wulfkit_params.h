// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw/host/params.h"
#include "hw/pci/params.h"
#include "hw/psb/params.h"
#include "hw/sci/params.h"
#include "tlm/parameters.h"

namespace ringmesh::platforms {

/// How the rings are connected.
enum class TopologyKind : std::uint8_t {
    kTorus,            ///< each node on one ring per dimension
    kCounterRotating,  ///< each node on two rings per dimension, in opposite directions
    kSwitch,           ///< separate rings with one port each of an SCI switch
};

struct TopologyParams {
    TopologyKind kind = TopologyKind::kTorus;
    std::vector<std::int64_t> dimensions{8};

    /// Link controllers of each node.
    unsigned links_per_node() const;
    void visit(ParameterVisitor& visitor);
};

/// All parameters of PCs with Wulfkit cards on SCI rings.
struct WulfkitParams {
    TopologyParams topology;
    hw::CableParams cable;
    hw::LinkParams link;
    hw::LinkControllerParams lc2;
    hw::BLinkParams blink;
    hw::BLinkParams switch_blink{.clock = 75_MHz};
    hw::PsbParams psb;
    hw::PciParams pci;
    hw::HostParams host;

    void visit(ParameterVisitor& visitor);
};

}  // namespace ringmesh::platforms
