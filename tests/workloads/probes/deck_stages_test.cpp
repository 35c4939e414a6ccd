// SPDX-License-Identifier: Apache-2.0
#include "workloads/probes/deck_stages.h"

#include <string>
#include <vector>

#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tests/workloads/libraries/deck/deck_bench.h"
#include "tlm/error.h"
#include "workloads/libraries/deck/deck_library.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using deck::DeckStagesOptions;
using test::cell;
using test::check_error;
using test::FakeCosts;
using test::FakeMachine;

constexpr std::int64_t kBuffer = 64 * 1024;
constexpr std::int64_t kFrom = 1;
constexpr std::int64_t kTo = 2;

struct Case {
    DeckStagesOptions options;
    deck::Options library;
};

struct Bench {
    Simulation simulation{1};
    FakeMachine machine;
    deck::DeckStages workload;

    explicit Bench(const Case& what, FakeCosts costs = {})
        : machine(simulation, 4, std::move(costs)),
          workload(std::make_unique<deck::DeckLibrary>(what.library), what.options)
    {}
    Results run() { return test::run_workload(workload, machine); }
    Duration call() { return machine.processor(0).cycles(deck::Options{}.call); }
};

Case message(deck::Choice protocol, std::int64_t size)
{
    return {.options = {.from = kFrom, .to = kTo, .size = size}, .library = {.protocol = protocol, .buffer = kBuffer}};
}

struct Expected {
    std::string step;
    std::int64_t rank;
    Duration span;
};

/// All rows; each begins where the row above ends.
void check_rows(const Results& results, const std::vector<Expected>& expected)
{
    BOOST_TEST_REQUIRE(results.rows.size() == expected.size());
    Duration at;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        BOOST_TEST_CONTEXT("row " << i)
        {
            BOOST_TEST(cell<std::string>(results, i, "step") == expected[i].step);
            BOOST_TEST(cell<std::int64_t>(results, i, "rank") == expected[i].rank);
            BOOST_TEST(cell<double>(results, i, "begin_ns") == at.ns());
            at += expected[i].span;
            BOOST_TEST(cell<double>(results, i, "end_ns") == at.ns());
            BOOST_TEST(cell<double>(results, i, "duration_ns") == expected[i].span.ns());
        }
    }
}

const FakeCosts kCosts;
const Duration kFlight = kCosts.flight(0);
const Duration kWay = kFlight + kCosts.poll;
const Duration kLocalCopy = kCosts.poll + kCosts.store;

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(deck_stages)

BOOST_DATA_TEST_CASE(protocol_1_is_one_packet_and_one_copy, data::make({0, 1, 62}), size)
{
    Bench bench(message(deck::Choice::kShort, size));
    check_rows(bench.run(), {{"call", kFrom, bench.call()},
                             {"packet stored", kFrom, kCosts.store},
                             {"on the way, polled", kTo, kWay},
                             {"copy to the user's buffer", kTo, kLocalCopy},
                             {"read position written back", kTo, kCosts.store},
                             {"call of the receiver", kTo, bench.call()}});
}

BOOST_DATA_TEST_CASE(protocol_2_is_data_then_its_completion_then_a_control_packet, data::make({0, 1, 64, 5000}), size)
{
    Bench bench(message(deck::Choice::kGeneral, size));
    check_rows(bench.run(), {{"call", kFrom, bench.call()},
                             {"data stored", kFrom, kCosts.store},
                             {"barrier: flush, all transactions complete", kFrom, kFlight},
                             {"control packet stored", kFrom, kCosts.store},
                             {"on the way, polled", kTo, kWay},
                             {"control packet read", kTo, kCosts.poll},
                             {"header read", kTo, kCosts.poll},
                             {"copy to the user's buffer", kTo, size == 0 ? Duration::zero() : kLocalCopy},
                             {"read position written back", kTo, kCosts.store},
                             {"call of the receiver", kTo, bench.call()}});
}

BOOST_DATA_TEST_CASE(protocol_3_goes_there_and_back_and_there, data::make({1, 64, 5000}), size)
{
    Bench bench(message(deck::Choice::kZeroCopy, size));
    check_rows(bench.run(), {{"call", kFrom, bench.call()},
                             {"request stored", kFrom, kCosts.store},
                             {"on the way, polled", kTo, kWay},
                             {"control packet read", kTo, kCosts.poll},
                             {"answer with the address stored", kTo, kCosts.store},
                             {"on the way, polled", kFrom, kWay},
                             {"data stored", kFrom, kCosts.store},
                             {"barrier: flush, all transactions complete", kFrom, kFlight},
                             {"end stored", kFrom, kCosts.store},
                             {"on the way, polled", kTo, kWay},
                             {"control packet read", kTo, kCosts.poll},
                             {"read position written back", kTo, kCosts.store},
                             {"call of the receiver", kTo, bench.call()}});
}

// A ring of one slot: no message waits, as the one before it has been acknowledged.
BOOST_DATA_TEST_CASE(warm_up_changes_nothing_on_a_machine_of_constant_costs, data::make({1, 2, 300}), warm_up)
{
    auto options = message(deck::Choice::kZeroCopy, 64);
    options.options.warm_up = warm_up;
    options.library.slots = 1;
    Bench bench(options);
    const auto results = bench.run();
    const Duration sum = 2 * bench.call() + 5 * kCosts.store + 3 * kWay + 2 * kCosts.poll + kFlight;
    BOOST_TEST(cell<double>(results, results.rows.size() - 1, "end_ns") == sum.ns());
}

BOOST_AUTO_TEST_CASE(the_cards_dma_engine_leaves_no_barrier_to_wait_for)
{
    auto options = message(deck::Choice::kGeneral, 64);
    options.library.transfer = deck::Transfer::kDma;
    Bench bench(options);
    const auto results = bench.run();
    BOOST_TEST(cell<std::string>(results, 1, "step") == "data stored");
    BOOST_TEST(cell<double>(results, 1, "duration_ns") == kFlight.ns());
    BOOST_TEST(cell<std::string>(results, 2, "step") == "control packet stored");
}

// The doorbell is stored and flushed after the packet, and has its interrupt before the receiver looks.
BOOST_AUTO_TEST_CASE(an_interrupt_is_a_stage_of_the_path)
{
    auto options = message(deck::Choice::kShort, 8);
    options.library.notification = deck::Notification::kInterrupt;
    Bench bench(options);
    const auto results = bench.run();
    BOOST_TEST(cell<double>(results, 1, "duration_ns") == (3 * kCosts.store).ns());
    BOOST_TEST(cell<double>(results, 2, "duration_ns") == (kFlight - kCosts.store + 2 * kCosts.poll).ns());
}

// By protocol 1, where every message is followed by its read position: 0 and 2 warm up.
BOOST_DATA_TEST_CASE(a_spoilt_byte_ends_the_run, data::make({0, 2, 4}), store)
{
    Bench bench(message(deck::Choice::kShort, 62), {.spoil = [store](std::uint64_t n, std::vector<std::byte>& bytes) {
                    if (n == static_cast<std::uint64_t>(store)) bytes[5] ^= std::byte{4};
                }});
    BOOST_CHECK_THROW(bench.run(), ModelError);
}

BOOST_AUTO_TEST_CASE(a_packet_that_never_comes_is_an_unfinished_program)
{
    Bench bench(message(deck::Choice::kShort, 62), {.spoil = [](std::uint64_t n, auto& bytes) {
                    if (n == 0) bytes.clear();
                }});
    check_error<ModelError>([&] { bench.run(); }, "the program of rank 1 did not get past its messages, after 0 steps");
}

// The packet is found before its sender's store returns, so the stages do not form a path.
BOOST_AUTO_TEST_CASE(steps_that_do_not_join_are_an_error)
{
    Bench bench(message(deck::Choice::kShort, 62), {.poll = 20_ns, .flight = [](std::uint64_t) { return -30_ns; }});
    BOOST_CHECK_EXCEPTION(bench.run(), ModelError, [](const ModelError& error) {
        return std::string(error.what()).find("'packet stored' of rank 1 lasts from") != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(a_message_that_the_protocol_cannot_carry_is_refused)
{
    Bench bench(message(deck::Choice::kShort, 64));
    check_error<UserError>(
        [&] { bench.workload.start(bench.machine); },
        "deck-stages: the message has 64 bytes, and protocol 1 carries 0 to 62; take size=62, protocol=2 "
        "or protocol=3");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
