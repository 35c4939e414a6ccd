// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/mesh/topology/grid.h"
#include "tlm/machine/torus_shape.h"
#include "tlm/mesh/packet.h"
#include "tlm/parameters/named_values.h"

namespace ringmesh::platforms {

/// Places of memory controllers that differ from those of the SCC.
struct SccPlaces {
    std::string controllers = {};           ///< "r0_0.west r5_0.east"; empty: as on the SCC
    NamedValues<std::int64_t> serves = {};  ///< tiles "0..2", and the controller that serves them

    void visit(ParameterVisitor& visitor);
};

/// Positions of an SCC's cores, memory controllers and system interface, and the controller of each core [KIT]:
///
///     MC2 - 3 tiles - 3 tiles - MC3      row 3      cores 36-41, 42-47
///           24-29     30-35              row 2
///     MC0 - 0-5       6-11    - MC1      row 0      and 12-17, 18-23 in row 1
///
/// Controllers are west and east of rows 0 and rows / 2, and serve the nearest tiles: half the columns, half the rows.
/// A chip of one row has two. Meshes of other sizes follow the same rule. If the user places controllers elsewhere,
/// each tile has the one that is the fewest links away; tiles that have several such come last, and take the one with
/// the fewest tiles so far, then the first.
class SccLayout {
public:
    static constexpr unsigned kCoresPerTile = 2;
    SccLayout(unsigned columns, unsigned rows) : SccLayout(hw::MeshGrid(columns, rows), {}) {}
    /// @throws GraphProblem whose key begins with "layout", if something stands where nothing can
    SccLayout(hw::MeshGrid grid, const SccPlaces& places);

    const hw::MeshGrid& grid() const { return grid_; }
    unsigned tiles() const { return static_cast<unsigned>(grid_.nodes().size()); }
    unsigned cores() const { return kCoresPerTile * tiles(); }
    /// Cores of a tile, columns, rows; none: not all are there.
    std::optional<TorusShape> shape() const;

    /// A core's number is twice that of its tile, and 0 or 1 more. Tiles are numbered as routers are, absent ones left
    /// out.
    unsigned tile_of(unsigned core) const { return core / kCoresPerTile; }
    /// Its router's local port.
    mesh::Terminal terminal(unsigned tile) const { return grid_.local_port(grid_.nodes()[tile]); }

    unsigned controllers() const { return static_cast<unsigned>(controllers_.size()); }
    /// The outer port of a controller.
    mesh::Terminal controller_terminal(unsigned controller) const { return controllers_[controller]; }
    unsigned controller_of(unsigned core) const { return controller_of_[tile_of(core)]; }
    /// Cores of a controller, by number.
    std::vector<unsigned> cores_of(unsigned controller) const;
    /// South of the tile in the middle of row 0, (3,0) on the SCC; if something else is there, at the first free port.
    mesh::Terminal system_interface() const { return system_interface_; }
    /// The ports of controllers and system interface.
    std::vector<mesh::Terminal> edges() const;

    /// Links between two tiles' routers.
    unsigned hops(unsigned from_core, unsigned to_core) const
    {
        return links(terminal(tile_of(from_core)), terminal(tile_of(to_core)));
    }
    unsigned hops_to_memory(unsigned core, unsigned controller) const
    {
        return links(terminal(tile_of(core)), controllers_[controller]);
    }
    unsigned hops_to_memory(unsigned core) const { return hops_to_memory(core, controller_of(core)); }

private:
    mesh::Terminal place(const std::string& word, const std::string& key);
    mesh::Terminal terminal_at(hw::OutputIndex port) const;
    void place_system_interface();
    void place_controllers(const SccPlaces& places);
    void assign_controllers(const SccPlaces& places);
    std::vector<unsigned> nearest_controllers(unsigned tile) const;
    /// On the shortest way.
    unsigned links(mesh::Terminal from, mesh::Terminal to) const;

    hw::MeshGrid grid_;
    std::vector<std::vector<unsigned>> far_;  // between routers, if the grid is irregular
    std::vector<hw::OutputIndex> taken_;      // ports
    std::vector<mesh::Terminal> controllers_;
    bool as_on_the_scc_ = true;
    std::vector<unsigned> controller_of_;  // of each tile
    mesh::Terminal system_interface_;
};

}  // namespace ringmesh::platforms
