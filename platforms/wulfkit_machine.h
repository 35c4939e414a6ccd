// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "platforms/wulfkit_node.h"
#include "tlm/machine.h"

namespace ringmesh::platforms {

/// Wulfkit nodes joined to one ring: node i's link_out goes to node i+1, the last one's to node 0. Either every node is
/// a PC, or every node is a packet source.
class WulfkitMachine final : public Machine {
public:
    WulfkitMachine(Simulation& simulation, const WulfkitParams& params, NodeKind kind);

    Simulation& simulation() override { return simulation_; }
    unsigned nodes() const override { return static_cast<unsigned>(ring_.size()); }
    unsigned hops(unsigned from, unsigned to) const override;
    Duration link_time(sci::Command command) const override;
    Processor& processor(unsigned rank) override;
    void start_traffic(TrafficModel& model) override;
    std::uint64_t packet_hops() const override;

    /// For tests and studies: the hardware itself.
    HostNode& host(unsigned rank) { return *hosts_.at(rank); }
    SourceNode& source(unsigned rank) { return *sources_.at(rank); }

private:
    template <class Node>
    void make_nodes(std::vector<std::unique_ptr<Node>>& nodes);

    Simulation& simulation_;
    WulfkitParams params_;
    std::vector<std::unique_ptr<HostNode>> hosts_;
    std::vector<std::unique_ptr<SourceNode>> sources_;
    std::vector<WulfkitNode*> ring_;
};

}  // namespace ringmesh::platforms
