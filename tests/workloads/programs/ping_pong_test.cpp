// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"
#include "tests/workloads/programs/point_to_point_bench.h"
#include "tlm/error.h"
#include "tlm/parameters/parameter_list.h"
#include "workloads/libraries/raw/raw_library.h"
#include "workloads/ranks/rank_pair.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using test::cell;
using test::FakeCosts;
using test::FakeMachine;

struct Bench : test::PointToPointBench<Exchange::kPingPong, RawLibrary> {
    explicit Bench(PointToPointOptions options, FakeCosts costs = {}, const RawOptions& library = {},
                   unsigned nodes = 4)
        : PointToPointBench(std::move(options), RawLibrary(library), std::move(costs), nodes)
    {}
    /// Latency of a message of `stores` stores.
    Duration latency(int stores) const
    {
        return 2 * machine.costs.library + stores * machine.costs.store + machine.costs.flight(0) + machine.costs.poll;
    }
};

std::function<Duration(std::uint64_t)> constant(Duration flight)
{
    return [flight](std::uint64_t) { return flight; };
}

/// Each flight takes 10 ns more than the one before.
Duration drifting(std::uint64_t n) { return 1_us + static_cast<std::int64_t>(n) * 10_ns; }

/// The n-th flight of a series of R round trips is number 2 + 2 R series + n, after the two of the warm-up.
double drifting_latency_ns(const Bench& bench, int repetitions, int series)
{
    const double mean_number = 2 + 2 * repetitions * series + (2 * repetitions - 1) / 2.0;
    return bench.latency(1).ns() + 10 * mean_number;
}

void check_refused(std::int64_t from, std::int64_t to, unsigned nodes, const std::string& message)
{
    BOOST_TEST(test::error_of([&] { choose_ranks("ping-pong", from, to, nodes); }) == message);
}

bool reports_overtaking(const Results& results)
{
    return results.notes.back().find("messages the last word came before other bytes") != std::string::npos;
}

const auto kClose = boost::test_tools::tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(ping_pong)

BOOST_DATA_TEST_CASE(the_latency_is_half_a_round_trip, data::make({1, 2000, 12345}) * data::make({1, 7}), flight,
                     repetitions)
{
    Bench bench({.sizes = "8", .repetitions = repetitions, .series = 3},
                {.flight = constant(Duration::picoseconds(flight * 1000))});
    const auto results = bench.run();
    const double expected = bench.latency(1).ns();
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") == expected, kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_max_ns") == expected, kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_avg_ns") == expected, kClose);
    BOOST_TEST(cell<double>(results, 0, "spread_percent") == 0.0);
}

BOOST_DATA_TEST_CASE(minimum_maximum_and_average_are_of_whole_series_without_the_warm_up, data::make({1, 2, 10}),
                     repetitions)
{
    constexpr int kSeries = 4;
    Bench bench({.sizes = "8", .repetitions = repetitions, .series = kSeries}, {.flight = drifting});
    const auto results = bench.run();
    const double low = drifting_latency_ns(bench, repetitions, 0);
    const double high = drifting_latency_ns(bench, repetitions, kSeries - 1);
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") == low, kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_max_ns") == high, kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_avg_ns") == (low + high) / 2, kClose);
    BOOST_TEST(cell<double>(results, 0, "spread_percent") == 100 * (high - low) / low, kClose);
}

BOOST_AUTO_TEST_CASE(throughput_is_size_by_smallest_latency_in_millions_and_in_mebibytes)
{
    Bench bench({.sizes = "64,512", .repetitions = 2, .series = 2}, {.flight = drifting});
    const auto results = bench.run();
    for (const std::size_t row : {0u, 1u}) {
        const double size = row == 0 ? 64 : 512;
        const double bytes_per_us = size / (cell<double>(results, row, "latency_min_ns") / 1000);
        BOOST_TEST(cell<double>(results, row, "throughput_mb_per_s") == bytes_per_us, kClose);
        BOOST_TEST(cell<double>(results, row, "throughput_mib_per_s") == bytes_per_us * 1e6 / 1048576, kClose);
    }
}

BOOST_AUTO_TEST_CASE(sizes_run_one_after_another_in_the_order_given)
{
    Bench bench({.sizes = "64,1,4096,1,3", .repetitions = 2, .series = 2});
    const auto results = bench.run();
    const std::vector<std::int64_t> sizes{64, 1, 4096, 1, 3};
    BOOST_TEST_REQUIRE(results.rows.size() == sizes.size());
    for (std::size_t row = 0; row < sizes.size(); ++row) {
        BOOST_TEST(cell<std::int64_t>(results, row, "size_bytes") == sizes[row]);
        BOOST_TEST(cell<double>(results, row, "latency_max_ns") == bench.latency(1).ns(), kClose);
    }
}

// 20 bytes that end on a boundary begin at 44, so the first assignment has 4; 63 begin at 1 and take 1, 2 and 4 first.
BOOST_DATA_TEST_CASE(single_stores_take_one_assignment_after_another, data::make({20, 64, 63}) ^ data::make({3, 8, 10}),
                     size, stores)
{
    Bench bench({.sizes = std::to_string(size), .repetitions = 2, .series = 1}, {}, {.stores = Stores::kSingle});
    const auto results = bench.run();
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") == bench.latency(stores).ns(), kClose);
    const auto& made = bench.machine.processor(0).stores;
    BOOST_TEST(made.size() == static_cast<std::size_t>(3 * stores));
    for (const auto& store : made) BOOST_TEST((store.kind == StoreKind::kSingle));
}

BOOST_DATA_TEST_CASE(aligned_messages_end_on_a_boundary_and_others_begin_on_one, data::make({false, true}), aligned)
{
    Bench bench({.sizes = "1,24,64,100", .repetitions = 1, .series = 1}, {}, {.aligned = aligned});
    bench.run();
    for (const unsigned rank : {0u, 2u}) {
        for (const auto& store : bench.machine.processor(rank).stores) {
            BOOST_TEST((store.address + (aligned ? store.size : 0)) % 64 == 0u);
        }
    }
}

// One byte holds 128 different words.
BOOST_DATA_TEST_CASE(messages_stay_apart_when_their_words_wrap, data::make({"1", "3", "2,1,3,5"}), sizes)
{
    Bench bench({.sizes = sizes, .repetitions = 150, .series = 2}, {}, {.aligned = false});
    const auto results = bench.run();
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") == bench.latency(1).ns(), kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_max_ns") == bench.latency(1).ns(), kClose);
}

// Taken too early, the receiver would wait for the other two bytes.
BOOST_AUTO_TEST_CASE(a_word_that_lay_in_memory_before_the_run_is_not_taken_for_a_message)
{
    const Message first{.size = 3, .sequence = 0};
    const std::vector<std::byte> words(test::FakeProcessor::kMemory, static_cast<std::byte>(polled_value(first)));
    Bench bench({.sizes = "3", .repetitions = 1, .series = 1});
    bench.machine.processor(0).poke(0, words);
    bench.machine.processor(2).poke(0, words);
    BOOST_TEST(!reports_overtaking(bench.run()));
}

// The seventh byte of the last message of 64 equals the word of the first message of 7, which is polled there.
BOOST_AUTO_TEST_CASE(a_word_left_by_another_size_is_not_taken_for_a_message)
{
    std::uint64_t last = 1;
    while (std::to_integer<std::uint64_t>(pattern_byte(2 * last, 6)) !=
           polled_value({.size = 7, .sequence = 2 * last + 2})) {
        ++last;
        BOOST_TEST_REQUIRE(last < 1000u);
    }
    Bench bench({.sizes = "64,7", .repetitions = static_cast<std::int64_t>(last), .series = 1}, {}, {.aligned = false});
    BOOST_TEST(!reports_overtaking(bench.run()));
}

// Stores 0 and 1 warm up, 2 is the first ping and 3 the answer to it.
BOOST_AUTO_TEST_CASE(a_wrong_byte_ends_the_run_with_rank_size_repetition_and_place)
{
    Bench bench({.sizes = "64", .repetitions = 2, .series = 1},
                {.spoil = [](std::uint64_t n, std::vector<std::byte>& bytes) {
                    if (n == 3) bytes[7] = bytes[9] = std::byte{0xee};
                }});
    const auto right = std::to_integer<unsigned>(pattern_byte(3, 7));
    const auto expected = fmt::format(
        "the program of rank 0 did not get past repetition 1 of 64 bytes; there, byte 7 of its receive area is 0xee "
        "instead of {:#04x}",
        right);
    BOOST_TEST(test::error_of<ModelError>([&] { bench.run(); }) == expected);
}

BOOST_AUTO_TEST_CASE(a_message_that_never_comes_is_an_unfinished_program)
{
    Bench bench({.sizes = "8", .repetitions = 2, .series = 1}, {.spoil = [](std::uint64_t n, auto& bytes) {
                    if (n == 2) bytes.clear();
                }});
    BOOST_CHECK_EXCEPTION(bench.run(), ModelError, [](const auto& error) {
        const std::string expected = "the program of rank 0 did not get past repetition 1 of 8 bytes; there, byte 0";
        BOOST_TEST(std::string(error.what()).substr(0, expected.size()) == expected);
        return true;
    });
}

// The first of a message's two stores arrives after the second.
BOOST_AUTO_TEST_CASE(bytes_that_come_after_the_last_word_are_waited_for_and_reported)
{
    Bench bench({.sizes = "16", .repetitions = 5, .series = 2},
                {.flight = [](std::uint64_t n) { return n % 2 == 0 ? 3_us : 2_us; }}, {.stores = Stores::kSingle});
    const auto results = bench.run();
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") == bench.latency(1).ns(), kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_max_ns") == bench.latency(1).ns(), kClose);
    BOOST_TEST(reports_overtaking(results));
    BOOST_TEST(results.notes.back().substr(0, 12) == "in 22 messag");
}

BOOST_AUTO_TEST_CASE(messages_in_order_are_not_reported_as_overtaken)
{
    Bench bench({.sizes = "16", .repetitions = 5, .series = 2}, {}, {.stores = Stores::kSingle});
    BOOST_TEST(!reports_overtaking(bench.run()));
}

BOOST_AUTO_TEST_CASE(a_mapping_holds_the_largest_message)
{
    Bench bench({.sizes = "100,3000,64", .repetitions = 1, .series = 1});
    bench.run();
    BOOST_TEST(bench.machine.processor(0).mapped == area_bytes(3000));
    BOOST_TEST(bench.machine.processor(2).mapped == area_bytes(3000));
}

BOOST_AUTO_TEST_CASE(the_chosen_ranks_and_no_others_send)
{
    Bench bench({.from = 3, .to = "1", .sizes = "8", .repetitions = 1, .series = 1});
    bench.run();
    for (const unsigned rank : {0u, 1u, 2u, 3u}) {
        BOOST_TEST(bench.machine.processor(rank).stores.size() == (rank % 2 == 1 ? 2u : 0u));
    }
}

BOOST_AUTO_TEST_CASE(partners_run_one_after_another_each_with_its_rows)
{
    Bench bench({.from = 2, .to = "0,1,3", .sizes = "8,100", .repetitions = 2, .series = 1});
    const auto results = bench.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 6u);
    const std::vector<std::int64_t> partners{0, 1, 3, 0, 1, 3};
    for (std::size_t row = 0; row < 6; ++row) {
        BOOST_TEST(cell<std::int64_t>(results, row, "from") == 2);
        BOOST_TEST(cell<std::int64_t>(results, row, "to") == partners[row]);
        BOOST_TEST(cell<std::int64_t>(results, row, "size_bytes") == (row < 3 ? 8 : 100));
        BOOST_TEST(cell<std::int64_t>(results, row, "hops") == (partners[row] + 2) % 4);
        BOOST_TEST(cell<double>(results, row, "round_trip_avg_ns") == 2 * bench.latency(1).ns(), kClose);
    }
}

/// A flag follows a barrier; the receiver loads what was put beside it, and what it gets behind a barrier of its own.
BOOST_DATA_TEST_CASE(messages_go_by_put_or_get_and_a_flag, data::make({false, true}), gets)
{
    Bench bench({.to = "1,2", .sizes = "1,64,1000", .repetitions = 2, .series = 2, .by = gets ? By::kGet : By::kPut});
    const auto results = bench.run();
    BOOST_TEST_REQUIRE(results.rows.size() == 6u);
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") > 2 * bench.machine.costs.store.ns());
    // One warm-up and four each for three sizes: each message has two barriers, of the sender and of the receiver
    const std::uint64_t messages = 3 * 5;
    BOOST_TEST(bench.machine.processor(1).barriers == 2 * messages);
    BOOST_TEST(bench.machine.processor(2).barriers == 2 * messages);
    BOOST_TEST(bench.machine.processor(0).barriers == 4 * messages);
}

BOOST_AUTO_TEST_CASE(a_message_larger_than_a_window_is_refused)
{
    Bench bench({.sizes = "100", .by = By::kPut}, {}, {.window = 64});
    BOOST_TEST(test::error_of([&] { bench.workload.start(bench.machine); }) ==
               "ping-pong: by = put: a message has 100 bytes, and a rank's window 64; take sizes "
               "of at most that");
}

BOOST_AUTO_TEST_CASE(capabilities_missing_in_raw_segments_are_refused)
{
    Bench meeting({.sizes = "8", .meet = true});
    BOOST_CHECK_THROW(meeting.workload.start(meeting.machine), UserError);
}

BOOST_AUTO_TEST_CASE(a_receive_of_any_source_is_refused_without_one)
{
    Bench any({.sizes = "8", .any_source = true});
    BOOST_CHECK_THROW(any.workload.start(any.machine), UserError);
}

BOOST_AUTO_TEST_CASE(wrong_sizes_are_refused_before_anything_runs)
{
    Bench bench({.sizes = "64..512"});
    BOOST_CHECK_THROW(bench.workload.start(bench.machine), UserError);
    BOOST_TEST(bench.machine.processor(0).finished());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(ping_pong)

BOOST_DATA_TEST_CASE(the_opposite_rank_is_half_way_round, data::make({2, 3, 4, 5, 8, 9}), nodes)
{
    for (int from = 0; from < nodes; ++from) {
        const auto ranks = choose_ranks("ping-pong", from, -1, static_cast<unsigned>(nodes));
        BOOST_TEST(ranks.from == static_cast<unsigned>(from));
        BOOST_TEST(ranks.to == static_cast<unsigned>((from + nodes / 2) % nodes));
    }
}

BOOST_AUTO_TEST_CASE(ranks_that_do_not_exist_or_are_the_same_are_refused)
{
    check_refused(4, -1, 4, "ping-pong: this machine has no rank from = 4; choose one of 0 to 3");
    check_refused(-1, 1, 4, "ping-pong: this machine has no rank from = -1; choose one of 0 to 3");
    check_refused(0, 4, 4, "ping-pong: this machine has no rank to = 4; choose one of 0 to 3");
    check_refused(2, 2, 4, "ping-pong: from and to are both 2; choose two different ranks of 0 to 3");
    check_refused(0, -1, 1, "ping-pong needs two nodes, and this machine has 1; take a larger one");
    BOOST_TEST(choose_ranks("ping-pong", 3, 0, 4).to == 0u);
}

BOOST_AUTO_TEST_CASE(its_defaults_are_those_of_the_published_figures)
{
    const auto options = as_measured(Measured::kScibench, Exchange::kPingPong);
    PointToPoint workload(Exchange::kPingPong, std::make_unique<RawLibrary>(), options);
    const auto rows = list_parameters_of([&workload](ParameterVisitor& visitor) { workload.visit(visitor); });
    std::vector<std::string> texts;
    for (const auto& row : rows) texts.push_back(row.key + "=" + row.value);
    const std::vector<std::string> expected{
        "from=0",     "to=opposite",    "sizes=64..512 step 64", "repetitions=20", "series=5",  "any_source=false",
        "meet=false", "pause=0 cycles", "by=messages",           "ranks=all",      "map=linear"};
    BOOST_TEST(texts == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
