// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "hw/ncube/cut_channel.h"
#include "hw/ncube/node.h"
#include "hw/ncube/params.h"
#include "tlm/machine/traffic_machine.h"
#include "tlm/ncube/ncube_machine.h"
#include "tlm/ncube/vertex_params.h"
#include "tlm/simulation/fault.h"

namespace ringmesh::platforms {

struct NcubeTopologyParams {
    std::int64_t dimension = 6;

    void visit(ParameterVisitor& visitor);
};

/// All parameters of an NCUBE: its cube, its nodes, and the costs of its operating system.
struct NcubeParams {
    NcubeTopologyParams topology;
    hw::NcubeNodeParams node;
    VertexParams vertex;
    FaultTable faults;

    void visit(ParameterVisitor& visitor);
};

/// Nodes connected as a hypercube, channel i along dimension i, and a host whose channel i goes to node i.
class NcubeCube final : public NcubeMachine {
public:
    NcubeCube(Simulation& simulation, const NcubeParams& params);

    Simulation& simulation() override { return simulation_; }
    unsigned nodes() const override { return static_cast<unsigned>(nodes_.size()); }
    unsigned dimension() const override { return static_cast<unsigned>(params_.topology.dimension); }
    const VertexParams& vertex() const override { return params_.vertex; }
    NcubeProcessor& processor(unsigned rank) override { return node(rank).cpu; }

    /// Access to the hardware, for tests and studies. @param rank nodes(): the host
    hw::NcubeNode& node(unsigned rank);

private:
    Simulation& simulation_;
    const NcubeParams params_;
    std::vector<std::unique_ptr<hw::NcubeNode>> nodes_;
    std::unique_ptr<hw::NcubeNode> host_;
};

/// An NCUBE's channels with a packet source at each node, without processors and host. Packets are stored and forwarded
/// along the dimensions.
class BareCube final : public TrafficMachine {
public:
    BareCube(Simulation& simulation, const NcubeParams& params);
    /// What it is cut by: nodes, which send to each other at random.
    static PlaceGraph place_graph(const NcubeParams& params);

    Simulation& simulation() override { return simulation_; }
    unsigned nodes() const override { return static_cast<unsigned>(nodes_.size()); }
    unsigned dimension() const { return static_cast<unsigned>(params_.topology.dimension); }

    Layout layout() const override { return hypercube_layout(dimension()); }
    /// Of the nodes.
    Clock clock() const override { return Clock(params_.node.processor.clock); }
    static UsualTraffic usual_traffic();
    Defaults traffic_defaults(const PacketForm& packets) const override;
    std::string_view load_unit() const override { return ""; }
    std::string_view load_meaning() const override { return "part of the rate of the busiest channel"; }
    PacketForm packets(PacketOptions& options) const override;
    std::unique_ptr<ExpectedLoad> expected_load(const PacketForm& packets) const override;
    unsigned hops(unsigned from, unsigned to) const override;
    std::optional<Duration> unloaded_latency(unsigned hops, const PacketForm& packets) const override;
    /// Channels, each direction separately.
    std::vector<SharedResources> shared() const override;
    std::string shared_name(std::size_t sort, std::size_t i) const override;
    std::uint64_t link_crossings() const override;
    std::vector<std::string> traffic_notes() const override;
    void resume_traffic(unsigned source, std::uint8_t stream) override { nodes_.at(source)->source.resume(stream); }

private:
    void start_sources(TrafficModel& model, const PacketForm& packets) override;
    Duration transfer_time(const PacketForm& packets) const
    {
        return params_.node.channel.byte * packets.size * Clock(params_.node.processor.clock);
    }

    Simulation& simulation_;
    const NcubeParams params_;
    std::vector<std::unique_ptr<hw::NcubeSourceNode>> nodes_;  // null: another process builds it
    std::unique_ptr<CutCables> cut_cables_;                    // null if one process runs it
    std::vector<std::unique_ptr<hw::CutChannel>> cut_channels_;
};

}  // namespace ringmesh::platforms
