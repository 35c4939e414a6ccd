// SPDX-License-Identifier: Apache-2.0
#include "platforms/scc/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "hw/mesh/params.h"
#include "hw/route_graph.h"
#include "tlm/parameters/parameter_list.h"

namespace ringmesh::platforms {

using hw::GraphProblem;
using hw::MeshGrid;
using hw::OutputIndex;
using hw::RouterIndex;

void SccPlaces::visit(ParameterVisitor& visitor)
{
    constexpr std::int64_t kMostControllers = 256;
    visitor.text({"controllers",
                  "free ports of routers with memory controllers, such as \"r0_0.west r5_0.east\"; empty: west and "
                  "east of rows 0 and rows / 2"},
                 controllers);
    ValuesByName<std::int64_t> own{"the memory controller of these tiles", {0, kMostControllers - 1}, 0, serves};
    visitor.group("serves", "Tiles, by number or range, with another controller than the nearest", own);
}

SccLayout::SccLayout(MeshGrid grid, const SccPlaces& places) : grid_(std::move(grid))
{
    if (grid_.is_irregular()) {
        const hw::RouteGraph graph = grid_.graph();
        for (std::uint32_t router = 0; router < grid_.routers(); ++router) far_.push_back(graph.distances(router));
    }
    place_controllers(places);
    place_system_interface();
    assign_controllers(places);
}

/// A free port of a router that is there.
mesh::Terminal SccLayout::place(const std::string& word, const std::string& key)
{
    const OutputIndex port = hw::output_named(grid_, word, key);
    const char* const cure = "write a side of a router that is free: no link and no other place is there";
    if (grid_.node_of(port.router()) == MeshGrid::kNoNode) {
        throw GraphProblem{key, fmt::format("{} is absent", grid_.router_name(port.router())), cure};
    }
    if (grid_.neighbour(port) != MeshGrid::kNone) {
        throw GraphProblem{key, fmt::format("{} leads to another router", word), cure};
    }
    if (std::find(taken_.begin(), taken_.end(), port) != taken_.end()) {
        throw GraphProblem{key, fmt::format("{} is already used", word), cure};
    }
    taken_.push_back(port);
    return terminal_at(port);
}

mesh::Terminal SccLayout::terminal_at(OutputIndex port) const
{
    const mesh::Terminal local = grid_.local_port(port.router());
    return {local.x, local.y, port.direction()};
}

void SccLayout::place_controllers(const SccPlaces& places)
{
    std::vector<std::string> usual;
    if (!grid_.is_graph()) {
        for (const std::uint32_t row : {0U, grid_.rows() / 2}) {
            if (row == 0 && !usual.empty()) break;
            usual.push_back(fmt::format("r0_{}.west", row));
            usual.push_back(fmt::format("r{}_{}.east", grid_.columns() - 1, row));
        }
    }
    std::string words = places.controllers;
    std::replace(words.begin(), words.end(), ',', ' ');
    if (words.empty() && usual.empty()) {
        throw GraphProblem{"layout.controllers", "a graph has no edges where memory controllers stand by themselves",
                           "write their ports, such as [\"r0.west\"]"};
    }
    std::istringstream list(words);
    std::vector<std::string> written;
    for (std::string word; list >> word;) written.push_back(word);
    if (written.empty() && !places.controllers.empty()) {
        throw GraphProblem{"layout.controllers", "it names no port",
                           "write such as [\"r0_0.west\"], or leave it empty"};
    }
    as_on_the_scc_ = written.empty() || written == usual;
    for (const std::string& word : written.empty() ? usual : written) {
        controllers_.push_back(place(word, "layout.controllers"));
    }
}

void SccLayout::place_system_interface()
{
    const auto is_free = [this](OutputIndex port) {
        return port.direction() != mesh::Port::kLocal && grid_.node_of(port.router()) != MeshGrid::kNoNode &&
               grid_.neighbour(port) == MeshGrid::kNone &&
               std::find(taken_.begin(), taken_.end(), port) == taken_.end();
    };
    OutputIndex port(RouterIndex(grid_.is_graph() ? 0 : grid_.columns() / 2), mesh::Port::kSouth);
    if (!is_free(port)) {
        for (port = {}; port.number < grid_.outputs() && !is_free(port);) ++port.number;
    }
    if (port.number == grid_.outputs()) {
        throw GraphProblem{"layout.controllers", "no port is left for the system interface", "leave one free"};
    }
    system_interface_ = terminal_at(port);
}

void SccLayout::assign_controllers(const SccPlaces& places)
{
    controller_of_.assign(tiles(), 0);
    if (as_on_the_scc_) {
        for (unsigned tile = 0; tile < tiles(); ++tile) {
            const mesh::Terminal at = terminal(tile);
            const unsigned east = at.x >= (grid_.columns() + 1) / 2 ? 1 : 0;
            controller_of_[tile] = (grid_.rows() > 1 && at.y >= grid_.rows() / 2 ? 2 : 0) + east;
        }
    } else {
        std::vector<unsigned> tiles_of(controllers());
        std::vector<unsigned> undecided;
        for (unsigned tile = 0; tile < tiles(); ++tile) {
            const auto near = nearest_controllers(tile);
            if (near.size() > 1) {
                undecided.push_back(tile);
            } else {
                ++tiles_of[controller_of_[tile] = near.front()];
            }
        }
        for (const unsigned tile : undecided) {
            const auto near = nearest_controllers(tile);
            const auto fewer = [&tiles_of](unsigned a, unsigned b) { return tiles_of[a] < tiles_of[b]; };
            ++tiles_of[controller_of_[tile] = *std::min_element(near.begin(), near.end(), fewer)];
        }
    }
    std::vector<std::string> keys(tiles());
    for (const auto& [name, controller] : places.serves) {
        const std::string key = "layout.serves." + name;
        const auto range = range_of(name);
        if (!range || range->second >= tiles()) {
            throw GraphProblem{key, fmt::format("the chip has {} tiles", tiles()),
                               fmt::format("write such as 0 or \"0..{}\"", tiles() - 1)};
        }
        if (controller >= controllers()) {
            throw GraphProblem{key, fmt::format("there are {} memory controllers", controllers()),
                               fmt::format("write 0 to {}", controllers() - 1)};
        }
        for (unsigned tile = range->first; tile <= range->second; ++tile) {
            if (!keys[tile].empty()) {
                throw GraphProblem{key, fmt::format("tile {} is in {}, too", tile, keys[tile]), "write each tile once"};
            }
            keys[tile] = key;
            controller_of_[tile] = static_cast<unsigned>(controller);
        }
    }
}

std::vector<unsigned> SccLayout::nearest_controllers(unsigned tile) const
{
    std::vector<unsigned> near;
    unsigned fewest = UINT32_MAX;
    for (unsigned controller = 0; controller < controllers(); ++controller) {
        const unsigned far = links(terminal(tile), controllers_[controller]);
        if (far < fewest) near.clear();
        if (far <= fewest) near.push_back(controller);
        fewest = std::min(fewest, far);
    }
    return near;
}

std::vector<unsigned> SccLayout::cores_of(unsigned controller) const
{
    std::vector<unsigned> served;
    for (unsigned core = 0; core < cores(); ++core) {
        if (controller_of(core) == controller) served.push_back(core);
    }
    return served;
}

std::vector<mesh::Terminal> SccLayout::edges() const
{
    std::vector<mesh::Terminal> edges = controllers_;
    edges.push_back(system_interface_);
    return edges;
}

unsigned SccLayout::links(mesh::Terminal from, mesh::Terminal to) const
{
    if (far_.empty()) return grid_.routers_between(from, to) - 1;
    return far_[grid_.router(from).number][grid_.router(to).number];
}

std::optional<TorusShape> SccLayout::shape() const
{
    if (grid_.is_irregular()) return std::nullopt;
    std::vector<std::int64_t> sides{kCoresPerTile};
    for (const std::uint32_t side : {grid_.columns(), grid_.rows()}) {
        if (side > 1) sides.push_back(side);  // a shape has no dimension of one
    }
    return TorusShape(sides);
}

}  // namespace ringmesh::platforms
