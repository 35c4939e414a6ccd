// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "platforms/machine_kinds.h"
#include "platforms/ncube/machine.h"
#include "tlm/units/quantity.h"

namespace ringmesh::platforms {
namespace {

class NcubeKind final : public KindWith<NcubeParams> {
public:
    std::string name() const override { return "ncube"; }
    std::string description() const override { return "an NCUBE/seven hypercube of up to 1024 nodes, with its host"; }
    UsualTraffic usual_traffic() const override { return BareCube::usual_traffic(); }
    std::vector<std::string_view> offers() const override { return {NcubeMachine::kIs, TrafficMachine::kIs}; }
    std::unique_ptr<Machine> build(const Configuration& configuration, const NodeUse& nodes,
                                   Simulation& simulation) const override
    {
        const NcubeParams params = read(configuration, nodes);
        if (nodes.sources) {
            throw configuration.problem("machine",
                                        "a node's processor forwards each message, and owns the node's channels, so "
                                        "that no packet source can stand beside it",
                                        "leave --background out, or run traffic or a replay of packets");
        }
        return with_faults(configuration, params.faults, simulation, [&]() -> std::unique_ptr<Machine> {
            if (nodes.kind != NodeKind::kProcessor) return std::make_unique<BareCube>(simulation, params);
            return std::make_unique<NcubeCube>(simulation, params);
        });
    }
    std::string undivided(const Configuration& configuration, NodeKind nodes, bool watched) const override
    {
        if (nodes == NodeKind::kProcessor) return "a receiver slows down with the first bit of its sender, in no time";
        if (!read(configuration, NodeKind::kPacketSource).faults.all.empty()) {
            return "faults are simulated in one process only";
        }
        return watched ? "a channel is in use from its first bit, of which another process hears later" : "";
    }
    PlaceGraph place_graph(const Configuration& configuration) const override
    {
        return BareCube::place_graph(read(configuration, NodeKind::kPacketSource));
    }
    std::vector<FaultSort> faults() const override
    {
        return {{"node*.channels.out_*, host.channels.out_*", hw::kChannelFaults},
                {"node*.cpu, host.cpu", hw::kNcubeProcessorFaults},
                {"node*, host", hw::kNcubeNodeFaults}};
    }
    Bytes memory(const Configuration& configuration, NodeKind nodes) const override
    {
        constexpr std::int64_t kNode = 38 << 10;
        return Bytes(kNode << read(configuration, nodes).topology.dimension);
    }
    std::vector<WaitCheck> waits(const Configuration& configuration, NodeKind nodes) const override
    {
        const NcubeParams params = read(configuration, nodes);
        const auto dimensions = static_cast<unsigned>(params.topology.dimension);
        const unsigned channels = dimensions << dimensions;
        WaitCheck check{.network = "hypercube",
                        .channels = "channels between nodes",
                        .graph = hw::WaitGraph(channels),
                        .names = {},
                        .rests_on = "Programs read their messages, so that buffers become free."};
        for (unsigned channel = 0; channel < channels; ++channel) {
            // A message goes on in a higher dimension (e-cube)
            const unsigned dimension = channel % dimensions;
            const unsigned next = (channel / dimensions) ^ (1U << dimension);
            for (unsigned higher = dimension + 1; higher < dimensions; ++higher) {
                check.graph.add(channel, next * dimensions + higher);
            }
        }
        for (const unsigned channel : check.graph.cycle()) {
            check.names.push_back(fmt::format("node{}.channel{}", channel / dimensions, channel % dimensions));
        }
        return {std::move(check)};
    }

private:
    void check_together(const Configuration& configuration, const NcubeParams& params) const override
    {
        const Bytes half(params.node.memory.size.count() / 2);
        if (params.vertex.buffer_memory <= half) return;
        throw configuration.problem("vertex.buffer_memory", "programs need at least half of memory.size",
                                    "write " + to_string(half) + " or less");
    }
};

}  // namespace

const MachineKind& ncube_kind()
{
    static const NcubeKind kind;
    return kind;
}

}  // namespace ringmesh::platforms
