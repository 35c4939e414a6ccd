// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>

#include "tests/support/cases.h"
#include "tests/workloads/broadcast/workload_bench.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/error.h"
#include "workloads/libraries/deck/deck_library.h"
#include "workloads/libraries/mpi/mpi_library.h"

/// Broadcasts on machines other than the SCC: over libraries with rendezvous, and without nonblocking requests.
namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using namespace ringmesh::workloads::broadcast;
using test::cell;
using test::FakeMachine;

std::unique_ptr<Library> library_called(const std::string& name)
{
    if (name == "deck") return std::make_unique<deck::DeckLibrary>(deck::Options{.buffer = 64 * 1024});
    // All but the smallest messages by rendezvous
    return std::make_unique<mpi::MpiLibrary>("MPI", mpi::Options{.short_limit = 60, .eager_limit = 100});
}

/// The program checks every byte of every rank.
Results broadcast_over(const std::string& library, const Options& options, unsigned ranks)
{
    Simulation simulation{1};
    FakeMachine machine(simulation, ranks);
    BroadcastProgram program(library_called(library), options);
    program.start(machine);
    simulation.run();
    program.check();
    return program.results();
}

Options short_run(Algorithm algorithm, const std::string& size)
{
    Options options;
    options.algorithm = algorithm;
    options.size = size;
    options.repetitions = 2;
    return options;
}

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(broadcast_over_libraries)

BOOST_DATA_TEST_CASE(every_rank_gets_every_byte_over_any_library,
                     data::make({"deck", "mpi"}) *
                         data::make({Algorithm::kLinear, Algorithm::kBinomial, Algorithm::kScatterAllgather,
                                     Algorithm::kCube}) *
                         data::make({2, 3, 4, 7, 8}),
                     library, algorithm, ranks)
{
    Options options = short_run(algorithm, "1,62,63,500,5000");
    if (algorithm == Algorithm::kCube) options.part = "400";
    options.root = ranks - 1;
    const Results results = broadcast_over(library, options, static_cast<unsigned>(ranks));
    BOOST_TEST(results.rows.size() == 5u);
}

BOOST_DATA_TEST_CASE(dopl_runs_without_requests_on_any_product_of_two_numbers,
                     data::make({"deck", "mpi"}) * data::make({4, 6, 9, 12}), library, ranks)
{
    Options options = short_run(Algorithm::kDopl, "1,5000");
    options.part = "600";
    options.pipe = "200";
    const Results results = broadcast_over(library, options, static_cast<unsigned>(ranks));
    const auto& notes = results.notes;
    BOOST_TEST(std::count(notes.begin(), notes.end(), "DOPL in its blocking form: the library has no requests") == 1);
}

BOOST_DATA_TEST_CASE(dopl_on_a_prime_number_of_ranks_is_refused, data::make({2, 3, 5, 7}), ranks)
{
    BOOST_CHECK_THROW(broadcast_over("deck", short_run(Algorithm::kDopl, "100"), static_cast<unsigned>(ranks)),
                      UserError);
}

BOOST_DATA_TEST_CASE(what_the_library_lacks_is_refused, data::make({Algorithm::kOwn, Algorithm::kTree}), algorithm)
{
    BOOST_CHECK_THROW(broadcast_over("deck", short_run(algorithm, "100"), 4), UserError);
}

// Messages that wait for their receivers, around a ring of any length
BOOST_DATA_TEST_CASE(blocking_calls_alone_carry_every_byte_too,
                     data::make({Algorithm::kDopl, Algorithm::kScatterAllgather, Algorithm::kScatterAllgather}) ^
                         data::make({12, 24, 13}),
                     algorithm, cores)
{
    Simulation simulation{1};
    test::FakeScc machine(simulation, static_cast<unsigned>(cores));
    BroadcastProgram program(std::make_unique<rcce::RcceLibrary>(rcce::RcceLibrary::Requests::kNone),
                             short_run(algorithm, "20011"));
    program.start(machine);
    simulation.run();
    program.check();
    BOOST_TEST(cell<double>(program.results(), 0, "min_cycles") > 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
