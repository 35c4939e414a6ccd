// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "hw/sci/link_controller/link_controller.h"
#include "platforms/wulfkit/params.h"
#include "platforms/wulfkit/routes/routes.h"
#include "platforms/wulfkit/routes/sci_graph.h"
#include "platforms/wulfkit/shapes/network_shape.h"
#include "tlm/division/processes.h"
#include "tlm/sci/sci_machine.h"

namespace ringmesh::platforms {

/// The network of a Wulfkit machine before it is built: parameters in; out come the graph of its shape, its routes, and
/// the configuration of each chip. Plain logic, without the kernel.
class WulfkitNetwork {
public:
    /// The block behind a link controller.
    enum class Behind : std::uint8_t { kBLink, kPacketSource };

    /// @pre the parameters have been checked together (builder.cpp)
    explicit WulfkitNetwork(const WulfkitParams& params);
    /// @throws GraphProblem if what the user wrote is no network, or its routes can deadlock
    static void check(const WulfkitParams& params);
    /// Where the computed routes are not those of the table that the user wrote; a problem for each of the first ones.
    static std::vector<GraphProblem> differences(const WulfkitParams& params);
    /// The routes as a table, of whatever kind. @throws GraphProblem if there are too many nodes for one
    hw::RouteTable table() const;

    const WulfkitParams& params() const { return params_; }
    const NetworkShape& shape() const { return *shape_; }
    const SciGraph& graph() const { return shape_->graph(); }
    const NetworkRoutes& routes() const { return *routes_; }
    /// Null unless all nodes are alike: a torus with the routes of its shape.
    const TorusShape* torus() const { return routes_->table() == nullptr ? shape_->torus() : nullptr; }
    /// SCI nodes: cards.
    unsigned nodes() const { return graph().nodes(); }
    /// The part of the machine that a box belongs to: all cards of a PC are in one.
    unsigned part_of(unsigned box) const { return box < nodes() ? graph().pc_of(box) : box; }
    /// What it is cut by: its parts, and the cables between them. Packets go between random cards.
    PlaceGraph place_graph() const;
    /// The cards by which two PCs are joined: the pair with the fewest links, of several each in turn.
    struct Cards {
        unsigned from = 0;
        unsigned to = 0;
    };
    Cards cards_between(unsigned from_pc, unsigned to_pc) const;
    /// Whether rings lead from each card to each other.
    bool is_one_network() const;
    unsigned rings() const { return static_cast<unsigned>(graph().rings().size()); }
    /// Rings that each node is on, each with a link controller; the most if nodes differ.
    unsigned links_per_node() const { return params_.links_per_node(); }
    /// The node number to which link `link` of a node leads: ports of switches have those from nodes() on.
    unsigned neighbour(unsigned node, unsigned link) const
    {
        return graph().number_of(graph().next(graph().chip(node, link)));
    }

    hw::LinkController::Config link_controller(sci::NodeId node, unsigned link, Behind behind) const;
    /// What link controllers share; null for a node that differs.
    std::shared_ptr<const hw::LinkTiming> timing(sci::NodeId node, Behind behind, unsigned link = 0) const;
    /// Of the nodes that do not differ.
    const hw::LinkTiming& common_timing() const { return *timing_on_blink_; }

    const hw::BLinkParams& blink_of(std::string_view switch_name) const
    {
        const SwitchParams* own = params_.of_switch(switch_name);
        return own == nullptr ? params_.switch_blink : own->blink;
    }
    /// @param port counted over all switches
    hw::LinkController::Config switch_port(unsigned port) const;

private:
    hw::LinkController::Config config_of(unsigned chip) const;
    Duration propagation(unsigned chip) const { return config_of(chip).cable.propagation(); }
    /// Null if the chip's ring is as all others.
    const RingParams* own_ring(unsigned chip) const;

    WulfkitParams params_;
    sci::Command longest_;  // of all nodes' requests
    std::shared_ptr<const NetworkShape> shape_;
    std::shared_ptr<const NetworkRoutes> routes_;
    std::shared_ptr<const hw::LinkTiming> timing_on_blink_;
    std::shared_ptr<const hw::LinkTiming> timing_on_source_;
};

}  // namespace ringmesh::platforms
