// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <tuple>
#include <utility>

#include "hw/pci/pci_card.h"
#include "tlm/names.h"
#include "tlm/parameter_list.h"

namespace ringmesh::platforms {

WulfkitNetwork::WulfkitNetwork(const WulfkitParams& params)
    : params_(params),
      longest_(params.longest_request()),
      timing_on_blink_(std::make_shared<const hw::LinkTiming>(params.link, params.cable, params.lc2, params.blink)),
      timing_on_source_(std::make_shared<const hw::LinkTiming>(params.link, params.cable, params.lc2, std::nullopt))
{
    if (params_.topology.is_graph()) {
        read_graph();
    } else {
        shape_ = std::make_shared<const TorusShape>(params.topology.dimensions);
        if (is_switch()) {
            generate_switch();
        } else {
            generate_torus();
        }
    }
    switch (params_.topology.routing) {
        case RoutesKind::kDimensionOrder:
            if (!shape_) table_ = std::make_shared<const hw::RouteTable>(port_order_routes(graph_));
            return;
        case RoutesKind::kShortest: table_ = std::make_shared<const hw::RouteTable>(shortest_routes(graph_)); return;
        case RoutesKind::kUpDown: {
            const unsigned root = graph_.switches() > 0 ? graph_.nodes() : 0;
            table_ = std::make_shared<const hw::RouteTable>(up_down_routes(graph_, root));
            return;
        }
        case RoutesKind::kTable: table_ = std::make_shared<const hw::RouteTable>(read_routes()); return;
    }
}

void WulfkitNetwork::check(const WulfkitParams& params)
{
    const auto& topology = params.topology;
    if (!topology.is_graph() && topology.routing == RoutesKind::kDimensionOrder) return;
    require_table(params.nodes());
    const WulfkitNetwork network(params);
    std::map<std::pair<unsigned, unsigned>, std::string> written;  // keys of the routes, and of one of each box
    if (topology.routing == RoutesKind::kTable) {
        network.each_written_route([&](const WrittenRoute& route) {
            written.insert_or_assign({route.box, route.node}, route.key);
            written.try_emplace({route.box, SciGraph::kNoRing}, route.key);
        });
    }
    check_routes(network.graph_, *network.table_, [&written](unsigned box, unsigned target) -> std::string {
        for (const unsigned of : {target, SciGraph::kNoRing}) {
            if (const auto found = written.find({box, of}); found != written.end()) return found->second;
        }
        return "topology.routing";
    });
}

void WulfkitNetwork::require_table(unsigned nodes)
{
    constexpr unsigned kMostNodes = 4096;
    if (nodes <= kMostNodes) return;
    throw GraphProblem{"topology.routing", fmt::format("tables for more than {} nodes", kMostNodes),
                       "write fewer nodes, or topology.kind with topology.routing = \"dimension-order\" and no check"};
}

template <class Take>
void WulfkitNetwork::each_written_route(const Take& take) const
{
    const auto each_of = [&](const NamedValues<std::int64_t>& routes, const char* table, sci::Class kind) {
        for (const auto& [name, port] : routes) {
            const std::string key = table + name;
            const std::size_t dot = std::min(name.find('.'), name.size());
            const std::string at = name.substr(0, dot);
            const auto range =
                nodes_named(std::string_view(name).substr(std::min(dot + 1, name.size())), key, at + ".");
            const unsigned box = box_named(at, key);
            const std::size_t ports = graph_.boxes()[box].ports.size();
            if (static_cast<std::size_t>(port) >= ports) {
                throw GraphProblem{key, fmt::format("{} has no port {}", at, port),
                                   ports == 1 ? "write 0, its only one" : fmt::format("write 0 to {}", ports - 1)};
            }
            for (unsigned node = range.first; node <= range.second; ++node) {
                if (node != box) take(WrittenRoute{box, node, static_cast<unsigned>(port), kind, key});
            }
        }
    };
    each_of(params_.graph.routes, "routes.", sci::Class::kRequest);
    each_of(params_.graph.responses, "responses.", sci::Class::kResponse);
}

template <class Take>
void WulfkitNetwork::each_written_pass(const Take& take) const
{
    for (const auto& [name, text] : params_.graph.passes) {
        const std::string key = "passes." + name;
        const unsigned chip = port_named(name, key);
        std::istringstream words(text);
        for (std::string word; words >> word;) {
            const auto range = nodes_named(word, key, "");
            for (unsigned node = range.first; node <= range.second; ++node) take(chip, node, key);
        }
    }
}

std::pair<unsigned, unsigned> WulfkitNetwork::nodes_named(std::string_view text, const std::string& key,
                                                          const std::string& before) const
{
    const auto range = range_of(text);
    if (range && range->second < nodes()) return *range;
    throw GraphProblem{key, text.empty() ? "it names no nodes" : fmt::format("'{}' are no nodes of this machine", text),
                       fmt::format("write such as {0}0 or {0}\"0..{1}\"", before, nodes() - 1)};
}

std::vector<GraphProblem> WulfkitNetwork::differences(const WulfkitParams& params)
{
    constexpr std::size_t kMostShown = 5;
    if (!params.topology.check_routes || params.topology.routing == RoutesKind::kTable) return {};
    if (params.graph.routes.empty()) {
        return {{"topology.check_routes", "there is no table to compare with",
                 "write one or take an overlay that has one; `ringmesh list routes` shows the computed routes"}};
    }
    const WulfkitNetwork network(params);
    const hw::RouteTable computed = network.routes();
    const SciGraph& graph = network.graph_;
    std::size_t count = 0;
    std::vector<GraphProblem> problems;
    const auto differ = [&](GraphProblem problem) {
        if (++count <= kMostShown) problems.push_back(std::move(problem));
    };
    // Of each box, node and class the last entry counts
    std::map<std::tuple<unsigned, unsigned, unsigned>, WrittenRoute> written;
    network.each_written_route([&](const WrittenRoute& route) {
        written.insert_or_assign({sci::index(route.kind), route.box, route.node}, route);
    });
    for (const auto& [at, route] : written) {
        const unsigned port = computed.port(route.box, route.node, route.kind);
        if (port == route.port) continue;
        differ({route.key,
                fmt::format("{} for {} leave {} by port {}, and not by {}",
                            route.kind == sci::Class::kRequest ? "packets" : "responses",
                            graph.boxes()[route.node].name, graph.boxes()[route.box].name, port, route.port),
                fmt::format("write {}, or change topology.routing", port)});
    }
    network.each_written_pass([&](unsigned chip, unsigned node, const std::string& key) {
        if (!computed.strips(chip, node)) return;
        differ({key,
                fmt::format("packets for {} do not stay on the ring of {}", graph.boxes()[node].name,
                            graph.chip_name(chip)),
                fmt::format("leave out {}, or change topology.routing", node)});
    });
    if (count > kMostShown) problems.back().what += fmt::format(", and {} more differ", count - kMostShown);
    return problems;
}

hw::RouteTable WulfkitNetwork::routes() const
{
    if (table_) return *table_;
    require_table(nodes());
    hw::RouteTable table(static_cast<unsigned>(graph_.boxes().size()), graph_.chips(), nodes());
    table.split_classes();
    for (const sci::Class kind : {sci::Class::kRequest, sci::Class::kResponse}) {
        for (unsigned node = 0; node < nodes(); ++node) {
            const auto card = card_routing(static_cast<sci::NodeId>(node));
            for (unsigned target = 0; target < nodes(); ++target) {
                if (target == node) continue;
                const unsigned port = card->port(static_cast<sci::NodeId>(target), kind) - unsigned{kFirstLinkPort};
                table.set_port(node, target, port, kind);
            }
        }
        for (unsigned target = 0; is_switch() && target < nodes(); ++target) {
            table.set_port(nodes(), target, shape_->coordinate(target, 1), kind);
        }
    }
    for (unsigned chip = 0; chip < graph_.chips(); ++chip) {
        const unsigned box = graph_.box_of(chip);
        const auto routing = box < nodes() ? ring_routing(static_cast<sci::NodeId>(box), graph_.port_of(chip))
                                           : switch_routing(chip - first_port());
        for (unsigned target = 0; target < nodes(); ++target) {
            if (routing->strips(static_cast<sci::NodeId>(target))) table.set_strips(chip, target);
        }
    }
    return table;
}

void WulfkitNetwork::generate_torus()
{
    const unsigned links = params_.links_per_node();
    std::vector<std::string> ports;
    for (unsigned link = 0; link < links; ++link) ports.push_back(link_name(link));
    for (unsigned node = 0; node < shape_->nodes(); ++node) graph_.add_box(fmt::format("node{}", node), ports, false);
    for (unsigned d = 0; d < shape_->dimensions(); ++d) {
        for (unsigned first = 0; first < shape_->nodes(); ++first) {
            if (shape_->coordinate(first, d) != 0) continue;
            for (unsigned way = 0; way < (counter_rotating() ? 2U : 1U); ++way) {
                const unsigned n = shape_->size(d);
                std::vector<unsigned> chips;
                for (unsigned i = 0; i < n; ++i) {
                    const unsigned node = shape_->moved(first, d, way == 0 ? i : (n - i) % n);
                    chips.push_back(graph_.chip(node, counter_rotating() ? 2 * d + way : d));
                }
                graph_.add_ring(fmt::format("{}{}", "xyzw"[d], graph_.rings().size()), std::move(chips));
            }
        }
    }
}

void WulfkitNetwork::generate_switch()
{
    const unsigned rings = shape_->size(1);
    for (unsigned node = 0; node < shape_->nodes(); ++node) {
        graph_.add_box(fmt::format("node{}", node), {link_name(0)}, false);
    }
    std::vector<std::string> ports;
    for (unsigned ring = 0; ring < rings; ++ring) ports.push_back(fmt::format("lc2_{}", ring));
    graph_.add_box("switch", ports, true);
    for (unsigned ring = 0; ring < rings; ++ring) {
        std::vector<unsigned> chips;
        for (unsigned i = 0; i < shape_->size(0); ++i) chips.push_back(ring * shape_->size(0) + i);
        chips.push_back(graph_.chip(shape_->nodes(), ring));
        graph_.add_ring(fmt::format("ring{}", ring), std::move(chips));
    }
}

unsigned WulfkitNetwork::box_named(std::string_view name, const std::string& key) const
{
    std::vector<std::string> names;
    for (unsigned box = 0; box < graph_.boxes().size(); ++box) {
        if (graph_.boxes()[box].name == name) return box;
        names.push_back(graph_.boxes()[box].name);
    }
    const std::string hint = suggestion(std::string(name), names);
    if (!params_.topology.is_graph()) {
        throw GraphProblem{key,
                           fmt::format("this machine has no '{}', but {} to {}", name, names.front(), names.back()),
                           "take the table of this machine: `ringmesh list routes` writes it"};
    }
    throw GraphProblem{key, fmt::format("there is no node or switch '{}'", name),
                       "add it to the table nodes or switches, or write another" + hint};
}

unsigned WulfkitNetwork::port_named(std::string_view word, const std::string& key) const
{
    const std::size_t dot = word.rfind('.');
    const auto port = dot == std::string_view::npos ? std::nullopt : range_of(word.substr(dot + 1));
    if (!port || port->first != port->second) {
        throw GraphProblem{key, fmt::format("'{}' is no port", word), "write NODE.PORT, such as node0.1"};
    }
    const unsigned box = box_named(word.substr(0, dot), key);
    const std::size_t ports = graph_.boxes()[box].ports.size();
    if (port->first < ports) return graph_.chip(box, port->first);
    throw GraphProblem{key, fmt::format("{} has no port {}", word.substr(0, dot), port->first),
                       ports == 1 ? "write port 0, or give it more ports"
                                  : fmt::format("write one from 0 to {}, or give it more ports", ports - 1)};
}

void WulfkitNetwork::read_graph()
{
    const GraphParams& written = params_.graph;
    std::map<unsigned, std::pair<std::int64_t, std::string>> cards;  // by node: ports, key
    for (const auto& [text, ports] : written.nodes) {
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
    if (cards.size() < 2) throw GraphProblem{"topology.kind", "a graph needs two nodes", "write [nodes] \"0..1\" = 1"};
    unsigned expected = 0;
    for (const auto& [node, card] : cards) {
        if (node != expected) {
            throw GraphProblem{card.second, fmt::format("there is no node {} before it", expected),
                               "number the nodes from 0 on without gaps"};
        }
        ++expected;
        std::vector<std::string> ports;
        const auto count = static_cast<unsigned>(card.first);
        for (unsigned port = 0; port < count; ++port) ports.push_back(link_name(port, count));
        graph_.add_box(fmt::format("node{}", node), std::move(ports), false);
    }
    for (const auto& [name, count] : written.switches) {
        const std::string key = "switches." + name;
        const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
            return std::isalnum(c) != 0 || c == '_';
        });
        if (!plain || name.starts_with(kOneNode)) {
            throw GraphProblem{key, fmt::format("'{}' cannot be the name of a switch", name),
                               "write letters and digits, not beginning with node"};
        }
        std::vector<std::string> ports;
        for (std::int64_t port = 0; port < count; ++port) ports.push_back(fmt::format("lc2_{}", port));
        graph_.add_box(name, std::move(ports), true);
    }
    std::map<unsigned, std::string> used;  // by chip: key of its ring
    for (const auto& [name, text] : written.rings) {
        const std::string key = "rings." + name;
        std::vector<unsigned> chips;
        std::map<unsigned, unsigned> boxes;
        std::istringstream words(text);
        for (std::string word; words >> word;) {
            const unsigned chip = port_named(word, key);
            if (const auto [at, is_new] = used.try_emplace(chip, key); !is_new) {
                throw GraphProblem{key, fmt::format("port {} is in {} already", word, at->second),
                                   "use each port once"};
            }
            if (!boxes.try_emplace(graph_.box_of(chip), chip).second) {
                throw GraphProblem{key,
                                   fmt::format("{} is twice on this ring", graph_.boxes()[graph_.box_of(chip)].name),
                                   "write one of its ports"};
            }
            chips.push_back(chip);
        }
        if (chips.size() < 2) throw GraphProblem{key, "a ring joins two ports or more", "add ports"};
        graph_.add_ring(name, std::move(chips));
    }
    for (const auto& [name, ring] : written.ring) {
        const auto same = [&wanted = name](const auto& each) { return each.first == wanted; };
        if (std::any_of(written.rings.begin(), written.rings.end(), same)) continue;
        std::vector<std::string> names;
        for (const auto& [each, ports] : written.rings) names.push_back(each);
        throw GraphProblem{"ring." + name, fmt::format("there is no ring '{}'", name),
                           "write the name of one in the table rings" + suggestion(name, names)};
    }
    for (const auto& [name, own] : written.own) {
        const auto same = [&wanted = name](const auto& each) { return each.first == wanted; };
        if (std::any_of(written.switches.begin(), written.switches.end(), same)) continue;
        std::vector<std::string> names;
        for (const auto& [each, ports] : written.switches) names.push_back(each);
        throw GraphProblem{"switch." + name, fmt::format("there is no switch '{}'", name),
                           "write the name of one in the table switches" + suggestion(name, names)};
    }
    for (unsigned chip = 0; chip < graph_.chips(); ++chip) {
        if (used.contains(chip)) continue;
        const unsigned box = graph_.box_of(chip);
        throw GraphProblem{box < nodes() ? cards.at(box).second : "switches." + graph_.boxes()[box].name,
                           fmt::format("port {}.{} is open", graph_.boxes()[box].name, graph_.port_of(chip)),
                           "put it on a ring, or give fewer ports"};
    }
    read_cards();
    const std::vector<unsigned> network = graph_.networks();
    for (unsigned box = 0; box < network.size(); ++box) {
        const std::string& name = graph_.boxes()[box].name;
        const auto refuse = [&](const std::string& from) {
            throw GraphProblem{box < nodes() ? cards.at(box).second : "switches." + name,
                               fmt::format("no way leads from {} to {}", from, name),
                               "join their rings by a switch or a node with two ports"};
        };
        if (box >= nodes() && network[box] >= nodes()) refuse("any node");
        for (unsigned from = 0; box < pcs() && from < box; ++from) {
            const auto joined = [&](unsigned a, unsigned b) { return network[a] == network[b]; };
            const std::vector<unsigned> ours = cards_of(box);
            const std::vector<unsigned> theirs = cards_of(from);
            const bool any = std::any_of(ours.begin(), ours.end(), [&](unsigned a) {
                return std::any_of(theirs.begin(), theirs.end(), [&](unsigned b) { return joined(a, b); });
            });
            if (!any) refuse(graph_.boxes()[from].name);
        }
    }
}

void WulfkitNetwork::read_cards()
{
    std::vector<std::pair<unsigned, std::string>> owners(nodes());  // of further cards: the PC, and the key
    for (const auto& [text, first_pc] : params_.graph.cards) {
        const std::string key = "cards." + text;
        const auto range = range_of(text);
        if (!range || range->second >= nodes()) {
            throw GraphProblem{key, fmt::format("'{}' are no nodes of this machine", text),
                               fmt::format("write numbers of nodes, up to {}", nodes() - 1)};
        }
        for (unsigned node = range->first; node <= range->second; ++node) {
            if (!owners[node].second.empty()) {
                throw GraphProblem{key, fmt::format("node {} is in {}, too", node, owners[node].second),
                                   "write each node once"};
            }
            owners[node] = {static_cast<unsigned>(first_pc) + node - range->first, key};
        }
    }
    if (params_.graph.cards.empty()) return;
    while (pcs_ < nodes() && owners[pcs_].second.empty()) ++pcs_;
    std::vector<std::size_t> count(pcs_, 1);
    for (unsigned node = 0; node < nodes(); ++node) {
        const auto& [pc, key] = owners[node];
        pc_of_.push_back(node < pcs_ ? node : pc);
        if (node < pcs_) continue;
        if (key.empty()) {
            throw GraphProblem{"cards",
                               fmt::format("node {} is a PC, and node {}, before it, a further card", node, pcs_),
                               "number the PCs first"};
        }
        if (pc >= pcs_) {
            throw GraphProblem{key, fmt::format("node {} would be a card of PC {}, and there are {}", node, pc, pcs_),
                               "write the number of the PC that the first of these cards is in"};
        }
        if (++count[pc] > hw::kMostCards) {
            throw GraphProblem{key, fmt::format("PC {} has more than {} cards", pc, hw::kMostCards), "write fewer"};
        }
        graph_.put_into(node, pc);
    }
    if (pcs_ < 2) throw GraphProblem{"cards", "a machine needs two PCs", "leave two nodes that are no further cards"};
}

std::vector<unsigned> WulfkitNetwork::cards_of(unsigned pc) const
{
    std::vector<unsigned> cards{pc};
    for (unsigned node = pcs(); node < pc_of_.size(); ++node) {
        if (pc_of_[node] == pc) cards.push_back(node);
    }
    return cards;
}

WulfkitNetwork::Cards WulfkitNetwork::cards_between(unsigned from_pc, unsigned to_pc) const
{
    if (pc_of_.empty()) return {from_pc, to_pc};
    const std::vector<unsigned> network = graph_.networks();
    std::vector<Cards> best;
    unsigned fewest = UINT32_MAX;
    for (const unsigned from : cards_of(from_pc)) {
        for (const unsigned to : cards_of(to_pc)) {
            if (network[from] != network[to]) continue;
            unsigned hops = 0;
            for (const Crossing& each : crossings(graph_, *table_, from, to, sci::Class::kRequest)) hops += each.hops;
            if (hops < fewest) best.clear();
            if (hops <= fewest) best.push_back({from, to});
            fewest = std::min(fewest, hops);
        }
    }
    return best.at((from_pc + to_pc) % best.size());
}

bool WulfkitNetwork::is_one_network() const
{
    if (pc_of_.empty()) return true;
    const std::vector<unsigned> network = graph_.networks();
    return std::all_of(network.begin(), network.end(), [&](unsigned each) { return each == network[0]; });
}

hw::RouteTable WulfkitNetwork::read_routes() const
{
    hw::RouteTable table(static_cast<unsigned>(graph_.boxes().size()), graph_.chips(), nodes());
    bool split = false;
    each_written_route([&](const WrittenRoute& route) {
        if (route.kind == sci::Class::kResponse && !split) table.split_classes();
        split = split || route.kind == sci::Class::kResponse;
        table.set_port(route.box, route.node, route.port, route.kind);
    });
    strip_by_ports(graph_, table);
    each_written_pass([&](unsigned chip, unsigned node, const std::string& key) {
        if (graph_.box_of(chip) != node) return table.set_strips(chip, node, false);
        throw GraphProblem{key, fmt::format("node {} would pass its own packets on", node), "leave it out"};
    });
    return table;
}

Route WulfkitNetwork::route(unsigned from, unsigned to, sci::Class kind) const
{
    Route route;
    if (table_) {
        if (from == to) return route;
        for (const Crossing& each : crossings(graph_, *table_, from, to, kind)) {
            const unsigned ring = graph_.ring_of(each.from);
            route.add({.ring = ring,
                       .nodes = static_cast<unsigned>(graph_.rings()[ring].chips.size()),
                       .hops = each.hops,
                       .group = graph_.port_of(each.from)});
        }
        return route;
    }
    if (is_switch()) {
        const unsigned nodes = shape_->size(0) + 1;  // the port counts as one
        const unsigned here = shape_->coordinate(from, 0);
        const unsigned there = shape_->coordinate(to, 0);
        const unsigned ring = shape_->coordinate(from, 1);
        if (ring == shape_->coordinate(to, 1)) {
            if (from != to) route.add({.ring = ring, .nodes = nodes, .hops = (there + nodes - here) % nodes});
        } else {
            route.add({.ring = ring, .nodes = nodes, .hops = nodes - 1 - here});
            route.add({.ring = shape_->coordinate(to, 1), .nodes = nodes, .hops = there + 1});
        }
        return route;
    }
    unsigned at = from;
    std::array<unsigned, TorusShape::kMaxDimensions> first_ring{};
    for (unsigned d = 1; d < shape_->dimensions(); ++d) {
        first_ring[d] = first_ring[d - 1] + shape_->nodes() / shape_->size(d - 1);
    }
    for (unsigned i = 0; i < shape_->dimensions(); ++i) {
        const unsigned d = kind == sci::Class::kRequest ? i : shape_->dimensions() - 1 - i;
        const unsigned n = shape_->size(d);
        const unsigned upwards = shape_->distance(at, to, d);
        if (upwards == 0) continue;
        const bool down = counter_rotating() && 2 * upwards > n;
        const unsigned ring = first_ring[d] + shape_->ring(at, d);
        route.add({.ring = counter_rotating() ? 2 * ring + (down ? 1 : 0) : ring,
                   .nodes = n,
                   .hops = down ? n - upwards : upwards,
                   .group = counter_rotating() ? 2 * d + (down ? 1 : 0) : d});
        at = shape_->moved(at, d, shape_->coordinate(to, d));
    }
    return route;
}

std::string WulfkitNetwork::link_name(unsigned link, unsigned links) const
{
    if (links == 1) return "lc2";
    const auto name = fmt::format("lc2_{}", dimension_of(link));
    return counter_rotating() ? name + (downwards(link) ? "_down" : "_up") : name;
}

const RingParams* WulfkitNetwork::own_ring(unsigned chip) const
{
    return params_.graph.ring.empty() ? nullptr : params_.of_ring(graph_.rings()[graph_.ring_of(chip)].name);
}

hw::LinkController::Config WulfkitNetwork::config_of(unsigned chip) const
{
    hw::LinkController::Config config{.node = static_cast<sci::NodeId>(id_of(chip)),
                                      .scrubber = graph_.scrubber(chip),
                                      .link = params_.link,
                                      .cable = params_.cable,
                                      .chip = params_.lc2,
                                      .recovery = params_.recovery};
    if (const RingParams* own = own_ring(chip)) {
        config.cable = own->cable;
        config.link.symbol_time = own->symbol_time;
    }
    config.longest = longest_;
    return config;
}

hw::LinkController::Config WulfkitNetwork::link_controller(sci::NodeId node, unsigned link, Behind behind) const
{
    auto config = config_of(graph_.chip(node, link));
    config.chip = params_.of(node).lc2;
    if (behind == Behind::kBLink) config.blink = params_.of(node).blink;
    return config;
}

std::unique_ptr<hw::Routing> WulfkitNetwork::ring_routing(sci::NodeId node, unsigned link) const
{
    if (table_) {
        const hw::TableRouting::Place place{.box = node, .chip = graph_.chip(node, link), .self = node};
        return std::make_unique<hw::TableRouting>(table_, place, card_routing(node));
    }
    if (links_per_node() == 1) return std::make_unique<hw::RingRouting>(node, kHostPort);
    return std::make_unique<hw::TorusRouting>(shape_, node, dimension_of(link), card_routing(node));
}

std::shared_ptr<const hw::CardRouting> WulfkitNetwork::card_routing(sci::NodeId node) const
{
    if (table_) return std::make_shared<const hw::TableCard>(table_, node, kHostPort, kFirstLinkPort);
    if (links_per_node() == 1) return std::make_shared<const hw::SingleLinkCard>(node, kHostPort, kFirstLinkPort);
    const hw::TorusCard::Ports ports{.host = kHostPort, .first_link = kFirstLinkPort};
    return std::make_shared<const hw::TorusCard>(shape_, node, ports, counter_rotating());
}

std::shared_ptr<const hw::LinkTiming> WulfkitNetwork::timing(sci::NodeId node, Behind behind, unsigned link) const
{
    if (params_.one_node.contains(node) || own_ring(graph_.chip(node, link)) != nullptr) return nullptr;
    return behind == Behind::kBLink ? timing_on_blink_ : timing_on_source_;
}

hw::LinkController::Config WulfkitNetwork::switch_port(unsigned port) const
{
    auto config = config_of(first_port() + port);
    config.blink = params_.switch_blink;
    if (const SwitchParams* own = params_.of_switch(graph_.boxes()[graph_.box_of(first_port() + port)].name)) {
        config.chip = own->lc2;
        config.blink = own->blink;
    }
    return config;
}

std::unique_ptr<hw::Routing> WulfkitNetwork::switch_routing(unsigned port) const
{
    if (!table_) return std::make_unique<hw::SwitchRouting>(switch_rings(), port);
    const unsigned chip = first_port() + port;
    const hw::TableRouting::Place place{
        .box = graph_.box_of(chip), .chip = chip, .self = static_cast<sci::NodeId>(id_of(chip))};
    return std::make_unique<hw::TableRouting>(table_, place, nullptr);
}

}  // namespace ringmesh::platforms
