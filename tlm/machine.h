// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tlm/processor.h"
#include "tlm/simulation.h"
#include "tlm/traffic.h"

namespace ringmesh {

/// What a workload needs at each node of a machine.
enum class NodeKind : std::uint8_t {
    kProcessor,     ///< the whole host, for programs
    kPacketSource,  ///< only a source of packets at the network's edge, for traffic
};

/// A machine that is built and wired, as workloads see it.
class Machine {
public:
    virtual ~Machine() = default;
    virtual Simulation& simulation() = 0;
    virtual unsigned nodes() const = 0;
    /// Links that a packet takes from one node to another.
    virtual unsigned hops(unsigned from, unsigned to) const = 0;
    /// Time for which a packet of this command keeps a link busy, idle symbols included: the unit of offered load.
    virtual Duration link_time(sci::Command command) const = 0;
    /// @pre the machine was built with processors
    virtual Processor& processor(unsigned rank) = 0;
    /// @pre the machine was built with packet sources; `model` outlives the run
    virtual void start_traffic(TrafficModel& model) = 0;
    /// Packets that have crossed a link so far, echoes included, and the sum of the times links were busy.
    virtual std::uint64_t packet_hops() const = 0;
};

}  // namespace ringmesh
