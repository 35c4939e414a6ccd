// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <systemc>

#include "hw/host/host_bridge.h"
#include "hw/host/host_processor.h"
#include "hw/host/memory.h"
#include "hw/pci/pci_bus.h"
#include "hw/psb/psb.h"
#include "hw/sci/blink_bus.h"
#include "hw/sci/link_controller.h"
#include "hw/sci/packet_source.h"
#include "platforms/wulfkit_params.h"

namespace ringmesh::platforms {

/// One node of a ring: at least its link controller.
class WulfkitNode : public sc_core::sc_module {
public:
    hw::LinkController lc2;

protected:
    WulfkitNode(const sc_core::sc_module_name& name, Simulation& simulation, const WulfkitParams& params,
                sci::NodeId id, std::shared_ptr<const hw::LinkTiming> timing);
};

/// A PC with its card:
///
///     cpu --> bridge <--> pci <--> psb <--> blink <--> lc2 <--> ring
///               |
///             memory
class HostNode final : public WulfkitNode {
public:
    /// PCI address from which on the card answers; memory lies below.
    static constexpr std::uint64_t kWindow = std::uint64_t{1} << 40;

    HostNode(const sc_core::sc_module_name& name, Simulation& simulation, const WulfkitParams& params, sci::NodeId id,
             std::shared_ptr<const hw::LinkTiming> timing);

    hw::Memory memory;
    hw::HostBridge bridge;
    hw::PciBus pci;
    hw::Psb psb;
    hw::BLinkBus blink;
    hw::HostProcessor cpu;

private:
    std::uint64_t map_remote(const WulfkitParams& params, unsigned rank, std::uint64_t offset, std::uint64_t size);
};

/// A link controller with a source of packets in place of the PC.
class SourceNode final : public WulfkitNode {
public:
    SourceNode(const sc_core::sc_module_name& name, Simulation& simulation, const WulfkitParams& params, sci::NodeId id,
               std::shared_ptr<const hw::LinkTiming> timing);

    hw::PacketSource source;
};

}  // namespace ringmesh::platforms
