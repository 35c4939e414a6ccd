// SPDX-License-Identifier: Apache-2.0
/// Programs whose times [001] predicts: quiet rounds of messages over Vertex.
#include <cmath>
#include <memory>
#include <vector>

#include "tests/platforms/ncube/ncube_bench.h"
#include "tests/support/cases.h"
#include "workloads/broadcast/broadcast_program.h"
#include "workloads/libraries/vertex/vertex_library.h"
#include "workloads/programs/quiet_rounds.h"
#include "workloads/programs/rounds.h"

namespace ringmesh::test::rounds_over_vertex_test {
namespace {

using workloads::RoundPattern;
using workloads::RoundsProgram;

std::unique_ptr<workloads::Library> vertex() { return std::make_unique<workloads::vertex::VertexLibrary>(); }

workloads::Results run(const platforms::NcubeParams& params, workloads::Workload& program)
{
    Simulation simulation(1);
    platforms::NcubeCube machine(simulation, params);
    program.start(machine);
    simulation.run();
    simulation.require_drained();
    program.check();
    return program.results();
}

double time_us(const workloads::Results& results, std::size_t row)
{
    return std::get<double>(results.rows.at(row).at(2)) / 1000;
}

constexpr double kRounding = 0.005;  // of a link

/// Writes in each round and does not wait for its end, so that handlers take their time from what it computes up to the
/// next round.
Task<> write_in_rounds(workloads::QuietRounds& rounds, workloads::vertex::Vertex& vertex, std::uint32_t size,
                       std::vector<Duration>& began)
{
    const std::uint64_t bytes = vertex.allocate(size);
    for (std::size_t round = 0; round < began.size(); ++round) {
        co_await rounds.begin(vertex.cpu(), round);
        began[round] = now();
        co_await vertex.nwrite(bytes, size, 1, 0);
    }
}

Task<> read_all(workloads::vertex::Vertex& vertex, std::uint32_t size, std::size_t messages)
{
    const std::uint64_t bytes = vertex.allocate(size);
    for (std::size_t i = 0; i < messages; ++i) co_await vertex.nread(bytes, size, 0, 0);
}

/// From the call of a write until the read that waits for it at the neighbour has returned, on a machine whose DMA
/// costs nothing.
double link_us(const VertexParams& params, std::uint32_t size)
{
    const VertexActions p = params.actions();
    const Cycles format = p.system_entry + p.allocate + p.route;
    const Cycles cross = p.channel_start * 4 + p.interrupt_entry * 3 + p.allocate + p.arm + p.file;
    const Cycles read = p.interrupt_return + p.deliver + p.release + p.system_return;
    const double wire = 9.0 * static_cast<double>(params.request.count() + params.reply.count() + size);
    return (static_cast<double>((format + cross + read + params.copy_time(size) * 2).count()) + wire) / 7;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(rounds_over_vertex)

// After a barrier its messages, too, may come before those of the round.
BOOST_DATA_TEST_CASE(every_overlapped_message_of_all_to_all_comes_once,
                     data::make({1, 2, 3, 5}) * data::make({false, true}) * data::make({false, true}), dimension,
                     contended, quiet)
{
    auto params = NcubeBench::cube(dimension);
    if (contended) {
        params.node = {};
        params.vertex.full_buffers = FullBuffers::kWait;
    }
    RoundsProgram program(RoundPattern::kAllToAll, vertex(), {.sizes = "1,200", .quiet = quiet, .overlap = true});
    const auto results = run(params, program);
    const std::int64_t nodes = std::int64_t{1} << dimension;
    BOOST_TEST(std::get<std::int64_t>(results.rows.at(0).at(1)) == nodes * (nodes - 1));
}

/// The largest cube: the last node reads the message after as many hops as there are dimensions.
BOOST_AUTO_TEST_CASE(a_quiet_broadcast_reaches_each_of_1024_nodes)
{
    constexpr std::int64_t kDimension = 10;
    workloads::broadcast::BroadcastProgram program(vertex(), {.algorithm = workloads::broadcast::Algorithm::kBinomial,
                                                              .size = "500",
                                                              .method = workloads::broadcast::Method::kQuiet,
                                                              .repetitions = 1,
                                                              .warm_up = false});
    const auto results = run(NcubeBench::cube(kDimension), program);
    // The last to read is the last of those written to first: none of them waits
    const double us = std::get<double>(results.rows.at(0).at(8)) / 1000;
    BOOST_TEST(std::abs(us - kDimension * link_us({}, 500)) < kRounding * kDimension);
}

BOOST_AUTO_TEST_CASE(a_chain_pays_both_copies_at_each_link_and_each_quiet_round_repeats_the_first)
{
    RoundsProgram chain(RoundPattern::kChain, vertex(),
                        {.sizes = "500,500", .repetitions = 1, .quiet = true, .length = 3});
    const auto results = run(NcubeBench::cube(3), chain);
    BOOST_TEST(time_us(results, 0) == time_us(results, 1), boost::test_tools::tolerance(1e-6));
    BOOST_TEST(std::abs(time_us(results, 0) - 3 * link_us({}, 500)) < 3 * kRounding);
}

BOOST_DATA_TEST_CASE(a_round_begins_on_time_on_a_node_whose_message_of_the_last_one_still_left,
                     data::make({16u, 500u, 2000u}), size)
{
    NcubeBench bench{platforms::NcubeParams{.topology = {.dimension = 1}}};
    workloads::QuietRounds rounds("a test", 2, 3);
    std::vector<Duration> began(3);
    bench.run(0, write_in_rounds(rounds, bench.node(0), size, began));
    bench.run(1, read_all(bench.node(1), size, began.size()));
    bench.simulation.run();
    for (std::size_t round = 0; round < began.size(); ++round) {
        BOOST_TEST(std::abs((began[round] - 10_s * static_cast<std::int64_t>(round)).ns()) < 1.0);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::rounds_over_vertex_test
