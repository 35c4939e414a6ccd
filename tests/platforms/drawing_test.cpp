// SPDX-License-Identifier: Apache-2.0
#include "platforms/drawing.h"

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "platforms/files/catalog.h"
#include "tests/support/cases.h"

namespace ringmesh::platforms::drawing_test {
namespace {

Drawing drawn(const std::string& platform, const std::vector<std::string>& settings = {})
{
    auto configuration = Configuration::load(find_platform(platform));
    for (const std::string& setting : settings) configuration.set(setting);
    return drawing_of(configuration);
}

std::size_t count(const Drawing& drawing, const std::string& kind)
{
    std::size_t nodes = 0;
    for (const DrawnNode& node : drawing.nodes) nodes += node.kind == kind ? 1U : 0U;
    return nodes;
}

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(drawing)

BOOST_AUTO_TEST_CASE(a_mesh_is_drawn_without_what_is_absent)
{
    const Drawing drawing =
        drawn("mesh-8x8", {"mesh.holes=\"r2_3 r4_0\"", "mesh.cut_links=r0_0.east", "mesh.routes_by=up-down"});
    BOOST_TEST(count(drawing, "router") == 62u);
    BOOST_TEST(drawing.links.size() == 2u * (2 * 7 * 8 - 4 - 3 - 1));
    for (const DrawnNode& node : drawing.nodes) BOOST_TEST((node.id != "r2_3" && node.id != "r4_0"));
    BOOST_TEST(drawing.nodes.back().label == "61");
}

BOOST_AUTO_TEST_CASE(a_graph_of_routers_is_drawn_with_those_that_only_pass_on)
{
    const Drawing drawing = drawing_of(Configuration::load(RINGMESH_SOURCE_DIR "/examples/machines/router-tree.toml"));
    BOOST_TEST((drawing.kind == DrawingKind::kGraph));
    BOOST_TEST(count(drawing, "router") == 12u);
    BOOST_TEST(count(drawing, "switch") == 5u);
    BOOST_TEST(drawing.links.size() == 32u);
}

BOOST_AUTO_TEST_CASE(large_machines_are_drawn_as_far_as_lines_can_show_them)
{
    BOOST_TEST(count(drawn("wulfkit-torus-2d", {"topology.dimensions=64x64"}), "node") == 4096u);
    BOOST_TEST(drawn("wulfkit-torus-2d", {"topology.dimensions=65x64"}).nodes.empty());
    BOOST_TEST(count(drawn("wulfkit-torus-3d", {"topology.dimensions=16x8x8"}), "node") == 1024u);
    BOOST_TEST(drawn("wulfkit-torus-3d", {"topology.dimensions=17x8x8"}).nodes.empty());
    BOOST_TEST(count(drawn("ncube-64", {"topology.dimension=10"}), "node") == 1024u);
}

BOOST_AUTO_TEST_CASE(every_platform_has_a_drawing_whose_links_join_its_nodes)
{
    for (const CatalogEntry& entry : list_platforms()) {
        BOOST_TEST_CONTEXT(entry.name)
        {
            const Drawing drawing = drawing_of(Configuration::load(entry.path));
            std::map<std::string, std::pair<double, double>> places;
            for (const DrawnNode& node : drawing.nodes) places[node.id] = {node.x, node.y};
            BOOST_TEST(!drawing.nodes.empty());
            BOOST_TEST(places.size() == drawing.nodes.size());
            std::set<std::string> names;
            for (const DrawnLink& link : drawing.links) {
                BOOST_TEST(places.contains(link.from));
                BOOST_TEST(places.contains(link.to));
                names.insert(link.place);
            }
            BOOST_TEST(names.size() == drawing.links.size());
            for (const DrawnBlock& block : drawing.blocks) BOOST_TEST(places.contains(block.node));
            for (auto a = places.begin(); a != places.end(); ++a) {
                for (auto b = std::next(a); b != places.end(); ++b) {
                    BOOST_TEST(std::hypot(a->second.first - b->second.first, a->second.second - b->second.second) >
                               0.9);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_torus_has_a_link_of_each_dimension_from_each_node)
{
    const Drawing drawing = drawn("wulfkit-torus-2d", {"topology.dimensions=4x3"});
    BOOST_TEST((drawing.kind == DrawingKind::kTorus));
    BOOST_TEST(drawing.nodes.size() == 12u);
    BOOST_TEST(drawing.links.size() == 24u);
    const auto link = [&](const std::string& place) {
        for (const DrawnLink& each : drawing.links) {
            if (each.place == place) return each.to;
        }
        return std::string();
    };
    BOOST_TEST(link("node3.lc2_0.link_out") == "node0");
    BOOST_TEST(link("node9.lc2_1.link_out") == "node1");
}

BOOST_AUTO_TEST_CASE(a_ring_is_a_circle_with_one_link_each)
{
    const Drawing drawing = drawn("wulfkit-ring", {"topology.dimensions=16"});
    BOOST_TEST((drawing.kind == DrawingKind::kRing));
    const double radius = std::hypot(drawing.nodes[0].x, drawing.nodes[0].y);
    for (const DrawnNode& node : drawing.nodes)
        BOOST_TEST(std::hypot(node.x, node.y) == radius, 1e-9 % boost::test_tools::tolerance());
    BOOST_TEST(drawing.links[15].place == "node15.lc2.link_out");
    BOOST_TEST(drawing.links[15].to == "node0");
}

BOOST_AUTO_TEST_CASE(rings_of_a_switch_meet_there)
{
    const Drawing drawing = drawn("wulfkit-switch");
    BOOST_TEST((drawing.kind == DrawingKind::kSwitch));
    std::size_t in = 0;
    std::size_t out = 0;
    for (const DrawnLink& link : drawing.links) {
        in += link.to == "switch" ? 1U : 0U;
        out += link.from == "switch" ? 1U : 0U;
    }
    BOOST_TEST(in == out);
    BOOST_TEST(in > 1u);
}

BOOST_AUTO_TEST_CASE(a_chip_has_tiles_controllers_and_links_both_ways)
{
    const Drawing drawing = drawn("scc");
    BOOST_TEST((drawing.kind == DrawingKind::kSccChip));
    BOOST_TEST(count(drawing, "tile") == 24u);
    BOOST_TEST(count(drawing, "memory") == 4u);
    BOOST_TEST(drawing.links.size() == 2u * (5 * 4 + 6 * 3) + 5);  // neighbours, and five edges
}

BOOST_AUTO_TEST_CASE(a_node_of_a_cube_has_a_channel_for_each_dimension_and_the_host)
{
    const Drawing drawing = drawn("ncube-64");
    BOOST_TEST((drawing.kind == DrawingKind::kHypercube));
    BOOST_TEST(drawing.nodes.size() == 65u);
    BOOST_TEST(drawing.links.size() == 64u * 6 + 2 * 64);
}

BOOST_AUTO_TEST_CASE(what_is_too_large_to_be_read_is_not_drawn)
{
    BOOST_TEST(drawn("wulfkit-torus-2d", {"topology.dimensions=65x65"}).nodes.empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace ringmesh::platforms::drawing_test
