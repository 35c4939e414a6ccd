// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hw/mesh/grid.h"
#include "tlm/mesh/packet.h"
#include "tlm/policy.h"

/// Routing in the mesh: decisions, without time and kernel.
namespace ringmesh::hw {

/// The allowed outputs of a packet, on minimal routes: the router takes the better one of two, or the only one.
struct MeshWays {
    mesh::Port first = mesh::Port::kLocal;
    mesh::Port other = first;
};

/// The order of the dimensions on a route. A policy must be deadlock-free: no cyclic waits.
struct MeshRoutingPolicy : PolicyName {
    /// At router (x, y), for packets with hops left in both dimensions.
    /// @param in_row the output towards the target along the row @param in_column along the column
    MeshWays (*ways)(std::uint32_t x, std::uint32_t y, mesh::Port in_row, mesh::Port in_column);
    bool adaptive = false;  ///< whether it ever offers two outputs

    static constexpr PolicyKindName kKind{"mesh-routing", "hw/mesh/routings"};
    static std::span<const MeshRoutingPolicy> table();
    template <class Policy>
    static constexpr MeshRoutingPolicy of()
    {
        return {Policy::kPolicy, &Policy::ways, Policy::kAdaptive};
    }
};

using MeshRouting = PolicyChoice<MeshRoutingPolicy>;

/// The routing table: the policy is called once for each router and pair of directions. All routes are minimal, so
/// there is no choice with one dimension left.
class MeshRoutes {
public:
    MeshRoutes(const MeshRoutingPolicy& routing, const MeshGrid& grid);

    /// At the target router, the port of its terminal.
    MeshWays ways(std::uint32_t router, mesh::Terminal to) const
    {
        // Branches, because they are predicted: no dependency on a table load
        const Place& place = places_[router];
        const mesh::Port in_row = MeshGrid::upwards(place.x, to.x, row_ring_) ? mesh::Port::kEast : mesh::Port::kWest;
        const mesh::Port in_column =
            MeshGrid::upwards(place.y, to.y, column_ring_) ? mesh::Port::kNorth : mesh::Port::kSouth;
        if (to.x == place.x) {
            if (to.y == place.y) return {to.port, to.port};
            return {in_column, in_column};
        }
        if (to.y == place.y) return {in_row, in_row};
        return place.ways[quarter(in_row, in_column)];
    }

private:
    struct Place {
        std::uint16_t x = 0;
        std::uint16_t y = 0;
        std::array<MeshWays, 4> ways;  // by quarter
    };

    static std::size_t quarter(mesh::Port in_row, mesh::Port in_column)
    {
        return 2 * std::size_t{in_row == mesh::Port::kWest} + std::size_t{in_column == mesh::Port::kSouth};
    }

    std::vector<Place> places_;
    std::uint32_t row_ring_;
    std::uint32_t column_ring_;
};

}  // namespace ringmesh::hw
