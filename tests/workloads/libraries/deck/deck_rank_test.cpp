// SPDX-License-Identifier: Apache-2.0
#include "workloads/libraries/deck/deck_rank.h"

#include <fmt/format.h>

#include <ostream>

#include "tests/support/cases.h"
#include "tests/workloads/libraries/deck/deck_bench.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::workloads;
using test::check_error;
using test::DeckBench;

std::size_t protocol_of(DeckBench& bench)
{
    const auto& sent = bench.ranks[0]->statistics().sent;
    for (std::size_t i = 0; i < sent.size(); ++i) {
        if (sent[i].messages == 1) return i + 1;
    }
    return 0;
}

constexpr deck::Options kShort{.protocol = deck::Choice::kShort, .buffer = 4096};

/// From the sender's call to the return of a receiver that polled already.
Duration latency_of_protocol_1(DeckBench& bench)
{
    const auto& costs = bench.machine.costs;
    const Duration send = bench.call() + costs.store;
    const Duration copy = costs.poll + costs.store;
    const Duration acknowledge = costs.store;
    return send + costs.flight(0) + costs.poll + copy + acknowledge + bench.call();
}

constexpr deck::Options kGeneral{.protocol = deck::Choice::kGeneral, .buffer = 4096};

/// Of a message in one piece.
Duration latency_of_protocol_2(DeckBench& bench)
{
    const auto& costs = bench.machine.costs;
    const Duration data = costs.store + costs.flight(0);  // the barrier
    const Duration control = costs.store + costs.flight(0) + costs.poll + costs.poll;
    const Duration header = costs.poll;
    const Duration copy = costs.poll + costs.store;
    const Duration acknowledge = costs.store;
    return bench.call() + data + control + header + copy + acknowledge + bench.call();
}

constexpr deck::Options kZeroCopy{.protocol = deck::Choice::kZeroCopy, .buffer = 4096};

Duration latency_of_protocol_3(DeckBench& bench)
{
    const auto& costs = bench.machine.costs;
    const Duration control = costs.store + costs.flight(0) + costs.poll + costs.poll;
    const Duration answer = costs.store + costs.flight(0) + costs.poll;
    const Duration data = costs.store + costs.flight(0);  // the barrier
    const Duration acknowledge = costs.store;
    return bench.call() + control + answer + data + control + acknowledge + bench.call();
}

/// With a message that it carries, whose data have so many bytes before them.
struct Protocol {
    deck::Options options;
    std::uint32_t size;
    std::size_t data;
};
std::ostream& operator<<(std::ostream& out, const Protocol& protocol) { return out << protocol.size << " bytes"; }
const std::vector<Protocol> kProtocols{{kShort, 62, 0}, {kGeneral, 900, 8}, {kZeroCopy, 300, 0}};

}  // namespace

namespace ringmesh::workloads::deck {
static std::ostream& operator<<(std::ostream& out, const Options& options)
{
    return out << "protocol " << static_cast<int>(options.protocol);
}
}  // namespace ringmesh::workloads::deck

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(deck_rank)

// Message, object it is sent from, limit, protocol.
BOOST_DATA_TEST_CASE(the_protocol_is_chosen_by_the_size_of_message_and_object,
                     data::make({0, 62, 62, 63, 63, 63, 1024, 1025, 1025, 62, 63}) ^
                         data::make({0, 62, 5000, 63, 1024, 1025, 1024, 1025, 1025, 62, 63}) ^
                         data::make({1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1025, 0, 0}) ^
                         data::make({1, 1, 1, 2, 2, 3, 2, 3, 2, 1, 3}),
                     size, object_size, limit, protocol)
{
    DeckBench bench({.limit = limit, .buffer = 8192});
    bench.exchange(object_size, {static_cast<std::uint32_t>(size)});
    BOOST_TEST(protocol_of(bench) == static_cast<std::size_t>(protocol));
}

// A short message flies for 1 us, the control packet of the message before it for 20 us.
BOOST_AUTO_TEST_CASE(messages_of_different_protocols_come_in_the_order_in_which_they_were_sent)
{
    DeckBench bench({.buffer = 8192}, {.flight = [](std::uint64_t n) { return n % 3 == 1 ? 20_us : 1_us; }});
    const auto object = bench.create(5000);
    for (const auto& rank : bench.ranks) rank->create_buffer(1000);
    bench.connect();
    const auto send = [](DeckBench& all, BufferId large) -> Task<> {
        const std::vector<std::uint32_t> two{100, 10};
        const std::vector<std::uint32_t> three{3000, 20};
        for (int i = 0; i < 100; ++i) {
            co_await all.send(0, 1, large + 1, two);
            co_await all.send(0, 1, large, three);
        }
    };
    std::vector<std::uint32_t> sizes;
    for (int i = 0; i < 100; ++i) sizes.insert(sizes.end(), {100, 10, 3000, 20});
    bench.machine.processor(0).run(send(bench, object), "send");
    bench.machine.processor(1).run(bench.receive(1, kAnyRank, object, sizes), "receive");
    bench.simulation.run();
    BOOST_TEST(bench.finished());
    BOOST_TEST(bench.received == 400u);
}

BOOST_AUTO_TEST_CASE(a_receive_from_one_rank_leaves_messages_of_others)
{
    DeckBench bench({.buffer = 8192}, {}, 3);
    const auto object = bench.create(50);
    bench.connect();
    const auto receive = [](DeckBench& all, BufferId into, std::vector<unsigned>& from) -> Task<> {
        co_await all.machine.processor(2).compute(100_us);
        const std::vector<unsigned> sources{1, 0, kAnyRank};
        for (const unsigned rank : sources) {
            const Received got = co_await all.ranks[2]->receive(rank, {into});
            from.push_back(got.from);
        }
    };
    std::vector<unsigned> from;
    bench.machine.processor(0).run(bench.send(0, 2, object, {8, 8}), "");
    bench.machine.processor(1).run(bench.send(1, 2, object, {8}), "");
    bench.machine.processor(2).run(receive(bench, object, from), "");
    bench.simulation.run();
    BOOST_TEST(from == (std::vector<unsigned>{1, 0, 0}), boost::test_tools::per_element());
    BOOST_TEST(!bench.ranks[2]->has_mail());
}

BOOST_AUTO_TEST_CASE(a_receive_from_any_rank_takes_them_in_round_robin)
{
    DeckBench bench({.buffer = 8192}, {}, 4);
    const auto object = bench.create(50);
    bench.connect();
    const auto receive = [](DeckBench& all, BufferId into, std::vector<unsigned>& from) -> Task<> {
        co_await all.machine.processor(3).compute(100_us);
        while (all.ranks[3]->has_mail()) {
            const Received got = co_await all.ranks[3]->receive(kAnyRank, {into});
            from.push_back(got.from);
        }
    };
    std::vector<unsigned> from;
    for (const unsigned rank : {0u, 1u, 2u}) bench.machine.processor(rank).run(bench.send(rank, 3, object, {8, 8}), "");
    bench.machine.processor(3).run(receive(bench, object, from), "");
    bench.simulation.run();
    BOOST_TEST(from == (std::vector<unsigned>{0, 1, 2, 0, 1, 2}), boost::test_tools::per_element());
}

// The doorbell is a store of its own and a flush after each block; the wait ends with the later of block and interrupt.
BOOST_DATA_TEST_CASE(by_interrupt_every_protocol_works, data::make({40, 500, 3000}), size)
{
    DeckBench bench({.buffer = 8192, .notification = deck::Notification::kInterrupt},
                    {.flight = [](std::uint64_t n) { return static_cast<std::int64_t>(n * 7 % 5) * 3_us; }});
    const auto bytes = static_cast<std::uint32_t>(size);
    bench.exchange(bytes, std::vector<std::uint32_t>(50, bytes));
    const std::size_t blocks = bytes > 1024 ? 100 : 50;
    const auto stores = bench.remote_stores(0);
    const auto rings = std::count_if(stores.begin(), stores.end(), [](const auto& store) { return store.size == 4; });
    BOOST_TEST(static_cast<std::size_t>(rings) == blocks);
}

/// Flights of data, control packets and acknowledgements differ; even one slot is enough.
BOOST_DATA_TEST_CASE(packets_that_overtake_each_other_change_nothing, data::make(kProtocols) * data::make({1, 2, 64}),
                     protocol, slots)
{
    deck::Options options = protocol.options;
    options.slots = slots;
    DeckBench bench(options, {.flight = [](std::uint64_t n) { return static_cast<std::int64_t>(n * 7 % 5) * 3_us; }});
    bench.exchange(protocol.size, std::vector<std::uint32_t>(300, protocol.size));
}

BOOST_DATA_TEST_CASE(a_spoilt_byte_is_detected, data::make(kProtocols), protocol)
{
    DeckBench bench(protocol.options, {.spoil = [&](std::uint64_t, std::vector<std::byte>& bytes) {
                        if (bytes.size() >= protocol.size) bytes[protocol.data + 11] ^= std::byte{4};
                    }});
    const auto object = bench.create(protocol.size);
    bench.connect();
    const auto right = std::to_integer<unsigned>(pattern_byte(0, 11));
    check_error<ModelError>([&] { bench.run(object, {protocol.size}); },
                            fmt::format("byte 11 of {} that rank 1 received of rank 0 is {:#04x} instead of {:#04x}",
                                        protocol.size, right ^ 4, right));
}

BOOST_DATA_TEST_CASE(a_message_above_the_receivers_object_is_refused, data::make({kGeneral, kZeroCopy}), options)
{
    DeckBench bench(options);
    bench.create(500);
    const auto small = bench.create(99);
    bench.connect();
    bench.machine.processor(0).run(bench.send(0, 1, 0, {100}), "send");
    bench.machine.processor(1).run(bench.receive(1, 0, small, {100}), "receive");
    check_error<UserError>(
        [&] { bench.simulation.run(); },
        "deck: rank 1 receives 100 bytes of rank 0 in a message object created for 99; create it for more");
}

/// Header and data alike.
BOOST_DATA_TEST_CASE(the_cards_dma_engine_moves_the_data_and_needs_no_barrier, data::make({kGeneral, kZeroCopy}),
                     protocol)
{
    deck::Options options = protocol;
    options.transfer = deck::Transfer::kDma;
    DeckBench bench(options);
    bench.exchange(1000, std::vector<std::uint32_t>(20, 1000));
    const bool general = options.protocol == deck::Choice::kGeneral;
    const Duration latency = general ? latency_of_protocol_2(bench) : latency_of_protocol_3(bench);
    BOOST_TEST(bench.received_at[0].ps() == (latency - bench.machine.costs.store).ps());
    BOOST_TEST(bench.ranks[0]->statistics().barriers == 0u);
    for (const auto& store : bench.remote_stores(0)) BOOST_TEST(store.size == 64u);
}

BOOST_AUTO_TEST_CASE(stores_may_be_made_by_memcpy)
{
    DeckBench bench({.buffer = 8192, .stores = StoreKind::kMemcpy});
    bench.exchange(3000, {10, 3000});
    for (const auto& store : bench.remote_stores(0)) BOOST_TEST((store.kind == StoreKind::kMemcpy));
}

BOOST_AUTO_TEST_CASE(a_message_larger_than_its_object_is_refused)
{
    DeckBench bench({.buffer = 8192});
    const auto object = bench.create(99);
    bench.connect();
    check_error<UserError>([&] { bench.run(object, {100}); },
                           "deck: a message of 100 bytes does not fit the message object created for 99");
}

BOOST_AUTO_TEST_CASE(options_that_contradict_each_other_are_refused)
{
    check_error<UserError>([] { DeckBench bench({.slots = 4, .acknowledge = 5}); },
                           "deck: acknowledge = 5 is more than slots = 4: a sender would deadlock; take at most as "
                           "many");
    check_error<UserError>([] { DeckBench bench({.buffer = 1000}); },
                           "deck: buffer = 1000 is no multiple of 64; take 1024");
}

/// Sends `blocks` blocks without checking for free slots.
static Task<> overrun(PcProcessor& cpu, std::uint64_t ring, RingShape shape, std::uint64_t blocks)
{
    BlockWriter writer(ring, shape);
    for (std::uint64_t n = 0; n < blocks; ++n) {
        const StoreRequest block = writer.write({}, n, StoreKind::kMmx);
        writer.acknowledge(n + 1);
        co_await cpu.store(block);
    }
}

BOOST_DATA_TEST_CASE(a_sender_that_overruns_its_ring_ends_the_run, data::make({1, 2, 64}) * data::make({0, 1}), slots,
                     too_many)
{
    DeckBench bench({.slots = slots});
    const auto object = bench.create(62);
    bench.connect();
    auto& sender = bench.machine.processor(0);
    const std::uint64_t ring = sender.segments().import_and_map(1, 1);
    const auto blocks = static_cast<std::uint64_t>(slots + too_many);
    sender.run(overrun(sender, ring, bench.options.short_ring(64), blocks), "overrun");
    // Starts after all have arrived; contents are not checked.
    const auto receive = [](DeckBench& at, BufferId into) -> Task<> {
        co_await at.machine.processor(1).compute(1_ms);
        co_await at.ranks[1]->receive(0, {into});
    };
    bench.machine.processor(1).run(receive(bench, object), "receive");
    if (too_many == 0) {
        BOOST_CHECK_NO_THROW(bench.simulation.run());
        return;
    }
    test::check_error<ModelError>([&] { bench.simulation.run(); },
                                  "block 0 of a ring of rank 1 was overwritten before it was read");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE(deck_protocol_1)

BOOST_DATA_TEST_CASE(every_message_of_0_to_62_bytes_takes_the_same_time, data::xrange(0, 63), size)
{
    DeckBench bench(kShort);
    bench.exchange(size, {static_cast<std::uint32_t>(size)});
    BOOST_TEST(bench.received_at[0].ps() == latency_of_protocol_1(bench).ps());
}

BOOST_AUTO_TEST_CASE(a_message_is_one_block_of_mmx_stores_on_a_boundary_and_so_is_its_acknowledgement)
{
    DeckBench bench(kShort);
    bench.exchange(62, {0, 17, 62});
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
    bench.exchange(40, std::vector<std::uint32_t>(700, 40));
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

BOOST_DATA_TEST_CASE(a_receiver_acknowledges_every_nth_message, data::make({1, 2, 5, 8}), every)
{
    auto options = kShort;
    options.slots = 8;
    options.acknowledge = every;
    DeckBench bench(options);
    bench.exchange(8, std::vector<std::uint32_t>(80, 8));
    BOOST_TEST(bench.ranks[1]->statistics().acknowledgements == 80u / static_cast<unsigned>(every));
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
    bench.exchange(126, {126, 0, 63});
    BOOST_TEST(bench.received_at[0].ps() == latency_of_protocol_1(bench).ps());
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
BOOST_AUTO_TEST_SUITE(deck_protocol_2)

BOOST_DATA_TEST_CASE(data_then_barrier_then_control_packet_then_copy, data::make({1, 56, 57, 62, 63, 64, 1000, 2000}),
                     size)
{
    DeckBench bench(kGeneral);
    const auto bytes = static_cast<std::uint32_t>(size);
    bench.exchange(bytes, {bytes});
    BOOST_TEST(bench.received_at[0].ps() == latency_of_protocol_2(bench).ps());
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
    bench.exchange(0, {0});
    const auto& costs = bench.machine.costs;
    BOOST_TEST(bench.received_at.at(0).ps() == (latency_of_protocol_2(bench) - costs.poll - costs.store).ps());
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
    bench.exchange(1000, std::vector<std::uint32_t>(5, 1000), 50_us);
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

BOOST_AUTO_TEST_CASE(a_message_above_the_buffer_is_refused)
{
    DeckBench bench(kGeneral);
    BOOST_TEST(bench.options.largest_general() == 2048u + 64 - 8);
    check_error<UserError>([&] { bench.create(2105); },
                           "deck: a message has 2105 bytes, and protocol 2 carries 0 to 2104 with buffer=4096; take a "
                           "message of at most 2104, buffer=4224 or protocol=3");
    BOOST_TEST(deck::Options{}.largest_general() >= 1024u * 1024);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE(deck_protocol_3)

BOOST_DATA_TEST_CASE(request_then_answer_then_data_then_barrier_then_end, data::make({1, 63, 64, 65, 1000, 100000}),
                     size)
{
    DeckBench bench(kZeroCopy);
    const auto bytes = static_cast<std::uint32_t>(size);
    bench.exchange(bytes, {bytes});
    BOOST_TEST(bench.received_at[0].ps() == latency_of_protocol_3(bench).ps());
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
    bench.exchange(5000, {5000, 4999});
    for (const auto& store : bench.machine.processor(1).stores) BOOST_TEST(test::is_remote(store));
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
