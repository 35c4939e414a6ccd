// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit_node.h"

#include <fmt/format.h>

namespace ringmesh::platforms {

namespace {

constexpr std::size_t kBridgeSlot = 0;
constexpr std::size_t kCardSlot = 1;

hw::HostBridge::Config host_bridge(const WulfkitParams& params)
{
    return {.crossing = params.host.crossing,
            .retry_gap = params.pci.retry_gap * Clock(params.pci.clock),
            .posted_writes = static_cast<std::size_t>(params.host.posted_writes),
            .inbound_writes = static_cast<std::size_t>(params.host.inbound_writes),
            .memory_access = params.host.local_access};
}

hw::Psb::Config bridge_to_sci(const WulfkitParams& params, sci::NodeId id, hw::SegmentTable& segments,
                              std::function<void()> interrupt)
{
    return {.node = id,
            .window = HostNode::kWindow,
            .crossing = params.host.crossing,
            .retry_gap = params.pci.retry_gap * Clock(params.pci.clock),
            .stream_open = params.psb.stream_open * Clock(params.pci.clock),
            .interrupt = std::move(interrupt),
            .chip = params.psb,
            .admit = [&segments](sci::NodeId from, std::uint64_t offset, std::uint64_t size) {
                segments.require_exported(from, offset, size);
            }};
}

}  // namespace

WulfkitNode::WulfkitNode(const sc_core::sc_module_name& module_name, Simulation& simulation,
                         const WulfkitNetwork& network, sci::NodeId id, WulfkitNetwork::Behind behind)
    : sc_module(module_name)
{
    link_controllers_.reserve(network.links_per_node());
    for (unsigned link = 0; link < network.links_per_node(); ++link) {
        link_controllers_.push_back(std::make_unique<hw::LinkController>(
            network.link_name(link).c_str(), simulation, network.link_controller(id, link, behind),
            network.ring_routing(id, link), network.timing(behind)));
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
      memory(static_cast<std::uint64_t>(network.params().host.memory.count())),
      segments(id, memory.size(), static_cast<std::uint64_t>(network.params().host.segments)),
      bridge("bridge", simulation, host_bridge(network.params()), memory),
      pci("pci", simulation, network.params().pci, 2),
      psb("psb", simulation, bridge_to_sci(network.params(), id, segments, [this] { cpu.interrupted(); }),
          network.card_routing(id)),
      blink("blink", simulation, network.params().blink, chips("psb")),
      driver(id, kWindow, tables, psb.translation(),
             [this](std::uint64_t begin, std::uint64_t end) {
                 return !bridge.holds(begin, end) && psb.let_go(begin, end);
             }),
      cpu("cpu", simulation,
          {.rank = id,
           .window = kWindow,
           .host = network.params().host,
           .largest_transaction = static_cast<std::uint32_t>(network.params().psb.transaction_bytes.count()),
           .gathered_block = static_cast<std::uint32_t>(network.params().psb.stream_bytes.count())},
          memory, bridge, driver)
{
    tables.push_back(&segments);
    bridge.to_pci.bind(pci.from_slot[kBridgeSlot]);
    pci.to_slot[kBridgeSlot].bind(bridge.from_pci);
    psb.to_pci.bind(pci.from_slot[kCardSlot]);
    pci.to_slot[kCardSlot].bind(psb.from_pci);
    pci.decode(0, kBridgeSlot);
    pci.decode(kWindow, kCardSlot);

    psb.to_blink.bind(blink.from_chip[WulfkitNetwork::kHostPort]);
    blink.to_chip[WulfkitNetwork::kHostPort].bind(psb.from_blink);
    join(blink);
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
    blink = std::make_unique<hw::BLinkBus>("blink", simulation, network.params().blink, chips("source"));
    source.to_network.bind(blink->from_chip[WulfkitNetwork::kHostPort]);
    blink->to_chip[WulfkitNetwork::kHostPort].bind(source.from_network);
    join(*blink);
}

SwitchNode::SwitchNode(const sc_core::sc_module_name& module_name, Simulation& simulation,
                       const WulfkitNetwork& network)
    : sc_module(module_name), blink_("blink", simulation, network.params().switch_blink, [&network] {
          std::vector<std::string> ports;
          for (unsigned ring = 0; ring < network.rings(); ++ring) ports.push_back(fmt::format("lc2_{}", ring));
          return ports;
      }())
{
    for (unsigned ring = 0; ring < network.rings(); ++ring) {
        link_controllers_.push_back(std::make_unique<hw::LinkController>(
            fmt::format("lc2_{}", ring).c_str(), simulation, network.switch_port(ring),
            std::make_unique<hw::SwitchRouting>(network.switch_rings(), ring)));
        lc2(ring).to_blink.bind(blink_.from_chip[ring]);
        blink_.to_chip[ring].bind(lc2(ring).from_blink);
    }
}

}  // namespace ringmesh::platforms
