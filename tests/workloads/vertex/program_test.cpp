// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertex/program.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/platforms/ncube_bench.h"
#include "tests/platforms/user_error.h"

namespace ringmesh::test::program_test {
namespace {

namespace data = boost::unit_test::data;
using workloads::vertex::Program;
using workloads::vertex::ProgramOptions;
using workloads::vertex::VertexProgram;

workloads::Results run(const platforms::NcubeParams& params, const ProgramOptions& options)
{
    Simulation simulation(1);
    platforms::NcubeCube machine(simulation, params);
    VertexProgram program(options);
    program.start(machine);
    simulation.run();
    simulation.require_drained();
    program.check();
    return program.results();
}

double time_us(const workloads::Results& results, std::size_t row)
{
    return std::get<double>(results.rows.at(row).at(2));
}

constexpr double kRounding = 0.005;  // of a link

/// From the call of a write until the read that waits for it at the neighbour has returned, on a machine whose DMA
/// costs nothing.
double link_us(const VertexParams& p, std::uint32_t size)
{
    const Cycles format = p.system_entry + p.allocate + p.route;
    const Cycles cross = p.channel_start * 4 + p.interrupt_entry * 3 + p.allocate + p.route;
    const Cycles read = p.interrupt_return + p.deliver + p.release + p.system_return;
    const double wire = 9.0 * static_cast<double>(p.request.count() + p.reply.count() + size);
    return (static_cast<double>((format + cross + read).count()) + wire + 2 * p.copy * size) / 7;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(vertex_program)

/// @see check(): each message is read once, with the right bytes
BOOST_DATA_TEST_CASE(every_message_of_all_to_all_comes_once, data::make({1, 2, 3, 5}) * data::make({false, true}),
                     dimension, contended)
{
    auto params = NcubeBench::cube(dimension);
    if (contended) {
        params.node = {};
        params.vertex.full_buffers = FullBuffers::kWait;
    }
    const auto results = run(params, {.program = Program::kAllToAll, .sizes = "1,200"});
    const std::int64_t nodes = std::int64_t{1} << dimension;
    BOOST_TEST(std::get<std::int64_t>(results.rows.at(0).at(1)) == nodes * (nodes - 1));
}

/// The largest cube: each other node reads the message once, and the last one after as many hops as there are
/// dimensions.
BOOST_AUTO_TEST_CASE(a_broadcast_reaches_each_of_1024_nodes)
{
    constexpr std::int64_t kDimension = 10;
    const auto results = run(NcubeBench::cube(kDimension), {.program = Program::kBroadcast, .sizes = "500"});
    BOOST_TEST(std::get<std::int64_t>(results.rows.at(0).at(1)) == 1023);
    // The last to read is the last of those written to first: none of them waits
    BOOST_TEST(std::abs(time_us(results, 0) - kDimension * link_us({}, 500)) < kRounding * kDimension);
}

BOOST_AUTO_TEST_CASE(a_chain_pays_both_copies_at_each_link_and_each_round_repeats_the_first)
{
    const auto params = NcubeBench::cube(3);
    Simulation simulation(1);
    platforms::NcubeCube machine(simulation, params);
    VertexProgram chain({.program = Program::kChain, .sizes = "500,500", .length = 3});
    chain.start(machine);
    simulation.run();
    const auto results = chain.results();
    // The second round repeats the first one
    BOOST_TEST(time_us(results, 0) == time_us(results, 1), boost::test_tools::tolerance(1e-6));
    BOOST_TEST(std::abs(time_us(results, 0) - 3 * link_us({}, 500)) < 3 * kRounding);
}

BOOST_AUTO_TEST_CASE(a_message_farther_than_the_diameter_is_refused)
{
    BOOST_TEST(error_of([] { run(NcubeBench::cube(2), {.program = Program::kMessage, .length = 3}); }) ==
               "vertex-program: length = 3: no node of this cube is farther than 2 hops; write that or less");
}

BOOST_AUTO_TEST_CASE(a_single_node_is_refused)
{
    BOOST_TEST(error_of([] { run(NcubeBench::cube(0), {}); }) ==
               "vertex-program: a single node has no other node to write to; set topology.dimension to 1 or more");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::program_test
