// SPDX-License-Identifier: Apache-2.0
#include "hw/mesh/topology/place_graph.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "tlm/simulation/random.h"

namespace ringmesh::hw {

PlaceGraph place_graph(const MeshParams& params, const MeshGrid& grid, const MeshRoutes& routes, const MeshTimes& times)
{
    constexpr unsigned kSent = 16;  // packets of each router
    constexpr unsigned kLots = 4;   // that decide between equal ways
    std::vector<RouterIndex> nodes;
    for (const RouterIndex router : grid.nodes()) nodes.push_back(router);
    PlaceGraph graph{.weights = std::vector<std::int64_t>(grid.routers()), .links = {}};
    using Ends = std::pair<std::uint32_t, std::uint32_t>;
    std::map<Ends, std::int64_t> passing;
    std::map<Ends, std::int64_t> cycles;  // from a switch to the next buffer, or until its credit is back
    for (const RouterIndex router : grid.here()) {
        graph.weights[router.number] = 1;
        for (unsigned port = 0; port < mesh::kPorts; ++port) {
            const RouterIndex next = grid.neighbour(OutputIndex(router, port));
            if (next == MeshGrid::kNone || next == router) continue;
            const Ends ends = std::minmax(router.number, next.number);
            const std::int64_t least = 1 + times.link[OutputIndex(router, port)];
            const auto [known, is_new] = cycles.try_emplace(ends, least);
            if (!is_new) known->second = std::min(known->second, least);
            passing[ends] = 1;
        }
    }
    Random random(1);
    for (const RouterIndex from : nodes) {
        for (unsigned packet = 0; packet < kSent; ++packet) {
            const mesh::Terminal to = grid.local_port(nodes[random.below(nodes.size())]);
            for (RouterIndex at = from; at != grid.router(to);) {
                ++graph.weights[at.number];
                const auto port = static_cast<unsigned>(routes.ways(at, to, packet % kLots).first);
                const RouterIndex next = grid.neighbour(OutputIndex(at, port));
                if (next != at) ++passing[std::minmax(at.number, next.number)];
                at = next;
            }
            ++graph.weights[grid.router(to).number];
        }
    }
    // Edges of a clock lie up to a picosecond beside a whole number of periods
    const Clock clock(params.clock);
    for (const auto& [ends, packets] : passing) {
        const Duration least = Cycles(cycles.at(ends)) * clock - Duration::picoseconds(1);
        graph.links.push_back({ends.first, ends.second, packets, least});
    }
    return graph;
}

}  // namespace ringmesh::hw
