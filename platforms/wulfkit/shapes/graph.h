// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platforms/wulfkit/shapes/network_shape.h"

namespace ringmesh::platforms {

/// Any shape: what the tables nodes, cards, switches and rings say. Its routes are tables.
class GraphNetwork final : public NetworkShape {
public:
    /// @throws GraphProblem
    explicit GraphNetwork(const WulfkitParams& params);

    Drawing drawing() const override;
};

}  // namespace ringmesh::platforms
