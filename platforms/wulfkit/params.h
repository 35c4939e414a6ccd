// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/host/params.h"
#include "hw/pci/params.h"
#include "hw/psb/params.h"
#include "hw/sci/params.h"
#include "platforms/wulfkit/link_block.h"
#include "tlm/parameters/named_values.h"
#include "tlm/parameters/parameters.h"
#include "tlm/simulation/fault.h"

namespace ringmesh::platforms {

/// How a packet finds its way.
enum class RoutesKind : std::uint8_t {
    kDimensionOrder,  ///< of shapes that have dimensions; of a switch, over it; of a graph, by the order of its ports
    kShortest,        ///< the fewest rings, then the fewest links
    kUpDown,          ///< up*/down*: never up after down
    kTable,           ///< as the table `routes` says
};

struct TopologyParams {
    std::string kind = "torus";  ///< how the rings are connected: a name in the table of shapes (shapes/table.cpp)
    std::vector<std::int64_t> dimensions{8};
    RoutesKind routing = RoutesKind::kDimensionOrder;
    bool check_routes = false;  ///< computed routes must be those of the table `routes`

    /// The user wrote nodes, switches and rings.
    bool is_graph() const;
    /// Routes are not computed by the shape.
    bool needs_table() const { return is_graph() || routing != RoutesKind::kDimensionOrder; }
    void visit(ParameterVisitor& visitor);
};

/// Parameters in which the links of one ring may differ from the others.
struct RingParams {
    hw::CableParams cable;
    Duration symbol_time;

    void visit(ParameterVisitor& visitor);
};

/// Parameters in which one switch may differ from the others.
struct SwitchParams {
    hw::LinkControllerParams lc2;
    hw::BLinkParams blink;

    void visit(ParameterVisitor& visitor);
};

/// The tables of a graph: nodes, switches, rings, and routes between them.
struct GraphParams {
    static constexpr std::int64_t kMostPorts = 8;

    NamedValues<std::int64_t> nodes;      ///< link controllers of each PC, by number or range "0..3"
    NamedValues<std::int64_t> cards;      ///< nodes that are further cards, and the PC of the first of them
    NamedValues<std::int64_t> switches;   ///< ports
    NamedValues<std::string> rings;       ///< "node0.0 node1.0 top.2": ports in the order of the links
    NamedValues<RingParams> ring;         ///< those that differ
    NamedValues<SwitchParams> own;        ///< switches that differ
    NamedValues<std::int64_t> routes;     ///< "node0.1..3" or "top.4": the port for packets to these nodes
    NamedValues<std::int64_t> responses;  ///< the same of responses, where they take another
    NamedValues<std::string> passes;      ///< of a port "node0.1": nodes whose packets stay on its ring, "4 7..9"
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
    void visit_host(ParameterVisitor& visitor, bool is_pc = true);
};

/// All parameters of PCs with Wulfkit cards on SCI rings.
struct WulfkitParams : WulfkitNodeParams {
    TopologyParams topology;
    GraphParams graph;
    hw::CableParams cable;
    hw::LinkParams link;
    hw::BLinkParams switch_blink{.clock = 75_MHz};
    LinkBlockParams link_block;
    FaultTable faults;
    hw::RecoveryParams recovery;
    /// Nodes that differ, by rank. A setting of "node3.lc2.bypass" is for node 3 alone.
    std::map<unsigned, WulfkitNodeParams> one_node;
    bool sources = false;  ///< no parameter: packet sources beside the PCs, for background traffic

    void visit(ParameterVisitor& visitor);
    /// Of the node that has most.
    unsigned links_per_node() const;
    /// PCs. @pre the dimensions are possible
    unsigned nodes() const;
    /// Whether its card is in the PC of another node.
    bool is_further_card(unsigned node) const;
    /// Null if the ring is as all others.
    const RingParams* of_ring(std::string_view name) const;
    /// Null if the switch is as all others.
    const SwitchParams* of_switch(std::string_view name) const;
    /// Of one node.
    const WulfkitNodeParams& of(unsigned node) const;
    /// Of any node's requests.
    sci::Command longest_request() const;
};

}  // namespace ringmesh::platforms
