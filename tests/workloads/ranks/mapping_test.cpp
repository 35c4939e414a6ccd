// SPDX-License-Identifier: Apache-2.0
#include "workloads/ranks/mapping.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "platforms/configuration.h"
#include "platforms/ncube/machine.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tests/workloads/fakes/fake_scc.h"
#include "workloads/libraries/deck/deck_library.h"
#include "workloads/libraries/mpi/mpi_library.h"
#include "workloads/libraries/raw/raw_library.h"
#include "workloads/libraries/rcce/rcce_library.h"
#include "workloads/libraries/vertex/vertex_library.h"
#include "workloads/programs/point_to_point.h"
#include "workloads/programs/rounds.h"

namespace ringmesh::test::mapping_test {
namespace {

using namespace workloads;
using Sides = std::vector<std::int64_t>;
using Nodes = std::vector<unsigned>;

struct Torus {
    explicit Torus(const Sides& sides, std::uint64_t seed = 1) : simulation(seed), machine(simulation, count(sides))
    {
        machine.shape.emplace(sides);
    }
    static unsigned count(const Sides& sides)
    {
        return static_cast<unsigned>(std::accumulate(sides.begin(), sides.end(), std::int64_t{1}, std::multiplies<>()));
    }
    Nodes nodes(const std::string& map, unsigned ranks)
    {
        return Mapping{.map = map}.placement(machine, ranks).nodes();
    }
    Nodes nodes(const std::string& map) { return nodes(map, machine.nodes()); }

    Simulation simulation;
    FakeMachine machine;
};

unsigned steps_between(const TorusShape& shape, unsigned a, unsigned b)
{
    unsigned sum = 0;
    for (unsigned d = 0; d < shape.dimensions(); ++d) {
        const unsigned x = shape.coordinate(a, d);
        const unsigned y = shape.coordinate(b, d);
        sum += std::max(x, y) - std::min(x, y);
    }
    return sum;
}

void set(Workload& program, const std::vector<std::string>& options)
{
    platforms::read_assignments(options, "--workload", [&](ParameterVisitor& visitor) { program.visit(visitor); });
}

/// All ranks to all others, every byte checked.
void send_to_all(Machine& machine, std::unique_ptr<Library> library, const std::string& map)
{
    RoundsProgram program(RoundPattern::kAllToAll, std::move(library), {.sizes = "1,100,3000", .repetitions = 2});
    set(program, {"map=" + map, "ranks=6"});
    program.start(machine);
    machine.simulation().run();
    machine.simulation().require_drained();
    program.check();
    BOOST_TEST(program.results().rows.size() == 3u);
}

/// Not from 0 on, and in no order.
struct MapFile : TemporaryFolder {
    explicit MapFile(const std::string& text = "5 # the first\n\n7\n1\n2\n6\n0\n") { write("map", text); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(mapping)

BOOST_AUTO_TEST_CASE(ranks_of_a_snake_are_neighbours)
{
    for (const Sides& sides : std::vector<Sides>{{5}, {4, 3}, {2, 3, 4}, {3, 3, 3}, {2, 2, 2, 3}}) {
        Torus torus(sides);
        const Nodes nodes = torus.nodes("snake");
        for (std::size_t rank = 1; rank < nodes.size(); ++rank) {
            BOOST_TEST(steps_between(*torus.machine.shape, nodes[rank - 1], nodes[rank]) == 1u);
        }
        Nodes sorted = nodes;
        std::sort(sorted.begin(), sorted.end());
        BOOST_TEST((sorted == torus.nodes("linear")));
    }
}

BOOST_AUTO_TEST_CASE(a_snake_through_a_hypercube_is_the_gray_code)
{
    Simulation simulation{1};
    platforms::NcubeParams params;
    params.topology.dimension = 3;
    platforms::NcubeCube cube(simulation, params);
    BOOST_TEST((Mapping{.map = "snake"}.placement(cube, 8).nodes() == Nodes{0, 1, 3, 2, 6, 7, 5, 4}));
    BOOST_TEST((Mapping{.map = "sub-torus"}.placement(cube, 8).nodes() == Nodes{0, 1, 2, 3, 4, 5, 6, 7}));
}

BOOST_AUTO_TEST_CASE(ranks_fill_nearly_cubic_blocks)
{
    Torus torus({4, 4});
    BOOST_TEST((torus.nodes("sub-torus") == Nodes{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}));
    BOOST_TEST((torus.nodes("sub-torus", 4) == Nodes{0, 1, 4, 5}));
    BOOST_TEST((Torus({3}).nodes("sub-torus") == Nodes{0, 1, 2}));
}

BOOST_AUTO_TEST_CASE(a_random_map_depends_on_the_seed_alone)
{
    const Nodes one = Torus({8, 8}, 1).nodes("random");
    BOOST_TEST((one == Torus({8, 8}, 1).nodes("random")));
    BOOST_TEST((one != Torus({8, 8}, 2).nodes("random")));
    Nodes sorted = one;
    std::sort(sorted.begin(), sorted.end());
    BOOST_TEST((sorted == Torus({8, 8}).nodes("linear")));
}

BOOST_AUTO_TEST_CASE(a_file_names_the_node_of_each_rank)
{
    const MapFile file;
    BOOST_TEST((Torus({8}).nodes("map", 6) == Nodes{5, 7, 1, 2, 6, 0}));
    BOOST_TEST((Torus({8}).nodes("map", 2) == Nodes{5, 7}));
}

BOOST_AUTO_TEST_CASE(a_wrong_file_is_refused_with_line_and_cure)
{
    const auto refuses = [](const std::string& text, const std::string& begin) {
        const MapFile file(text);
        const std::string error = error_of([] { Torus({4}).nodes("map"); });
        BOOST_TEST(error.starts_with(begin), error);
        BOOST_TEST(error.find("; ") != std::string::npos, error);
    };
    refuses("0\n1\n0\n2\n", "map:3: node 0 is in line 1 already, and");
    refuses("0\n4\n", "map:2: node 4");
    refuses("0\n-1\n", "map:2: '-1'");
    refuses("0\n1 2\n", "map:2: '1 2'");
    refuses("0\n1\n2\n", "map:3: ends after 3 nodes");
    refuses("# none\n", "map: names no node");
    BOOST_TEST(error_of([] { Torus({4}).nodes("snike"); }).starts_with("map = snike: "));
}

BOOST_AUTO_TEST_CASE(a_machine_without_a_shape_has_no_snake)
{
    Simulation simulation{1};
    FakeMachine machine(simulation, 4);
    const auto map = [&](const char* name) { return error_of([&] { Mapping{.map = name}.placement(machine, 4); }); };
    BOOST_TEST(map("snake").starts_with("map = snake: "));
    BOOST_TEST(map("sub-torus").starts_with("map = sub-torus: "));
    BOOST_TEST(map("random") == "no error");
}

const auto kMaps = data::make({"linear", "random", "map"});

BOOST_DATA_TEST_CASE(messages_of_deck_reach_their_ranks, kMaps, map)
{
    const MapFile file;
    Simulation simulation{1};
    FakeMachine machine(simulation, 8);
    send_to_all(machine, std::make_unique<deck::DeckLibrary>(deck::Options{.buffer = 64 * 1024}), map);
}

BOOST_DATA_TEST_CASE(messages_of_mpi_reach_their_ranks, kMaps, map)
{
    const MapFile file;
    Simulation simulation{1};
    FakeMachine machine(simulation, 8);
    send_to_all(machine, std::make_unique<mpi::MpiLibrary>("MPI", mpi::Options{}), map);
}

BOOST_DATA_TEST_CASE(messages_of_rcce_reach_their_ranks, kMaps* data::make({false, true}), map, with_requests)
{
    using Requests = rcce::RcceLibrary::Requests;
    const MapFile file;
    Simulation simulation{1};
    FakeScc machine(simulation, 8);
    auto library = std::make_unique<rcce::RcceLibrary>(with_requests ? Requests::kIrcce : Requests::kNone);
    send_to_all(machine, std::move(library), map);
}

BOOST_DATA_TEST_CASE(messages_of_vertex_reach_their_ranks, kMaps, map)
{
    const MapFile file;
    Simulation simulation{1};
    platforms::NcubeParams params;
    params.topology.dimension = 3;
    platforms::NcubeCube cube(simulation, params);
    send_to_all(cube, std::make_unique<vertex::VertexLibrary>(), map);
}

/// By raw stores from rank 0 to rank 1, which are nodes 5 and 7.
BOOST_AUTO_TEST_CASE(a_pair_is_as_far_apart_as_its_nodes)
{
    const MapFile file;
    Simulation simulation{1};
    FakeMachine machine(simulation, 8);
    PointToPoint program(Exchange::kPingPong, std::make_unique<RawLibrary>(), {.sizes = "64", .series = 1});
    set(program, {"map=map", "ranks=6", "from=0", "to=1"});
    program.start(machine);
    simulation.run();
    program.check();
    BOOST_TEST(cell<std::int64_t>(program.results(), 0, "hops") == 2);
    BOOST_TEST(program.notes().front() == "map = map: ranks 0, 1, ... on nodes 5 7 1 2 6 0");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::mapping_test
