// SPDX-License-Identifier: Apache-2.0
#include "workloads/programs/rounds.h"

#include <algorithm>
#include <memory>
#include <ostream>
#include <set>

#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tests/workloads/fakes/fake_scc.h"
#include "tlm/error.h"
#include "workloads/libraries/mpi/mpi_library.h"
#include "workloads/libraries/rcce/rcce_library.h"

namespace ringmesh::workloads {

inline std::ostream& operator<<(std::ostream& out, RoundPattern pattern)
{
    return out << RoundsProgram::name_of(pattern);
}

}  // namespace ringmesh::workloads

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using test::cell;
using test::FakeMachine;

const auto kAll = data::make({RoundPattern::kChain, RoundPattern::kExchange, RoundPattern::kAllToAll,
                              RoundPattern::kNeighbours, RoundPattern::kStream});

/// All messages by rendezvous: a send waits for its receiver.
std::unique_ptr<Library> rendez_vous()
{
    return std::make_unique<mpi::MpiLibrary>("MPI", mpi::Options{.short_limit = 1, .eager_limit = 1});
}

template <class Machine>
Results run_on(Machine& machine, RoundPattern pattern, std::unique_ptr<Library> library, const std::string& sizes)
{
    RoundsProgram program(pattern, std::move(library), {.sizes = sizes, .repetitions = 2});
    program.start(machine);
    machine.simulation().run();
    machine.simulation().require_drained();
    program.check();
    return program.results();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(rounds_program)

BOOST_DATA_TEST_CASE(sends_that_wait_for_their_receiver_do_not_deadlock, kAll* data::make({2, 3, 4, 7, 8}), pattern,
                     ranks)
{
    Simulation simulation{1};
    FakeMachine machine(simulation, static_cast<unsigned>(ranks));
    const auto results = run_on(machine, pattern, rendez_vous(), "1,200,9000");
    BOOST_TEST(results.rows.size() == 3u);
    BOOST_TEST(cell<double>(results, 0, "time_min_ns") < cell<double>(results, 2, "time_min_ns"));
}

BOOST_DATA_TEST_CASE(cores_run_them_over_rcce, kAll, pattern)
{
    Simulation simulation{1};
    test::FakeScc machine(simulation, 12);
    auto library = std::make_unique<rcce::RcceLibrary>(rcce::RcceLibrary::Requests::kNone);
    BOOST_TEST(run_on(machine, pattern, std::move(library), "33").rows.size() == 1u);
}

BOOST_DATA_TEST_CASE(every_rank_sends_once_to_every_other, data::make({2, 5, 8}), ranks)
{
    Simulation simulation{1};
    FakeMachine machine(simulation, static_cast<unsigned>(ranks));
    const auto all = round_messages(RoundPattern::kAllToAll, {}, machine, static_cast<unsigned>(ranks));
    std::set<std::pair<unsigned, unsigned>> pairs;
    for (const RankMessage& message : all) {
        BOOST_TEST(message.from != message.to);
        pairs.emplace(message.from, message.to);
    }
    BOOST_TEST(all.size() == static_cast<std::size_t>(ranks * (ranks - 1)));
    BOOST_TEST(pairs.size() == all.size());
}

BOOST_AUTO_TEST_CASE(neighbours_are_one_link_away)
{
    Simulation simulation{1};
    FakeMachine machine(simulation, 5);
    for (const RankMessage& message : round_messages(RoundPattern::kNeighbours, {}, machine, 5)) {
        BOOST_TEST(message.to == (message.from + 1) % 5);
    }
}

BOOST_AUTO_TEST_CASE(a_wrong_byte_ends_the_run)
{
    Simulation simulation{1};
    FakeMachine machine(simulation, 3, {.spoil = [](std::uint64_t, std::vector<std::byte>& bytes) {
                            if (bytes.size() > 1000) bytes[500] ^= std::byte{1};
                        }});
    BOOST_CHECK_THROW(run_on(machine, RoundPattern::kAllToAll, rendez_vous(), "4000"), ModelError);
}

BOOST_AUTO_TEST_CASE(overlap_is_refused_over_a_library_whose_sends_may_wait)
{
    Simulation simulation{1};
    FakeMachine machine(simulation, 4);
    RoundsProgram program(RoundPattern::kExchange, rendez_vous(), {.overlap = true});
    BOOST_TEST(test::error_of([&] { program.start(machine); }) ==
               "exchange: overlap = true: it needs buffered, tags, which this library lacks; leave it out, or take "
               "--library vertex");
}

// The first round begins at once, the next after 10 s.
BOOST_AUTO_TEST_CASE(quiet_rounds_begin_at_fixed_times_and_have_no_warm_up)
{
    Simulation simulation{1};
    FakeMachine machine(simulation, 4);
    RoundsProgram program(RoundPattern::kStream, rendez_vous(),
                          {.sizes = "8", .repetitions = 2, .quiet = true, .messages = 1, .to = 3});
    program.start(machine);
    simulation.run();
    program.check();
    BOOST_TEST(cell<double>(program.results(), 0, "time_avg_ns") < 100'000.0);
    BOOST_TEST((now() > 10_s && now() < 10_s + 1_ms));
}

BOOST_AUTO_TEST_CASE(one_rank_alone_is_refused)
{
    Simulation simulation{1};
    FakeMachine machine(simulation, 1);
    BOOST_CHECK_THROW(run_on(machine, RoundPattern::kChain, rendez_vous(), "4"), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
