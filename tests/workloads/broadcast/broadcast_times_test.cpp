// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "analytic/scc.h"
#include "lab/sql/functions/broadcast_model.h"
#include "tests/support/cases.h"
#include "tests/workloads/broadcast/workload_bench.h"

/// Compares schedules and formulas with the workload on a chip without caches, queues and contention.
namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using namespace ringmesh::workloads::broadcast;
using test::BroadcastBench;
using test::BroadcastCase;
using test::cell;

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(broadcast_times)

BOOST_DATA_TEST_CASE(cube_takes_what_its_schedule_of_blocking_calls_says, data::make({8, 12, 24, 31, 32, 36, 48}),
                     core_count)
{
    const auto cores = static_cast<unsigned>(core_count);
    BroadcastCase options;
    options.size = "53248";  // 13 parts
    options.cores = core_count;
    options.method = Method::kPartSize;
    options.repetitions = 1;
    BroadcastBench bench(options);
    const Results results = bench.run();

    const auto ends =
        lab::broadcast_returns({.algorithm = Algorithm::kCube, .cores = cores, .size = 53248, .part = 4096, .pipe = 0},
                               bench.costs(Algorithm::kCube));
    BOOST_TEST(cell<double>(results, 0, "last_return_cycles") == *std::max_element(ends.begin(), ends.end()),
               boost::test_tools::tolerance(0.05));
    BOOST_TEST(cell<double>(results, 0, "min_cycles") == ends[0], boost::test_tools::tolerance(0.05));
}

struct DoplRun {
    Method method;
    std::int64_t size;
};
std::ostream& operator<<(std::ostream& out, const DoplRun& run)
{
    return out << run.method << ", " << run.size << " B";
}

/// Six whole parts; and one with a short one behind it, whose pieces the two programs cut differently.
const std::vector<DoplRun> kDoplRuns{{Method::kCurve, 49152}, {Method::kCurve, 9192}, {Method::kPipeSize, 9192}};

BOOST_DATA_TEST_CASE(dopl_takes_what_its_schedule_of_pieces_says,
                     data::make({12, 24, 36, 48}) * data::make({1024, 2048, 8192}) * data::make(kDoplRuns), cores, pipe,
                     run)
{
    BroadcastCase options;
    options.algorithm = Algorithm::kDopl;
    options.library.ircce_call = test::kCheapCall;
    options.size = std::to_string(run.size);
    options.pipe = std::to_string(pipe);
    options.cores = cores;
    options.method = run.method;
    options.repetitions = 1;
    BroadcastBench bench(options);
    const Results results = bench.run();
    const auto ends = lab::broadcast_returns({.algorithm = Algorithm::kDopl,
                                              .cores = static_cast<unsigned>(cores),
                                              .size = run.size,
                                              .part = 8192,
                                              .pipe = pipe,
                                              .equal_pieces = run.method == Method::kPipeSize},
                                             bench.costs(Algorithm::kDopl));
    // The wrapped part often arrives in mid-round and delays the line
    BOOST_TEST(cell<double>(results, 0, "last_return_cycles") == *std::max_element(ends.begin(), ends.end()),
               boost::test_tools::tolerance(0.2));
}

/// Mean distance in links over all pairs of cores.
double mean_hops(const test::FakeScc& machine)
{
    double sum = 0;
    for (unsigned a = 0; a < 48; ++a) {
        for (unsigned b = 0; b < 48; ++b) sum += a == b ? 0 : machine.hops(a, b);
    }
    return sum / (48 * 47);
}

BOOST_AUTO_TEST_CASE(cubes_closed_form_is_close_to_its_schedule_and_the_simulation)
{
    BroadcastCase options;
    options.size = "53248";  // 13 parts
    options.method = Method::kPartSize;
    options.repetitions = 1;
    BroadcastBench bench(options);
    const Results results = bench.run();
    const auto costs = test::costs_of(bench.machine, options.library, options.library.call, options.library.copying());
    const double closed = analytic::cube_time(costs, 48, 53248, 4096, 2.2, mean_hops(bench.machine));
    const auto ends =
        lab::broadcast_returns({.algorithm = Algorithm::kCube, .cores = 48, .size = 53248, .part = 4096, .pipe = 0},
                               bench.costs(Algorithm::kCube));
    BOOST_TEST(closed == *std::max_element(ends.begin(), ends.end()), boost::test_tools::tolerance(0.1));
    BOOST_TEST(closed == cell<double>(results, 0, "last_return_cycles"), boost::test_tools::tolerance(0.1));
}

BOOST_AUTO_TEST_CASE(dopls_closed_form_is_close_to_its_schedule_and_the_simulation)
{
    BroadcastCase options;
    options.algorithm = Algorithm::kDopl;
    options.library.ircce_call = test::kCheapCall;
    options.size = "81920";  // ten parts
    options.repetitions = 1;
    BroadcastBench bench(options);
    const Results results = bench.run();
    const auto costs =
        test::costs_of(bench.machine, options.library, test::kCheapCall, options.library.ircce_copying());
    const double closed = analytic::dopl_time(costs, 81920, 8192, 2048, 6.7, 1);
    const auto ends =
        lab::broadcast_returns({.algorithm = Algorithm::kDopl, .cores = 48, .size = 81920, .part = 8192, .pipe = 2048},
                               bench.costs(Algorithm::kDopl));
    BOOST_TEST(closed == *std::max_element(ends.begin(), ends.end()), boost::test_tools::tolerance(0.1));
    BOOST_TEST(closed == cell<double>(results, 0, "last_return_cycles"), boost::test_tools::tolerance(0.1));
}

BOOST_AUTO_TEST_CASE(rcce_bcast_takes_its_messages_one_by_one)
{
    BroadcastCase options;
    options.algorithm = Algorithm::kOwn;
    options.size = "8000";
    options.method = Method::kPartSize;
    options.repetitions = 1;
    BroadcastBench bench(options);
    const Results results = bench.run();
    const auto costs = test::costs_of(bench.machine, options.library, options.library.call, options.library.copying());
    double hops = 0;
    for (unsigned core = 1; core < 48; ++core) hops += bench.machine.hops(0, core) / 47.0;
    BOOST_TEST(cell<double>(results, 0, "min_cycles") == analytic::rcce_bcast_time(costs, 48, 8000, hops),
               boost::test_tools::tolerance(0.02));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
