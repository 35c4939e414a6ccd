// SPDX-License-Identifier: Apache-2.0
#include "tlm/torus_shape.h"

#include <fmt/format.h>

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

TorusShape::TorusShape(std::span<const std::int64_t> sizes) : dimensions_(static_cast<unsigned>(sizes.size()))
{
    if (const auto problem = problem_of(sizes); !problem.empty()) throw ModelError(problem);
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        sizes_[d] = static_cast<unsigned>(sizes[d]);
        strides_[d] = nodes_;
        nodes_ *= sizes_[d];
    }
}

std::string TorusShape::text() const
{
    return fmt::format("{}", fmt::join(sizes_.begin(), sizes_.begin() + dimensions_, "x"));
}

}  // namespace ringmesh
