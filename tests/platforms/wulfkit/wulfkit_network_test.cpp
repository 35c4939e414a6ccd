// SPDX-License-Identifier: Apache-2.0
/// What the network says about ways agrees with where the routing tables of its chips send packets.
#include "platforms/wulfkit/network.h"

#include <map>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/hw/printing.h"
#include "tests/hw/sci/link_controller/walk.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using platforms::TopologyParams;
using platforms::WulfkitNetwork;
using platforms::WulfkitParams;
using sci::Class;
using sci::NodeId;

struct Shape {
    TopologyParams topology;

    WulfkitNetwork network() const
    {
        WulfkitParams params;
        params.topology = topology;
        return WulfkitNetwork(params);
    }
    std::int64_t size(std::size_t dimension) const { return topology.dimensions.at(dimension); }
    friend std::ostream& operator<<(std::ostream& out, const Shape& shape)
    {
        for (const auto size : shape.topology.dimensions) out << size << ' ';
        return out << "kind " << shape.topology.kind;
    }
};

std::vector<Shape> shapes(const std::string& kind)
{
    if (kind == "switch") return {{{kind, {2, 4}}}, {{kind, {3, 2}}}, {{kind, {2, 8}}}, {{kind, {5, 3}}}};
    return {{{kind, {2}}},       {{kind, {5}}},       {{kind, {3, 3}}},       {{kind, {4, 3}}},
            {{kind, {4, 3, 2}}}, {{kind, {2, 4, 5}}}, {{kind, {2, 2, 2, 2}}}, {{kind, {3, 2, 4, 2}}}};
}

std::vector<Shape> all_shapes()
{
    std::vector<Shape> all;
    for (const auto kind : {"torus", "counter-rotating", "switch"}) {
        for (const Shape& shape : shapes(kind)) all.push_back(shape);
    }
    return all;
}

const auto kAll = data::make(all_shapes());
const auto kTori = data::make(shapes("torus"));
const auto kCounterRotating = data::make(shapes("counter-rotating"));
const auto kSwitches = data::make(shapes("switch"));

/// With a switch, port r has the number nodes + r, and its link leads to the first node of ring r.
Wiring wiring_of(const WulfkitNetwork& network)
{
    const unsigned nodes = network.nodes();
    Wiring wiring;
    wiring.card = [&network](unsigned node) { return network.routes().card(static_cast<NodeId>(node)); };
    wiring.routing = [&network, nodes](unsigned node, unsigned link) -> std::unique_ptr<hw::Routing> {
        if (node < nodes) return network.routes().link(static_cast<NodeId>(node), link);
        return network.routes().switch_port(node - nodes);
    };
    wiring.next = [&graph = network.graph()](unsigned node, unsigned link) {
        const unsigned port =
            node < graph.nodes() ? graph.chip(node, link) : graph.first_switch_chip() + node - graph.nodes();
        return graph.number_of(graph.next(port));
    };
    wiring.on_port = [nodes](unsigned node, std::uint8_t port) -> std::optional<Entry> {
        if (node >= nodes) return Entry{.node = nodes + port, .link = 0, .hops = 0};
        if (port == platforms::NetworkRoutes::kHostPort) return std::nullopt;
        return Entry{.node = node, .link = unsigned{port} - platforms::NetworkRoutes::kFirstLinkPort, .hops = 0};
    };
    return wiring;
}

/// Every ring of links, followed from each of its link controllers: those passed by a packet that is never stripped.
using Ends = std::set<std::pair<unsigned, unsigned>>;
Ends ring_of(const WulfkitNetwork& network, unsigned node, unsigned link)
{
    const Wiring wiring = wiring_of(network);
    Ends ends;
    while (ends.insert({node, link}).second) node = wiring.next(node, link);
    return ends;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(wulfkit_network)

/// Where they share links, so do their ring numbers: load on one route is load on the other.
BOOST_DATA_TEST_CASE(routes_are_those_of_the_routing_tables, kAll, shape)
{
    const WulfkitNetwork network = shape.network();
    const Wiring wiring = wiring_of(network);
    std::map<Ends, unsigned> numbers;
    for (unsigned from = 0; from < network.nodes(); ++from) {
        for (unsigned to = 0; to < network.nodes(); ++to) {
            for (const Class kind : {Class::kRequest, Class::kResponse}) {
                const Walk taken = walk(wiring, from, to, kind);
                const Route route = network.routes().route(from, to, kind);
                BOOST_TEST(taken.end == to);
                BOOST_TEST_REQUIRE(route.count == taken.entries.size());
                for (std::size_t i = 0; i < route.count; ++i) {
                    const Entry& entry = taken.entries[i];
                    const Ends ends = ring_of(network, entry.node, entry.link);
                    BOOST_TEST(route.uses[i].hops == entry.hops);
                    BOOST_TEST(route.uses[i].nodes == ends.size());
                    BOOST_TEST(numbers.emplace(ends, route.uses[i].ring).first->second == route.uses[i].ring);
                }
            }
        }
    }
    std::set<unsigned> different;
    for (const auto& [ends, number] : numbers) different.insert(number);
    BOOST_TEST(different.size() == numbers.size());
    BOOST_TEST(*different.rbegin() < network.rings());
}

BOOST_DATA_TEST_CASE(links_close_to_as_many_rings_as_it_says_with_a_scrubber_each, kAll, shape)
{
    const WulfkitNetwork network = shape.network();
    std::set<Ends> rings;
    for (unsigned node = 0; node < network.nodes(); ++node) {
        for (unsigned link = 0; link < network.links_per_node(); ++link) {
            int scrubbers = 0;
            const Ends ring = ring_of(network, node, link);
            rings.insert(ring);
            for (const auto& [at, its_link] : ring) {
                const auto config = at < network.nodes() ? network.link_controller(static_cast<NodeId>(at), its_link,
                                                                                   WulfkitNetwork::Behind::kBLink)
                                                         : network.switch_port(at - network.nodes());
                BOOST_TEST(config.node == at);
                if (config.scrubber) ++scrubbers;
            }
            BOOST_TEST(scrubbers == 1);
        }
    }
    BOOST_TEST(rings.size() == network.rings());
}

BOOST_DATA_TEST_CASE(a_torus_has_a_ring_per_line_of_nodes_and_a_link_per_dimension, kTori, shape)
{
    const WulfkitNetwork network = shape.network();
    std::int64_t rings = 0;
    std::int64_t nodes = 1;
    for (const auto size : shape.topology.dimensions) nodes *= size;
    for (const auto size : shape.topology.dimensions) rings += nodes / size;
    BOOST_TEST(network.rings() == rings);
    BOOST_TEST(network.links_per_node() == shape.topology.dimensions.size());
    for (unsigned node = 0; node < nodes; ++node) {
        for (unsigned d = 0; d < network.links_per_node(); ++d) {
            BOOST_TEST(network.neighbour(node, d) == network.torus()->next(node, d));
        }
    }
}

BOOST_DATA_TEST_CASE(counter_rotating_rings_are_two_for_each_and_run_against_each_other, kCounterRotating, shape)
{
    const WulfkitNetwork network = shape.network();
    const WulfkitNetwork torus = Shape{{"torus", shape.topology.dimensions}}.network();
    BOOST_TEST(network.rings() == 2 * torus.rings());
    BOOST_TEST_REQUIRE(network.links_per_node() == 2 * torus.links_per_node());
    for (unsigned node = 0; node < network.nodes(); ++node) {
        for (unsigned d = 0; d < torus.links_per_node(); ++d) {
            BOOST_TEST(network.neighbour(node, 2 * d) == torus.neighbour(node, d));
            BOOST_TEST(network.neighbour(network.neighbour(node, 2 * d), 2 * d + 1) == node);
        }
        for (unsigned to = 0; to < network.nodes(); ++to) {
            for (const RingUse& use : network.routes().route(node, to, Class::kRequest))
                BOOST_TEST(2 * use.hops <= use.nodes);
        }
    }
}

BOOST_DATA_TEST_CASE(a_switch_has_a_port_on_each_ring_behind_its_last_node, kSwitches, shape)
{
    const WulfkitNetwork network = shape.network();
    BOOST_TEST(network.torus() == nullptr);
    BOOST_TEST(network.rings() == shape.size(1));
    BOOST_TEST(network.links_per_node() == 1u);
    for (unsigned node = 0; node < network.nodes(); ++node) {
        const bool last = (node + 1) % shape.size(0) == 0;
        BOOST_TEST(network.neighbour(node, 0) == (last ? network.nodes() + node / shape.size(0) : node + 1));
    }
}

BOOST_DATA_TEST_CASE(links_are_named_after_their_ring,
                     data::make({Shape{{"torus", {5}}}, Shape{{"torus", {4, 3, 2}}}, Shape{{"counter-rotating", {5}}},
                                 Shape{{"counter-rotating", {3, 3}}}, Shape{{"switch", {2, 4}}}}) ^
                         data::make({"lc2 ", "lc2_0 lc2_1 lc2_2 ", "lc2_0_up lc2_0_down ",
                                     "lc2_0_up lc2_0_down lc2_1_up lc2_1_down ", "lc2 "}),
                     shape, names)
{
    const WulfkitNetwork network = shape.network();
    std::string text;
    for (const std::string& name : network.graph().boxes()[0].ports) text += name + ' ';
    BOOST_TEST(text == names);
}

/// A packet source takes no time, so there is no bus to follow; the ports of a switch have its own bus.
BOOST_AUTO_TEST_CASE(each_chip_knows_the_bus_behind_it)
{
    WulfkitParams params;
    params.topology = {"switch", {2, 4}};
    params.lc2.switching = "cut-through";
    const WulfkitNetwork network(params);
    using Behind = WulfkitNetwork::Behind;
    BOOST_TEST(!network.link_controller(0, 0, Behind::kPacketSource).blink.has_value());
    BOOST_TEST((network.link_controller(0, 0, Behind::kBLink).blink->clock == params.blink.clock));
    BOOST_TEST((network.switch_port(1).blink->clock == params.switch_blink.clock));
    const hw::LinkTiming on_bus(params.link, params.cable, params.lc2, params.blink);
    const hw::LinkTiming on_source(params.link, params.cable, params.lc2, std::nullopt);
    BOOST_TEST((network.timing(0, Behind::kBLink)->to_blink == on_bus.to_blink));
    BOOST_TEST((network.timing(0, Behind::kPacketSource)->to_blink == on_source.to_blink));
    BOOST_TEST((on_bus.to_blink != on_source.to_blink));
}

BOOST_AUTO_TEST_CASE(a_node_that_differs_has_its_own_values_and_shares_none)
{
    WulfkitParams params;
    params.one_node.emplace(3, params);
    params.one_node.at(3).lc2.send_slots = 2;
    params.one_node.at(3).blink.clock = 10_MHz;
    const WulfkitNetwork network(params);
    using Behind = WulfkitNetwork::Behind;
    for (const sci::NodeId node : {sci::NodeId{2}, sci::NodeId{3}}) {
        const auto config = network.link_controller(node, 0, Behind::kBLink);
        BOOST_TEST(config.chip.send_slots == (node == 3 ? 2 : params.lc2.send_slots));
        BOOST_TEST((config.blink->clock == (node == 3 ? 10_MHz : params.blink.clock)));
        BOOST_TEST((network.timing(node, Behind::kBLink) == nullptr) == (node == 3));
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
