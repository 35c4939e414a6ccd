// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit_node.h"

#include <fmt/format.h>

namespace ringmesh::platforms {

WulfkitNode::WulfkitNode(const sc_core::sc_module_name& module_name, Simulation& simulation,
                         const WulfkitNetwork& network, sci::NodeId id, WulfkitNetwork::Behind behind)
    : sc_module(module_name)
{
    const std::vector<std::string>& names = network.graph().boxes()[id].ports;
    link_controllers_.reserve(names.size());
    for (unsigned link = 0; link < names.size(); ++link) {
        link_controllers_.push_back(std::make_unique<hw::LinkController>(
            names[link].c_str(), simulation, network.link_controller(id, link, behind), network.ring_routing(id, link),
            network.timing(id, behind, link)));
    }
}

void WulfkitNode::join(hw::BLinkBus& blink)
{
    for (std::size_t link = 0; link < links(); ++link) {
        const std::size_t port = WulfkitNetwork::kFirstLinkPort + link;
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

HostNode::HostNode(const sc_core::sc_module_name& module_name, Simulation& simulation, const WulfkitNetwork& network,
                   sci::NodeId id, hw::HostSegmentDriver::Tables& tables)
    : WulfkitNode(module_name, simulation, network, id, WulfkitNetwork::Behind::kBLink),
      pc(simulation, {.rank = id, .host = network.params().of(id).host, .pci = network.params().of(id).pci}, tables,
         [&](const hw::PciSlot& slot) -> hw::PciCard& { return make_card(simulation, network, id, slot); })
{}

hw::PciCard& HostNode::make_card(Simulation& simulation, const WulfkitNetwork& network, sci::NodeId id,
                                 const hw::PciSlot& slot)
{
    const WulfkitNodeParams& params = network.params().of(id);
    const Clock pci_clock(params.pci.clock);
    const hw::Psb::Config config{.node = id,
                                 .slot = slot,
                                 .crossing = params.host.crossing,
                                 .retry_gap = params.pci.retry_gap * pci_clock,
                                 .stream_open = params.psb.stream_open * pci_clock,
                                 .chip = params.psb};
    psb_ = std::make_unique<hw::Psb>("psb", simulation, config, network.card_routing(id));
    blink_ = std::make_unique<hw::BLinkBus>("blink", simulation, params.blink, chips("psb"));
    psb_->to_blink.bind(blink_->from_chip[WulfkitNetwork::kHostPort]);
    blink_->to_chip[WulfkitNetwork::kHostPort].bind(psb_->from_blink);
    join(*blink_);
    return *psb_;
}

SourceNode::SourceNode(const sc_core::sc_module_name& module_name, Simulation& simulation,
                       const WulfkitNetwork& network, sci::NodeId id, WulfkitNetwork::Behind behind)
    : WulfkitNode(module_name, simulation, network, id, behind),
      source("source", simulation, id, network.card_routing(id))
{
    if (behind == WulfkitNetwork::Behind::kPacketSource) {
        source.to_network.bind(lc2().from_blink);
        lc2().to_blink.bind(source.from_network);
        return;
    }
    blink = std::make_unique<hw::BLinkBus>("blink", simulation, network.params().of(id).blink, chips("source"));
    source.to_network.bind(blink->from_chip[WulfkitNetwork::kHostPort]);
    blink->to_chip[WulfkitNetwork::kHostPort].bind(source.from_network);
    join(*blink);
}

SwitchNode::SwitchNode(const sc_core::sc_module_name& module_name, Simulation& simulation,
                       const WulfkitNetwork& network, const SciGraph::Box& box)
    : sc_module(module_name), blink_("blink", simulation, network.blink_of(box.name), box.ports)
{
    const unsigned first = box.first_chip - network.graph().boxes()[network.nodes()].first_chip;
    for (unsigned port = 0; port < box.ports.size(); ++port) {
        link_controllers_.push_back(std::make_unique<hw::LinkController>(box.ports[port].c_str(), simulation,
                                                                         network.switch_port(first + port),
                                                                         network.switch_routing(first + port)));
        lc2(port).to_blink.bind(blink_.from_chip[port]);
        blink_.to_chip[port].bind(lc2(port).from_blink);
    }
}

}  // namespace ringmesh::platforms
