// SPDX-License-Identifier: Apache-2.0
#include "platforms/ncube_machine.h"

#include <fmt/format.h>

#include "tlm/error.h"

namespace ringmesh::platforms {

void NcubeTopologyParams::visit(ParameterVisitor& visitor)
{
    visitor.field({"dimension", "dimension of the hypercube: 2 to its power are the nodes"}, dimension, {0, 10});
}

void NcubeParams::visit(ParameterVisitor& visitor)
{
    visitor.group("topology", "how the nodes are joined", topology);
    node.visit(visitor);
    visitor.only_if(visitor.nodes() == NodeKind::kProcessor, hw::kOnlySources,
                    [&] { visitor.group("vertex", "what the operating system spends on each action", vertex); });
}

NcubeCube::NcubeCube(Simulation& simulation, const NcubeParams& params) : simulation_(simulation), params_(params)
{
    const unsigned count = 1U << static_cast<unsigned>(params.topology.dimension);
    const unsigned dimensions = dimension();
    nodes_.reserve(count);
    for (unsigned rank = 0; rank < count; ++rank) {
        nodes_.push_back(std::make_unique<hw::NcubeNode>(fmt::format("node{}", rank).c_str(), simulation, params_.node,
                                                         rank, dimensions + 1));
    }
    host_ = std::make_unique<hw::NcubeNode>("host", simulation, params_.node, count, count);
    for (unsigned rank = 0; rank < count; ++rank) {
        auto& channels = nodes_[rank]->channels;
        for (unsigned i = 0; i < dimensions; ++i) channels.out[i].bind(nodes_[rank ^ (1U << i)]->channels.in[i]);
        channels.out[dimensions].bind(host_->channels.in[rank]);
        host_->channels.out[rank].bind(channels.in[dimensions]);
    }
}

hw::NcubeNode& NcubeCube::node(unsigned rank)
{
    if (rank < nodes_.size()) return *nodes_[rank];
    if (rank == nodes_.size()) return *host_;
    throw ModelError(fmt::format("this machine has no node {}", rank));
}

}  // namespace ringmesh::platforms
