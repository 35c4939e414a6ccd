// SPDX-License-Identifier: Apache-2.0
#include "platforms/mesh/bare_mesh.h"

#include <nlohmann/json.hpp>
#include <string>

#include "analytic/scc.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/error.h"
#include "tlm/time/kernel_time.h"
#include "workloads/traffic/traffic.h"

namespace {

using namespace ringmesh;
using hw::MeshDetail;
using hw::MeshParams;
using platforms::BareMesh;
using test::cell;
using workloads::Results;
using workloads::Traffic;
using workloads::TrafficOptions;

/// As platforms/machines/mesh-8x8.toml, but for its size.
MeshParams square(std::int64_t side, MeshDetail detail)
{
    return {.columns = side,
            .rows = side,
            .clock = 1000_MHz,
            .pipeline = 4_cycles,
            .terminal = 2_cycles,
            .reserved_channels = 0,
            .buffer_flits = 8,
            .detail = detail,
            .flow = "wormhole",
            .switch_hold = "flit",
            .channel_choice = "per-output"};
}

struct Bench {
    Simulation simulation{1};
    BareMesh machine;

    explicit Bench(const MeshParams& params) : machine(simulation, params) {}
    /// Packets are conserved in each run.
    Results run(const TrafficOptions& options)
    {
        Traffic workload(options);
        const Results results = test::run_workload(workload, machine);
        simulation.require_drained();
        return results;
    }
};

const auto kClose = boost::test_tools::tolerance(1e-9);

}  // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(ringmesh::hw::MeshDetail)

namespace ringmesh::test::bare_mesh_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(bare_mesh)

const auto kDetails = data::make({MeshDetail::kFlit, MeshDetail::kPath});

// The packets alone: (links + 1) routers of pipeline and link each, the terminals, the flits behind the head. A few
// meet another one even so.
BOOST_DATA_TEST_CASE(an_unloaded_packet_takes_its_routers_and_its_flits,
                     kDetails* data::make({1, 7}) * data::make({1, 64}) * data::make({2, 6}), detail, pipeline, flits,
                     columns)
{
    MeshParams params = square(8, detail);
    params.pipeline = Cycles(pipeline);
    params.columns = columns;
    Bench bench(params);
    const Results results = bench.run({.packet = {.flits = std::to_string(flits)},
                                       .load = "0.001",
                                       .duration = "100000 cycles",
                                       .places = {.self = true}});
    const double hops = cell<double>(results, 0, "hops_mean");
    const double alone = (hops + 1) * (pipeline + 1) + 2 + flits - 1;
    BOOST_TEST(cell<double>(results, 0, "zero_load_mean_ns") == alone, kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_mean_cycles") >= alone * (1 - 1e-9));
    BOOST_TEST(cell<double>(results, 0, "latency_mean_cycles") <= alone * 1.01);
    Duration busy;
    const auto shared = bench.machine.shared();
    for (const Booked& link : shared.at(0).busy) busy += link.busy;
    BOOST_TEST((busy == Cycles(static_cast<std::int64_t>(bench.machine.link_crossings())) * bench.machine.clock()));
}

// A birth between two edges waits for the next one: half a cycle on average.
BOOST_DATA_TEST_CASE(packets_born_between_edges_wait_for_the_next_one, kDetails, detail)
{
    Bench bench(square(8, detail));
    const Results results = bench.run({.load = "0.002", .arrivals = "poisson", .duration = "50000 cycles"});
    const double wait = cell<double>(results, 0, "latency_mean_cycles") - cell<double>(results, 0, "zero_load_mean_ns");
    BOOST_TEST(wait > 0.45);
    BOOST_TEST(wait < (detail == MeshDetail::kFlit ? 0.55 : 1.1));
}

BOOST_DATA_TEST_CASE(every_pattern_arrives_whole_and_once,
                     kDetails* data::make({"uniform", "nearest-neighbour", "hot-spot", "transpose", "bit-complement",
                                           "tornado", "bit-reversal", "shuffle", "bit-rotation", "butterfly",
                                           "neighbour", "random-permutation", "nearest", "quadrant", "hot-spots"}),
                     detail, pattern)
{
    Bench bench(square(4, detail));
    const Results results = bench.run(
        {.pattern = pattern, .packet = {.flits = "5", .kind = "mixed"}, .load = "0.1", .duration = "3000 cycles"});
    BOOST_TEST(cell<double>(results, 0, "accepted_load") == 0.1, boost::test_tools::tolerance(0.15));
}

// A corner's two links take a flit a cycle each at most, its local port one: 15 nodes that all send there wait.
BOOST_DATA_TEST_CASE(packets_not_accepted_by_a_saturated_mesh_wait_at_their_source, kDetails, detail)
{
    Bench bench(square(4, detail));
    const Results results = bench.run({.pattern = "hot-spot",
                                       .load = "1",
                                       .warm_up = "1000 cycles",
                                       .duration = "2000 cycles",
                                       .places = {.hot_node = 0, .hot_part = 1}});
    BOOST_TEST(cell<double>(results, 0, "accepted_part") < 0.3);
    // The packets of 15 nodes in 3000 cycles leave by one port
    BOOST_TEST((now() >= 45'000_ns));
    BOOST_TEST(cell<double>(results, 0, "latency_max_ns") >= 40'000);
}

// One packet at a time: no contention.
BOOST_DATA_TEST_CASE(one_to_all_takes_the_sum_of_the_unloaded_latencies, kDetails, detail)
{
    Bench bench(square(8, detail));
    const Results results = bench.run({.pattern = "one-to-all", .places = {.root = 9}});
    double sum_ns = 0;
    for (unsigned to = 0; to < 64; ++to) {
        const auto alone = bench.machine.unloaded_latency(bench.machine.hops(9, to), {.size = 1});
        if (to != 9) sum_ns += alone->ns();
    }
    BOOST_TEST(cell<double>(results, 0, "latency_sum_ns") == sum_ns, boost::test_tools::tolerance(0.05));
    BOOST_TEST(cell<std::int64_t>(results, 0, "delivered") == 63);
}

BOOST_DATA_TEST_CASE(each_operation_ends, kDetails* data::make({"all-to-all", "tree-multicast"}), detail, pattern)
{
    Bench bench(square(4, detail));
    const Results results = bench.run({.pattern = pattern, .packet = {.flits = "5"}, .window = 4});
    const int messages = std::string(pattern) == "all-to-all" ? 16 * 15 : 15;
    BOOST_TEST(cell<std::int64_t>(results, 0, "delivered") == messages);
}

BOOST_AUTO_TEST_CASE(it_is_no_machine_that_runs_programs)
{
    Bench bench(square(8, MeshDetail::kFlit));
    const auto names_both = [](const UserError& error) {
        return std::string(error.what()).starts_with("a program runs on machines with processors, and this platform");
    };
    BOOST_CHECK_EXCEPTION(machine_as<ProcessorMachine>(bench.machine, "a program"), UserError, names_both);
}

/// A torus of 8x8 carries up to 8 / k.
BOOST_DATA_TEST_CASE(a_torus_accepts_more_than_the_links_of_a_mesh_could_carry, kDetails, detail)
{
    MeshParams params = square(8, detail);
    params.wrap = true;
    Bench bench(params);
    const double load = 1.1 * analytic::mesh_capacity(8, 8);
    const Results results =
        bench.run({.load = std::to_string(load), .duration = "3000 cycles", .places = {.self = true}});
    BOOST_TEST(cell<double>(results, 0, "accepted_part") > 0.98);
    BOOST_TEST(cell<double>(results, 0, "link_use_mean") == load / analytic::torus_capacity(8, 8),
               boost::test_tools::tolerance(0.02));
    BOOST_TEST(cell<double>(results, 0, "hops_mean") == 4, boost::test_tools::tolerance(0.02));
}

/// Also of packets that no buffer holds: by the formula of their own way, not of the routers alone.
BOOST_DATA_TEST_CASE(the_latency_without_load_is_that_of_the_torus_and_its_buffers,
                     data::make({1, 2, 8}) * data::make({false, true}), buffer, speculation)
{
    MeshParams params = square(8, MeshDetail::kFlit);
    params.wrap = true;
    params.buffer_flits = buffer;
    params.speculation = speculation;
    Bench bench(params);
    const Results results = bench.run({.packet = {.flits = "16"}, .load = "0.001", .duration = "100000 cycles"});
    const double alone = cell<double>(results, 0, "zero_load_mean_ns");
    BOOST_TEST(cell<double>(results, 0, "latency_mean_cycles") >= alone * (1 - 1e-9));
    BOOST_TEST(cell<double>(results, 0, "latency_mean_cycles") <= alone * 1.02);
}

/// Twice what the links carry: by path they are reserved far ahead, which is no use yet.
BOOST_DATA_TEST_CASE(no_link_is_used_for_more_than_all_of_the_time,
                     kDetails* data::make({"1", "5"}) * data::make({"uniform", "hot-spot", "tornado"}), detail, flits,
                     pattern)
{
    Bench bench(square(8, detail));
    const Results results = bench.run({.pattern = pattern,
                                       .packet = {.flits = flits},
                                       .load = "0.9",
                                       .warm_up = "500 cycles",
                                       .duration = "2000 cycles"});
    // By flit a cycle is computed at its end, before or after what looks at the links then
    const double most = detail == MeshDetail::kPath ? 1 : 1 + 1.0 / 2000;
    BOOST_TEST(cell<double>(results, 0, "link_use_highest") <= most);
    BOOST_TEST(cell<double>(results, 0, "link_use_highest") > 0.75);
    Duration busy;
    const auto shared = bench.machine.shared();
    for (const Booked& link : shared.at(0).busy) busy += link.busy;
    BOOST_TEST((busy == Cycles(static_cast<std::int64_t>(bench.machine.link_crossings())) * bench.machine.clock()));
}

/// A waveform, journeys, the use of places: whoever looks at a run finds the same one. With terminals that collect:
/// scc_calendar.
BOOST_DATA_TEST_CASE(a_run_is_the_same_for_all_who_look_at_it,
                     data::make({"flit", "path"}) *
                         data::make({"--vcd run.vcd", "--packets packets.csv", "--every-block"}),
                     detail, watcher)
{
    const test::TemporaryFolder folder;
    const std::string run =
        std::string("run mesh-8x8 --workload traffic:load=0.3,duration=2us,warm_up=1us,kind=mixed ") +
        "--fresh --set mesh.detail=" + detail;
    BOOST_TEST(test::json_of(run + ' ' + watcher)["results"].dump() == test::json_of(run)["results"].dump());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::bare_mesh_test
