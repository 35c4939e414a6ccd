// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/sci/link_controller.h"
#include "hw/sci/routing.h"
#include "platforms/sci_graph.h"
#include "platforms/wulfkit_params.h"
#include "tlm/sci/sci_machine.h"

namespace ringmesh::platforms {

/// The graph of a Wulfkit machine, which its kind generates or the user writes, and its routes. Plain logic; it
/// configures the chips and their routing.
class WulfkitNetwork {
public:
    /// B-Link ports of a card.
    static constexpr std::uint8_t kHostPort = 0;
    static constexpr std::uint8_t kFirstLinkPort = 1;

    /// The block behind a link controller.
    enum class Behind : std::uint8_t { kBLink, kPacketSource };

    /// @pre the parameters have been checked together (builder.cpp)
    explicit WulfkitNetwork(const WulfkitParams& params);
    /// @throws GraphProblem if what the user wrote is no network, or its routes can deadlock
    static void check(const WulfkitParams& params);
    /// Where the computed routes are not those of the table that the user wrote; a problem for each of the first ones.
    static std::vector<GraphProblem> differences(const WulfkitParams& params);
    /// The routes as a table, of whatever kind. @throws GraphProblem if there are too many nodes for one
    hw::RouteTable routes() const;

    const WulfkitParams& params() const { return params_; }
    const SciGraph& graph() const { return graph_; }
    /// @pre the kind has dimensions
    const TorusShape& shape() const { return *shape_; }
    bool is_switch() const { return params_.topology.kind == TopologyKind::kSwitch; }
    /// Of which all nodes are alike.
    bool is_torus() const { return !is_switch() && !params_.topology.is_graph() && !table_; }
    /// SCI nodes: cards.
    unsigned nodes() const { return graph_.nodes(); }
    /// Those that are not further cards of others have the numbers below.
    unsigned pcs() const { return pc_of_.empty() ? nodes() : pcs_; }
    unsigned pc_of(unsigned node) const { return pc_of_.empty() ? node : pc_of_[node]; }
    /// The nodes in one PC.
    std::vector<unsigned> cards_of(unsigned pc) const;
    /// The cards by which two PCs are joined: the pair with the fewest links, of several each in turn.
    struct Cards {
        unsigned from = 0;
        unsigned to = 0;
    };
    Cards cards_between(unsigned from_pc, unsigned to_pc) const;
    /// Whether rings lead from each card to each other.
    bool is_one_network() const;
    unsigned rings() const { return static_cast<unsigned>(graph_.rings().size()); }
    /// Rings that each node is on, each with a link controller; the most if nodes differ.
    unsigned links_per_node() const { return params_.links_per_node(); }
    unsigned links(unsigned node) const { return static_cast<unsigned>(graph_.boxes()[node].ports.size()); }
    /// The node number to which link `link` of a node leads: ports of switches have those from nodes() on.
    unsigned neighbour(unsigned node, unsigned link) const { return id_of(graph_.next(graph_.chip(node, link))); }
    Route route(unsigned from, unsigned to, sci::Class kind) const;

    /// "lc2" if it is the only one, else "lc2_0", or "lc2_0_up" and "lc2_0_down" for counter-rotating rings.
    std::string link_name(unsigned link) const { return link_name(link, links_per_node()); }
    hw::LinkController::Config link_controller(sci::NodeId node, unsigned link, Behind behind) const;
    std::unique_ptr<hw::Routing> ring_routing(sci::NodeId node, unsigned link) const;
    std::shared_ptr<const hw::CardRouting> card_routing(sci::NodeId node) const;
    /// What link controllers share; null for a node that differs.
    std::shared_ptr<const hw::LinkTiming> timing(sci::NodeId node, Behind behind, unsigned link = 0) const;
    /// Of the nodes that do not differ.
    const hw::LinkTiming& common_timing() const { return *timing_on_blink_; }

    const hw::BLinkParams& blink_of(std::string_view switch_name) const
    {
        const SwitchParams* own = params_.of_switch(switch_name);
        return own == nullptr ? params_.switch_blink : own->blink;
    }
    // Ports of all switches, counted switch by switch.
    hw::LinkController::Config switch_port(unsigned port) const;
    std::unique_ptr<hw::Routing> switch_routing(unsigned port) const;
    hw::SwitchRouting::Rings switch_rings() const { return {shape_->size(0), shape_->size(1)}; }

private:
    /// Node number of a chip: that of its card, or of its own in a switch.
    unsigned id_of(unsigned chip) const
    {
        const unsigned node = graph_.box_of(chip);
        return node < nodes() ? node : nodes() + chip - first_port();
    }
    /// The first chip of a switch.
    unsigned first_port() const { return nodes() < graph_.boxes().size() ? graph_.chip(nodes(), 0) : graph_.chips(); }
    std::string link_name(unsigned link, unsigned links) const;
    hw::LinkController::Config config_of(unsigned chip) const;
    /// Null if the chip's ring is as all others.
    const RingParams* own_ring(unsigned chip) const;
    void generate_torus();
    void generate_switch();
    void read_graph();
    void read_cards();
    static void require_table(unsigned nodes);
    /// An entry of the tables `routes` and `responses`.
    struct WrittenRoute {
        unsigned box = 0;
        unsigned node = 0;
        unsigned port = 0;
        sci::Class kind = sci::Class::kRequest;
        std::string key;
    };
    template <class Take>
    void each_written_route(const Take& take) const;
    /// Chip, node and key of each entry of `passes`.
    template <class Take>
    void each_written_pass(const Take& take) const;
    /// @param before what stands before the nodes in an example
    std::pair<unsigned, unsigned> nodes_named(std::string_view text, const std::string& key,
                                              const std::string& before) const;
    hw::RouteTable read_routes() const;
    unsigned box_named(std::string_view name, const std::string& key) const;
    unsigned port_named(std::string_view word, const std::string& key) const;
    bool counter_rotating() const { return params_.topology.kind == TopologyKind::kCounterRotating; }
    unsigned dimension_of(unsigned link) const { return counter_rotating() ? link / 2 : link; }
    bool downwards(unsigned link) const { return counter_rotating() && link % 2 == 1; }

    WulfkitParams params_;
    sci::Command longest_;                     // of all nodes' requests
    std::shared_ptr<const TorusShape> shape_;  // null if there are no dimensions
    SciGraph graph_;
    unsigned pcs_ = 0;
    std::vector<unsigned> pc_of_;                  // of each node; empty if each is a PC
    std::shared_ptr<const hw::RouteTable> table_;  // null for the routes of the kind
    std::shared_ptr<const hw::LinkTiming> timing_on_blink_;
    std::shared_ptr<const hw::LinkTiming> timing_on_source_;
};

}  // namespace ringmesh::platforms
