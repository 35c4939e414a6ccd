// SPDX-License-Identifier: Apache-2.0
#include "workloads/programs/delivery.h"

#include "tests/platforms/configuration/user_error.h"
#include "tests/support/cases.h"
#include "tests/workloads/fakes/fake_machine.h"
#include "tlm/error.h"
#include "workloads/libraries/deck/deck_library.h"
#include "workloads/libraries/mpi/mpi_library.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using test::cell;
using test::FakeCosts;
using test::FakeMachine;

constexpr std::int64_t kBuffer = 160 * 1024;  // so that half of it holds any message

struct Case {
    std::int64_t messages = 1000;
    std::int64_t largest = 64 * 1024;
    deck::Options library;
};

struct Bench {
    Simulation simulation{7};
    FakeMachine machine;
    DeliveryProgram workload;

    explicit Bench(const Case& what, FakeCosts costs = {})
        : Bench(std::make_unique<deck::DeckLibrary>(what.library), {what.messages, what.largest}, std::move(costs), 4)
    {}
    Bench(std::unique_ptr<Library> library, DeliveryOptions options, FakeCosts costs, unsigned nodes)
        : machine(simulation, nodes, std::move(costs)), workload(std::move(library), options)
    {}
    Results run() { return test::run_workload(workload, machine); }
};

/// Flights of 0.5 to 20 us: packets overtake each other all the time.
std::function<Duration(std::uint64_t)> random_flights()
{
    return [random = Random(3)](std::uint64_t) mutable {
        return 500_ns + Duration::picoseconds(static_cast<std::int64_t>(random.below(19'500'000)));
    };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(delivery)

BOOST_DATA_TEST_CASE(every_message_arrives_once_in_order_and_intact, data::make({1, 2, 5, 64}), slots)
{
    Bench bench({.messages = 1500, .library = {.slots = slots, .buffer = kBuffer}}, {.flight = random_flights()});
    const auto results = bench.run();
    std::int64_t messages = 0;
    for (std::size_t row = 0; row < 3; ++row) {
        BOOST_TEST(cell<std::int64_t>(results, row, "messages") > 0);
        messages += cell<std::int64_t>(results, row, "messages");
    }
    BOOST_TEST(messages == 1500);
}

BOOST_DATA_TEST_CASE(each_protocol_alone_delivers_all, data::make({1, 2, 3}) ^ data::make({62, 2000, 2000}), protocol,
                     largest)
{
    Bench bench({.messages = 1000,
                 .largest = largest,
                 .library = {.protocol = static_cast<deck::Choice>(protocol), .limit = 62, .slots = 2, .buffer = 4096}},
                {.flight = random_flights()});
    const auto results = bench.run();
    const auto row = static_cast<std::size_t>(protocol) - 1;
    BOOST_TEST(cell<std::int64_t>(results, row, "messages") == 1000);
}

BOOST_AUTO_TEST_CASE(a_largest_message_that_a_forced_protocol_cannot_carry_is_refused)
{
    Bench bench({.library = {.protocol = deck::Choice::kShort}});
    BOOST_TEST(test::error_of([&] { bench.workload.start(bench.machine); }) ==
               "delivery: a message may have 65536 bytes, and protocol 1 carries 0 to 62; take largest=62, "
               "protocol=2 or protocol=3");
}

BOOST_AUTO_TEST_CASE(by_interrupt_all_are_delivered_too)
{
    Bench bench(
        {.messages = 1000, .library = {.slots = 3, .buffer = kBuffer, .notification = deck::Notification::kInterrupt}},
        {.flight = random_flights()});
    BOOST_CHECK_NO_THROW(bench.run());
}

BOOST_AUTO_TEST_CASE(by_dma_and_with_rare_acknowledgements_all_are_delivered_too)
{
    Bench bench({.messages = 1000,
                 .library = {.slots = 5, .buffer = kBuffer, .acknowledge = 5, .transfer = deck::Transfer::kDma}},
                {.flight = random_flights()});
    BOOST_CHECK_NO_THROW(bench.run());
}

// Every send waits for its receiver, so that two ranks that sent to each other would wait for ever.
BOOST_DATA_TEST_CASE(sends_that_wait_for_their_receiver_do_not_deadlock,
                     data::make({2, 3, 5, 8}) * data::make({1, 32'768}), nodes, eager_limit)
{
    auto mpi = std::make_unique<mpi::MpiLibrary>(
        "MPI", mpi::Options{.short_limit = 1, .eager_limit = eager_limit, .eager_buffer = 33 * 1024, .chunk = 500});
    Bench bench(std::move(mpi), {.messages = 500, .largest = 5000}, {.flight = random_flights()},
                static_cast<unsigned>(nodes));
    const auto results = bench.run();
    BOOST_TEST(cell<std::int64_t>(results, eager_limit == 1 ? 2 : 1, "messages") > 400);
}

BOOST_DATA_TEST_CASE(a_byte_spoilt_on_its_way_ends_the_run, data::make({100, 1000}), spoiled)
{
    Bench bench({.messages = 500, .library = {.buffer = kBuffer}},
                {.spoil = [spoiled](std::uint64_t n, std::vector<std::byte>& bytes) {
                    // The first large enough to be data.
                    if (n >= static_cast<std::uint64_t>(spoiled) && bytes.size() > 64) bytes[20] ^= std::byte{1};
                }});
    BOOST_CHECK_THROW(bench.run(), ModelError);
}

BOOST_AUTO_TEST_CASE(a_packet_that_never_comes_ends_the_run)
{
    Bench bench({.messages = 500, .library = {.buffer = kBuffer}}, {.spoil = [](std::uint64_t n, auto& bytes) {
                    if (n == 300) bytes.clear();
                }});
    BOOST_CHECK_THROW(bench.run(), ModelError);
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_plan_and_another_seed_another)
{
    const DeliveryPlan plan(4, 2000, 65536, Random(1));
    const DeliveryPlan again(4, 2000, 65536, Random(1));
    const DeliveryPlan other(4, 2000, 65536, Random(2));
    std::uint64_t sum = 0;
    for (unsigned rank = 0; rank < 4; ++rank) {
        BOOST_TEST((plan.sizes(rank, (rank + 1) % 4) == again.sizes(rank, (rank + 1) % 4)));
        BOOST_TEST((plan.sizes(rank, (rank + 1) % 4) != other.sizes(rank, (rank + 1) % 4)));
        BOOST_TEST(plan.sizes(rank, rank).empty());
        sum += plan.of(rank).size();
    }
    BOOST_TEST(sum == 2000u);
}

// Of 17 doublings from 1 to 2^17 each has as many messages; the bounds are four standard deviations.
BOOST_AUTO_TEST_CASE(sizes_are_log_uniform)
{
    constexpr std::uint32_t kLargest = (1 << 16) - 1;
    const DeliveryPlan plan(2, 16000, kLargest, Random(5));
    std::vector<int> doublings(16);
    for (const unsigned rank : {0u, 1u}) {
        for (const auto& sending : plan.of(rank)) {
            BOOST_TEST(sending.size <= kLargest);
            ++doublings.at(static_cast<std::size_t>(std::log2(sending.size + 1.0)));
        }
    }
    for (const int count : doublings) BOOST_TEST(std::abs(count - 1000) < 4 * std::sqrt(1000.0));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
