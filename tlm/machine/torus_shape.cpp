// SPDX-License-Identifier: Apache-2.0
#include "tlm/machine/torus_shape.h"

#include <fmt/format.h>

#include <vector>

#include "tlm/error.h"

namespace ringmesh {

std::string TorusShape::problem_of(std::span<const std::int64_t> sizes)
{
    if (sizes.empty() || sizes.size() > kMaxDimensions) {
        return fmt::format("a torus has 1 to {} dimensions; write such as [8] for a ring, [4, 4] for a torus",
                           kMaxDimensions);
    }
    std::int64_t nodes = 1;
    for (const std::int64_t size : sizes) {
        if (size < kSmallestRing || size > kLargestRing) {
            return fmt::format("{} nodes on a ring; write {} to {} for each dimension", size, kSmallestRing,
                               kLargestRing);
        }
        nodes *= size;
        if (nodes > kMaxNodes) {
            return fmt::format(
                "more than {} nodes, which node numbers of 16 bits cannot tell apart; write smaller "
                "dimensions",
                kMaxNodes);
        }
    }
    return {};
}

TorusShape::TorusShape(std::span<const std::int64_t> sizes)
{
    if (const auto problem = problem_of(sizes); !problem.empty()) throw ModelError(problem);
    for (const std::int64_t size : sizes) add_dimension(static_cast<unsigned>(size));
}

TorusShape TorusShape::hypercube(unsigned dimension)
{
    TorusShape shape;
    for (unsigned d = 0; d < dimension; ++d) shape.add_dimension(2);
    return shape;
}

void TorusShape::add_dimension(unsigned size)
{
    sizes_.at(dimensions_) = size;
    strides_.at(dimensions_) = nodes_;
    ++dimensions_;
    nodes_ *= size;
}

std::string TorusShape::text() const
{
    return fmt::format("{}", fmt::join(sizes_.begin(), sizes_.begin() + dimensions_, "x"));
}

std::string Layout::resize(std::string_view dimensions) const
{
    if (!shape) return "choose another pattern";
    if (routers) return "write --set mesh.columns=8 --set mesh.rows=8, or choose another pattern";
    if (lines == Lines::kPairs) return "choose another pattern";
    return fmt::format("write --set topology.dimensions={}, or choose another pattern", dimensions);
}

Layout mesh_layout(unsigned columns, unsigned rows, bool wrap)
{
    // A shape must not have a dimension of one node
    std::vector<std::int64_t> sizes;
    if (columns > 1) sizes.push_back(columns);
    if (rows > 1) sizes.push_back(rows);
    Layout layout{
        .nodes = columns * rows, .shape = std::nullopt, .lines = wrap ? Lines::kRings : Lines::kOpen, .routers = true};
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
