// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "platforms/wulfkit/params.h"
#include "platforms/wulfkit/shapes/graph.h"
#include "platforms/wulfkit/shapes/network_shape.h"
#include "platforms/wulfkit/shapes/ring.h"
#include "platforms/wulfkit/shapes/switch.h"
#include "platforms/wulfkit/shapes/torus.h"
#include "tlm/error.h"

namespace ringmesh::platforms {
namespace {

using Directions = TorusNetwork::Directions;
using ShapePointer = std::unique_ptr<NetworkShape>;

unsigned dimensions_of(const WulfkitParams& params) { return static_cast<unsigned>(params.topology.dimensions.size()); }

unsigned most_ports(const WulfkitParams& params)
{
    std::int64_t most = 1;
    for (const auto& [range, ports] : params.graph.nodes) most = std::max(most, ports);
    return static_cast<unsigned>(most);
}

constexpr ShapeKind kShapes[] = {
    {.name = "torus",
     .meaning = "",
     .has_dimensions = true,
     .has_switches = false,
     .problem_of = nullptr,
     .links_per_node = &dimensions_of,
     .make = [](const WulfkitParams& params) -> ShapePointer {
         if (dimensions_of(params) == 1) return std::make_unique<RingNetwork>(params);
         return std::make_unique<TorusNetwork>(params, Directions::kOne);
     }},
    {.name = "counter-rotating",
     .meaning = "with a second, opposite ring beside each",
     .has_dimensions = true,
     .has_switches = false,
     .problem_of = nullptr,
     .links_per_node = [](const WulfkitParams& params) { return 2 * dimensions_of(params); },
     .make = [](const WulfkitParams& params) -> ShapePointer {
         return std::make_unique<TorusNetwork>(params, Directions::kBoth);
     }},
    {.name = "switch",
     .meaning = "rings joined by one",
     .has_dimensions = true,
     .has_switches = true,
     .problem_of = &SwitchNetwork::problem_of,
     .links_per_node = [](const WulfkitParams&) { return 1U; },
     .make = [](const WulfkitParams& params) -> ShapePointer { return std::make_unique<SwitchNetwork>(params); }},
    {.name = "graph",
     .meaning = "as the tables nodes, switches and rings say",
     .has_dimensions = false,
     .has_switches = false,
     .problem_of = nullptr,
     .links_per_node = &most_ports,
     .make = [](const WulfkitParams& params) -> ShapePointer { return std::make_unique<GraphNetwork>(params); }},
};

}  // namespace

void NetworkShape::add_nodes(unsigned nodes, unsigned links)
{
    for (unsigned node = 0; node < nodes; ++node) {
        graph_.add_box(fmt::format("node{}", node), link_names(links), false);
    }
}

std::vector<std::string> link_names(unsigned links)
{
    if (links == 1) return {"lc2"};
    std::vector<std::string> names;
    for (unsigned link = 0; link < links; ++link) names.push_back(fmt::format("lc2_{}", link));
    return names;
}

std::span<const ShapeKind> shape_kinds() { return kShapes; }

const ShapeKind& shape_kind(std::string_view name)
{
    for (const ShapeKind& each : kShapes) {
        if (each.name == name) return each;
    }
    throw ModelError(fmt::format("there is no shape '{}'", name));
}

}  // namespace ringmesh::platforms
