// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/drawing.h"
#include "platforms/wulfkit/routes/routes.h"
#include "platforms/wulfkit/routes/sci_graph.h"
#include "tlm/machine/torus_shape.h"

namespace ringmesh::platforms {

struct WulfkitParams;

/// How the rings of a Wulfkit machine are connected, topology.kind. The constructor of a shape builds its graph from
/// the parameters; WulfkitNetwork configures the chips of any graph.
///
/// A new shape is a class in a file of its own, a row of the table in table.cpp, and a line in
/// tests/platforms/wulfkit/wulfkit_network_test.cpp, which compares its routes() with its links.
class NetworkShape {
public:
    NetworkShape(const NetworkShape&) = delete;
    NetworkShape& operator=(const NetworkShape&) = delete;
    virtual ~NetworkShape() = default;

    const SciGraph& graph() const { return graph_; }
    /// The routes of topology.routing = "dimension-order"; null for those of port_order_routes().
    virtual const NetworkRoutes* routes() const { return nullptr; }
    /// Null if the nodes are not those of a torus.
    virtual const TorusShape* torus() const { return nullptr; }
    /// Of the ring that a link of a node belongs to; 0 of a shape without dimensions.
    virtual unsigned dimension_of(unsigned /*link*/) const { return 0; }
    /// Nodes and switches at their places, without links.
    virtual Drawing drawing() const = 0;

protected:
    NetworkShape() = default;
    /// Adds cards of so many link controllers.
    void add_nodes(unsigned nodes, unsigned links);

    SciGraph graph_;
};

/// "lc2" if it is the only one, else "lc2_0", "lc2_1", ...
std::vector<std::string> link_names(unsigned links);

/// A row of the table of shapes.
struct ShapeKind {
    std::string_view name;     ///< of topology.kind
    std::string_view meaning;  ///< what the name does not say; may be empty
    bool has_dimensions;       ///< reads topology.dimensions; else nodes, switches and rings
    bool has_switches;         ///< always; a graph has those that are written
    /// What is wrong with the dimensions, and the cure. Null if all that are possible will do.
    std::string (*problem_of)(std::span<const std::int64_t> dimensions);
    /// Of the node that has most.
    unsigned (*links_per_node)(const WulfkitParams& params);
    /// @throws GraphProblem
    std::unique_ptr<NetworkShape> (*make)(const WulfkitParams& params);
};

std::span<const ShapeKind> shape_kinds();
/// @throws ModelError if there is none of this name
const ShapeKind& shape_kind(std::string_view name);

}  // namespace ringmesh::platforms
