// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit/shapes/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <utility>

#include "hw/pci/pci_card.h"
#include "platforms/wulfkit/params.h"
#include "platforms/wulfkit/routes/written_routes.h"
#include "tlm/parameters/names.h"
#include "tlm/parameters/parameter_list.h"

namespace ringmesh::platforms {
namespace {

/// Checks the tables, and builds a graph of them.
class GraphReader {
public:
    GraphReader(const GraphParams& written, SciGraph& graph) : written_(written), graph_(graph) {}

    void read()
    {
        read_nodes();
        read_switches();
        read_rings();
        require_known("ring", written_.ring, "rings", written_.rings);
        require_known("switch", written_.own, "switches", written_.switches);
        require_no_open_port();
        read_further_cards();
        require_one_machine();
    }

private:
    /// The key that says which ports a box has.
    std::string key_of(unsigned box) const
    {
        return box < graph_.nodes() ? node_keys_[box] : "switches." + graph_.boxes()[box].name;
    }

    void read_nodes()
    {
        std::map<unsigned, std::pair<std::int64_t, std::string>> cards;  // by node: ports, key
        for (const auto& [text, ports] : written_.nodes) {
            const std::string key = "nodes." + text;
            const auto range = range_of(text);
            if (!range || range->second >= TorusShape::kMaxNodes) {
                throw GraphProblem{key, fmt::format("'{}' is neither a node's number nor a range of them", text),
                                   "write such as 3 or \"0..7\""};
            }
            for (unsigned node = range->first; node <= range->second; ++node) {
                if (cards.try_emplace(node, ports, key).second) continue;
                throw GraphProblem{key, fmt::format("node {} is in {}, too", node, cards.at(node).second),
                                   "write each node once"};
            }
        }
        if (cards.size() < 2) {
            throw GraphProblem{"topology.kind", "a graph needs two nodes", "write [nodes] \"0..1\" = 1"};
        }
        for (const auto& [node, card] : cards) {
            const auto& [ports, key] = card;
            if (node != graph_.nodes()) {
                throw GraphProblem{key, fmt::format("there is no node {} before it", graph_.nodes()),
                                   "number the nodes from 0 on without gaps"};
            }
            graph_.add_box(fmt::format("node{}", node), link_names(static_cast<unsigned>(ports)), false);
            node_keys_.push_back(key);
        }
    }

    void read_switches()
    {
        for (const auto& [name, ports] : written_.switches) {
            const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
                return std::isalnum(c) != 0 || c == '_';
            });
            if (!plain || name.starts_with(kOneNode)) {
                throw GraphProblem{"switches." + name, fmt::format("'{}' cannot be the name of a switch", name),
                                   "write letters and digits, not beginning with node"};
            }
            graph_.add_box(name, link_names(static_cast<unsigned>(ports)), true);
        }
    }

    void read_rings()
    {
        std::map<unsigned, std::string> used;  // by chip: key of its ring
        for (const auto& [name, text] : written_.rings) {
            const std::string key = "rings." + name;
            std::vector<unsigned> chips;
            std::map<unsigned, unsigned> boxes;
            std::istringstream words(text);
            for (std::string word; words >> word;) {
                const unsigned chip = port_named(graph_, word, key, true);
                if (const auto [at, is_new] = used.try_emplace(chip, key); !is_new) {
                    throw GraphProblem{key, fmt::format("port {} is in {} already", word, at->second),
                                       "use each port once"};
                }
                if (!boxes.try_emplace(graph_.box_of(chip), chip).second) {
                    throw GraphProblem{
                        key, fmt::format("{} is twice on this ring", graph_.boxes()[graph_.box_of(chip)].name),
                        "write one of its ports"};
                }
                chips.push_back(chip);
            }
            if (chips.size() < 2) throw GraphProblem{key, "a ring joins two ports or more", "add ports"};
            graph_.add_ring(name, std::move(chips));
        }
    }

    /// Each name in the table `what`, of those that differ, is in the table `all`.
    template <class Own, class Value>
    static void require_known(const std::string& what, const NamedValues<Own>& own, const std::string& table,
                              const NamedValues<Value>& all)
    {
        std::vector<std::string> names;
        for (const auto& [each, value] : all) names.push_back(each);
        for (const auto& [name, value] : own) {
            if (std::find(names.begin(), names.end(), name) != names.end()) continue;
            throw GraphProblem{fmt::format("{}.{}", what, name), fmt::format("there is no {} '{}'", what, name),
                               fmt::format("write the name of one in the table {}{}", table, suggestion(name, names))};
        }
    }

    void require_no_open_port() const
    {
        for (unsigned chip = 0; chip < graph_.chips(); ++chip) {
            if (graph_.ring_of(chip) != SciGraph::kNoRing) continue;
            const unsigned box = graph_.box_of(chip);
            throw GraphProblem{key_of(box),
                               fmt::format("port {}.{} is open", graph_.boxes()[box].name, graph_.port_of(chip)),
                               "put it on a ring, or give fewer ports"};
        }
    }

    void read_further_cards()
    {
        if (written_.cards.empty()) return;
        const unsigned nodes = graph_.nodes();
        std::vector<std::pair<unsigned, std::string>> owners(nodes);  // of further cards: the PC, and the key
        for (const auto& [text, first_pc] : written_.cards) {
            const std::string key = "cards." + text;
            const auto range = range_of(text);
            if (!range || range->second >= nodes) {
                throw GraphProblem{key, fmt::format("'{}' are no nodes of this machine", text),
                                   fmt::format("write numbers of nodes, up to {}", nodes - 1)};
            }
            for (unsigned node = range->first; node <= range->second; ++node) {
                if (!owners[node].second.empty()) {
                    throw GraphProblem{key, fmt::format("node {} is in {}, too", node, owners[node].second),
                                       "write each node once"};
                }
                owners[node] = {static_cast<unsigned>(first_pc) + node - range->first, key};
            }
        }
        unsigned pcs = 0;
        while (pcs < nodes && owners[pcs].second.empty()) ++pcs;
        std::vector<std::size_t> count(pcs, 1);
        for (unsigned node = pcs; node < nodes; ++node) {
            const auto& [pc, key] = owners[node];
            if (key.empty()) {
                throw GraphProblem{"cards",
                                   fmt::format("node {} is a PC, and node {}, before it, a further card", node, pcs),
                                   "number the PCs first"};
            }
            if (pc >= pcs) {
                throw GraphProblem{key,
                                   fmt::format("node {} would be a card of PC {}, and there are {}", node, pc, pcs),
                                   "write the number of the PC that the first of these cards is in"};
            }
            if (++count[pc] > hw::kMostCards) {
                throw GraphProblem{key, fmt::format("PC {} has more than {} cards", pc, hw::kMostCards), "write fewer"};
            }
            graph_.put_into(node, pc);
        }
        if (pcs < 2) {
            throw GraphProblem{"cards", "a machine needs two PCs", "leave two nodes that are no further cards"};
        }
    }

    /// Rings lead from some card of each PC to one of each other PC, and to each switch.
    void require_one_machine() const
    {
        const std::vector<unsigned> network = graph_.networks();
        const auto joined = [&](unsigned a, unsigned b) {
            const std::vector<unsigned> cards = graph_.cards_of(b);
            return std::any_of(cards.begin(), cards.end(), [&](unsigned c) { return network[a] == network[c]; });
        };
        for (unsigned box = 0; box < network.size(); ++box) {
            const auto refuse = [&](const std::string& from) {
                throw GraphProblem{key_of(box),
                                   fmt::format("no path leads from {} to {}", from, graph_.boxes()[box].name),
                                   "join their rings by a switch or a node with two ports"};
            };
            if (box >= graph_.nodes() && network[box] >= graph_.nodes()) refuse("any node");
            for (unsigned from = 0; box < graph_.pcs() && from < box; ++from) {
                const std::vector<unsigned> ours = graph_.cards_of(box);
                const bool any = std::any_of(ours.begin(), ours.end(), [&](unsigned a) { return joined(a, from); });
                if (!any) refuse(graph_.boxes()[from].name);
            }
        }
    }

    const GraphParams& written_;
    SciGraph& graph_;
    std::vector<std::string> node_keys_;
};

}  // namespace

GraphNetwork::GraphNetwork(const WulfkitParams& params) { GraphReader(params.graph, graph_).read(); }

Drawing GraphNetwork::drawing() const
{
    Drawing drawing{.kind = DrawingKind::kGraph, .nodes = {}, .links = {}, .blocks = {}};
    std::vector<std::pair<unsigned, unsigned>> springs;
    for (unsigned chip = 0; chip < graph_.chips(); ++chip) {
        springs.emplace_back(graph_.box_of(chip), graph_.box_of(graph_.next(chip)));
    }
    // Cards of a PC lie together
    for (unsigned card = graph_.pcs(); card < graph_.nodes(); ++card) springs.emplace_back(graph_.pc_of(card), card);
    const auto at = on_springs(static_cast<unsigned>(graph_.boxes().size()), springs);
    for (unsigned box = 0; box < at.size(); ++box) {
        const std::string& name = graph_.boxes()[box].name;
        if (box < graph_.nodes()) {
            drawing.nodes.push_back(node_at(box, at[box].first, at[box].second));
            if (box >= graph_.pcs()) drawing.nodes.back().label = fmt::format("{} in {}", box, graph_.pc_of(box));
        } else {
            drawing.nodes.push_back(
                {.id = name, .label = name, .kind = "switch", .x = at[box].first, .y = at[box].second});
        }
    }
    return drawing;
}

}  // namespace ringmesh::platforms
