// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "hw/host/host.h"
#include "hw/psb/psb.h"
#include "hw/sci/blink/blink_bus.h"
#include "hw/sci/blink/blink_fork.h"
#include "hw/sci/link_controller/link_controller.h"
#include "hw/sci/packet_source.h"
#include "platforms/wulfkit/network.h"
#include "platforms/wulfkit/params.h"

namespace ringmesh::platforms {

/// One node: at least its link controllers, one for each ring that it is on.
class WulfkitNode : public sc_core::sc_module {
public:
    hw::LinkController& lc2(std::size_t i = 0) { return *link_controllers_[i]; }
    std::size_t links() const { return link_controllers_.size(); }

protected:
    /// @param behind the block behind the link controllers
    WulfkitNode(const sc_core::sc_module_name& name, Simulation& simulation, const WulfkitNetwork& network,
                sci::NodeId id, WulfkitNetwork::Behind behind);

    /// Connects the link controllers to the ports of a card's B-Link from kFirstLinkPort on.
    void join(hw::BLinkBus& blink);
    /// "psb", "lc2" or "psb", "lc2_0", "lc2_1"
    std::vector<std::string> chips(std::string host) const;

private:
    std::vector<std::unique_ptr<hw::LinkController>> link_controllers_;
};

/// An SCI card of a PC:
///
///     pci <--> psb <--> blink <--> lc2 <--> ring       one lc2 for each ring
///           source <-----+                             with background traffic
class CardNode : public WulfkitNode {
public:
    CardNode(const sc_core::sc_module_name& name, Simulation& simulation, const WulfkitNetwork& network, sci::NodeId id,
             const hw::PciSlot& slot);

    const hw::BLinkBus& blink() const { return *blink_; }
    hw::Psb& psb() { return *psb_; }
    /// Null: there is none.
    hw::SciPacketSource* source() { return source_.get(); }
    sci::NodeId id() const { return id_; }

protected:
    /// make_card() is called before anything else, in the constructor.
    CardNode(const sc_core::sc_module_name& name, Simulation& simulation, const WulfkitNetwork& network,
             sci::NodeId id);
    void add_source(Simulation& simulation, const WulfkitNetwork& network);
    hw::PciCard& make_card(Simulation& simulation, const WulfkitNetwork& network, const hw::PciSlot& slot);

private:
    const sci::NodeId id_;
    std::unique_ptr<hw::Psb> psb_;
    std::unique_ptr<hw::BLinkBus> blink_;
    std::unique_ptr<hw::SciPacketSource> source_;  ///< beside the PC
    std::unique_ptr<hw::BLinkFork> fork_;          ///< to both
};

/// A PC with its SCI card, or several: the further ones are modules in this one.
class HostNode final : public CardNode {
public:
    /// @param rank of the PC, and the node number of its first card
    /// @param tables segments of all PCs, by rank; outlives the PC, which adds its own
    HostNode(const sc_core::sc_module_name& name, Simulation& simulation, const WulfkitNetwork& network,
             sci::NodeId rank, hw::HostSegmentDriver::Tables& tables);

    const std::vector<std::unique_ptr<CardNode>>& further_cards() const { return further_; }

private:
    std::vector<std::unique_ptr<CardNode>> further_;

public:
    hw::Host pc;  ///< makes the cards
};

/// A source of packets in place of the PC: on its one link controller, or on the B-Link of its card.
class SourceNode final : public WulfkitNode {
public:
    SourceNode(const sc_core::sc_module_name& name, Simulation& simulation, const WulfkitNetwork& network,
               sci::NodeId id, WulfkitNetwork::Behind behind);

    hw::SciPacketSource source;
    std::unique_ptr<hw::BLinkBus> blink;  ///< null if the source is attached to the link controller
};

/// An SCI switch: link controllers, one for each port, joined by a B-Link.
class SwitchNode final : public sc_core::sc_module {
public:
    SwitchNode(const sc_core::sc_module_name& name, Simulation& simulation, const WulfkitNetwork& network,
               const SciGraph::Box& box);

    hw::LinkController& lc2(std::size_t port) { return *link_controllers_[port]; }
    const hw::BLinkBus& blink() const { return blink_; }

private:
    std::vector<std::unique_ptr<hw::LinkController>> link_controllers_;
    hw::BLinkBus blink_;
};

}  // namespace ringmesh::platforms
