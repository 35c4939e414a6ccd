// SPDX-License-Identifier: Apache-2.0

#include "tests/support/cases.h"
#include "tests/workloads/programs/point_to_point_bench.h"
#include "tlm/error.h"
#include "workloads/libraries/raw/raw_library.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using test::cell;
using test::FakeCosts;
using test::FakeMachine;

struct Bench : test::PointToPointBench<Exchange::kOneWay, RawLibrary> {
    explicit Bench(PointToPointOptions options, FakeCosts costs = {})
        : PointToPointBench(answered_alike(std::move(options)), RawLibrary(), std::move(costs), 2)
    {}
    static PointToPointOptions answered_alike(PointToPointOptions options)
    {
        options.answer = Answer::kSame;
        return options;
    }
    /// All messages leave one after another; the last one and its answer make a round trip.
    double latency_ns(int repetitions) const
    {
        const auto& costs = machine.costs;
        const Duration leave = costs.library + costs.store;
        const Duration arrive = costs.flight(0) + costs.poll + costs.library;
        return (repetitions * leave + arrive + leave + arrive).ns() / repetitions;
    }
};

const auto kClose = boost::test_tools::tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(one_way)

BOOST_DATA_TEST_CASE(the_latency_is_the_whole_time_by_the_number_of_messages,
                     data::make({1, 2, 100, 300}) * data::make({"1", "8", "64"}), repetitions, sizes)
{
    Bench bench({.sizes = sizes, .repetitions = repetitions, .series = 3});
    const auto results = bench.run();
    BOOST_TEST(cell<double>(results, 0, "latency_min_ns") == bench.latency_ns(repetitions), kClose);
    BOOST_TEST(cell<double>(results, 0, "latency_max_ns") == bench.latency_ns(repetitions), kClose);
}

BOOST_AUTO_TEST_CASE(each_series_is_answered_once)
{
    Bench bench({.sizes = "1,64", .repetitions = 10, .series = 3});
    bench.run();
    BOOST_TEST(bench.machine.processor(0).stores.size() == 2u * (1 + 3 * 10));
    BOOST_TEST(bench.machine.processor(1).stores.size() == 2u * (1 + 3));
}

BOOST_AUTO_TEST_CASE(an_answer_has_the_size_of_the_message)
{
    Bench bench({.sizes = "1,64,4096", .repetitions = 2, .series = 1});
    bench.run();
    std::vector<std::uint32_t> sizes;
    for (const auto& store : bench.machine.processor(1).stores) sizes.push_back(store.size);
    const std::vector<std::uint32_t> expected{1, 1, 64, 64, 4096, 4096};
    BOOST_TEST(sizes == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(all_messages_of_a_size_go_to_one_place)
{
    Bench bench({.sizes = "24", .repetitions = 5, .series = 2});
    bench.run();
    const auto& stores = bench.machine.processor(0).stores;
    for (const auto& store : stores) BOOST_TEST(store.address == stores[0].address);
}

// Stores 0 and 1 warm up, 2 to 6 are the series.
BOOST_DATA_TEST_CASE(a_wrong_byte_in_the_last_message_ends_the_run_and_one_that_is_overwritten_does_not,
                     data::make({4, 5, 6}), spoiled)
{
    Bench bench({.sizes = "64", .repetitions = 5, .series = 1},
                {.spoil = [spoiled](std::uint64_t n, std::vector<std::byte>& bytes) {
                    if (n == static_cast<std::uint64_t>(spoiled)) bytes[7] ^= std::byte{1};
                }});
    if (spoiled == 6) {
        BOOST_CHECK_THROW(bench.run(), ModelError);
    } else {
        BOOST_CHECK_NO_THROW(bench.run());
    }
}

BOOST_AUTO_TEST_CASE(a_last_message_that_never_comes_is_an_unfinished_program)
{
    Bench bench({.sizes = "64", .repetitions = 5, .series = 1},
                {.spoil = [](std::uint64_t n, std::vector<std::byte>& bytes) {
                    if (n == 6) bytes.clear();
                }});
    BOOST_CHECK_THROW(bench.run(), ModelError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
