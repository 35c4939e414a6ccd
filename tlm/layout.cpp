// SPDX-License-Identifier: Apache-2.0
#include "tlm/layout.h"

#include <fmt/format.h>

#include <vector>

namespace ringmesh {

std::string Layout::resize(std::string_view dimensions) const
{
    switch (lines) {
        case Lines::kRings:
            return fmt::format("write --set topology.dimensions={}, or choose another pattern", dimensions);
        case Lines::kOpen: return "write --set mesh.columns=8 --set mesh.rows=8, or choose another pattern";
        case Lines::kPairs: break;
    }
    return "choose another pattern";
}

Layout mesh_layout(unsigned columns, unsigned rows)
{
    // A shape must not have a dimension of one node
    std::vector<std::int64_t> sizes;
    if (columns > 1) sizes.push_back(columns);
    if (rows > 1) sizes.push_back(rows);
    Layout layout{.nodes = columns * rows, .shape = std::nullopt, .lines = Lines::kOpen};
    if (!sizes.empty()) layout.shape.emplace(sizes);
    return layout;
}

Layout hypercube_layout(unsigned dimension)
{
    Layout layout{.nodes = 1U << dimension, .shape = std::nullopt, .lines = Lines::kPairs};
    if (dimension > 0) layout.shape = TorusShape::hypercube(dimension);
    return layout;
}

}  // namespace ringmesh
