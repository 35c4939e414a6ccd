// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "hw/ncube/node.h"
#include "platforms/ncube_params.h"
#include "tlm/ncube/ncube_machine.h"

namespace ringmesh::platforms {

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

}  // namespace ringmesh::platforms
