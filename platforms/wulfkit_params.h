// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
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
    /// PCs. @pre the dimensions are possible
    unsigned nodes() const;
    void visit(ParameterVisitor& visitor);
};

/// The parameters of a PC and its card.
struct WulfkitNodeParams {
    hw::LinkControllerParams lc2;
    hw::BLinkParams blink;
    hw::PsbParams psb;
    hw::PciParams pci;
    hw::HostParams host;

    /// @param on_link packet sources stand on the link controllers @param switched rings are joined by a switch
    void visit_chips(ParameterVisitor& visitor, bool on_link, bool switched);
    void visit_host(ParameterVisitor& visitor);
};

/// All parameters of PCs with Wulfkit cards on SCI rings.
struct WulfkitParams : WulfkitNodeParams {
    TopologyParams topology;
    hw::CableParams cable;
    hw::LinkParams link;
    hw::BLinkParams switch_blink{.clock = 75_MHz};
    /// Nodes that differ, by rank. A setting of "node3.lc2.bypass" is for node 3 alone.
    std::map<unsigned, WulfkitNodeParams> one_node;

    void visit(ParameterVisitor& visitor);
    /// Of one node.
    const WulfkitNodeParams& of(unsigned node) const;
    /// Of any node's requests.
    sci::Command longest_request() const;
};

}  // namespace ringmesh::platforms
