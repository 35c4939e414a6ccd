// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit/routes/written_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>
#include <utility>

#include "tlm/parameters/names.h"
#include "tlm/parameters/parameter_list.h"

namespace ringmesh::platforms {

unsigned box_named(const SciGraph& graph, std::string_view name, const std::string& key, bool is_graph)
{
    std::vector<std::string> names;
    for (unsigned box = 0; box < graph.boxes().size(); ++box) {
        if (graph.boxes()[box].name == name) return box;
        names.push_back(graph.boxes()[box].name);
    }
    if (!is_graph) {
        throw GraphProblem{key,
                           fmt::format("this machine has no '{}', but {} to {}", name, names.front(), names.back()),
                           "take the table of this machine: `ringmesh list routes` writes it"};
    }
    throw GraphProblem{
        key, fmt::format("there is no node or switch '{}'", name),
        "add it to the table nodes or switches, or write another" + suggestion(std::string(name), names)};
}

unsigned port_named(const SciGraph& graph, std::string_view word, const std::string& key, bool is_graph)
{
    const std::size_t dot = word.rfind('.');
    const auto port = dot == std::string_view::npos ? std::nullopt : range_of(word.substr(dot + 1));
    if (!port || port->first != port->second) {
        throw GraphProblem{key, fmt::format("'{}' is no port", word), "write NODE.PORT, such as node0.1"};
    }
    const unsigned box = box_named(graph, word.substr(0, dot), key, is_graph);
    const std::size_t ports = graph.boxes()[box].ports.size();
    if (port->first < ports) return graph.chip(box, port->first);
    throw GraphProblem{key, fmt::format("{} has no port {}", word.substr(0, dot), port->first),
                       ports == 1 ? "write port 0, or give it more ports"
                                  : fmt::format("write one from 0 to {}, or give it more ports", ports - 1)};
}

WrittenRoutes::WrittenRoutes(const SciGraph& graph, const WulfkitParams& params) : graph_(graph)
{
    const bool is_graph = params.topology.is_graph();
    read(params.graph.routes, "routes.", sci::Class::kRequest, is_graph);
    read(params.graph.responses, "responses.", sci::Class::kResponse, is_graph);
    for (const auto& [name, text] : params.graph.passes) {
        const std::string key = "passes." + name;
        const unsigned chip = port_named(graph_, name, key, is_graph);
        std::istringstream words(text);
        for (std::string word; words >> word;) {
            const auto range = nodes_named(word, key, "");
            for (unsigned node = range.first; node <= range.second; ++node) passes_.push_back({chip, node, key});
        }
    }
}

void WrittenRoutes::read(const NamedValues<std::int64_t>& routes, const std::string& table, sci::Class kind,
                         bool is_graph)
{
    for (const auto& [name, port] : routes) {
        const std::string key = table + name;
        const std::size_t dot = std::min(name.find('.'), name.size());
        const std::string at = name.substr(0, dot);
        const auto range = nodes_named(std::string_view(name).substr(std::min(dot + 1, name.size())), key, at + ".");
        const unsigned box = box_named(graph_, at, key, is_graph);
        const std::size_t ports = graph_.boxes()[box].ports.size();
        if (static_cast<std::size_t>(port) >= ports) {
            throw GraphProblem{key, fmt::format("{} has no port {}", at, port),
                               ports == 1 ? "write 0, its only one" : fmt::format("write 0 to {}", ports - 1)};
        }
        for (unsigned node = range.first; node <= range.second; ++node) {
            if (node != box) entries_.push_back({box, node, static_cast<unsigned>(port), kind, key});
        }
    }
}

std::pair<unsigned, unsigned> WrittenRoutes::nodes_named(std::string_view text, const std::string& key,
                                                         const std::string& before) const
{
    const auto range = range_of(text);
    if (range && range->second < graph_.nodes()) return *range;
    throw GraphProblem{key, text.empty() ? "it names no nodes" : fmt::format("'{}' are no nodes of this machine", text),
                       fmt::format("write such as {0}0 or {0}\"0..{1}\"", before, graph_.nodes() - 1)};
}

hw::RouteTable WrittenRoutes::table() const
{
    hw::RouteTable table(static_cast<unsigned>(graph_.boxes().size()), graph_.chips(), graph_.nodes());
    bool split = false;
    for (const Entry& entry : entries_) {
        if (entry.kind == sci::Class::kResponse && !split) table.split_classes();
        split = split || entry.kind == sci::Class::kResponse;
        table.set_port(entry.box, entry.node, entry.port, entry.kind);
    }
    strip_by_ports(graph_, table);
    for (const Pass& pass : passes_) {
        if (graph_.box_of(pass.chip) == pass.node) {
            throw GraphProblem{pass.key, fmt::format("node {} would pass its own packets on", pass.node),
                               "leave it out"};
        }
        table.set_strips(pass.chip, pass.node, false);
    }
    return table;
}

std::string WrittenRoutes::key_of(unsigned box, unsigned target) const
{
    const auto last = std::find_if(entries_.rbegin(), entries_.rend(),
                                   [&](const Entry& entry) { return entry.box == box && entry.node == target; });
    if (last != entries_.rend()) return last->key;
    const auto first =
        std::find_if(entries_.begin(), entries_.end(), [box](const Entry& entry) { return entry.box == box; });
    return first == entries_.end() ? "topology.routing" : first->key;
}

std::vector<GraphProblem> WrittenRoutes::differences(const hw::RouteTable& computed) const
{
    constexpr std::size_t kMostShown = 5;
    std::size_t count = 0;
    std::vector<GraphProblem> problems;
    const auto differ = [&](GraphProblem problem) {
        if (++count <= kMostShown) problems.push_back(std::move(problem));
    };
    std::map<std::tuple<unsigned, unsigned, unsigned>, const Entry*> last;
    for (const Entry& entry : entries_) last[{sci::index(entry.kind), entry.box, entry.node}] = &entry;
    for (const auto& [at, entry] : last) {
        const unsigned port = computed.port(entry->box, entry->node, entry->kind);
        if (port == entry->port) continue;
        differ({entry->key,
                fmt::format("{} for {} leave {} by port {}, and not by {}",
                            entry->kind == sci::Class::kRequest ? "packets" : "responses",
                            graph_.boxes()[entry->node].name, graph_.boxes()[entry->box].name, port, entry->port),
                fmt::format("write {}, or change topology.routing", port)});
    }
    for (const Pass& pass : passes_) {
        if (!computed.strips(pass.chip, pass.node)) continue;
        differ({pass.key,
                fmt::format("packets for {} do not stay on the ring of {}", graph_.boxes()[pass.node].name,
                            graph_.chip_name(pass.chip)),
                fmt::format("leave out {}, or change topology.routing", pass.node)});
    }
    if (count > kMostShown) problems.back().what += fmt::format(", and {} more differ", count - kMostShown);
    return problems;
}

}  // namespace ringmesh::platforms
