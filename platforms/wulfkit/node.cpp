// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit/node.h"

#include <fmt/format.h>

#include <algorithm>

namespace ringmesh::platforms {

WulfkitNode::WulfkitNode(const sc_core::sc_module_name& module_name, Simulation& simulation,
                         const WulfkitNetwork& network, sci::NodeId id, WulfkitNetwork::Behind behind)
    : sc_module(module_name)
{
    const std::vector<std::string>& names = network.graph().boxes()[id].ports;
    link_controllers_.reserve(names.size());
    for (unsigned link = 0; link < names.size(); ++link) {
        link_controllers_.push_back(std::make_unique<hw::LinkController>(
            names[link].c_str(), simulation, network.link_controller(id, link, behind), network.routes().link(id, link),
            network.timing(id, behind, link)));
    }
}

void WulfkitNode::join(hw::BLinkBus& blink)
{
    for (std::size_t link = 0; link < links(); ++link) {
        const std::size_t port = NetworkRoutes::kFirstLinkPort + link;
        lc2(link).to_blink.bind(blink.from_chip[port]);
        blink.to_chip[port].bind(lc2(link).from_blink);
    }
}

std::vector<std::string> WulfkitNode::chips(std::string host) const
{
    std::vector<std::string> names{std::move(host)};
    for (const auto& link_controller : link_controllers_) names.emplace_back(link_controller->basename());
    return names;
}

CardNode::CardNode(const sc_core::sc_module_name& module_name, Simulation& simulation, const WulfkitNetwork& network,
                   sci::NodeId id)
    : WulfkitNode(module_name, simulation, network, id, WulfkitNetwork::Behind::kBLink), id_(id)
{}

CardNode::CardNode(const sc_core::sc_module_name& module_name, Simulation& simulation, const WulfkitNetwork& network,
                   sci::NodeId id, const hw::PciSlot& slot)
    : CardNode(module_name, simulation, network, id)
{
    make_card(simulation, network, slot);
}

hw::PciCard& CardNode::make_card(Simulation& simulation, const WulfkitNetwork& network, const hw::PciSlot& slot)
{
    const WulfkitNodeParams& params = network.params().of(id_);
    const WulfkitNodeParams& pc = network.params().of(network.graph().pc_of(id_));
    const Clock pci_clock(pc.pci.clock);
    hw::Psb::Config config{.node = id_,
                           .slot = slot,
                           .crossing = params.psb.crossing,
                           .retry_gap = pc.pci.retry_gap * pci_clock,
                           .stream_open = params.psb.stream_open * pci_clock,
                           .chip = params.psb,
                           .recovery = network.params().recovery};
    if (slot.admit && network.graph().pcs() < network.nodes()) {
        config.slot.admit = [admit = slot.admit, &network](unsigned from, std::uint64_t offset, std::uint64_t size) {
            admit(network.graph().pc_of(from), offset, size);
        };
    }
    psb_ = std::make_unique<hw::Psb>("psb", simulation, config, network.routes().card(id_));
    std::vector<std::string> on_bus = chips("psb");
    if (network.params().sources) on_bus.emplace_back("source");
    blink_ = std::make_unique<hw::BLinkBus>("blink", simulation, params.blink, std::move(on_bus));
    psb_->to_blink.bind(blink_->from_chip[NetworkRoutes::kHostPort]);
    if (network.params().sources) {
        add_source(simulation, network);
    } else {
        blink_->to_chip[NetworkRoutes::kHostPort].bind(psb_->from_blink);
    }
    join(*blink_);
    return *psb_;
}

/// On the last port of the B-Link; what comes for the node comes over the host's port.
void CardNode::add_source(Simulation& simulation, const WulfkitNetwork& network)
{
    source_ = std::make_unique<hw::SciPacketSource>("source", simulation, id_, network.routes().card(id_));
    fork_ = std::make_unique<hw::BLinkFork>("fork");
    const std::size_t port = NetworkRoutes::kFirstLinkPort + links();
    source_->to_network.bind(blink_->from_chip[port]);
    blink_->to_chip[NetworkRoutes::kHostPort].bind(fork_->in);
    blink_->to_chip[port].bind(fork_->nothing);
    fork_->to_host.bind(psb_->from_blink);
    fork_->to_source.bind(source_->from_network);
}

namespace {

hw::Host::Config config_of(const WulfkitNetwork& network, unsigned rank)
{
    const WulfkitNodeParams& params = network.params().of(rank);
    hw::Host::Config config{.rank = rank, .host = params.host, .pci = params.pci, .pcs = network.graph().pcs()};
    if (network.graph().pcs() == network.nodes()) return config;
    const std::vector<unsigned> cards = network.graph().cards_of(rank);
    config.cards = cards.size();
    config.way_to = [&network, rank, cards](unsigned other) -> hw::HostSegmentDriver::Way {
        const WulfkitNetwork::Cards way = network.cards_between(rank, other);
        const auto card = std::find(cards.begin(), cards.end(), way.from) - cards.begin();
        return {.card = static_cast<std::size_t>(card), .node = way.to};
    };
    return config;
}

}  // namespace

HostNode::HostNode(const sc_core::sc_module_name& module_name, Simulation& simulation, const WulfkitNetwork& network,
                   sci::NodeId rank, hw::HostSegmentDriver::Tables& tables)
    : CardNode(module_name, simulation, network, rank),
      pc(simulation, config_of(network, rank), tables, [&](const hw::PciSlot& slot) -> hw::PciCard& {
          if (slot.card == 0) return make_card(simulation, network, slot);
          const unsigned node = network.graph().cards_of(rank)[slot.card];
          return further_
              .emplace_back(std::make_unique<CardNode>(fmt::format("node{}", node).c_str(), simulation, network,
                                                       static_cast<sci::NodeId>(node), slot))
              ->psb();
      })
{}

SourceNode::SourceNode(const sc_core::sc_module_name& module_name, Simulation& simulation,
                       const WulfkitNetwork& network, sci::NodeId id, WulfkitNetwork::Behind behind)
    : WulfkitNode(module_name, simulation, network, id, behind),
      source("source", simulation, id, network.routes().card(id))
{
    if (behind == WulfkitNetwork::Behind::kPacketSource) {
        source.to_network.bind(lc2().from_blink);
        lc2().to_blink.bind(source.from_network);
        return;
    }
    blink = std::make_unique<hw::BLinkBus>("blink", simulation, network.params().of(id).blink, chips("source"));
    source.to_network.bind(blink->from_chip[NetworkRoutes::kHostPort]);
    blink->to_chip[NetworkRoutes::kHostPort].bind(source.from_network);
    join(*blink);
}

SwitchNode::SwitchNode(const sc_core::sc_module_name& module_name, Simulation& simulation,
                       const WulfkitNetwork& network, const SciGraph::Box& box)
    : sc_module(module_name), blink_("blink", simulation, network.blink_of(box.name), box.ports)
{
    const unsigned first = box.first_chip - network.graph().first_switch_chip();
    for (unsigned port = 0; port < box.ports.size(); ++port) {
        link_controllers_.push_back(std::make_unique<hw::LinkController>(box.ports[port].c_str(), simulation,
                                                                         network.switch_port(first + port),
                                                                         network.routes().switch_port(first + port)));
        lc2(port).to_blink.bind(blink_.from_chip[port]);
        blink_.to_chip[port].bind(lc2(port).from_blink);
    }
}

}  // namespace ringmesh::platforms
