// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_scc.h"
#include "tlm/error.h"
#include "workloads/libraries/rcce/rcce_library.h"
#include "workloads/programs/barrier.h"
#include "workloads/programs/point_to_point.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using namespace ringmesh::workloads::rcce;
using test::cell;
using test::FakeScc;

template <class Program>
struct Run {
    Simulation simulation{1};
    FakeScc machine;
    std::unique_ptr<Program> workload;

    Run(std::unique_ptr<Program> program, unsigned cores) : machine(simulation, cores), workload(std::move(program)) {}
    Results run()
    {
        workload->start(machine);
        simulation.run();
        simulation.require_drained();
        workload->check();
        return workload->results();
    }
};

std::unique_ptr<RcceLibrary> library(const LibraryOptions& options = {})
{
    return std::make_unique<RcceLibrary>(RcceLibrary::Requests::kNone, options);
}

struct PingPongs : Run<PointToPoint> {
    explicit PingPongs(PointToPointOptions options, unsigned cores = 48, const LibraryOptions& rcce = {})
        : Run(std::make_unique<PointToPoint>(Exchange::kPingPong, library(rcce), std::move(options)), cores)
    {}
};

struct Barriers : Run<BarrierProgram> {
    explicit Barriers(BarrierOptions options, unsigned cores = 48, std::string ranks = "all")
        : Run(std::make_unique<BarrierProgram>(library(), std::move(options), std::move(ranks)), cores)
    {}
};

/// As the thesis measured.
PointToPointOptions thesis(std::string sizes, std::int64_t series)
{
    PointToPointOptions options = as_measured(Measured::kThesis, Exchange::kPingPong);
    options.sizes = std::move(sizes);
    options.series = series;
    return options;
}

template <class SomeRun>
std::string error_of(SomeRun&& run)
{
    try {
        run.workload->start(run.machine);
    } catch (const UserError& error) {
        return error.what();
    }
    return "no error";
}

const auto kClose = boost::test_tools::tolerance(1e-9);

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(rcce_library)

// Both ways alike: the flag there, the get, the flag back, and no write that is not acknowledged cross the links.
BOOST_DATA_TEST_CASE(a_round_trip_grows_by_the_links_that_flags_and_lines_cross, data::make({256u, 8000u}), size)
{
    PingPongs run(thesis(std::to_string(size), 2));
    const auto results = run.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 5u);
    const double hop = static_cast<double>(run.machine.costs.hop.count());
    const double near = cell<double>(results, 0, "round_trip_min_cycles");
    for (std::size_t row = 0; row < 5; ++row) {
        const auto hops = cell<std::int64_t>(results, row, "hops");
        const double crossings = 2.0 * (size / 32 + 2);
        BOOST_TEST(
            cell<double>(results, row, "round_trip_min_cycles") == near + crossings * hop * static_cast<double>(hops),
            kClose);
    }
}

BOOST_AUTO_TEST_CASE(rows_go_by_size_and_then_by_partner_and_say_cycles_nanoseconds_and_declared_time)
{
    PointToPointOptions options = thesis("1,9000", 3);
    options.from = 3;
    options.to = "0,40";
    PingPongs run(options, 48, {.declared_clock = 250_MHz});
    const auto results = run.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 4u);
    for (std::size_t row = 0; row < 4; ++row) {
        BOOST_TEST(cell<std::int64_t>(results, row, "to") == (row % 2 == 0 ? 0 : 40));
        BOOST_TEST(cell<std::int64_t>(results, row, "size_bytes") == (row < 2 ? 1 : 9000));
        BOOST_TEST(cell<std::int64_t>(results, row, "handshakes") == (row < 2 ? 1 : 3));
        const double cycles = cell<double>(results, row, "round_trip_avg_cycles");
        BOOST_TEST(cell<double>(results, row, "round_trip_avg_ns") == cycles * 2, kClose);
        BOOST_TEST(cell<double>(results, row, "declared_avg_us") == cycles / 250, kClose);
        BOOST_TEST(cell<double>(results, row, "round_trip_min_cycles") <= cycles);
    }
}

BOOST_AUTO_TEST_CASE(the_partners_are_those_of_the_thesis_that_the_machine_has)
{
    constexpr std::array kPartners{1, 2, 10};
    PingPongs run(thesis("32", 1), 12);
    const auto results = run.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 3u);
    for (std::size_t row = 0; row < 3; ++row) {
        BOOST_TEST(cell<std::int64_t>(results, row, "to") == kPartners.at(row));
    }
}

BOOST_DATA_TEST_CASE(ranks_that_the_machine_lacks_or_none_are_an_error, data::make({"0", "13"}), ranks)
{
    BOOST_TEST(error_of(Barriers({}, 12, ranks)) ==
               std::string("ranks = ") + ranks + ": this machine has 12; write 1 to 12");
}

BOOST_DATA_TEST_CASE(a_number_of_ranks_that_cannot_be_read_is_an_error,
                     data::make({"", "many", "-1", "12x", "99999999999"}), ranks)
{
    BOOST_TEST(error_of(Barriers({}, 12, ranks)) ==
               std::string("ranks = ") + ranks + ": not a number of ranks; write 1 to 12, or all");
}

// Rank 0 writes one release flag after another, and sweeps over all gather flags.
BOOST_AUTO_TEST_CASE(a_barrier_takes_time_for_each_member)
{
    Barriers run({.members = "12..48 step 12", .repetitions = 3});
    const auto results = run.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 4u);
    const auto& costs = run.machine.costs;
    const LibraryOptions library;
    for (std::size_t row = 1; row < 4; ++row) {
        const double more = cell<double>(results, row, "min_cycles") - cell<double>(results, row - 1, "min_cycles");
        // A flag read and a flag written for each, at least; at most at all links, and all looked at twice
        const double least = 12.0 * static_cast<double>(2 * (library.step + costs.line).count());
        BOOST_TEST(more >= least);
        BOOST_TEST(more <= 12 * 4 * (static_cast<double>((library.step + costs.line + costs.hop * 8).count()) + 60));
    }
}

BOOST_AUTO_TEST_CASE(barriers_of_all_powers_of_two_and_of_all_cores_are_the_default)
{
    Barriers run({.repetitions = 1}, 12);
    const auto results = run.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 4u);
    const std::int64_t expected[] = {2, 4, 8, 12};
    for (std::size_t row = 0; row < 4; ++row) {
        BOOST_TEST(cell<std::int64_t>(results, row, "members") == expected[row]);
    }
}

BOOST_AUTO_TEST_CASE(a_barrier_of_more_ranks_than_run_the_program_is_an_error)
{
    BOOST_TEST(error_of(Barriers({.members = "4,16"}, 12)) ==
               "members = 4,16: '16' is out of bounds; a barrier of this program has 1 to 12 ranks");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
