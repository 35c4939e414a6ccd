// SPDX-License-Identifier: Apache-2.0
#include "workloads/programs/barrier.h"

#include <memory>

#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "workloads/libraries/deck/deck_library.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using test::cell;
using test::FakeMachine;

Results barriers_of(unsigned ranks, Duration late)
{
    Simulation simulation{1};
    FakeMachine machine(simulation, ranks, {.flight = [late](std::uint64_t n) { return n % 5 == 0 ? late : 2_us; }});
    BarrierProgram program(std::make_unique<deck::DeckLibrary>(deck::Options{.buffer = 4096}));
    return test::run_workload(program, machine);  // throws if a rank leaves before another has come
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(barrier_program)

BOOST_DATA_TEST_CASE(no_rank_leaves_a_message_barrier_before_all_have_entered,
                     data::make({1, 2, 3, 5, 8, 13}) * data::make({2, 30}), ranks, late)
{
    const auto results = barriers_of(static_cast<unsigned>(ranks), Duration::picoseconds(late * 1'000'000));
    BOOST_TEST(results.notes.back() == "the library has no barrier: a dissemination over messages of one byte");
}

// A dissemination among n has log2 n rounds, rounded up; each takes a message there and back as all do alike.
BOOST_AUTO_TEST_CASE(a_barrier_takes_a_message_for_each_doubling)
{
    const auto results = barriers_of(8, 2_us);
    BOOST_TEST_REQUIRE(results.rows.size() == 3u);
    const double two = cell<double>(results, 0, "avg_ns");
    for (std::size_t row = 0; row < 3; ++row) {
        const double rounds = static_cast<double>(row) + 1;
        BOOST_TEST(cell<double>(results, row, "avg_ns") == rounds * two, boost::test_tools::tolerance(0.3));
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
