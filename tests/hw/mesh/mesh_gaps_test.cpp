// SPDX-License-Identifier: Apache-2.0
/// Meshes of which routers or links are absent, and routes by tables.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "hw/mesh/params.h"
#include "hw/mesh/policies/routing.h"
#include "hw/mesh/topology/grid.h"
#include "hw/route_graph.h"
#include "tests/hw/mesh/mesh_probe.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"
#include "tlm/simulation/random.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using hw::GraphProblem;
using hw::MeshGrid;
using hw::MeshParams;
using hw::MeshRoutesBy;
using hw::RouterIndex;
using mesh::Port;

MeshParams square(std::int64_t size, MeshRoutesBy by, const std::string& holes = "", const std::string& cut = "")
{
    MeshParams params;
    params.columns = params.rows = size;
    params.routes_by = by;
    params.holes = holes;
    params.cut_links = cut;
    return params;
}

/// Links from a router to another; 1000 if it never comes there.
unsigned links_between(const MeshGrid& grid, const hw::MeshRoutes& routes, RouterIndex from, RouterIndex to)
{
    unsigned links = 0;
    for (; from != to && from != MeshGrid::kNone && links < 1000; ++links) {
        from = grid.neighbour({from, routes.ways(from, grid.local_port(to)).first});
    }
    return from == to ? links : 1000;
}

struct Mistake {
    const char* settings;
    const char* key;
    const char* what;
};
std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.settings; }

const std::vector<Mistake> kMistakes{
    {"mesh.holes=r2_2", "mesh.holes", "r3_2"},  // by xy packets for node 0 would leave it to the west
    {"mesh.cut_links=r3_0.east", "mesh.cut_links", "r4_0"},
    {"mesh.holes=r9_0", "mesh.holes", "r9_0"},
    {"mesh.cut_links=r7_0.east", "mesh.cut_links", "r7_0.east"},
    {"mesh.cut_links=r1_0.local", "mesh.cut_links", "r1_0.local"},
    {"mesh.routes_by=up-down mesh.holes=r1_0,r0_1", "mesh.holes", "r2_0"},
    {"mesh.routes_by=up-down mesh.cut_links=r0_0.east,r0_0.north", "mesh.cut_links", "r0_0"},
    {"mesh.routes_by=shortest mesh.holes=r2_2", "mesh.routes_by", "circle"},
    {"mesh.routes_by=table", "mesh.routes_by", "no route"},
    {"mesh.routes_by=table mesh.routes.r0_0.1=up", "mesh.routes.r0_0.1", "up"},
    {"mesh.routes_by=table mesh.routes.r0_0.64=east", "mesh.routes.r0_0.64", "63"},
    {"mesh.routes_by=up-down mesh.routing=yx", "mesh.routing", "no effect"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(mesh_gaps)

BOOST_AUTO_TEST_CASE(shortest_routes_of_a_whole_mesh_are_those_of_xy)
{
    const MeshParams params = square(6, MeshRoutesBy::kShortest);
    const MeshGrid grid = params.grid();
    const auto shortest = params.routes_on(grid);
    const auto xy = square(6, MeshRoutesBy::kRouting).routes_on(grid);
    for (const RouterIndex from : grid.nodes()) {
        for (const RouterIndex to : grid.nodes()) {
            const auto target = grid.local_port(to);
            BOOST_TEST(shortest.ways(from, target).first == xy.ways(from, target).first);
        }
    }
    BOOST_TEST(problem_of(params).what == "");
}

BOOST_AUTO_TEST_CASE(up_and_down_makes_no_detour_on_a_whole_mesh)
{
    const MeshParams params = square(5, MeshRoutesBy::kUpDown);
    const MeshGrid grid = params.grid();
    const auto routes = params.routes_on(grid);
    for (const RouterIndex from : grid.nodes()) {
        for (const RouterIndex to : grid.nodes()) {
            const auto a = grid.local_port(from);
            const auto b = grid.local_port(to);
            BOOST_TEST(routes.routers_between(a, b) == grid.routers_between(a, b));
        }
    }
}

/// With as many holes as leave the mesh whole, drawn at random.
BOOST_AUTO_TEST_CASE(up_and_down_comes_everywhere_and_closes_no_circle)
{
    Random random(7);
    unsigned whole = 0;
    for (int i = 0; i < 60; ++i) {
        std::string holes;
        std::set<std::uint64_t> chosen;
        while (chosen.size() < 8) chosen.insert(random.below(36));
        for (const std::uint64_t router : chosen) {
            holes += (holes.empty() ? "" : " ") + MeshGrid(6, 6).router_name(RouterIndex(router));
        }
        const MeshParams params = square(6, MeshRoutesBy::kUpDown, holes);
        const GraphProblem problem = problem_of(params);
        if (problem.what.starts_with("no links lead")) continue;
        ++whole;
        BOOST_TEST_REQUIRE(problem.what == "", holes);
        const MeshGrid grid = params.grid();
        BOOST_TEST(grid.nodes().size() == 28u);
        const auto routes = params.routes_on(grid);
        for (const RouterIndex from : grid.nodes()) {
            for (const RouterIndex to : grid.nodes()) {
                const unsigned links = links_between(grid, routes, from, to);
                BOOST_TEST_REQUIRE(links < 1000, holes);
                BOOST_TEST(routes.routers_between(grid.local_port(from), grid.local_port(to)) == links + 1);
            }
        }
    }
    BOOST_TEST(whole > 10u);
}

/// The ring of eight routers round the hole: two links that follow each other are always a shortest way.
BOOST_AUTO_TEST_CASE(shortest_routes_round_a_hole_are_refused_channel_by_channel)
{
    const GraphProblem problem = problem_of(square(3, MeshRoutesBy::kShortest, "r1_1"));
    BOOST_TEST(problem.key == "routes_by");
    const std::string clockwise[] = {"r0_0.north", "r0_1.north", "r0_2.east", "r1_2.east",
                                     "r2_2.south", "r2_1.south", "r2_0.west", "r1_0.west"};
    const std::string against[] = {"r0_0.east", "r1_0.east", "r2_0.north", "r2_1.north",
                                   "r2_2.west", "r1_2.west", "r0_2.south", "r0_1.south"};
    const bool one_way = contains(problem.what, clockwise[0]);
    for (const std::string& channel : one_way ? clockwise : against) {
        BOOST_TEST(contains(problem.what, channel), channel << " is not in: " << problem.what);
    }
    BOOST_TEST(problem_of(square(3, MeshRoutesBy::kUpDown, "r1_1")).what == "");
}

BOOST_AUTO_TEST_CASE(a_table_whose_routes_come_back_is_refused)
{
    MeshParams params = square(2, MeshRoutesBy::kTable);
    params.routes = {{"r0_0.1", "east"},  {"r0_0.2..3", "north"}, {"r1_0.0..2", "west"}, {"r1_0.3", "west"},
                     {"r0_1.0", "south"}, {"r0_1.1", "south"},    {"r0_1.3", "south"},   {"r1_1.0..2", "west"}};
    BOOST_TEST(contains(problem_of(params).what, "go round for ever"));
    params.routes.push_back({"r0_1.3", "east"});
    BOOST_TEST(problem_of(params).what == "");
}

BOOST_AUTO_TEST_CASE(dimension_order_stays_where_it_runs_into_nothing_absent)
{
    BOOST_TEST(problem_of(square(3, MeshRoutesBy::kRouting, "r2_2 r2_1 r2_0")).what == "");
    BOOST_TEST(problem_of(square(3, MeshRoutesBy::kRouting, "r1_1")).what != "");
}

/// A cut link of a torus, whose routes by table have no classes of channels.
BOOST_AUTO_TEST_CASE(a_torus_with_a_cut_link_is_routed_up_and_down)
{
    MeshParams params = square(4, MeshRoutesBy::kUpDown, "", "r3_1.east");
    params.wrap = true;
    BOOST_TEST(problem_of(params).what == "");
    BOOST_TEST(params.grid().links().size() == 62u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(platforms)
BOOST_AUTO_TEST_SUITE(mesh_gaps)

BOOST_AUTO_TEST_CASE(a_chip_whose_controller_lost_its_tile_says_what_to_write)
{
    const Ended ended = ringmesh::test::ringmesh(
        words("run scc --set mesh.holes=r0_0 --set mesh.routes_by=up-down --workload memory-probe"));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "mesh.holes"), ended.err);
    BOOST_TEST(contains(ended.err, "layout.controllers"), ended.err);
}

BOOST_DATA_TEST_CASE(a_wrong_mesh_is_refused_with_its_key, data::make(kMistakes), mistake)
{
    std::vector<std::string> arguments{"run", "mesh-8x8", "--workload", "traffic"};
    for (std::string setting : words(mistake.settings)) {
        std::replace(setting.begin(), setting.end(), ',', ' ');
        arguments.insert(arguments.end(), {"--set", setting});
    }
    const Ended ended = ringmesh::test::ringmesh(arguments);
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(ended.out == "");
    BOOST_TEST(contains(ended.err, mistake.key), ended.err);
    BOOST_TEST(contains(ended.err, mistake.what), ended.err);
}

const std::string kHoles = " --set mesh.holes=r2_2,r5_1 --set mesh.cut_links=r0_0.east";
const std::string kGaps = kHoles + " --set mesh.routes_by=up-down";

/// The program's arguments; "r2_2,r5_1" are two words of one argument.
Ended run_of(const std::string& line)
{
    std::vector<std::string> arguments = words(line);
    for (std::string& argument : arguments) {
        if (argument.starts_with("mesh.")) std::replace(argument.begin(), argument.end(), ',', ' ');
    }
    return ringmesh::test::ringmesh(arguments);
}

/// Full of packets, with one virtual channel of two flits: what could wait in a circle would.
BOOST_DATA_TEST_CASE(a_flooded_mesh_with_gaps_drains, data::make({"flit", "path"}), detail)
{
    const Ended ended = run_of("run mesh-8x8" + kGaps + " --set mesh.detail=" + detail +
                               " --set mesh.virtual_channels=1 --set mesh.buffer_flits=2 --workload "
                               "traffic:load=1,flits=5,duration=2000cycles --csv -");
    BOOST_TEST(ended.status == 0, ended.err);
}

/// Lone packets: 62 nodes, all pairs, as long as the routes are.
BOOST_DATA_TEST_CASE(lone_packets_take_as_long_as_their_routes, data::make({"flit", "path"}), detail)
{
    const Ended ended = run_of("run mesh-8x8" + kGaps + " --set mesh.detail=" + detail +
                               " --workload traffic:load=0.001,duration=20000cycles --json - --no-wall-time");
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    const auto row = nlohmann::json::parse(ended.out)["results"]["rows"][0];
    BOOST_TEST(row["senders"] == 62);
    const double alone = row["zero_load_mean_ns"];
    const double measured = row["latency_mean_ns"];
    BOOST_TEST(measured >= alone * 0.999999);
    BOOST_TEST(measured < alone * 1.01);
}

BOOST_AUTO_TEST_CASE(patterns_with_coordinates_are_refused_with_holes_and_run_with_cut_links)
{
    const Ended holes = run_of("run mesh-8x8" + kGaps + " --workload traffic:pattern=tornado,duration=1000cycles");
    BOOST_TEST(holes.status == 2);
    BOOST_TEST(contains(holes.err, "tornado"), holes.err);
    const Ended cut = run_of(
        "run mesh-8x8 --set mesh.cut_links=r0_0.east --set mesh.routes_by=up-down --workload "
        "traffic:pattern=tornado,duration=1000cycles");
    BOOST_TEST(cut.status == 0, cut.err);
}

BOOST_AUTO_TEST_CASE(listed_routes_given_back_as_a_table_give_the_same_results)
{
    const TemporaryFolder folder;
    const Ended listed = run_of("list routes mesh-8x8" + kGaps);
    BOOST_TEST_REQUIRE(listed.status == 0, listed.err);
    const auto file = folder.write("routes.toml", listed.out);
    const std::string workload = " --workload traffic:load=0.2,duration=1000cycles --csv -";
    const Ended computed = run_of("run mesh-8x8" + kGaps + workload);
    const Ended given =
        run_of("run mesh-8x8" + kHoles + " --overlay " + file + " --set mesh.routes_by=table" + workload);
    BOOST_TEST(given.status == 0, given.err);
    const auto rows = [](const std::string& csv) { return csv.substr(csv.find("\npattern,")); };
    BOOST_TEST(rows(given.out) == rows(computed.out));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
