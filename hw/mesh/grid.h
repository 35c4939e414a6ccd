// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tlm/mesh/packet.h"

namespace ringmesh::hw {

constexpr mesh::Port opposite(mesh::Port port)
{
    constexpr mesh::Port kOpposite[mesh::kPorts] = {mesh::Port::kLocal, mesh::Port::kSouth, mesh::Port::kWest,
                                                    mesh::Port::kNorth, mesh::Port::kEast};
    return kOpposite[mesh::index(port)];
}

/// The shape of a mesh: who is whose neighbour. Routers are numbered x + columns * y, the outputs of all of them 5 *
/// router + port. A link is an output that leads to another router; links are numbered in the order of their outputs.
class MeshGrid {
public:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    MeshGrid(std::uint32_t columns, std::uint32_t rows);

    std::uint32_t columns() const { return columns_; }
    std::uint32_t rows() const { return rows_; }
    std::uint32_t routers() const { return columns_ * rows_; }
    std::size_t outputs() const { return mesh::kPorts * routers(); }
    bool contains(mesh::Terminal place) const { return place.x < columns_ && place.y < rows_; }
    std::uint32_t router(mesh::Terminal place) const { return place.x + columns_ * place.y; }
    std::uint16_t x(std::uint32_t router) const { return x_[router]; }
    std::uint16_t y(std::uint32_t router) const { return y_[router]; }
    static std::size_t output(std::uint32_t router, mesh::Port port)
    {
        return mesh::kPorts * router + mesh::index(port);
    }
    std::size_t output(mesh::Terminal place) const { return output(router(place), place.port); }

    /// The router that an output leads to; kNone if it leads out of the mesh, as every local port does.
    std::uint32_t neighbour(std::size_t output) const { return neighbours_[output]; }
    const std::vector<std::size_t>& links() const { return links_; }
    /// Routers that a packet passes, both ends included, if it goes no detour.
    std::uint32_t routers_between(mesh::Terminal from, mesh::Terminal to) const;

    std::string router_name(std::uint32_t router) const;  ///< "r2_0": x and y
    std::string output_name(std::size_t output) const;    ///< "r2_0.east"

private:
    std::uint32_t columns_;
    std::uint32_t rows_;
    std::vector<std::uint16_t> x_, y_;  // looked up: a division would be felt
    std::vector<std::uint32_t> neighbours_;
    std::vector<std::size_t> links_;
};

}  // namespace ringmesh::hw
