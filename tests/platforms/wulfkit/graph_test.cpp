// SPDX-License-Identifier: Apache-2.0
/// Machines that users write as graphs.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "platforms/wulfkit/network.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using platforms::GraphProblem;
using platforms::RoutesKind;
using platforms::WulfkitNetwork;
using platforms::WulfkitParams;
using sci::Class;

const std::string kExamples = RINGMESH_SOURCE_DIR "/examples/machines/";

/// Three switches in a circle, each with one PC on a ring of its own; neighbours share a ring.
WulfkitParams triangle(RoutesKind routing)
{
    WulfkitParams params;
    params.topology.kind = "graph";
    params.topology.routing = routing;
    params.graph.nodes = {{"0..2", 1}};
    params.graph.switches = {{"a", 3}, {"b", 3}, {"c", 3}};
    params.graph.rings = {{"pa", "node0.0 a.2"}, {"pb", "node1.0 b.2"}, {"pc", "node2.0 c.2"},
                          {"ab", "a.0 b.1"},     {"bc", "b.0 c.1"},     {"ca", "c.0 a.1"}};
    return params;
}

/// One of each kind.
const std::vector<std::string> kMachines{"wulfkit-ring",
                                         "wulfkit-torus-2d",
                                         "wulfkit-torus-3x3 --set topology.kind=counter-rotating",
                                         "wulfkit-torus-3x3 --set topology.routing=up-down",
                                         "wulfkit-switch",
                                         kExamples + "hypercube-16.toml",
                                         kExamples + "switch-tree.toml"};

WulfkitParams torus(const std::string& kind, std::vector<std::int64_t> sizes, RoutesKind routing)
{
    WulfkitParams params;
    params.topology = {kind, std::move(sizes), routing};
    return params;
}

GraphProblem problem_of(const WulfkitParams& params)
{
    try {
        WulfkitNetwork::check(params);
    } catch (const GraphProblem& problem) {
        return problem;
    }
    return {};
}

/// The rings of a graph as a user writes them.
NamedValues<std::string> rings_of(const platforms::SciGraph& graph)
{
    NamedValues<std::string> rings;
    for (const auto& ring : graph.rings()) {
        std::string ports;
        for (const unsigned chip : ring.chips) {
            ports += graph.boxes()[graph.box_of(chip)].name + '.' + std::to_string(graph.port_of(chip)) + ' ';
        }
        rings.emplace_back(ring.name, ports);
    }
    return rings;
}

struct Mistake {
    const char* name;
    const char* rings;    ///< the table
    const char* at_line;  ///< of the file
    const char* key;
};
std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.name; }

/// Line 1 of the file is the machine, line 6 the table of nodes.
constexpr const char* kHeader =
    "machine = \"wulfkit\"\ndescription = \"d\"\nbased_on = \"wulfkit-ring\"\n"
    "[topology]\nkind = \"graph\"\n";
const std::vector<Mistake> kMistakes{
    {"open port",
     "routing = \"shortest\"\n[nodes]\n\"0..2\" = 2\n[rings]\nx = [\"node0.0\", \"node1.0\", \"node2.0\"]\n",
     ":8:", "nodes.0..2"},
    {"unreachable",
     "routing = \"shortest\"\n[nodes]\n\"0..3\" = 1\n[rings]\nx = [\"node0.0\", \"node1.0\"]\ny = [\"node2.0\", "
     "\"node3.0\"]\n",
     ":8:", "nodes.0..3"},
    {"port twice",
     "routing = \"shortest\"\n[nodes]\n\"0..1\" = 1\n[rings]\nx = [\"node0.0\", \"node1.0\"]\ny = [\"node0.0\", "
     "\"node1.0\"]\n",
     ":11:", "rings.y"},
    {"unknown node", "routing = \"shortest\"\n[nodes]\n\"0..1\" = 1\n[rings]\nx = [\"node0.0\", \"node7.0\"]\n",
     ":10:", "rings.x"},
    {"no such pattern",
     "routing = \"shortest\"\n[nodes]\n\"0..1\" = 1\n[rings]\nx = [\"node0.0\", \"node1.0\"]\n[node.\"5..9\".lc2]\n"
     "send_slots = 2\n",
     ":12:", "node5.lc2.send_slots"},
    {"further cards of no PC",
     "[nodes]\n\"0..3\" = 1\n[rings]\nx = [\"node0.0\", \"node1.0\"]\ny = [\"node2.0\", \"node3.0\"]\n"
     "[cards]\n\"2..3\" = 1\n",
     ":12:", "cards.2..3"},
    {"further cards before PCs",
     "[nodes]\n\"0..3\" = 1\n[rings]\nx = [\"node0.0\", \"node1.0\", \"node3.0\", \"node2.0\"]\n[cards]\n1 = 0\n",
     ":11:", "cards"},
    {"further cards that are no nodes",
     "[nodes]\n\"0..3\" = 1\n[rings]\nx = [\"node0.0\", \"node1.0\", \"node3.0\", \"node2.0\"]\n[cards]\n4 = 0\n",
     ":11:", "cards.4"},
    {"PCs on two networks",
     "[nodes]\n\"0..3\" = 1\n[rings]\nx = [\"node0.0\", \"node1.0\"]\ny = [\"node2.0\", \"node3.0\"]\n[cards]\n"
     "3 = 1\n",
     ":7:", "nodes.0..3"},
    {"no route",
     "routing = \"table\"\n[nodes]\n\"0..2\" = 1\n[rings]\nx = [\"node0.0\", \"node1.0\", "
     "\"node2.0\"]\n[routes.node0]\n"
     "\"0..2\" = 0\n[routes.node1]\n\"0\" = 0\n",
     ":6:", "topology.routing"},
    {"an empty port", "[nodes]\n\"0..1\" = 1\n[rings]\nx = [\"node0.0\", \"\", \"node1.0\"]\n", ":9:", "rings.x"},
    {"own ring of nobody",
     "routing = \"shortest\"\n[nodes]\n\"0..1\" = 1\n[rings]\nx = [\"node0.0\", \"node1.0\"]\n[ring.y.cable]\nlength = "
     "\"2 m\"\n",
     ":12:", "ring.y"}};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(graph)

BOOST_AUTO_TEST_CASE(shortest_routes_round_a_circle_of_switches_are_one_switch_ring_long)
{
    const WulfkitNetwork network(triangle(RoutesKind::kShortest));
    for (unsigned from = 0; from < 3; ++from) {
        for (unsigned to = 0; to < 3; ++to) {
            if (from != to) BOOST_TEST(network.routes().route(from, to, Class::kRequest).count == 3u);
        }
    }
}

/// Each switch sends clockwise what goes two steps on: the send queues of the circle wait for each other.
BOOST_AUTO_TEST_CASE(routes_that_close_a_circle_of_queues_are_refused_channel_by_channel)
{
    WulfkitParams params = triangle(RoutesKind::kTable);
    params.graph.routes = {{"node0.0..2", 0}, {"node1.0..2", 0}, {"node2.0..2", 0}, {"a.0", 2}, {"a.1..2", 0},
                           {"b.1", 2},        {"b.0", 0},        {"b.2", 0},        {"c.2", 2}, {"c.0..1", 0}};
    const GraphProblem problem = problem_of(params);
    BOOST_TEST(problem.key == "topology.routing");
    for (const char* queue : {"a.lc2_0 (send)", "b.lc2_1 (receive)", "b.lc2_0 (send)", "c.lc2_1 (receive)",
                              "c.lc2_0 (send)", "a.lc2_1 (receive)"}) {
        BOOST_TEST(contains(problem.what, queue), queue << " is not in: " << problem.what);
    }
    params.topology.routing = RoutesKind::kUpDown;
    BOOST_TEST(problem_of(params).what == "");
}

/// Of a node that is on no ring of theirs: what comes back to a box that is, has another mistake.
BOOST_AUTO_TEST_CASE(a_table_whose_routes_come_back_is_refused)
{
    WulfkitParams params = triangle(RoutesKind::kTable);
    params.graph.nodes = {{"0..3", 1}};
    params.graph.switches = {{"a", 4}, {"b", 3}, {"c", 3}, {"d", 2}};
    params.graph.rings.emplace_back("pd", "node3.0 d.0");
    params.graph.rings.emplace_back("ad", "a.3 d.1");
    params.graph.routes = {{"node0.0..3", 0}, {"node1.0..3", 0}, {"node2.0..3", 0}, {"node3.0..3", 0}, {"a.0", 2},
                           {"a.1..3", 0},     {"b.1", 2},        {"b.0", 0},        {"b.2..3", 0},     {"c.2", 2},
                           {"c.0..1", 0},     {"c.3", 0},        {"d.3", 0},        {"d.0..2", 1}};
    const std::string what = problem_of(params).what;
    BOOST_TEST(contains(what, "come back to a and go round for ever"), what);
    BOOST_TEST(problem_of(params).key == "routes.a.1..3");
}

BOOST_AUTO_TEST_CASE(up_and_down_closes_no_circle_on_tori_of_either_kind_and_switches)
{
    for (const auto& sizes : std::vector<std::vector<std::int64_t>>{{4, 4}, {3, 2, 4}}) {
        BOOST_TEST(problem_of(torus("torus", sizes, RoutesKind::kUpDown)).what == "");
    }
    BOOST_TEST(problem_of(torus("counter-rotating", {5, 3}, RoutesKind::kUpDown)).what == "");
    BOOST_TEST(problem_of(torus("switch", {2, 4}, RoutesKind::kUpDown)).what == "");
}

/// They take the dimensions in an order that depends on the way.
BOOST_AUTO_TEST_CASE(shortest_routes_of_a_torus_are_refused_and_those_of_a_switch_are_not)
{
    BOOST_TEST(problem_of(torus("torus", {4, 4}, RoutesKind::kShortest)).key == "topology.routing");
    BOOST_TEST(problem_of(torus("switch", {2, 4}, RoutesKind::kShortest)).what == "");
}

BOOST_AUTO_TEST_CASE(shortest_routes_of_a_torus_are_as_long_as_those_by_dimension_order)
{
    const WulfkitNetwork tables(torus("torus", {4, 3, 2}, RoutesKind::kShortest));
    const WulfkitNetwork formula(torus("torus", {4, 3, 2}, RoutesKind::kDimensionOrder));
    for (unsigned from = 0; from < formula.nodes(); ++from) {
        for (unsigned to = 0; to < formula.nodes(); ++to) {
            const Route a = tables.routes().route(from, to, Class::kRequest);
            const Route b = formula.routes().route(from, to, Class::kRequest);
            BOOST_TEST_REQUIRE(a.count == b.count);
            unsigned hops_a = 0;
            unsigned hops_b = 0;
            for (const RingUse& use : a) hops_a += use.hops;
            for (const RingUse& use : b) hops_b += use.hops;
            BOOST_TEST(hops_a == hops_b);
        }
    }
}

/// A torus, link by link: port d of each node is on its ring of dimension d.
BOOST_AUTO_TEST_CASE(a_torus_written_as_a_graph_takes_the_dimensions_in_order_and_answers_backwards)
{
    const WulfkitNetwork kind(torus("torus", {4, 3, 2}, RoutesKind::kDimensionOrder));
    WulfkitParams params = torus("graph", {}, RoutesKind::kDimensionOrder);
    params.graph.nodes = {{"0..23", 3}};
    params.graph.rings = rings_of(kind.graph());
    BOOST_TEST_REQUIRE(problem_of(params).what == "");
    const WulfkitNetwork graph(params);
    for (const Class way : {Class::kRequest, Class::kResponse}) {
        for (unsigned from = 0; from < kind.nodes(); ++from) {
            for (unsigned to = 0; to < kind.nodes(); ++to) {
                const Route a = graph.routes().route(from, to, way);
                const Route b = kind.routes().route(from, to, way);
                BOOST_TEST_REQUIRE(a.count == b.count);
                for (auto x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y) {
                    BOOST_TEST(x->ring == y->ring);
                    BOOST_TEST(x->hops == y->hops);
                }
            }
        }
    }
}

/// Of two pairs of cards that are as near each serves half of the targets.
BOOST_AUTO_TEST_CASE(two_cards_in_a_pc_share_its_targets_and_the_nearer_one_goes_first)
{
    WulfkitParams params = torus("graph", {}, RoutesKind::kDimensionOrder);
    params.graph.nodes = {{"0..7", 1}};
    params.graph.cards = {{"4..7", 0}};
    params.graph.rings = {{"x", "node0.0 node1.0 node2.0 node3.0"}, {"y", "node4.0 node7.0 node6.0 node5.0"}};
    BOOST_TEST_REQUIRE(problem_of(params).what == "");
    const WulfkitNetwork opposite(params);
    BOOST_TEST(opposite.graph().pcs() == 4u);
    BOOST_TEST(opposite.nodes() == 8u);
    BOOST_TEST(opposite.graph().pc_of(6) == 2u);
    BOOST_TEST(!opposite.is_one_network());
    const auto way = [](const WulfkitNetwork& network, unsigned from, unsigned to) {
        const WulfkitNetwork::Cards cards = network.cards_between(from, to);
        return std::pair(cards.from, cards.to);
    };
    BOOST_TEST((way(opposite, 0, 1) == std::pair(0U, 1U)));
    BOOST_TEST((way(opposite, 0, 3) == std::pair(4U, 7U)));  // the ring in the other direction
    BOOST_TEST((way(opposite, 0, 2) == std::pair(0U, 2U)));
    BOOST_TEST((way(opposite, 1, 3) == std::pair(1U, 3U)));
    params.graph.rings[1].second = "node4.0 node5.0 node6.0 node7.0";
    const WulfkitNetwork planes(params);
    BOOST_TEST((way(planes, 0, 2) == std::pair(0U, 2U)));
    BOOST_TEST((way(planes, 0, 3) == std::pair(4U, 7U)));
    BOOST_TEST((way(planes, 0, 1) == std::pair(4U, 5U)));
    BOOST_TEST(planes.graph().chip_name(5) == "node1.node5.lc2");
}

BOOST_AUTO_TEST_CASE(a_ring_of_its_own_has_its_cable_and_symbol_time)
{
    WulfkitParams params = triangle(RoutesKind::kShortest);
    params.graph.ring = {{"pb", {params.cable, 3_ns}}};
    params.graph.ring[0].second.cable.length = 9_m;
    const WulfkitNetwork network(params);
    const auto own = network.link_controller(1, 0, WulfkitNetwork::Behind::kBLink);
    BOOST_TEST((own.link.symbol_time == 3_ns));
    BOOST_TEST((own.cable.length == 9_m));
    BOOST_TEST((network.switch_port(5).link.symbol_time == 3_ns));  // b.2
    BOOST_TEST((network.link_controller(0, 0, WulfkitNetwork::Behind::kBLink).cable.length == params.cable.length));
}

BOOST_AUTO_TEST_CASE(a_switch_of_its_own_has_its_chips_and_bus)
{
    WulfkitParams params = triangle(RoutesKind::kShortest);
    params.graph.own = {{"b", {params.lc2, params.switch_blink}}};
    params.graph.own[0].second.lc2.bypass = params.lc2.bypass + params.lc2.bypass;
    params.graph.own[0].second.blink.clock = 20_MHz;
    const WulfkitNetwork network(params);
    BOOST_TEST((network.switch_port(3).chip.bypass == params.graph.own[0].second.lc2.bypass));  // b.0
    BOOST_TEST((network.blink_of("b").clock == 20_MHz));
    BOOST_TEST((network.switch_port(2).chip.bypass == params.lc2.bypass));  // a.2
    BOOST_TEST((network.blink_of("a").clock == params.switch_blink.clock));
    params.graph.own[0].first = "d";
    BOOST_TEST(problem_of(params).key == "switch.d");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(platforms)
BOOST_AUTO_TEST_SUITE(graphs)

BOOST_DATA_TEST_CASE(listed_routes_are_those_that_are_computed, data::make(kMachines), machine)
{
    const TemporaryFolder folder;
    const auto file = folder.write("routes.toml", out_of("list routes " + machine));
    const Ended same = ringmesh::test::ringmesh(
        words("list parameters " + machine + " --overlay " + file + " --set topology.check_routes=true"));
    BOOST_TEST(same.status == 0, same.err);
}

/// The last entry with port 0 has port 1 instead; a ring has no other port.
BOOST_DATA_TEST_CASE(routes_that_differ_from_a_file_are_named_with_its_lines,
                     data::make(std::vector<std::string>(kMachines.begin() + 1, kMachines.end())), machine)
{
    std::string routes = out_of("list routes " + machine);
    const std::size_t at = routes.rfind("= 0");
    BOOST_TEST_REQUIRE(at != std::string::npos);
    routes[at + 2] = '1';
    const auto line = 1 + std::count(routes.begin(), routes.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    const TemporaryFolder folder;
    const auto file = folder.write("routes.toml", routes);
    const Ended ended = ringmesh::test::ringmesh(
        words("list parameters " + machine + " --overlay " + file + " --set topology.check_routes=true"));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(ended.out == "");
    BOOST_TEST(contains(ended.err, "routes.toml:" + std::to_string(line) + ": r"), ended.err);
}

/// Of requests, which programs and traffic send, and of responses, which answer reads.
BOOST_DATA_TEST_CASE(listed_routes_given_back_as_a_table_give_the_same_results,
                     data::make(kMachines) * data::make({"traffic:load=0.3,duration=20us", "remote-read:sizes=64"}),
                     machine, workload)
{
    const TemporaryFolder folder;
    const auto file = folder.write("routes.toml", out_of("list routes " + machine));
    const std::string run = "run " + machine + " --workload " + workload;
    const auto computed = json_of(run);
    const std::string same = std::string(" --workload ") + workload + " --set topology.routing=table --overlay " + file;
    const auto given = json_of("run " + machine.substr(0, machine.find(" --set topology.routing")) + same);
    BOOST_TEST(computed["results"]["rows"].dump() == given["results"]["rows"].dump());
}

BOOST_AUTO_TEST_CASE(what_stays_on_a_ring_is_checked_as_well)
{
    const std::string machine = "wulfkit-torus-3x3 --set topology.routing=up-down";
    std::string routes = out_of("list routes " + machine);
    const std::size_t table = routes.find("[passes]");
    BOOST_TEST_REQUIRE(table != std::string::npos);
    const std::size_t list = routes.find("= \"", table) + 3;
    routes.replace(list, routes.find('"', list) - list, "0..8");
    const TemporaryFolder folder;
    const auto file = folder.write("routes.toml", routes);
    const Ended ended = ringmesh::test::ringmesh(
        words("list parameters " + machine + " --overlay " + file + " --set topology.check_routes=true"));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, ": passes."), ended.err);
}

BOOST_AUTO_TEST_CASE(the_table_of_another_machine_is_told_from_a_wrong_name)
{
    const TemporaryFolder folder;
    const auto file = folder.write("routes.toml", out_of("list routes wulfkit-switch"));
    const Ended ended = ringmesh::test::ringmesh(
        words("list parameters wulfkit-torus-2d --overlay " + file + " --set topology.check_routes=true"));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "`ringmesh list routes`"), ended.err);
}

/// Its processor and PCI bus are those of the PC.
BOOST_AUTO_TEST_CASE(a_further_card_has_no_pc_of_its_own)
{
    const std::string file = kExamples + "two-cards.toml";
    const auto status = [&](const std::string& setting) {
        return ringmesh::test::ringmesh(words("list parameters " + file + " --set " + setting)).status;
    };
    BOOST_TEST(status("node8.lc2.send_slots=2") == 0);
    BOOST_TEST(status("node0.pci.clock=66MHz") == 0);
    BOOST_TEST(status("node8.pci.clock=66MHz") == 2);
    BOOST_TEST(ringmesh::test::ringmesh(words("check " + file)).status == 0);
    BOOST_TEST(ringmesh::test::ringmesh(words("check " + file + " --sources")).status == 2);
}

BOOST_AUTO_TEST_CASE(routes_are_not_checked_against_nothing)
{
    const Ended ended = ringmesh::test::ringmesh(words("list routes wulfkit-ring --set topology.check_routes=true"));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "topology.check_routes"), ended.err);
}

BOOST_DATA_TEST_CASE(a_wrong_graph_is_refused_with_line_and_key, data::make(kMistakes), mistake)
{
    const TemporaryFolder folder;
    const auto file = folder.write("mine.toml", std::string(kHeader) + mistake.rings);
    const Ended ended = ringmesh::test::ringmesh({"run", file, "--workload", "traffic"});
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(ended.out == "");
    BOOST_TEST(contains(ended.err, mistake.at_line), ended.err);
    BOOST_TEST(contains(ended.err, std::string(mistake.key)), ended.err);
}

/// A ring that is written as a graph is the ring of the generator.
BOOST_AUTO_TEST_CASE(a_ring_written_as_a_graph_gives_the_ring_s_results)
{
    const TemporaryFolder folder;
    const auto file = folder.write("mine.toml", std::string(kHeader) +
                                                    "routing = \"shortest\"\n[nodes]\n\"0..3\" = 1\n[rings]\n"
                                                    "x = [\"node0.0\", \"node1.0\", \"node2.0\", \"node3.0\"]\n");
    for (const std::string workload : {"latency-map", "traffic:load=0.6,duration=30us"}) {
        const auto mine = json_of("run " + file + " --workload " + workload);
        const auto ring = json_of("run wulfkit-ring --set topology.dimensions=4 --workload " + workload);
        BOOST_TEST(mine["results"]["rows"].dump() == ring["results"]["rows"].dump());
    }
}

BOOST_AUTO_TEST_CASE(a_torus_written_as_a_graph_gives_the_torus_s_results)
{
    const WulfkitNetwork kind(torus("torus", {3, 3}, RoutesKind::kDimensionOrder));
    std::string text = std::string(kHeader) + "[nodes]\n\"0..8\" = 2\n[rings]\n";
    for (const auto& [name, ports] : rings_of(kind.graph())) text += name + " = \"" + ports + "\"\n";
    const TemporaryFolder folder;
    const auto file = folder.write("mine.toml", text);
    for (const std::string workload : {"latency-map", "traffic:load=0.6,duration=30us", "remote-read:sizes=64"}) {
        const auto mine = json_of("run " + file + " --workload " + workload);
        const auto grid = json_of("run wulfkit-torus-2d --set topology.dimensions=3x3 --workload " + workload);
        BOOST_TEST(mine["results"]["rows"].dump() == grid["results"]["rows"].dump());
    }
}

/// Twice the links, and each PC answers by the card that was asked: more than a PC with one card gets, and less than
/// twice, since all goes over its one PCI bus.
BOOST_AUTO_TEST_CASE(pcs_with_two_cards_run_every_library_and_carry_more)
{
    const std::string file = kExamples + std::string("two-cards.toml");
    json_of("run " + file + " --workload ping-pong:sizes=64 --library raw");
    for (const std::string library : {"deck", "scampi"}) {
        const auto mine = json_of("run " + file + " --workload all-to-all:sizes=4096 --library " + library);
        const auto ring = json_of("run wulfkit-ring --workload all-to-all:sizes=4096 --library " + library);
        BOOST_TEST(mine["results"]["rows"].size() == ring["results"]["rows"].size());
    }
    const auto far = [](const std::string& machine) {
        return json_of("run " + machine + " --workload latency-map")["results"]["rows"][0];
    };
    BOOST_TEST(far(file).dump() != far("wulfkit-ring").dump());
    const Ended traffic = ringmesh::test::ringmesh({"run", file, "--workload", "traffic"});
    BOOST_TEST(traffic.status == 2);
    BOOST_TEST(contains(traffic.err, "cards"), traffic.err);
}

BOOST_DATA_TEST_CASE(two_rings_between_two_switches_both_carry_packets, data::make({"shortest", "up-down"}), routing)
{
    const TemporaryFolder folder;
    const std::string file =
        folder.write("two.toml",
                     "machine = \"wulfkit\"\ndescription = \"two switches\"\nbased_on = \"wulfkit-ring\"\n[topology]\n"
                     "kind = \"graph\"\nrouting = \"" +
                         std::string(routing) +
                         "\"\n[nodes]\n\"0..3\" = 1\n"
                         "[switches]\na = 4\nb = 4\n[rings]\nx = [\"a.0\", \"b.0\"]\ny = [\"a.1\", \"b.1\"]\n"
                         "p = [\"a.2\", \"node0.0\"]\nq = [\"a.3\", \"node1.0\"]\n"
                         "r = [\"b.2\", \"node2.0\"]\ns = [\"b.3\", \"node3.0\"]\n");
    std::string used;
    const auto listed = nlohmann::json::parse(out_of("list routes " + file + " --json"));
    for (const auto& route : listed.at("routes")) {
        if (route["table"] == "routes.a") used += route["way"].get<std::string>();
    }
    for (const char* port : {"0", "1", "2", "3"}) BOOST_TEST(contains(used, port), used);
    BOOST_TEST(json_of("run " + file + " --workload traffic:load=0.2,duration=20us")["results"]["rows"].size() == 1u);
}

BOOST_DATA_TEST_CASE(examples_run_programs_and_traffic,
                     data::make({"hypercube-16", "switch-tree", "torus-without-a-ring"}), name)
{
    const std::string file = kExamples + name + ".toml";
    const auto map = json_of("run " + file + " --workload latency-map");
    BOOST_TEST(map["results"]["rows"].size() == 1u);
    const auto traffic = json_of("run " + file + " --workload traffic:load=0.2,duration=20us");
    BOOST_TEST(traffic["results"]["rows"].size() == 1u);
}

/// Two routers of four stages with their links of a cycle, the root of six between links of four, and the way in: 24
/// + 4.
BOOST_AUTO_TEST_CASE(a_tree_of_routers_is_loaded)
{
    const auto traffic =
        json_of("run " + std::string(kExamples) + "router-tree.toml --workload traffic:load=0.02,duration=20000cycles");
    const auto row = traffic["results"]["rows"][0];
    BOOST_TEST(row["senders"] == 12);
    BOOST_TEST(row["latency_mean_ns"] > 15.0);
    BOOST_TEST(row["latency_mean_ns"] < 40.0);
}

BOOST_AUTO_TEST_CASE(an_scc_on_two_dies_runs_its_libraries)
{
    const std::string file = kExamples + std::string("scc-two-dies.toml");
    const auto traffic = json_of("run " + file + " --workload traffic:load=0.05,duration=2us");
    BOOST_TEST(traffic["results"]["rows"][0]["senders"] == 23);
    for (const std::string library : {"rcce", "ircce"}) {
        const auto broadcast = json_of("run " + file + " --workload broadcast:size=4096 --library " + library);
        BOOST_TEST(broadcast["results"]["rows"].size() >= 1u);
    }
    // From the farthest corners, over a longer link
    const auto here = json_of("run " + file + " --workload memory-probe");
    BOOST_TEST(here["results"]["rows"].size() == 8u);
}

BOOST_AUTO_TEST_CASE(an_scc_of_192_cores_runs_all_but_rcce_1_0_13)
{
    const std::string file = kExamples + "scc-12x8.toml";
    const auto probe = json_of("run " + file + " --workload memory-probe");
    BOOST_TEST(probe["results"]["rows"].size() == 19u);  // hops from corner to corner
    const auto traffic = json_of("run " + file + " --workload traffic:load=0.05,duration=2us");
    BOOST_TEST(traffic["results"]["rows"][0]["senders"] == 96);
    const auto messages =
        json_of("run " + file + " --workload ping-pong:sizes=32,repetitions=1 --library rcce:version=1.1");
    BOOST_TEST(messages["results"]["rows"].size() == 5u);
    const Ended old =
        ringmesh::test::ringmesh(words("run " + file + " --workload broadcast --library rcce:version=1.0.13"));
    BOOST_TEST(old.status == 2, old.err);
    BOOST_TEST(contains(old.err, "RCCE 1.0.13"), old.err);
}

BOOST_AUTO_TEST_CASE(a_pattern_sets_the_parameters_of_its_nodes_alone)
{
    const auto run = json_of("run wulfkit-ring --set node3..5.lc2.send_slots=2 --workload traffic:duration=5us");
    const std::string text = run.dump();
    for (const char* node : {"node3", "node4", "node5"})
        BOOST_TEST(contains(text, std::string(node) + ".lc2.send_slots"));
    BOOST_TEST(!contains(text, "node2.lc2.send_slots"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
