// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hw/route_graph.h"
#include "hw/sci/routing/route_table.h"

namespace ringmesh::platforms {

using hw::GraphProblem;

/// An SCI network of any shape: boxes (cards, then switches), whose link controllers form rings. Each card is a node of
/// its own; most are alone in their PC. Plain logic.
class SciGraph {
public:
    struct Box {
        std::string name;
        std::string path;                ///< of its module: "node0", "node0.node4" of a further card
        std::vector<std::string> ports;  ///< names of its link controllers
        unsigned first_chip = 0;         ///< that of its port 0; chips are numbered box by box
    };
    struct Ring {
        std::string name;
        std::vector<unsigned> chips;  ///< in the order of the links; the last one links to the first
    };

    /// @pre all cards are added before the first switch
    void add_box(std::string name, std::vector<std::string> ports, bool is_switch);
    /// @pre each chip is on one ring at most
    void add_ring(std::string name, std::vector<unsigned> chips);

    const std::vector<Box>& boxes() const { return boxes_; }
    const std::vector<Ring>& rings() const { return rings_; }
    unsigned nodes() const { return nodes_; }
    unsigned switches() const { return static_cast<unsigned>(boxes_.size()) - nodes_; }
    unsigned chips() const { return static_cast<unsigned>(box_of_.size()); }
    unsigned chip(unsigned box, unsigned port) const { return boxes_[box].first_chip + port; }
    unsigned box_of(unsigned chip) const { return box_of_[chip]; }
    unsigned port_of(unsigned chip) const { return chip - boxes_[box_of_[chip]].first_chip; }
    /// The first chip of a switch; chips() if there is no switch.
    unsigned first_switch_chip() const { return switches() > 0 ? chip(nodes_, 0) : chips(); }
    /// The number of a chip on its ring: that of its card, or one of its own in a switch, from nodes() on.
    unsigned number_of(unsigned chip) const
    {
        const unsigned box = box_of_[chip];
        return box < nodes_ ? box : nodes_ + chip - first_switch_chip();
    }
    static constexpr unsigned kNoRing = UINT32_MAX;
    unsigned ring_of(unsigned chip) const { return ring_of_[chip]; }
    /// The chip to which this one links. @pre it is on a ring
    unsigned next(unsigned chip) const;
    /// The first of each ring discards packets that nobody takes.
    bool scrubber(unsigned chip) const { return place_[chip] == 0; }
    /// Of each box a number, the same of all to which rings lead from it.
    std::vector<unsigned> networks() const;
    /// A node is a further card in the PC of the node `pc`. @pre called for each of the last nodes, in their order
    void put_into(unsigned node, unsigned pc);
    /// Nodes that are the first cards of their PCs: those with the lowest numbers.
    unsigned pcs() const { return nodes_ - static_cast<unsigned>(further_.size()); }
    unsigned pc_of(unsigned node) const { return node < pcs() ? node : further_[node - pcs()]; }
    /// The nodes in one PC.
    std::vector<unsigned> cards_of(unsigned pc) const;
    /// "node3.lc2_1"
    std::string chip_name(unsigned chip) const;

private:
    std::vector<Box> boxes_;
    std::vector<Ring> rings_;
    unsigned nodes_ = 0;
    std::vector<unsigned> further_;  // PCs of the further cards
    std::vector<unsigned> box_of_, ring_of_, place_;
};

/// The fewest rings, and of as many the one with fewer links.
hw::RouteTable shortest_routes(const SciGraph& graph);
/// The fewest rings, and of as many the one at the lowest port, for responses at the highest: on a torus whose
/// dimensions are its ports in turn, dimension order.
hw::RouteTable port_order_routes(const SciGraph& graph);
/// Up*/down* on the graph whose vertices are boxes and rings (hw::UpDown). @param root the box from which levels are
/// counted
hw::RouteTable up_down_routes(const SciGraph& graph, unsigned root);
/// Fills in which packets leave a ring where, once all ports are known: where a box sends them over another ring.
/// Computed routes may let some pass there; they take none off elsewhere.
void strip_by_ports(const SciGraph& graph, hw::RouteTable& table);

/// The chips at which a packet is sent on and taken off, ring by ring.
struct Crossing {
    unsigned from = 0;  ///< chip whose send queue it leaves
    unsigned to = 0;    ///< chip whose receive queue it enters
    unsigned hops = 0;
};
/// @pre check_routes found nothing
std::vector<Crossing> crossings(const SciGraph& graph, const hw::RouteTable& table, unsigned from, unsigned to,
                                sci::Class kind);

/// Every node reaches every other to which rings lead, echoes find their senders, and no cycle of queues can wait for
/// each other (channel dependency graph, Dally and Seitz 1987; docs/reference/machines/deadlock.md).
/// @param key_of the setting to blame for how a box sends packets to a target
/// @throws GraphProblem
using KeyOfRoute = std::function<std::string(unsigned box, unsigned target)>;
/// What waits for what if each node sends requests to each other: vertices are the send and receive queues of link
/// controllers, of requests, then of responses, and the host's side of each node, which turns requests into responses.
/// @throws GraphProblem if a packet does not come to its target
hw::WaitGraph waits_of(const SciGraph& graph, const hw::RouteTable& table, const KeyOfRoute& key_of);
/// "node3.lc2_1 (send)", "node3.lc2_1 (receive, responses)", "node3 (host's side)"
std::string queue_name(const SciGraph& graph, unsigned queue);
void check_routes(const SciGraph& graph, const hw::RouteTable& table, const KeyOfRoute& key_of);

}  // namespace ringmesh::platforms
