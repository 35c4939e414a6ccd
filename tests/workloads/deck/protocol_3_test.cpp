// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/protocol_3.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/workloads/deck/deck_bench.h"
#include "tlm/error.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using namespace ringmesh::workloads;
using test::check_error;
using test::DeckBench;

constexpr deck::Options kZeroCopy{.protocol = deck::Choice::kZeroCopy, .buffer = 4096};

Duration latency(DeckBench& bench)
{
    const auto& costs = bench.machine.costs;
    const Duration control = costs.store + costs.flight(0) + costs.poll + costs.poll;
    const Duration answer = costs.store + costs.flight(0) + costs.poll;
    const Duration data = costs.store + costs.flight(0);  // the barrier
    const Duration acknowledge = costs.store;
    return bench.call() + control + answer + data + control + acknowledge + bench.call();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(deck_protocol_3)

BOOST_DATA_TEST_CASE(request_then_answer_then_data_then_barrier_then_end, data::make({1, 63, 64, 65, 1000, 100000}),
                     size)
{
    DeckBench bench(kZeroCopy);
    const auto bytes = static_cast<std::uint32_t>(size);
    const auto object = bench.create(bytes);
    bench.connect();
    bench.run(object, {bytes});
    BOOST_TEST_REQUIRE(bench.finished());
    BOOST_TEST(bench.received_at[0].ps() == latency(bench).ps());
    const auto stores = bench.remote_stores(0);
    BOOST_TEST_REQUIRE(stores.size() == 3u);
    BOOST_TEST(stores[0].size == 64u);
    BOOST_TEST(stores[1].size == padded(bytes));
    BOOST_TEST(stores[2].size == 64u);
    for (const auto& store : stores) {
        BOOST_TEST((store.kind == StoreKind::kMmx));
        BOOST_TEST(store.address % 64 == 0u);
    }
    BOOST_TEST(bench.ranks[0]->statistics().barriers == 1u);
    BOOST_TEST(bench.ranks[0]->statistics().sent[2].messages == 1u);
}

BOOST_AUTO_TEST_CASE(the_receiver_copies_nothing)
{
    DeckBench bench(kZeroCopy);
    const auto object = bench.create(5000);
    bench.connect();
    bench.run(object, {5000, 4999});
    BOOST_TEST(bench.finished());
    for (const auto& store : bench.machine.processor(1).stores) BOOST_TEST(test::is_remote(store));
}

BOOST_DATA_TEST_CASE(one_control_location_is_enough, data::make({1, 2, 64}), slots)
{
    auto options = kZeroCopy;
    options.slots = slots;
    DeckBench bench(options, {.flight = [](std::uint64_t n) { return static_cast<std::int64_t>(n * 7 % 5) * 3_us; }});
    const auto object = bench.create(300);
    bench.connect();
    bench.run(object, std::vector<std::uint32_t>(300, 300));
    BOOST_TEST(bench.finished());
    BOOST_TEST(bench.received == 300u);
}

BOOST_AUTO_TEST_CASE(a_spoilt_byte_is_detected)
{
    DeckBench bench(kZeroCopy, {.spoil = [](std::uint64_t, std::vector<std::byte>& bytes) {
                        if (bytes.size() > 64) bytes[99] ^= std::byte{4};
                    }});
    const auto object = bench.create(100);
    bench.connect();
    BOOST_CHECK_THROW(bench.run(object, {100}), ModelError);
}

BOOST_AUTO_TEST_CASE(the_cards_dma_engine_moves_the_data_and_needs_no_barrier)
{
    auto options = kZeroCopy;
    options.transfer = deck::Transfer::kDma;
    DeckBench bench(options);
    const auto object = bench.create(1000);
    bench.connect();
    bench.run(object, {1000, 1000});
    BOOST_TEST_REQUIRE(bench.finished());
    BOOST_TEST(bench.received_at[0].ps() == (latency(bench) - bench.machine.costs.store).ps());
    BOOST_TEST(bench.ranks[0]->statistics().barriers == 0u);
}

BOOST_AUTO_TEST_CASE(two_blocking_sends_to_each_other_deadlock)
{
    DeckBench bench(kZeroCopy);
    const auto object = bench.create(100);
    bench.connect();
    for (const unsigned rank : {0u, 1u})
        bench.machine.processor(rank).run(bench.send(rank, 1 - rank, object, {100}), "");
    bench.simulation.run();
    BOOST_TEST(!bench.machine.processor(0).finished());
    BOOST_TEST(!bench.machine.processor(1).finished());
}

BOOST_AUTO_TEST_CASE(a_message_above_the_receivers_object_is_refused)
{
    DeckBench bench(kZeroCopy);
    bench.create(500);
    const auto small = bench.create(99);
    bench.connect();
    bench.machine.processor(0).run(bench.send(0, 1, 0, {100}), "send");
    bench.machine.processor(1).run(bench.receive(1, 0, small, {100}), "receive");
    check_error<UserError>(
        [&] { bench.simulation.run(); },
        "deck: rank 1 receives 100 bytes of rank 0 in a message object created for 99; create it for more");
}

BOOST_AUTO_TEST_CASE(an_object_in_local_memory_cannot_be_written_by_the_sender)
{
    DeckBench bench({.buffer = 4096});
    bench.create(2000);
    const auto local = bench.create(1024);
    bench.connect();
    bench.machine.processor(0).run(bench.send(0, 1, 0, {100}), "send");
    bench.machine.processor(1).run(bench.receive(1, 0, local, {100}), "receive");
    check_error<UserError>([&] { bench.simulation.run(); },
                           "deck: rank 0 sends 100 bytes by protocol 3, and the message object that rank 1 receives in "
                           "was created for 1024, so that its buffer is in local memory; create it above limit = 1024");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
