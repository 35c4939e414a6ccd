// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platforms/wulfkit/params.h"
#include "platforms/wulfkit/routes/sci_graph.h"

namespace ringmesh::platforms {

/// The box "node3" or "top" of a graph. @param key where the name is written @param is_graph whether the user wrote the
/// graph as well, and can add to it @throws GraphProblem
unsigned box_named(const SciGraph& graph, std::string_view name, const std::string& key, bool is_graph);
/// The chip at "node3.1": port 1 of this box. @throws GraphProblem
unsigned port_named(const SciGraph& graph, std::string_view word, const std::string& key, bool is_graph);

/// The tables `routes`, `responses` and `passes` as a user writes them for a network.
class WrittenRoutes {
public:
    /// @param graph, params outlive it @throws GraphProblem if an entry names what the network has not
    WrittenRoutes(const SciGraph& graph, const WulfkitParams& params);

    /// @throws GraphProblem if a node would pass its own packets on
    hw::RouteTable table() const;
    /// The entry to blame for how a box sends packets to a target; "topology.routing" if none is written for that box.
    std::string key_of(unsigned box, unsigned target) const;
    /// A problem for each of the first places where these routes are not the written ones.
    std::vector<GraphProblem> differences(const hw::RouteTable& computed) const;

private:
    struct Entry {
        unsigned box = 0;
        unsigned node = 0;
        unsigned port = 0;
        sci::Class kind = sci::Class::kRequest;
        std::string key;
    };
    struct Pass {
        unsigned chip = 0;
        unsigned node = 0;
        std::string key;
    };
    void read(const NamedValues<std::int64_t>& routes, const std::string& table, sci::Class kind, bool is_graph);
    /// @param before what stands before the nodes in an example
    std::pair<unsigned, unsigned> nodes_named(std::string_view text, const std::string& key,
                                              const std::string& before) const;

    const SciGraph& graph_;
    std::vector<Entry> entries_;  // in the order in which they are written: of several the last one counts
    std::vector<Pass> passes_;
};

}  // namespace ringmesh::platforms
