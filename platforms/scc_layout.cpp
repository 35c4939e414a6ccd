// SPDX-License-Identifier: Apache-2.0
#include "platforms/scc_layout.h"

#include <cstdlib>

namespace ringmesh::platforms {
namespace {

unsigned links(const mesh::Terminal& a, const mesh::Terminal& b)
{
    return static_cast<unsigned>(std::abs(a.x - b.x) + std::abs(a.y - b.y));
}

}  // namespace

mesh::Terminal SccLayout::controller_terminal(unsigned controller) const
{
    const bool east = controller % 2 != 0;
    const unsigned row = controller < 2 ? 0 : rows_ / 2;
    return {.x = static_cast<std::uint16_t>(east ? columns_ - 1 : 0),
            .y = static_cast<std::uint16_t>(row),
            .port = east ? mesh::Port::kEast : mesh::Port::kWest};
}

unsigned SccLayout::controller_of(unsigned core) const
{
    const auto [x, y, port] = terminal(tile_of(core));
    const unsigned east = x >= (columns_ + 1) / 2 ? 1 : 0;
    const unsigned north = rows_ > 1 && y >= rows_ / 2 ? 2 : 0;
    return north + east;
}

std::vector<unsigned> SccLayout::cores_of(unsigned controller) const
{
    std::vector<unsigned> served;
    for (unsigned core = 0; core < cores(); ++core) {
        if (controller_of(core) == controller) served.push_back(core);
    }
    return served;
}

unsigned SccLayout::hops(unsigned from_core, unsigned to_core) const
{
    return links(terminal(tile_of(from_core)), terminal(tile_of(to_core)));
}

unsigned SccLayout::hops_to_memory(unsigned core, unsigned controller) const
{
    return links(terminal(tile_of(core)), controller_terminal(controller));
}

}  // namespace ringmesh::platforms
