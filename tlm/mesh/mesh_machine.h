// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tlm/machine.h"
#include "tlm/mesh/traffic.h"

namespace ringmesh {

/// A two-dimensional mesh with packet sources at its routers' local ports, as workloads see it.
class MeshMachine : public Machine {
public:
    static constexpr std::string_view kIs = "a mesh";

    virtual unsigned columns() const = 0;
    virtual unsigned rows() const = 0;
    /// Of the routers; its first edge is at time 0. Loads are flits per node and cycle.
    virtual Clock clock() const = 0;
    /// Latency of a packet on an empty mesh, from offering it to the arrival of its last flit.
    virtual Duration zero_load_latency(unsigned from, unsigned to, std::uint32_t flits) const = 0;
    /// The level of detail of the routers: "flit" or "path".
    virtual std::string_view detail() const = 0;
    /// Flits that have crossed a link between two routers so far.
    virtual std::uint64_t flit_hops() const = 0;
    /// Flits that each of those links has carried so far, and its name ("r2_0.east"), in a fixed order.
    virtual std::vector<std::uint64_t> link_flits() const = 0;
    virtual std::string link_name(std::size_t i) const = 0;
    /// @param model outlives the run
    virtual void start_traffic(mesh::TrafficModel& model) = 0;
};

}  // namespace ringmesh
