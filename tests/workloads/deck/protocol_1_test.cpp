// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/protocol_1.h"

#include <fmt/format.h>

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

constexpr deck::Options kShort{.protocol = deck::Choice::kShort, .buffer = 4096};

/// From the sender's call to the return of a receiver that polled already.
Duration latency(DeckBench& bench)
{
    const auto& costs = bench.machine.costs;
    const Duration send = bench.call() + costs.store;
    const Duration copy = costs.poll + costs.store;
    const Duration acknowledge = costs.store;
    return send + costs.flight(0) + costs.poll + copy + acknowledge + bench.call();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(deck_protocol_1)

BOOST_DATA_TEST_CASE(every_message_of_0_to_62_bytes_takes_the_same_time, data::xrange(0, 63), size)
{
    DeckBench bench(kShort);
    const auto object = bench.create(static_cast<std::uint32_t>(size));
    bench.connect();
    bench.run(object, {static_cast<std::uint32_t>(size)});
    BOOST_TEST_REQUIRE(bench.finished());
    BOOST_TEST(bench.received_at[0].ps() == latency(bench).ps());
}

BOOST_AUTO_TEST_CASE(a_message_is_one_block_of_mmx_stores_on_a_boundary_and_so_is_its_acknowledgement)
{
    DeckBench bench(kShort);
    const auto object = bench.create(62);
    bench.connect();
    bench.run(object, {0, 17, 62});
    for (const unsigned rank : {0u, 1u}) {
        const auto stores = bench.remote_stores(rank);
        BOOST_TEST(stores.size() == 3u);
        for (const auto& store : stores) {
            BOOST_TEST((store.kind == StoreKind::kMmx));
            BOOST_TEST(store.size == 64u);
            BOOST_TEST(store.address % 64 == 0u);
        }
    }
    BOOST_TEST(bench.ranks[0]->statistics().barriers == 0u);
    BOOST_TEST(bench.ranks[0]->statistics().sent[0].messages == 3u);
    BOOST_TEST(bench.ranks[0]->statistics().sent[0].bytes == 79u);
    BOOST_TEST(bench.ranks[1]->statistics().acknowledgements == 3u);
}

BOOST_AUTO_TEST_CASE(the_length_is_that_of_the_receivers_object)
{
    DeckBench bench(kShort);
    const auto object = bench.create(9);
    bench.connect();
    Received received;
    const auto receive = [](Rank& me, BufferId into, Received& result) -> Task<> {
        result = co_await me.receive(kAnyRank, {into});
    };
    bench.machine.processor(0).run(bench.send(0, 1, object, {5}), "send");
    bench.machine.processor(1).run(receive(*bench.ranks[1], object, received), "receive");
    bench.simulation.run();
    BOOST_TEST(received.from == 0u);
    BOOST_TEST(received.size == 9u);
}

BOOST_DATA_TEST_CASE(many_messages_pass_through_a_ring_of_few_slots_in_order, data::make({1, 2, 3, 64, 120}), slots)
{
    auto options = kShort;
    options.slots = slots;
    DeckBench bench(options);
    const auto object = bench.create(40);
    bench.connect();
    bench.run(object, std::vector<std::uint32_t>(700, 40));
    BOOST_TEST(bench.finished());
    BOOST_TEST(bench.received == 700u);
}

// With one slot the second message leaves when the acknowledgement of the first is back.
BOOST_DATA_TEST_CASE(a_sender_waits_for_nothing_until_the_ring_is_full, data::make({1, 2, 5}), slots)
{
    auto options = kShort;
    options.slots = slots;
    DeckBench bench(options);
    const auto object = bench.create(8);
    bench.connect();
    const auto count = static_cast<std::uint32_t>(slots);
    bench.run(object, std::vector<std::uint32_t>(count + 1, 8), 50_us);
    const auto& costs = bench.machine.costs;
    const Duration one = bench.call() + costs.store;
    for (std::uint32_t i = 0; i < count; ++i) BOOST_TEST(bench.sent_at[i].ps() == ((i + 1) * one).ps());
    const Duration read = 50_us + costs.poll + costs.poll + 2 * costs.store;
    BOOST_TEST(bench.sent_at[count].ps() == (read + costs.flight(0) + costs.poll + costs.store).ps());
    BOOST_TEST(bench.ranks[0]->statistics().waits == 1u);
}

BOOST_DATA_TEST_CASE(messages_whose_packets_overtake_each_other_come_in_order, data::make({2, 3, 64}), slots)
{
    auto options = kShort;
    options.slots = slots;
    DeckBench bench(options, {.flight = [](std::uint64_t n) { return static_cast<std::int64_t>(n * 7 % 5) * 3_us; }});
    const auto object = bench.create(62);
    bench.connect();
    bench.run(object, std::vector<std::uint32_t>(500, 62));
    BOOST_TEST(bench.finished());
    BOOST_TEST(bench.received == 500u);
}

BOOST_DATA_TEST_CASE(a_receiver_acknowledges_every_nth_message, data::make({1, 2, 5, 8}), every)
{
    auto options = kShort;
    options.slots = 8;
    options.acknowledge = every;
    DeckBench bench(options);
    const auto object = bench.create(8);
    bench.connect();
    bench.run(object, std::vector<std::uint32_t>(80, 8));
    BOOST_TEST(bench.finished());
    BOOST_TEST(bench.ranks[1]->statistics().acknowledgements == 80u / static_cast<unsigned>(every));
}

BOOST_AUTO_TEST_CASE(a_spoilt_byte_is_detected)
{
    DeckBench bench(kShort, {.spoil = [](std::uint64_t n, std::vector<std::byte>& bytes) {
                        if (n == 0) bytes[11] ^= std::byte{4};
                    }});
    const auto object = bench.create(62);
    bench.connect();
    const auto right = std::to_integer<unsigned>(pattern_byte(0, 11));
    check_error<ModelError>(
        [&] { bench.run(object, {62}); },
        fmt::format("byte 11 of 62 that rank 1 received of rank 0 is {:#04x} instead of {:#04x}", right ^ 4, right));
}

BOOST_DATA_TEST_CASE(a_block_without_its_number_or_identifier_is_not_taken, data::make({62, 63}), place)
{
    DeckBench bench(kShort, {.spoil = [place](std::uint64_t, std::vector<std::byte>& bytes) {
                        bytes.at(static_cast<std::size_t>(place)) ^= std::byte{1};
                    }});
    const auto object = bench.create(62);
    bench.connect();
    bench.run(object, {62});
    BOOST_TEST(!bench.machine.processor(1).finished());
    BOOST_TEST(bench.received_at.empty());
}

BOOST_AUTO_TEST_CASE(a_packet_of_128_bytes_carries_126_where_the_card_sends_it_in_one_piece)
{
    auto options = kShort;
    options.packet = 128;
    DeckBench bench(options, {.largest_transaction = 128});
    const auto object = bench.create(126);
    bench.connect();
    bench.run(object, {126, 0, 63});
    BOOST_TEST_REQUIRE(bench.finished());
    BOOST_TEST(bench.received_at[0].ps() == latency(bench).ps());
    for (const auto& store : bench.remote_stores(0)) {
        BOOST_TEST(store.size == 128u);
        BOOST_TEST(store.address % 128 == 0u);
    }
    for (const auto& store : bench.remote_stores(1)) BOOST_TEST(store.size == 64u);
}

BOOST_AUTO_TEST_CASE(a_packet_that_the_card_would_split_is_refused)
{
    auto options = kShort;
    options.packet = 128;
    check_error<UserError>([&] { DeckBench bench(options); },
                           "deck: packet = 128, and this machine's card sends at most 64 bytes in one piece; add "
                           "--overlay stream-16x128-packets-128, which sets all that this needs, or take packet=64");
    options.packet = 96;
    check_error<UserError>([&] { options.require_valid(test::DeckBench().machine.processor(0)); },
                           "deck: packet = 96; a packet has 64 or 128 bytes");
}

BOOST_AUTO_TEST_CASE(a_larger_message_is_refused)
{
    DeckBench bench(kShort);
    check_error<UserError>(
        [&] { bench.create(63); },
        "deck: a message has 63 bytes, and protocol 1 carries 0 to 62; take a message of at most 62, "
        "protocol=2 or protocol=3");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
