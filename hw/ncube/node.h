// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <systemc>
#include <utility>

#include "hw/memory.h"
#include "hw/ncube/channel_unit.h"
#include "hw/ncube/memory_port.h"
#include "hw/ncube/node_processor.h"
#include "hw/ncube/packet_source.h"

namespace ringmesh::hw {

/// A node of an NCUBE: one chip and its memory.
///
///     processor --+
///                 +--> memory port --> memory
///     channels ---+
///        |
///        +--> out[i], in[i]
///
/// The host's board is modelled as a node with a channel to each node.
class NcubeNode final : public sc_core::sc_module {
public:
    NcubeNode(const sc_core::sc_module_name& name, Simulation& simulation, const NcubeNodeParams& params, unsigned rank,
              unsigned channel_pairs, std::shared_ptr<const PortContention> contention)
        : sc_module(name),
          stop(NodeStop::of(this->name(), simulation.faults())),
          memory(static_cast<std::uint64_t>(params.memory.size.count())),
          port(std::move(contention)),
          cpu("cpu", simulation, params, rank, memory, port, stop.get()),
          channels(
              "channels", simulation, params, channel_pairs, memory, port,
              [this](const ChannelInterrupt& interrupt) { cpu.interrupted(interrupt); }, stop.get())
    {
        cpu.connect(channels);
    }

    const std::unique_ptr<NodeStop> stop;  ///< null: it never does
    Memory memory;
    NcubeMemoryPort port;
    NcubeNodeProcessor cpu;
    NcubeChannelUnit channels;
};

/// The same with a packet source in the place of the processor.
class NcubeSourceNode final : public sc_core::sc_module {
public:
    NcubeSourceNode(const sc_core::sc_module_name& name, Simulation& simulation, const NcubeNodeParams& params,
                    unsigned number, unsigned channel_pairs)
        : sc_module(name),
          stop(NodeStop::of(this->name(), simulation.faults())),
          memory(static_cast<std::uint64_t>(params.memory.size.count())),
          port(nullptr),
          source("source", simulation, number, memory),
          channels(
              "channels", simulation, params, channel_pairs, memory, port,
              [this](const ChannelInterrupt& interrupt) { source.interrupted(interrupt); }, stop.get())
    {
        source.connect(channels);
    }

    const std::unique_ptr<NodeStop> stop;
    Memory memory;
    NcubeMemoryPort port;
    CubePacketSource source;
    NcubeChannelUnit channels;
};

}  // namespace ringmesh::hw
