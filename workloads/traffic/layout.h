// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tlm/mesh/mesh_machine.h"
#include "tlm/sci/sci_machine.h"
#include "tlm/torus_shape.h"

namespace ringmesh::workloads {

/// Where the nodes of a machine stand: all that a traffic pattern has to know of it.
struct Layout {
    unsigned nodes = 0;
    /// Their coordinates; none: they stand in no regular way.
    std::optional<TorusShape> shape;
    /// Each line of the shape is a ring. The lines of a mesh are not: who stands at an end has one neighbour less.
    bool wraps = true;

    /// The cure for a wrong size: "write --set topology.dimensions=8x8". Of a mesh always 8x8.
    std::string resize(std::string_view dimensions) const;
};

Layout layout_of(const SciMachine& machine);
Layout layout_of(const MeshMachine& machine);

}  // namespace ringmesh::workloads
