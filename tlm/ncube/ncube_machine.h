// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "tlm/machine/machine.h"
#include "tlm/ncube/ncube_processor.h"
#include "tlm/ncube/vertex_params.h"

namespace ringmesh {

/// An NCUBE as workloads see it: a hypercube of nodes, and a host with a channel to each.
class NcubeMachine : public ProcessorMachine {
public:
    static constexpr std::string_view kIs = "an NCUBE hypercube";

    /// The host has the number behind the last node's. @pre node <= nodes()
    NcubeProcessor& processor(unsigned node) override = 0;
    unsigned host() const { return nodes(); }
    virtual unsigned dimension() const = 0;
    std::optional<TorusShape> shape() const override { return TorusShape::hypercube(dimension()); }
    virtual const VertexParams& vertex() const = 0;
};

}  // namespace ringmesh
