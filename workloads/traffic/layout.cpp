// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/layout.h"

#include <cstdint>
#include <vector>

namespace ringmesh::workloads {

std::string Layout::resize(std::string_view dimensions) const
{
    if (wraps) return std::string("write --set topology.dimensions=").append(dimensions);
    return "write --set mesh.columns=8 --set mesh.rows=8";
}

Layout layout_of(const SciMachine& machine)
{
    Layout layout{.nodes = machine.nodes(), .shape = std::nullopt};
    if (machine.torus() != nullptr) layout.shape = *machine.torus();
    return layout;
}

Layout layout_of(const MeshMachine& machine)
{
    // A shape has no dimension of one node
    std::vector<std::int64_t> sizes;
    if (machine.columns() > 1) sizes.push_back(machine.columns());
    if (machine.rows() > 1) sizes.push_back(machine.rows());
    Layout layout{.nodes = machine.nodes(), .shape = std::nullopt, .wraps = false};
    if (!sizes.empty()) layout.shape.emplace(sizes);
    return layout;
}

}  // namespace ringmesh::workloads
