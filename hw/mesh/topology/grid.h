// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hw/mesh/topology/router_index.h"
#include "hw/route_graph.h"
#include "tlm/mesh/packet.h"

namespace ringmesh::hw {

/// The shape of a network of routers with five ports: a mesh, a torus, or any graph. Routers are numbered x + columns *
/// y, in a graph as the user numbers them (y is 0). A link is an output that leads to another router; links are
/// numbered in the order of their outputs.
class MeshGrid {
public:
    static constexpr RouterIndex kNone{UINT32_MAX};
    static constexpr std::uint32_t kNoNode = UINT32_MAX;
    /// Parts that a mesh lacks.
    struct Absent {
        std::vector<RouterIndex> routers = {};
        std::vector<OutputIndex> links = {};  ///< by one of their two outputs; both directions
    };

    /// A graph. The first `terminals` routers have a terminal at their local port; the others only pass packets on.
    struct Graph {
        std::uint32_t routers = 0;
        std::uint32_t terminals = 0;
        std::vector<std::pair<OutputIndex, OutputIndex>> links = {};  ///< the ports at both ends; lead both ways
    };

    /// @param wrap links also the ends of rows and columns of three routers or more; of two, they are neighbours anyway
    MeshGrid(std::uint32_t columns, std::uint32_t rows, bool wrap = false) : MeshGrid(columns, rows, wrap, {}) {}
    MeshGrid(std::uint32_t columns, std::uint32_t rows, bool wrap, const Absent& absent);
    /// @pre no port is at two links, none is a local one
    explicit MeshGrid(const Graph& graph);

    std::uint32_t columns() const { return columns_; }
    std::uint32_t rows() const { return rows_; }
    std::uint32_t routers() const { return columns_ * rows_; }
    /// Routers of the ring that each row is; 0 if it is open. Likewise of each column.
    std::uint32_t row_ring() const { return row_ring_; }
    std::uint32_t column_ring() const { return column_ring_; }
    /// Whether the shorter way from one coordinate to another leads upwards. @param if_equal of two equal ways around
    /// a ring
    static bool upwards(std::uint32_t from, std::uint32_t to, std::uint32_t ring, bool if_equal)
    {
        if (ring == 0) return to > from;
        const std::uint32_t up = to >= from ? to - from : to + ring - from;
        return 2 * up == ring ? if_equal : 2 * up < ring;
    }
    std::size_t outputs() const { return mesh::kPorts * routers(); }
    bool contains(mesh::Terminal place) const { return place.x < columns_ && place.y < rows_; }
    RouterIndex router(mesh::Terminal place) const { return RouterIndex(place.x + columns_ * place.y); }
    std::uint16_t x(RouterIndex router) const { return x_[router]; }
    std::uint16_t y(RouterIndex router) const { return y_[router]; }
    OutputIndex output(mesh::Terminal place) const { return {router(place), place.port}; }

    /// The router that an output leads to; kNone if it leads out of the mesh, as every local port does.
    RouterIndex neighbour(OutputIndex output) const { return neighbours_[output]; }
    /// The input at the other end of a link. @pre there is a neighbour
    InputIndex input_behind(OutputIndex output) const { return inputs_behind_[output]; }
    const std::vector<OutputIndex>& links() const { return links_; }
    /// Routers that are there, in order; users number them so.
    const std::vector<RouterIndex>& here() const { return here_; }
    /// Those with a terminal, the first of them: the nodes of traffic, by their place here.
    std::span<const RouterIndex> nodes() const { return {here_.data(), nodes_}; }
    /// kNoNode if the router is absent.
    std::uint32_t node_of(RouterIndex router) const { return node_of_[router]; }
    mesh::Terminal local_port(RouterIndex router) const { return {x_[router], y_[router], mesh::Port::kLocal}; }
    bool is_graph() const { return is_graph_; }
    /// Whether it is no whole mesh or torus.
    bool is_irregular() const { return is_irregular_; }
    /// Routers that a packet passes, both ends included, if it goes no detour.
    std::uint32_t routers_between(mesh::Terminal from, mesh::Terminal to) const;

    /// Routers and links, for whatever routes.
    RouteGraph graph() const;

    std::string router_name(RouterIndex router) const;  ///< "r2_0": x and y; in a graph "r2"
    std::string output_name(OutputIndex output) const;  ///< "r2_0.east"

private:
    /// Both directions of a link.
    void join(OutputIndex output, OutputIndex other);
    /// The same, if there is one.
    void cut(OutputIndex output);
    void number_links();

    std::uint32_t columns_;
    std::uint32_t rows_;
    std::uint32_t row_ring_;
    std::uint32_t column_ring_;
    Indexed<RouterIndex, std::uint16_t> x_, y_;  // looked up: a division would be felt
    Indexed<OutputIndex, RouterIndex> neighbours_;
    Indexed<OutputIndex, InputIndex> inputs_behind_;
    std::vector<OutputIndex> links_;
    std::vector<RouterIndex> here_;
    std::size_t nodes_ = 0;  // of here_
    Indexed<RouterIndex, std::uint32_t> node_of_;
    bool is_graph_;
    bool is_irregular_;
};

}  // namespace ringmesh::hw
