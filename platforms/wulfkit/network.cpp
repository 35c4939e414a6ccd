// SPDX-License-Identifier: Apache-2.0
#include "platforms/wulfkit/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "platforms/wulfkit/routes/written_routes.h"
#include "tlm/simulation/random.h"

namespace ringmesh::platforms {
namespace {

void require_few_enough_for_a_table(unsigned nodes)
{
    constexpr unsigned kMostNodes = 4096;
    if (nodes <= kMostNodes) return;
    throw GraphProblem{"topology.routing", fmt::format("tables for more than {} nodes", kMostNodes),
                       "write fewer nodes, or topology.kind with topology.routing = \"dimension-order\" and no check"};
}

std::shared_ptr<const NetworkRoutes> make_routes(const std::shared_ptr<const NetworkShape>& shape,
                                                 const WulfkitParams& params)
{
    const SciGraph& graph = shape->graph();
    const auto by = [&graph](hw::RouteTable table) { return std::make_shared<TableRoutes>(graph, std::move(table)); };
    switch (params.topology.routing) {
        case RoutesKind::kShortest: return by(shortest_routes(graph));
        case RoutesKind::kUpDown: return by(up_down_routes(graph, graph.switches() > 0 ? graph.nodes() : 0));
        case RoutesKind::kTable: return by(WrittenRoutes(graph, params).table());
        case RoutesKind::kDimensionOrder: break;
    }
    if (const NetworkRoutes* computed = shape->routes()) return {shape, computed};
    return by(port_order_routes(graph));
}

}  // namespace

WulfkitNetwork::WulfkitNetwork(const WulfkitParams& params)
    : params_(params),
      longest_(params.longest_request()),
      shape_(shape_kind(params.topology.kind).make(params)),
      routes_(make_routes(shape_, params)),
      timing_on_blink_(std::make_shared<const hw::LinkTiming>(params.link, params.cable, params.lc2, params.blink)),
      timing_on_source_(std::make_shared<const hw::LinkTiming>(params.link, params.cable, params.lc2, std::nullopt))
{}

void WulfkitNetwork::check(const WulfkitParams& params)
{
    if (!params.topology.needs_table()) return;
    require_few_enough_for_a_table(params.nodes());
    const WulfkitNetwork network(params);
    const bool written = params.topology.routing == RoutesKind::kTable;
    check_routes(network.graph(), *network.routes_->table(), [&](unsigned box, unsigned target) -> std::string {
        return written ? WrittenRoutes(network.graph(), params).key_of(box, target) : "topology.routing";
    });
}

std::vector<GraphProblem> WulfkitNetwork::differences(const WulfkitParams& params)
{
    if (!params.topology.check_routes || params.topology.routing == RoutesKind::kTable) return {};
    if (params.graph.routes.empty()) {
        return {{"topology.check_routes", "there is no table to compare with",
                 "write one or take an overlay that has one; `ringmesh list routes` shows the computed routes"}};
    }
    const WulfkitNetwork network(params);
    return WrittenRoutes(network.graph(), params).differences(network.table());
}

hw::RouteTable WulfkitNetwork::table() const
{
    if (const hw::RouteTable* table = routes_->table()) return *table;
    require_few_enough_for_a_table(nodes());
    return table_of(graph(), *routes_);
}

WulfkitNetwork::Cards WulfkitNetwork::cards_between(unsigned from_pc, unsigned to_pc) const
{
    if (graph().pcs() == nodes()) return {from_pc, to_pc};
    const std::vector<unsigned> network = graph().networks();
    std::vector<Cards> best;
    unsigned fewest = UINT32_MAX;
    for (const unsigned from : graph().cards_of(from_pc)) {
        for (const unsigned to : graph().cards_of(to_pc)) {
            if (network[from] != network[to]) continue;
            unsigned hops = 0;
            for (const RingUse& use : routes_->route(from, to, sci::Class::kRequest)) hops += use.hops;
            if (hops < fewest) best.clear();
            if (hops <= fewest) best.push_back({from, to});
            fewest = std::min(fewest, hops);
        }
    }
    return best.at((from_pc + to_pc) % best.size());
}

PlaceGraph WulfkitNetwork::place_graph() const
{
    constexpr unsigned kSent = 16;  // packets of each card
    Random random(1);
    std::vector<std::int64_t> on_ring(rings(), 1);
    for (unsigned from = 0; from < nodes(); ++from) {
        for (unsigned packet = 0; packet < kSent; ++packet) {
            const auto to = static_cast<unsigned>(random.below(nodes()));
            if (to == from) continue;
            // A packet or its echo takes each link of a ring
            for (const RingUse& use : routes_->route(from, to, sci::Class::kRequest)) ++on_ring[use.ring];
            for (const RingUse& use : routes_->route(to, from, sci::Class::kResponse)) ++on_ring[use.ring];
        }
    }
    PlaceGraph places{.weights = std::vector<std::int64_t>(graph().boxes().size()), .links = {}};
    std::map<std::pair<std::uint32_t, std::uint32_t>, PlaceGraph::Link> links;
    for (unsigned chip = 0; chip < graph().chips(); ++chip) {
        const std::int64_t packets = on_ring[graph().ring_of(chip)];
        const std::uint32_t place = part_of(graph().box_of(chip));
        const std::uint32_t next = part_of(graph().box_of(graph().next(chip)));
        places.weights[place] += packets;
        if (next == place) continue;
        const auto ends = std::minmax(place, next);
        PlaceGraph::Link& link =
            links.try_emplace(ends, PlaceGraph::Link{ends.first, ends.second, 0, Duration::never()}).first->second;
        link.weight += packets;
        link.least = std::min(link.least, propagation(chip));
    }
    for (const auto& [ends, link] : links) places.links.push_back(link);
    return places;
}

bool WulfkitNetwork::is_one_network() const
{
    if (graph().pcs() == nodes()) return true;
    const std::vector<unsigned> network = graph().networks();
    return std::all_of(network.begin(), network.end(), [&](unsigned each) { return each == network[0]; });
}

const RingParams* WulfkitNetwork::own_ring(unsigned chip) const
{
    return params_.graph.ring.empty() ? nullptr : params_.of_ring(graph().rings()[graph().ring_of(chip)].name);
}

hw::LinkController::Config WulfkitNetwork::config_of(unsigned chip) const
{
    hw::LinkController::Config config{.node = static_cast<sci::NodeId>(graph().number_of(chip)),
                                      .scrubber = graph().scrubber(chip),
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
    auto config = config_of(graph().chip(node, link));
    config.chip = params_.of(node).lc2;
    if (behind == Behind::kBLink) config.blink = params_.of(node).blink;
    return config;
}

std::shared_ptr<const hw::LinkTiming> WulfkitNetwork::timing(sci::NodeId node, Behind behind, unsigned link) const
{
    if (params_.one_node.contains(node) || own_ring(graph().chip(node, link)) != nullptr) return nullptr;
    return behind == Behind::kBLink ? timing_on_blink_ : timing_on_source_;
}

hw::LinkController::Config WulfkitNetwork::switch_port(unsigned port) const
{
    const unsigned chip = graph().first_switch_chip() + port;
    auto config = config_of(chip);
    config.blink = params_.switch_blink;
    if (const SwitchParams* own = params_.of_switch(graph().boxes()[graph().box_of(chip)].name)) {
        config.chip = own->lc2;
        config.blink = own->blink;
    }
    return config;
}

}  // namespace ringmesh::platforms
