// SPDX-License-Identifier: Apache-2.0
#include "workloads/deck/deck_rank.h"

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

std::size_t protocol_of(DeckBench& bench)
{
    const auto& sent = bench.ranks[0]->statistics().sent;
    for (std::size_t i = 0; i < sent.size(); ++i) {
        if (sent[i].messages == 1) return i + 1;
    }
    return 0;
}

}  // namespace

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
    const auto object = bench.create(static_cast<std::uint32_t>(object_size));
    bench.connect();
    bench.run(object, {static_cast<std::uint32_t>(size)});
    BOOST_TEST_REQUIRE(bench.finished());
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
    const auto object = bench.create(bytes);
    bench.connect();
    bench.run(object, std::vector<std::uint32_t>(50, bytes));
    BOOST_TEST(bench.finished());
    BOOST_TEST(bench.received == 50u);
    const std::size_t blocks = bytes > 1024 ? 100 : 50;
    const auto stores = bench.remote_stores(0);
    const auto rings = std::count_if(stores.begin(), stores.end(), [](const auto& store) { return store.size == 4; });
    BOOST_TEST(static_cast<std::size_t>(rings) == blocks);
}

BOOST_AUTO_TEST_CASE(stores_may_be_made_by_memcpy)
{
    DeckBench bench({.buffer = 8192, .stores = StoreKind::kMemcpy});
    const auto object = bench.create(3000);
    bench.connect();
    bench.run(object, {10, 3000});
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
BOOST_AUTO_TEST_SUITE_END()
