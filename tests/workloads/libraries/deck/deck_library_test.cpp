// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/deck/deck_library.h"

#include <fmt/format.h>

#include "tests/support/cases.h"
#include "tests/workloads/libraries/deck/deck_bench.h"
#include "tests/workloads/programs/point_to_point_bench.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using test::cell;
using test::check_error;
using test::FakeCosts;
using test::FakeMachine;

constexpr std::int64_t kBuffer = 64 * 1024;

struct Bench : test::PointToPointBench<Exchange::kPingPong, deck::DeckLibrary> {
    explicit Bench(PointToPointOptions exchange, deck::Options library = {.buffer = kBuffer}, FakeCosts costs = {},
                   unsigned nodes = 4)
        : PointToPointBench(from_any(std::move(exchange)), deck::DeckLibrary(library), std::move(costs), nodes)
    {}
    static PointToPointOptions from_any(PointToPointOptions options)
    {
        options.any_source = true;
        return options;
    }
};

const auto kClose = boost::test_tools::tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(deck_library)

BOOST_DATA_TEST_CASE(the_latency_is_half_a_round_trip_of_protocol_1, data::make({0, 1, 62}) * data::make({1, 10}), size,
                     repetitions)
{
    Bench bench({.sizes = std::to_string(size), .repetitions = repetitions, .series = 2});
    const auto results = bench.run();
    const auto& costs = bench.machine.costs;
    const Duration call = bench.machine.processor(0).cycles(deck::Options{}.call);
    const Duration expected = 2 * call + costs.store + costs.flight(0) + 2 * costs.poll + 2 * costs.store;
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") == expected.ns(), kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_max_ns") == expected.ns(), kClose);
}

BOOST_AUTO_TEST_CASE(a_curve_goes_through_all_protocols)
{
    Bench bench({.sizes = "0..2048 step 64", .repetitions = 3, .series = 1});
    const auto results = bench.run();
    BOOST_TEST(results.rows.size() == 33u);
    const auto has = [&results](const std::string& text) {
        return std::any_of(results.notes.begin(), results.notes.end(),
                           [&text](const auto& note) { return note.find(text) != std::string::npos; });
    };
    // 0; 64 to 1024; 1088 to 2048: 4 messages each.
    const std::string sent =
        "4 messages sent by protocol 1, 64 messages sent by protocol 2, 64 messages sent by protocol 3, 128 store "
        "barriers, ";
    BOOST_TEST(has("rank 0: " + sent));
    BOOST_TEST(has("rank 2: " + sent));
    BOOST_TEST(has("protocol 1 carries no length"));
}

BOOST_AUTO_TEST_CASE(dma_is_refused_before_anything_runs_if_a_card_has_no_engine)
{
    Simulation simulation{1};
    FakeMachine machine(simulation, 2);
    deck::DeckLibrary library({.transfer = deck::Transfer::kDma});
    BOOST_TEST(library.make_ranks(machine, 2).size() == 2u);
    machine.processor(1).copies_by_dma = false;
    BOOST_CHECK_THROW(library.make_ranks(machine, 2), UserError);
}

BOOST_AUTO_TEST_CASE(notes_report_only_what_happened)
{
    const MessagingStatistics one{.sent = {{"protocol 1", 0, 0}, {"protocol 2", 1, 64}, {"protocol 3", 0, 0}},
                                  .barriers = 1,
                                  .acknowledgements = 2};
    BOOST_TEST(describe(one) == "1 message sent by protocol 2, 1 store barrier, 2 acknowledgements");
    BOOST_TEST(describe({}) == "nothing sent");
    const MessagingStatistics zero_copy{.sent = {{"protocol 1", 0, 0}, {"protocol 2", 0, 0}, {"protocol 3", 1, 64}}};
    BOOST_TEST(deck::DeckLibrary({.transfer = deck::Transfer::kDma}).notes(zero_copy).empty());
    BOOST_TEST(deck::DeckLibrary().notes(one).size() == 1u);
    const MessagingStatistics short_ones{.sent = {{"protocol 1", 3, 9}, {"protocol 2", 0, 0}, {"protocol 3", 0, 0}}};
    BOOST_TEST(deck::DeckLibrary().notes(short_ones).size() == 1u);
    const auto notes = deck::DeckLibrary({.transfer = deck::Transfer::kDma}).notes(short_ones);
    BOOST_TEST_REQUIRE(notes.size() == 2u);
    BOOST_TEST(notes[1] == "transfer=dma had no effect: it moves what goes by protocols 2 and 3, and nothing did");
}

BOOST_AUTO_TEST_CASE(messages_that_a_forced_protocol_cannot_carry_are_refused_before_anything_runs)
{
    Bench bench({.sizes = "62,63"}, {.protocol = deck::Choice::kShort, .buffer = kBuffer});
    check_error<UserError>([&] { bench.workload.start(bench.machine); },
                           "ping-pong: a message has 63 bytes, and protocol 1 carries 0 to 62; take "
                           "sizes=0..62 step 1, protocol=2 or protocol=3");
    BOOST_TEST(bench.machine.processor(0).finished());
}

BOOST_AUTO_TEST_CASE(the_error_of_a_buffer_below_the_limit_names_both_options)
{
    Bench bench({.sizes = "64..2048 step 64"}, {.buffer = 1024});
    check_error<UserError>([&] { bench.workload.start(bench.machine); },
                           "ping-pong: a message has 576 bytes, and protocol 2, by which go those up to "
                           "limit=1024, carries 0 to 568 with buffer=1024; take limit=568 or buffer=2048");
}

BOOST_DATA_TEST_CASE(the_buffer_size_in_the_error_is_the_minimum, boost::unit_test::data::make({121, 568, 1024, 4096}),
                     size)
{
    const auto bytes = static_cast<std::uint32_t>(size);
    const auto carries = [bytes](std::int64_t buffer) {
        return deck::Options{.buffer = buffer}.largest_general() >= bytes;
    };
    const std::int64_t least = 2 * static_cast<std::int64_t>(padded(8 + bytes) - 64);
    BOOST_TEST(carries(least));
    BOOST_TEST(!carries(least - 64));
    const deck::Options options{.protocol = deck::Choice::kGeneral, .buffer = 128};
    const auto refuse = [&] {
        options.require_carried(deck::Choice::kGeneral, bytes, "a message has",
                                [](std::uint32_t) { return std::string("less"); });
    };
    check_error<UserError>(refuse, fmt::format("a message has {} bytes, and protocol 2 carries 0 to 120 with "
                                               "buffer=128; take less, buffer={} or protocol=3",
                                               size, least));
}

// The second store of the run is the answer to the warm-up's first message; stores 2 and 3 acknowledge.
BOOST_AUTO_TEST_CASE(a_spoilt_byte_ends_the_run_with_its_place)
{
    Bench bench({.sizes = "62", .repetitions = 2}, {.buffer = kBuffer},
                {.spoil = [](std::uint64_t n, std::vector<std::byte>& bytes) {
                    if (n == 0) bytes[5] = static_cast<std::byte>(~std::to_integer<unsigned>(bytes[5]) & 0xff);
                }});
    const auto right = std::to_integer<unsigned>(pattern_byte(0, 5));
    check_error<ModelError>(
        [&] { bench.run(); },
        fmt::format("byte 5 of 62 that rank 2 received of rank 0 is {:#04x} instead of {:#04x}", ~right & 0xff, right));
}

BOOST_AUTO_TEST_CASE(a_packet_that_never_comes_is_an_unfinished_program)
{
    Bench bench({.sizes = "62", .repetitions = 2}, {.buffer = kBuffer}, {.spoil = [](std::uint64_t n, auto& bytes) {
                    if (n == 0) bytes.clear();
                }});
    check_error<ModelError>([&] { bench.run(); }, "the program of rank 0 did not get past repetition 0 of 62 bytes");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
