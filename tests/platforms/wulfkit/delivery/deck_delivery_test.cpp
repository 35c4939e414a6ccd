// SPDX-License-Identifier: Apache-2.0
/// DECK/SCI on a ring of PCs whose queues are so short that packets are refused, go again and overtake each other.
#include <memory>

#include "tests/platforms/wulfkit/ring_bench.h"
#include "tests/support/cases.h"
#include "workloads/libraries/deck/deck_library.h"
#include "workloads/programs/delivery.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::test;
using platforms::WulfkitParams;
using workloads::DeliveryProgram;
using workloads::deck::Notification;
using workloads::deck::Transfer;

constexpr std::int64_t kBuffer = 132 * 1024;  // so that half of it holds any message

WulfkitParams short_queues(int slots, hw::StreamAssignment assignment)
{
    WulfkitParams params = RingBench::nodes(4);
    params.lc2.receive_slots = slots;
    params.psb.stream_assignment = assignment;
    return params;
}

struct Case {
    std::int64_t messages = 1000;
    std::int64_t largest = 64 * 1024;
    workloads::deck::Options library;
};

/// @throws ModelError if a message is lost, doubled, late, or has a wrong byte
workloads::Results deliver(RingBench& bench, const Case& what)
{
    DeliveryProgram delivery(std::make_unique<workloads::deck::DeckLibrary>(what.library),
                             {what.messages, what.largest});
    delivery.start(bench.machine);
    bench.simulation.run();
    delivery.check();
    bench.simulation.require_drained();
    return delivery.results();
}

}  // namespace

namespace ringmesh::test::deck_delivery_test {  // outside it, `system` is a function of the C library

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(deck_delivery)

BOOST_AUTO_TEST_CASE(messages_come_once_in_order_and_intact_under_retries)
{
    RingBench bench(short_queues(1, hw::StreamAssignment("any-free")));
    deliver(bench, {.messages = 1000, .library = {.slots = 2, .buffer = kBuffer}});
    BOOST_TEST(bench.machine.retries() > 200u);
    BOOST_TEST(bench.sum(".psb", "reordered") > 0);
}

// In the last two, protocol 2 carries all messages that are not short, up to its buffer's limit.
BOOST_DATA_TEST_CASE(protocol_2_wraps_its_buffer_under_retries,
                     data::make({2112, 8192, 128 * 1024}) ^ data::make({1024, 65536, 65536}) ^
                         data::make({65536, 4152, 65536}) ^ data::make({600, 1000, 400}),
                     buffer, limit, largest, messages)
{
    const workloads::deck::Options library{.limit = limit, .slots = 2, .buffer = buffer};
    BOOST_TEST(library.largest_general() >= static_cast<unsigned>(std::min(limit, largest)));
    RingBench bench(short_queues(1, hw::StreamAssignment("any-free")));
    const auto results = deliver(bench, {.messages = messages, .largest = largest, .library = library});
    const auto ranks = static_cast<std::int64_t>(bench.nodes());
    // The buffer wraps at least once for each pair of ranks, on average.
    BOOST_TEST(std::get<std::int64_t>(results.rows.at(1).at(2)) > buffer * ranks * (ranks - 1));
    BOOST_TEST(bench.machine.retries() > 0u);
    BOOST_TEST(bench.sum(".psb", "reordered") > 0);
}

BOOST_DATA_TEST_CASE(all_messages_arrive_with_any_rings_and_queues, data::make({1, 3, 64}) ^ data::make({1, 2, 1}),
                     slots, receive_slots)
{
    RingBench bench(short_queues(receive_slots, hw::StreamAssignment("by-address")));
    BOOST_CHECK_NO_THROW(deliver(bench, {.messages = 300, .library = {.slots = slots, .buffer = kBuffer}}));
}

BOOST_DATA_TEST_CASE(all_messages_arrive_by_interrupt_and_by_dma_with_rare_acknowledgements, data::xrange(2), by_dma)
{
    workloads::deck::Options library{.slots = 2, .buffer = kBuffer, .notification = Notification::kInterrupt};
    if (by_dma == 1) library = {.slots = 4, .buffer = kBuffer, .acknowledge = 4, .transfer = Transfer::kDma};
    RingBench bench(short_queues(1, hw::StreamAssignment("any-free")));
    BOOST_CHECK_NO_THROW(deliver(bench, {.messages = 300, .library = library}));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test::deck_delivery_test
