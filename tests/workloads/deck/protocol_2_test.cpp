// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/protocol_2.h"

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

constexpr deck::Options kGeneral{.protocol = deck::Choice::kGeneral, .buffer = 4096};

/// Of a message in one piece.
Duration latency(DeckBench& bench)
{
    const auto& costs = bench.machine.costs;
    const Duration data = costs.store + costs.flight(0);  // the barrier
    const Duration control = costs.store + costs.flight(0) + costs.poll + costs.poll;
    const Duration header = costs.poll;
    const Duration copy = costs.poll + costs.store;
    const Duration acknowledge = costs.store;
    return bench.call() + data + control + header + copy + acknowledge + bench.call();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(deck_protocol_2)

BOOST_DATA_TEST_CASE(data_then_barrier_then_control_packet_then_copy, data::make({1, 56, 57, 62, 63, 64, 1000, 2000}),
                     size)
{
    DeckBench bench(kGeneral);
    const auto bytes = static_cast<std::uint32_t>(size);
    const auto object = bench.create(bytes);
    bench.connect();
    bench.run(object, {bytes});
    BOOST_TEST_REQUIRE(bench.finished());
    BOOST_TEST(bench.received_at[0].ps() == latency(bench).ps());
    const auto stores = bench.remote_stores(0);
    BOOST_TEST_REQUIRE(stores.size() == 2u);
    BOOST_TEST(stores[0].size == padded(8 + bytes));
    BOOST_TEST(stores[1].size == 64u);
    for (const auto& store : stores) {
        BOOST_TEST((store.kind == StoreKind::kMmx));
        BOOST_TEST(store.address % 64 == 0u);
    }
    BOOST_TEST(bench.ranks[0]->statistics().barriers == 1u);
    BOOST_TEST(bench.ranks[0]->statistics().sent[1].messages == 1u);
}

BOOST_AUTO_TEST_CASE(an_empty_message_is_a_header_alone)
{
    DeckBench bench(kGeneral);
    const auto object = bench.create(0);
    bench.connect();
    bench.run(object, {0});
    const auto& costs = bench.machine.costs;
    BOOST_TEST(bench.received_at.at(0).ps() == (latency(bench) - costs.poll - costs.store).ps());
}

BOOST_DATA_TEST_CASE(messages_wrap_round_the_buffer_and_stay_intact,
                     data::make({1, 2, 7, 64}) * data::make({256, 4096}), slots, buffer)
{
    auto options = kGeneral;
    options.slots = slots;
    options.buffer = buffer;
    DeckBench bench(options);
    const std::uint32_t largest = options.largest_general();
    const auto object = bench.create(largest);
    bench.connect();
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t i = 0; i < 300; ++i) sizes.push_back(63 + i * 37 % (largest - 62));
    bench.run(object, sizes);
    BOOST_TEST(bench.finished());
    BOOST_TEST(bench.received == 300u);
    for (const auto& store : bench.remote_stores(0)) {
        BOOST_TEST(store.size % 64 == 0u);
        BOOST_TEST(store.address % 64 == 0u);
    }
}

// Two messages of 1000 bytes with their headers take 2048 of 4096 bytes.
BOOST_AUTO_TEST_CASE(several_messages_are_under_way_until_the_buffer_is_full)
{
    DeckBench bench(kGeneral);
    const auto object = bench.create(1000);
    bench.connect();
    bench.run(object, std::vector<std::uint32_t>(5, 1000), 50_us);
    BOOST_TEST(bench.finished());
    BOOST_TEST(bench.sent_at[3].ps() < (50_us).ps());
    BOOST_TEST(bench.sent_at[4].ps() > (50_us).ps());
    BOOST_TEST(bench.ranks[0]->statistics().waits == 1u);
}

BOOST_DATA_TEST_CASE(rare_acknowledgements_do_not_stop_large_messages, data::make({2, 5, 64}), every)
{
    auto options = kGeneral;
    options.acknowledge = every;
    DeckBench bench(options);
    const auto object = bench.create(options.largest_general());
    bench.connect();
    std::vector<std::uint32_t> sizes;
    for (int i = 0; i < 100; ++i) sizes.push_back(i % 3 == 0 ? options.largest_general() : 63);
    bench.run(object, sizes);
    BOOST_TEST(bench.finished());
}

// The flights of data and control packets differ, those of acknowledgements too.
BOOST_DATA_TEST_CASE(packets_that_overtake_each_other_change_nothing, data::make({1, 2, 64}), slots)
{
    auto options = kGeneral;
    options.slots = slots;
    DeckBench bench(options, {.flight = [](std::uint64_t n) { return static_cast<std::int64_t>(n * 7 % 5) * 3_us; }});
    const auto object = bench.create(900);
    bench.connect();
    bench.run(object, std::vector<std::uint32_t>(300, 900));
    BOOST_TEST(bench.finished());
    BOOST_TEST(bench.received == 300u);
}

BOOST_AUTO_TEST_CASE(a_spoilt_byte_is_detected)
{
    DeckBench bench(kGeneral, {.spoil = [](std::uint64_t n, std::vector<std::byte>& bytes) {
                        if (n == 0) bytes[8 + 77] ^= std::byte{4};
                    }});
    const auto object = bench.create(100);
    bench.connect();
    BOOST_CHECK_THROW(bench.run(object, {100}), ModelError);
}

BOOST_AUTO_TEST_CASE(a_spoilt_header_is_detected)
{
    DeckBench bench(kGeneral, {.spoil = [](std::uint64_t n, std::vector<std::byte>& bytes) {
                        if (n == 0) bytes[4] ^= std::byte{4};
                    }});
    const auto object = bench.create(100);
    bench.connect();
    check_error<ModelError>([&] { bench.run(object, {100}); },
                            "deck: rank 1 finds the header of message 4 of rank 0 instead of 0's");
}

BOOST_AUTO_TEST_CASE(the_cards_dma_engine_moves_header_and_data_and_needs_no_barrier)
{
    auto options = kGeneral;
    options.transfer = deck::Transfer::kDma;
    DeckBench bench(options);
    const auto object = bench.create(1000);
    bench.connect();
    bench.run(object, std::vector<std::uint32_t>(20, 1000));
    BOOST_TEST_REQUIRE(bench.finished());
    BOOST_TEST(bench.received_at[0].ps() == (latency(bench) - bench.machine.costs.store).ps());
    BOOST_TEST(bench.ranks[0]->statistics().barriers == 0u);
    for (const auto& store : bench.remote_stores(0)) BOOST_TEST(store.size == 64u);
}

BOOST_AUTO_TEST_CASE(a_message_above_the_buffer_is_refused)
{
    DeckBench bench(kGeneral);
    BOOST_TEST(bench.options.largest_general() == 2048u + 64 - 8);
    check_error<UserError>([&] { bench.create(2105); },
                           "deck: a message has 2105 bytes, and protocol 2 carries 0 to 2104 with buffer=4096; take a "
                           "message of at most 2104, buffer=4224 or protocol=3");
    BOOST_TEST(deck::Options{}.largest_general() >= 1024u * 1024);
}

BOOST_AUTO_TEST_CASE(a_message_above_the_receivers_object_is_refused)
{
    DeckBench bench(kGeneral);
    bench.create(500);
    const auto small = bench.create(99);
    bench.connect();
    bench.machine.processor(0).run(bench.send(0, 1, 0, {100}), "send");
    bench.machine.processor(1).run(bench.receive(1, 0, small, {100}), "receive");
    check_error<UserError>(
        [&] { bench.simulation.run(); },
        "deck: rank 1 receives 100 bytes of rank 0 in a message object created for 99; create it for more");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
