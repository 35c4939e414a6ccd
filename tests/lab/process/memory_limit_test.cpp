// SPDX-License-Identifier: Apache-2.0
/// What a run takes is estimated before it, and bounded while it runs.
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "platforms/builder.h"
#include "platforms/files/catalog.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/support/program.h"
#include "tlm/pools/pool.h"  // RINGMESH_SANITIZED

namespace {

using namespace ringmesh;
using namespace ringmesh::test;

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(memory)

BOOST_AUTO_TEST_CASE(a_machine_that_takes_more_than_a_run_may_is_refused_before_it_is_built)
{
    const Ended ended = ringmesh::test::ringmesh(
        words("run wulfkit-torus-2d --set topology.dimensions=256x256 --workload remote-write --memory 1GiB"));
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(ended.out == "");
    BOOST_TEST(contains(ended.err, "--memory"), ended.err);
    BOOST_TEST(contains(ended.err, "wulfkit-torus-2d"), ended.err);
    const Ended small = ringmesh::test::ringmesh(
        words("run wulfkit-ring --workload remote-write:sizes=64,repetitions=1 --memory 1GiB"));
    BOOST_TEST(small.status == 0, small.err);
}

BOOST_DATA_TEST_CASE(what_is_no_limit_is_refused, data::make({"much", "1", "1MiB", "-1GiB"}), size)
{
    const Ended ended =
        ringmesh::test::ringmesh({"run", "wulfkit-ring", "--workload", "remote-write", "--memory", size});
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "--memory"), ended.err);
}

/// By their progress, long before the limit has passed; what says nothing of its progress, when it has.
BOOST_DATA_TEST_CASE(what_would_take_too_long_is_stopped,
                     data::make({"wulfkit-ring --workload ping-pong:sizes=64,repetitions=1000000 --limit 20s",
                                 "ncube-64 --workload traffic:load=0.8,duration=140s --limit 1s",
                                 "mesh-8x8 --workload traffic:load=0.1,duration=1s --limit 1s"}),
                     run)
{
    const TemporaryFolder folder;
    const auto start = std::chrono::steady_clock::now();
    const Ended ended = ringmesh::test::ringmesh(words("run " + std::string(run) + " --store store --json late.json"));
    BOOST_TEST(ended.status == 2, ended.err);
    BOOST_TEST(contains(ended.err, "--limit"), ended.err);
    BOOST_TEST(!std::filesystem::exists("late.json"));
    BOOST_TEST((std::chrono::steady_clock::now() - start < std::chrono::seconds(40)));
}

/// The run is over before anybody looks.
BOOST_DATA_TEST_CASE(a_short_limit_is_obeyed, data::make({"1us", "1ms", "0.001s"}), limit)
{
    const TemporaryFolder folder;
    const Ended ended = ringmesh::test::ringmesh(
        words("run wulfkit-ring --workload ping-pong --store store --json late.json --limit " + std::string(limit)));
    BOOST_TEST(ended.status == 2, ended.err);
    BOOST_TEST(contains(ended.err, "--limit"), ended.err);
    BOOST_TEST(!std::filesystem::exists("late.json"));
}

BOOST_DATA_TEST_CASE(what_is_no_time_is_refused, data::make({"long", "60", "-1s"}), time)
{
    const Ended ended = ringmesh::test::ringmesh({"run", "wulfkit-ring", "--workload", "latency-map", "--limit", time});
    BOOST_TEST(ended.status == 2);
    BOOST_TEST(contains(ended.err, "--limit"), ended.err);
}

#ifndef RINGMESH_SANITIZED  // whose allocator takes far more
/// Within a third of what the process had at most; the program itself has 20 MiB.
BOOST_DATA_TEST_CASE(estimates_are_near_what_a_machine_takes,
                     data::make({"wulfkit-torus-2d --set topology.dimensions=48x48",
                                 "ncube-64 --set topology.dimension=10",
                                 "mesh-8x8 --set mesh.columns=64 --set mesh.rows=64 --set mesh.buffer_flits=64"}),
                     machine)
{
    const auto arguments = words(machine);
    auto configuration = platforms::Configuration::load(platforms::find_platform(arguments[0]));
    for (std::size_t i = 2; i < arguments.size(); i += 2) configuration.set(arguments[i]);
    const double estimate = static_cast<double>(
        platforms::machine_kind(configuration).memory(configuration, NodeKind::kPacketSource).count());
    rusage before{};
    ::getrusage(RUSAGE_CHILDREN, &before);
    const Ended ended = ringmesh::test::ringmesh(
        words("run " + std::string(machine) + " --workload traffic:load=0.001,packets=1,warm_up=0ns"));
    BOOST_TEST_REQUIRE(ended.status == 0, ended.err);
    rusage after{};
    ::getrusage(RUSAGE_CHILDREN, &after);
    if (after.ru_maxrss == before.ru_maxrss) return;  // an earlier child of this process was larger
    const double taken = 1024.0 * static_cast<double>(after.ru_maxrss) - (20 << 20);
    BOOST_TEST(estimate > taken * 0.67);
    BOOST_TEST(estimate < taken * 1.5);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
