// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tlm/torus_shape.h"

namespace ringmesh {

/// How the nodes of a line of a shape are connected.
enum class Lines : std::uint8_t {
    kRings,  ///< a torus: the last node of a line to the first
    kOpen,   ///< a mesh: a node at the end of a line has one neighbour less
    kPairs,  ///< a hypercube: lines of two nodes
};

/// Positions of the nodes of a machine, for traffic patterns.
struct Layout {
    unsigned nodes = 0;
    /// Their coordinates; none if irregular.
    std::optional<TorusShape> shape;
    Lines lines = Lines::kRings;

    bool wraps() const { return lines != Lines::kOpen; }
    /// The cure for a wrong size: "write --set topology.dimensions=8x8, or choose another pattern". Of a mesh always
    /// 8x8.
    std::string resize(std::string_view dimensions) const;
};

/// A mesh of so many nodes, numbered x + columns * y.
Layout mesh_layout(unsigned columns, unsigned rows);
/// A hypercube of 2^dimension nodes.
Layout hypercube_layout(unsigned dimension);

}  // namespace ringmesh
