// SPDX-License-Identifier: Apache-2.0
/// Networks of routers that are graphs, and routers and links with parameters of their own.
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "hw/mesh/params.h"
#include "hw/mesh/topology/grid.h"
#include "hw/route_graph.h"
#include "tests/hw/mesh/mesh_bench.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::GraphProblem;
using hw::MeshDetail;
using hw::MeshGrid;
using hw::MeshParams;
using hw::MeshRoutesBy;
using mesh::Port;

const auto kDetails = data::make({MeshDetail::kPath, MeshDetail::kFlit});

/// Three routers with terminals around one without: r0, r1 and r2 at its north, east and south.
MeshParams star()
{
    MeshParams params;
    params.shape = hw::MeshShape::kGraph;
    params.routes_by = MeshRoutesBy::kShortest;
    params.nodes = {{"0..2", "terminal"}, {"3", "router"}};
    params.links = {{"a", "r0.south r3.north"}, {"b", "r1.west r3.east"}, {"c", "r2.north r3.south"}};
    return params;
}

/// Two of four terminals at either of two routers, which two links join.
MeshParams doubled()
{
    MeshParams params = star();
    params.nodes = {{"0..3", "terminal"}, {"4..5", "router"}};
    params.links = {{"a", "r0.south r4.north"}, {"b", "r1.south r4.south"}, {"c", "r2.south r5.north"},
                    {"d", "r3.south r5.south"}, {"e", "r4.east r5.east"},   {"f", "r4.west r5.west"}};
    return params;
}

/// A grid, link by link.
MeshParams written_grid(std::uint16_t columns, std::uint16_t rows)
{
    MeshParams params = star();
    params.nodes = {{"0.." + std::to_string(columns * rows - 1), "terminal"}};
    params.links.clear();
    const auto name = [](int router, const char* side) { return "r" + std::to_string(router) + side; };
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) {
            const int at = x + columns * y;
            if (x + 1 < columns)
                params.links.emplace_back("x" + std::to_string(at), name(at, ".east ") + name(at + 1, ".west"));
            if (y + 1 < rows) {
                params.links.emplace_back("y" + std::to_string(at), name(at, ".north ") + name(at + columns, ".south"));
            }
        }
    }
    return params;
}

struct Wrong {
    const char* what;
    void (*make)(MeshParams& params);
    const char* key;
};
std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.what; }

const std::vector<Wrong> kWrong{
    {"no nodes", [](MeshParams& p) { p.nodes.clear(); }, "shape"},
    {"a grid with nodes", [](MeshParams& p) { p.shape = hw::MeshShape::kGrid; }, "shape"},
    {"no number", [](MeshParams& p) { p.nodes[0].first = "all"; }, "nodes.all"},
    {"no kind of node", [](MeshParams& p) { p.nodes[1].second = "tile"; }, "nodes.3"},
    {"a number twice",
     [](MeshParams& p) {
         p.nodes.push_back({"2", "terminal"});
     },
     "nodes.2"},
    {"a number left out", [](MeshParams& p) { p.nodes[1].first = "4"; }, "nodes"},
    {"a router before a terminal",
     [](MeshParams& p) {
         p.nodes = {{"0", "router"}, {"1..3", "terminal"}};
     },
     "nodes.1..3"},
    {"no terminal",
     [](MeshParams& p) {
         p.nodes = {{"0..3", "router"}};
     },
     "nodes"},
    {"no such router", [](MeshParams& p) { p.links[0].second = "r0.south r9.north"; }, "links.a"},
    {"no such side", [](MeshParams& p) { p.links[0].second = "r0.up r3.north"; }, "links.a"},
    {"one end", [](MeshParams& p) { p.links[0].second = "r0.south"; }, "links.a"},
    {"three ends", [](MeshParams& p) { p.links[0].second = "r0.south r3.north r3.west"; }, "links.a"},
    {"a side twice", [](MeshParams& p) { p.links[2].second = "r2.north r3.east"; }, "links.c"},
    {"both ends at one router", [](MeshParams& p) { p.links[2].second = "r2.north r2.south"; }, "links.c"},
    {"a router that no link leads to", [](MeshParams& p) { p.links.pop_back(); }, "nodes.0..2"},
    {"a graph by dimension order", [](MeshParams& p) { p.routes_by = MeshRoutesBy::kRouting; }, "routes_by"},
    {"a pipeline of no router",
     [](MeshParams& p) {
         p.pipelines = {{"r7", 4_cycles}};
     },
     "pipelines.r7"},
    {"a pipeline of its own among short ones",
     [](MeshParams& p) {
         p.pipeline = 2_cycles;
         p.pipelines = {{"r0", 4_cycles}};
     },
     "pipelines.r0"},
    {"a buffer beyond the last",
     [](MeshParams& p) {
         p.buffers = {{"2..4", 4}};
     },
     "buffers.2..4"},
    {"the length of no link",
     [](MeshParams& p) {
         p.link_cycles = {{"r0.north", 4_cycles}};
     },
     "link_cycles.r0.north"},
    {"a pipeline twice",
     [](MeshParams& p) {
         p.pipelines = {{"r1", 4_cycles}, {"0..2", 5_cycles}};
     },
     "pipelines.0..2"},
    {"a buffer twice",
     [](MeshParams& p) {
         p.buffers = {{"r1", 4}, {"1", 5}};
     },
     "buffers.1"},
    {"the length of a link by both ends",
     [](MeshParams& p) {
         p.link_cycles = {{"r0.south", 4_cycles}, {"r3.north", 5_cycles}};
     },
     "link_cycles.r3.north"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(mesh_graph)

BOOST_AUTO_TEST_CASE(a_graph_has_the_links_that_were_written)
{
    const MeshGrid grid = star().grid();
    BOOST_TEST(grid.routers() == 4u);
    BOOST_TEST(grid.nodes().size() == 3u);
    BOOST_TEST(grid.here().size() == 4u);
    BOOST_TEST(grid.links().size() == 6u);
    const hw::OutputIndex output(hw::RouterIndex(1), Port::kWest);
    BOOST_TEST(grid.neighbour(output) == hw::RouterIndex(3));
    BOOST_TEST(grid.input_behind(output) == hw::InputIndex(hw::RouterIndex(3), Port::kEast));
    BOOST_TEST(grid.output_name(output) == "r1.west");
    BOOST_TEST(grid.neighbour({hw::RouterIndex(3), Port::kWest}) == MeshGrid::kNone);
    BOOST_TEST(problem_of(star()).what == "");
}

BOOST_AUTO_TEST_CASE(a_grid_written_as_a_graph_is_the_grid)
{
    const MeshGrid written = written_grid(5, 4).grid();
    const MeshGrid grid(5, 4);
    BOOST_TEST(written.links() == grid.links(), boost::test_tools::per_element());
    for (const hw::OutputIndex link : grid.links()) {
        BOOST_TEST(written.neighbour(link) == grid.neighbour(link));
        BOOST_TEST(written.input_behind(link) == grid.input_behind(link));
    }
}

BOOST_DATA_TEST_CASE(a_wrong_graph_is_refused_with_its_key, data::make(kWrong), wrong)
{
    MeshParams params = star();
    wrong.make(params);
    const GraphProblem problem = problem_of(params);
    BOOST_TEST(problem.key == wrong.key);
    BOOST_TEST(problem.what != "");
    BOOST_TEST(problem.cure != "");
}

/// Both ways round a ring of five are used, so that its links can wait for each other.
BOOST_AUTO_TEST_CASE(a_ring_of_routers_is_refused_by_shortest_routes_and_taken_up_and_down)
{
    MeshParams ring = star();
    ring.nodes = {{"0..4", "terminal"}};
    ring.links.clear();
    for (int i = 0; i < 5; ++i) {
        ring.links.emplace_back(std::to_string(i),
                                "r" + std::to_string(i) + ".east r" + std::to_string((i + 1) % 5) + ".west");
    }
    BOOST_TEST(problem_of(ring).key == "routes_by");
    ring.routes_by = MeshRoutesBy::kUpDown;
    BOOST_TEST(problem_of(ring).what == "");
}

BOOST_DATA_TEST_CASE(two_links_between_two_routers_both_carry_packets, data::make({false, true}), up_down)
{
    MeshParams params = doubled();
    params.routes_by = up_down ? MeshRoutesBy::kUpDown : MeshRoutesBy::kShortest;
    BOOST_TEST(problem_of(params).what == "");
    const MeshGrid grid = params.grid();
    const auto routes = params.routes_on(grid);
    const auto port = [&](unsigned router, unsigned target) {
        return routes.ways(hw::RouterIndex(router), grid.local_port(hw::RouterIndex(target))).first;
    };
    BOOST_TEST((port(4, 2) != port(4, 3)));
    BOOST_TEST((port(5, 0) != port(5, 1)));
}

/// Terminals at other ports count as ends of routes, a router without any does not.
BOOST_AUTO_TEST_CASE(a_table_needs_routes_to_terminals_alone)
{
    MeshParams params = star();
    params.routes_by = MeshRoutesBy::kTable;
    params.routes = {{"r0.1..2", "south"}, {"r1.0", "west"}, {"r1.2", "west"}, {"r2.0..1", "north"},
                     {"r3.0", "north"},    {"r3.1", "east"}, {"r3.2", "south"}};
    BOOST_TEST(problem_of(params).what == "");
    GraphProblem problem;
    try {
        params.check_routes({{3, 0, Port::kWest}});
    } catch (const GraphProblem& wrong) {
        problem = wrong;
    }
    BOOST_TEST(problem.key == "routes_by");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(mesh_graph)

/// r0 - r3 - r1: three routers of 3 stages and links of a cycle, but r3 has 7 stages and its link to r1 takes 5 cycles.
BOOST_DATA_TEST_CASE(a_lone_packet_takes_each_pipeline_and_link_of_its_way, kDetails* data::make({1u, 4u, 9u}), detail,
                     flits)
{
    MeshParams params = star();
    params.detail = detail;
    params.buffer_flits = mesh::kMostFlits;
    params.pipelines = {{"3", 7_cycles}};
    params.link_cycles = {{"r1.west", 5_cycles}};
    MeshBench bench(params);
    bench.at_cycle(10, [&] {
        bench.probes[0]->offer(bench.probes[1]->place, flits);
        bench.probes[2]->offer(bench.probes[0]->place, flits);
    });
    bench.run();
    const auto took = [&](std::size_t probe) { return bench.probes[probe]->seen.at(0).at - bench.cycles(10); };
    BOOST_TEST(took(1) == bench.cycles((3 + 1) + (7 + 5) + (3 + 1) + flits - 1));
    BOOST_TEST(took(0) == bench.cycles((3 + 1) + (7 + 1) + (3 + 1) + flits - 1));
    BOOST_TEST(took(1) == bench.mesh->zero_load_latency(bench.probes[0]->place, bench.probes[1]->place, flits));
}

/// A buffer of two flits behind a link of four cycles: credits set the rate, and the formula counts them.
BOOST_DATA_TEST_CASE(a_short_buffer_of_one_router_holds_packets_up_there, data::make({2, 64}), flits)
{
    MeshParams params = star();
    params.detail = MeshDetail::kFlit;
    params.buffer_flits = mesh::kMostFlits;
    params.link_cycles = {{"r0.south", 4_cycles}};
    params.buffers = {{"r3", flits}};
    MeshBench bench(params);
    bench.at_cycle(10, [&] { bench.probes[0]->offer(bench.probes[1]->place, 20); });
    bench.run();
    const Duration took = bench.probes[1]->seen.at(0).at - bench.cycles(10);
    BOOST_TEST(took == bench.mesh->zero_load_latency(bench.probes[0]->place, bench.probes[1]->place, 20));
    const Duration alone = bench.cycles((3 + 4) + (3 + 1) + (3 + 1) + 19);
    if (flits == 64) {
        BOOST_TEST(took == alone);
    } else {
        BOOST_TEST(took > alone);
    }
}

/// Each packet arrives, under more load than links take, with buffers, links and routers of many sizes.
BOOST_DATA_TEST_CASE(flooded_graphs_of_unequal_routers_drain, kDetails* data::make({1, 2, 4}), detail, channels)
{
    MeshParams params = written_grid(4, 4);
    params.detail = detail;
    params.routes_by = MeshRoutesBy::kUpDown;
    params.virtual_channels = channels;
    params.reserved_channels = 0;
    params.buffers = {{"0..3", 2}, {"5", 9}};
    params.pipelines = {{"4..6", 9_cycles}, {"r10", 4_cycles}};
    params.link_cycles = {{"r5.east", 7_cycles}, {"r9.north", 3_cycles}};
    MeshBench bench(params);
    std::uint64_t sent = 0;
    bench.load(0.9, 5, 2000, [&](MeshProbe& probe, Random& random) {
        probe.offer(bench.any_tile(random), 1 + static_cast<std::uint32_t>(random.below(9)));
        ++sent;
    });
    bench.run();
    BOOST_TEST(sent > 1000u);
    BOOST_TEST(bench.taken() == sent);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(platforms)
BOOST_AUTO_TEST_SUITE(mesh_graph)

/// The order in which a grid's routes take rows and columns is that of its ports.
BOOST_DATA_TEST_CASE(a_mesh_written_as_a_graph_gives_the_mesh_s_results,
                     data::make({"flit", "path"}) * data::make({"shortest", "up-down"}), detail, routes)
{
    const std::string by = " --set mesh.routes_by=" + std::string(routes);
    std::string text =
        "machine = \"mesh\"\ndescription = \"d\"\nbased_on = \"mesh-8x8\"\n[mesh]\nshape = \"graph\"\n"
        "[mesh.nodes]\n\"0..11\" = \"terminal\"\n[mesh.links]\n";
    for (const auto& [name, ends] : written_grid(4, 3).links) text += name + " = \"" + ends + "\"\n";
    const TemporaryFolder folder;
    const auto file = folder.write("mine.toml", text);
    const std::string workload =
        " --workload traffic:load=0.3,flits=5,duration=4000cycles --set mesh.detail=" + std::string(detail) + by;
    const auto mine = json_of("run " + file + workload);
    const auto grid = json_of("run mesh-8x8 --set mesh.columns=4 --set mesh.rows=3" + workload);
    for (const char* what : {"latency_mean_ns", "delivered", "link_crossings"}) {
        if (grid["results"]["rows"][0].contains(what)) {
            BOOST_TEST(mine["results"]["rows"][0][what] == grid["results"]["rows"][0][what], what);
        }
    }
    BOOST_TEST(mine["results"]["rows"][0]["latency_mean_ns"] == grid["results"]["rows"][0]["latency_mean_ns"]);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
