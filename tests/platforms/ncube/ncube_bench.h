// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "platforms/ncube/machine.h"
#include "tlm/simulation/simulation.h"
#include "tlm/time/kernel_time.h"
#include "workloads/libraries/vertex/vertex.h"

namespace ringmesh::test {

/// A cube with Vertex on each node and the host. Instructions have no length and DMA takes no processor time, so that
/// times are sums of whole clocks.
struct NcubeBench {
    static platforms::NcubeParams cube(std::int64_t dimension)
    {
        platforms::NcubeParams params;
        params.topology.dimension = dimension;
        params.node.processor.longest_instruction = Cycles(0);
        params.node.memory.priority = hw::PortPriority::kNone;
        return params;
    }
    explicit NcubeBench(const platforms::NcubeParams& params)
        : machine(simulation, params), vertex_params(params.vertex)
    {
        for (unsigned rank = 0; rank <= machine.nodes(); ++rank) {
            nodes.push_back(std::make_unique<workloads::vertex::Vertex>(machine, rank));
        }
    }
    workloads::vertex::Vertex& node(unsigned rank) { return *nodes.at(rank); }
    void run(unsigned rank, Task<> program) { machine.processor(rank).run(std::move(program), "test"); }
    void fill(unsigned rank, std::uint64_t address, std::uint32_t size, unsigned salt)
    {
        std::vector<std::byte> bytes(size);
        for (std::uint32_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(salt + i * 3);
        machine.processor(rank).poke(address, bytes);
    }
    /// Number of leading bytes that are as filled.
    std::uint32_t right(unsigned rank, std::uint64_t address, std::uint32_t size, unsigned salt)
    {
        std::vector<std::byte> bytes(size);
        machine.processor(rank).peek(address, bytes);
        std::uint32_t i = 0;
        while (i < size && bytes[i] == static_cast<std::byte>(salt + i * 3)) ++i;
        return i;
    }
    Duration clocks(std::int64_t count) { return machine.processor(0).cycles(Cycles(count)); }
    std::int64_t copy(std::uint32_t bytes) const { return vertex_params.copy_time(bytes).count(); }

    Simulation simulation{1};
    platforms::NcubeCube machine;
    VertexParams vertex_params;
    std::vector<std::unique_ptr<workloads::vertex::Vertex>> nodes;
};

}  // namespace ringmesh::test
