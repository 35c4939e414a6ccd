// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hw/mesh/grid.h"
#include "tlm/mesh/packet.h"
#include "tlm/policy.h"

/// Which way a packet takes in the mesh: decisions, without time and kernel.
namespace ringmesh::hw {

/// The outputs that a packet may take, both on a shortest way: the router takes the better one of two, or the only one.
struct MeshWays {
    mesh::Port first = mesh::Port::kLocal;
    mesh::Port other = first;
};

/// In which order a packet takes the dimensions. A policy must never let packets wait for each other in a circle.
struct MeshRoutingPolicy : PolicyName {
    /// At router (x, y), for packets that have to go on along both dimensions.
    /// @param in_row the output towards their target along the row @param in_column and along the column
    MeshWays (*ways)(std::uint32_t x, std::uint32_t y, mesh::Port in_row, mesh::Port in_column);
    bool adaptive = false;  ///< whether it ever offers two ways

    static constexpr PolicyKindName kKind{"mesh-routing", "hw/mesh/routings"};
    static std::span<const MeshRoutingPolicy> table();
    template <class Policy>
    static constexpr MeshRoutingPolicy of()
    {
        return {Policy::kPolicy, &Policy::ways, Policy::kAdaptive};
    }
};

using MeshRouting = PolicyChoice<MeshRoutingPolicy>;

/// The ways at each router, looked up: the policy is asked once for each place and pair of directions. All ways are
/// shortest ones, so where one dimension is left there is no choice.
class MeshRoutes {
public:
    MeshRoutes(const MeshRoutingPolicy& routing, const MeshGrid& grid);

    /// Where a packet has arrived that is the port of its terminal.
    MeshWays ways(std::uint32_t router, mesh::Terminal to) const
    {
        // Branches, because they are foretold: nothing waits for what is looked up
        const Place& place = places_[router];
        const mesh::Port in_row = to.x > place.x ? mesh::Port::kEast : mesh::Port::kWest;
        const mesh::Port in_column = to.y > place.y ? mesh::Port::kNorth : mesh::Port::kSouth;
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
};

}  // namespace ringmesh::hw
