// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit_node.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace ringmesh::platforms {

namespace {

constexpr std::uint8_t kPsbPort = 0;
constexpr std::uint8_t kLinkPort = 1;
constexpr std::size_t kBridgeSlot = 0;
constexpr std::size_t kCardSlot = 1;

hw::LinkController::Config link_controller(const WulfkitParams& params, sci::NodeId id)
{
    return {.node = id, .scrubber = id == 0, .link = params.link, .cable = params.cable, .chip = params.lc2};
}

hw::HostBridge::Config host_bridge(const WulfkitParams& params)
{
    return {.crossing = params.host.crossing,
            .retry_gap = params.pci.retry_gap * Clock(params.pci.clock),
            .posted_writes = static_cast<std::size_t>(params.host.posted_writes),
            .inbound_writes = static_cast<std::size_t>(params.host.inbound_writes)};
}

hw::Psb::Config bridge_to_sci(const WulfkitParams& params, sci::NodeId id)
{
    return {.node = id,
            .window = HostNode::kWindow,
            .link_port = kLinkPort,
            .crossing = params.host.crossing,
            .retry_gap = params.pci.retry_gap * Clock(params.pci.clock),
            .chip = params.psb};
}

}  // namespace

WulfkitNode::WulfkitNode(const sc_core::sc_module_name& module_name, Simulation& simulation,
                         const WulfkitParams& params, sci::NodeId id, std::shared_ptr<const hw::LinkTiming> timing)
    : sc_module(module_name),
      lc2("lc2", simulation, link_controller(params, id), std::make_unique<hw::RingRouting>(id, kPsbPort),
          std::move(timing))
{}

HostNode::HostNode(const sc_core::sc_module_name& module_name, Simulation& simulation, const WulfkitParams& params,
                   sci::NodeId id, std::shared_ptr<const hw::LinkTiming> timing)
    : WulfkitNode(module_name, simulation, params, id, std::move(timing)),
      memory(static_cast<std::uint64_t>(params.host.memory.count())),
      bridge("bridge", simulation, host_bridge(params), memory),
      pci("pci", simulation, params.pci, 2),
      psb("psb", simulation, bridge_to_sci(params, id)),
      blink("blink", simulation, params.blink, {"psb", "lc2"}),
      cpu("cpu", simulation, {.rank = id, .window = kWindow, .host = params.host}, memory, bridge,
          [this, params](unsigned rank, std::uint64_t offset, std::uint64_t size) {
              return map_remote(params, rank, offset, size);
          })
{
    bridge.to_pci.bind(pci.from_slot[kBridgeSlot]);
    pci.to_slot[kBridgeSlot].bind(bridge.from_pci);
    psb.to_pci.bind(pci.from_slot[kCardSlot]);
    pci.to_slot[kCardSlot].bind(psb.from_pci);
    pci.decode(0, kBridgeSlot);
    pci.decode(kWindow, kCardSlot);

    psb.to_blink.bind(blink.from_chip[kPsbPort]);
    blink.to_chip[kPsbPort].bind(psb.from_blink);
    lc2.to_blink.bind(blink.from_chip[kLinkPort]);
    blink.to_chip[kLinkPort].bind(lc2.from_blink);
}

std::uint64_t HostNode::map_remote(const WulfkitParams& params, unsigned rank, std::uint64_t offset, std::uint64_t size)
{
    const auto nodes = static_cast<unsigned>(params.topology.nodes);
    if (rank >= nodes || rank == cpu.rank()) {
        throw UserError(fmt::format("node {} cannot map memory of node {}; choose another node from 0 to {}",
                                    cpu.rank(), rank, nodes - 1));
    }
    if (offset > memory.size() || size > memory.size() - offset) {
        throw UserError(fmt::format("{} bytes at offset {} are outside the {} bytes of node {}; raise host.memory",
                                    size, offset, memory.size(), rank));
    }
    const auto window = psb.translation().map(static_cast<sci::NodeId>(rank), offset, size);
    if (!window) throw UserError("the address translation table is full; raise psb.att_entries or psb.att_page");
    return *window;
}

SourceNode::SourceNode(const sc_core::sc_module_name& module_name, Simulation& simulation, const WulfkitParams& params,
                       sci::NodeId id, std::shared_ptr<const hw::LinkTiming> timing)
    : WulfkitNode(module_name, simulation, params, id, std::move(timing)), source("source", simulation, id)
{
    source.to_network.bind(lc2.from_blink);
    lc2.to_blink.bind(source.from_network);
}

}  // namespace ringmesh::platforms
