// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/mesh/packet.h"

namespace ringmesh::platforms {

/// Positions of an SCC's cores, memory controllers and system interface, and the controller of each core [KIT]:
///
///     MC2 - 3 tiles - 3 tiles - MC3      row 3      cores 36-41, 42-47
///           24-29     30-35              row 2
///     MC0 - 0-5       6-11    - MC1      row 0      and 12-17, 18-23 in row 1
///
/// Controllers are west and east of rows 0 and rows / 2, and serve the nearest tiles: half the columns, half the rows.
/// A chip of one row has two. Meshes of other sizes follow the same rule.
class SccLayout {
public:
    static constexpr unsigned kCoresPerTile = 2;
    SccLayout(unsigned columns, unsigned rows) : columns_(columns), rows_(rows) {}

    unsigned columns() const { return columns_; }
    unsigned rows() const { return rows_; }
    unsigned tiles() const { return columns_ * rows_; }
    unsigned cores() const { return kCoresPerTile * tiles(); }

    /// A core's number is twice that of its tile, x + columns * y, and 0 or 1 more.
    unsigned tile_of(unsigned core) const { return core / kCoresPerTile; }
    /// Its router's local port.
    mesh::Terminal terminal(unsigned tile) const { return mesh::local_port(tile, columns_); }

    unsigned controllers() const { return rows_ > 1 ? 4 : 2; }
    /// The outer port of a controller.
    mesh::Terminal controller_terminal(unsigned controller) const;
    unsigned controller_of(unsigned core) const;
    /// Cores of a controller, by number.
    std::vector<unsigned> cores_of(unsigned controller) const;
    /// South of the tile in the middle of row 0: (3,0) on the SCC.
    mesh::Terminal system_interface() const
    {
        return {.x = static_cast<std::uint16_t>(columns_ / 2), .y = 0, .port = mesh::Port::kSouth};
    }

    /// Links between two tiles' routers.
    unsigned hops(unsigned from_core, unsigned to_core) const;
    unsigned hops_to_memory(unsigned core, unsigned controller) const;
    unsigned hops_to_memory(unsigned core) const { return hops_to_memory(core, controller_of(core)); }

private:
    unsigned columns_;
    unsigned rows_;
};

}  // namespace ringmesh::platforms
