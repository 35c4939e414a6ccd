// SPDX-License-Identifier: Apache-2.0
#include "hw/psb/stream_buffers.h"

#include <algorithm>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>
#include <vector>

#include "tests/hw/psb/stream_bench.h"
#include "tests/policies.h"
#include "tlm/error.h"
#include "tlm/random.h"

namespace {

namespace data = boost::unit_test::data;
using namespace ringmesh;
using namespace ringmesh::test;
using hw::PsbParams;
using hw::StreamAssignment;
using hw::StreamBuffers;
using hw::StreamTransaction;
using sci::kBlockBytes;
using sci::kSubBlockBytes;

const auto kRules = data::make(all_policies<hw::StreamAssignmentPolicy>());
const auto kPieces = data::make({4, 8, 64});

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(stream_buffers)

BOOST_DATA_TEST_CASE(whole_blocks_leave_as_one_transaction_and_others_in_16_byte_ones,
                     kRules* kPieces* data::make(kCards), rule, piece, card)
{
    for (std::uint64_t size = 1; size <= 300; ++size) {
        for (std::uint64_t offset = 0; offset < card.stream; offset += size % 5 + 1) {
            StreamBuffers streams(streams_with(8, rule, card));
            const std::uint64_t address = 1024 + offset;
            const auto sent = bytes(size, static_cast<unsigned>(size));
            if (!store(streams, address, sent, static_cast<std::uint64_t>(piece))) BOOST_FAIL("not taken");
            streams.flush();
            std::map<std::uint64_t, std::byte> memory;
            const auto transactions = drain(streams, memory);

            const ExpectedTransactions expected(card, address, size);
            const auto large = static_cast<std::size_t>(
                std::count_if(transactions.begin(), transactions.end(),
                              [](const StreamTransaction& transaction) { return transaction.size >= kBlockBytes; }));
            const bool exact = memory.size() == size && memory.begin()->first == address &&
                               std::equal(memory.begin(), memory.end(), sent.begin(),
                                          [](const auto& cell, std::byte byte) { return cell.second == byte; });
            BOOST_TEST_CONTEXT(size << " bytes at " << address)
            {
                BOOST_TEST_REQUIRE(large == expected.large);
                BOOST_TEST_REQUIRE(transactions.size() - large == expected.small);
                BOOST_TEST_REQUIRE(exact);
                BOOST_TEST_REQUIRE(streams.in_use() == 0u);
            }
        }
    }
}

BOOST_DATA_TEST_CASE(no_transaction_leaves_its_block, data::make(kCards), card)
{
    Random random(3);
    for (int round = 0; round < 500; ++round) {
        StreamBuffers streams(streams_with(8, StreamAssignment("any-free"), card));
        const auto address = random.below(1000);
        store(streams, address, bytes(1 + random.below(256)), 4);
        streams.flush();
        std::map<std::uint64_t, std::byte> memory;
        for (const StreamTransaction& transaction : drain(streams, memory)) {
            const auto grain = std::max<std::uint64_t>(transaction.size, kSubBlockBytes);
            BOOST_TEST(transaction.address / grain == (transaction.address + transaction.size - 1) / grain);
        }
    }
}

/// A message of 60 bytes on a block boundary leaves as four [002 II.D].
BOOST_AUTO_TEST_CASE(sixty_bytes_leave_as_four_transactions)
{
    StreamBuffers streams(streams_with(8));
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(60), 4));
    streams.flush();
    std::map<std::uint64_t, std::byte> memory;
    const auto transactions = drain(streams, memory);
    const std::vector<std::uint16_t> sizes{16, 16, 16, 12};
    BOOST_TEST_REQUIRE(transactions.size() == sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) BOOST_TEST(transactions[i].size == sizes[i]);
}

BOOST_DATA_TEST_CASE(a_buffer_is_flushed_when_its_block_is_reached_to_the_end, data::make({0, 1, 20, 63}), begin)
{
    StreamBuffers streams(streams_with(8));
    const auto first = static_cast<std::uint64_t>(begin);
    for (std::uint64_t address = first; address < kBlockBytes; ++address) {
        BOOST_TEST_REQUIRE(!streams.next_transaction());
        BOOST_TEST_REQUIRE(store(streams, address, bytes(1), 1));
    }
    BOOST_TEST(streams.next_transaction().has_value());
    BOOST_TEST(streams.timeout() == Duration::never());
}

BOOST_DATA_TEST_CASE(a_store_that_does_not_follow_flushes_the_one_before,
                     data::make({0, 4, 7, 9, 12, 16, 63, 64, 72, 128}) * kRules, address, rule)
{
    StreamBuffers streams(streams_with(8, rule));
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(8), 4));
    const bool taken = streams.open(static_cast<std::uint64_t>(address));
    // By address, a store to the same block has to wait for it.
    BOOST_TEST(taken == (rule == "any-free" || address >= static_cast<int>(kBlockBytes)));
    const auto flushed = streams.next_transaction();
    BOOST_TEST_REQUIRE(flushed.has_value());
    BOOST_TEST(flushed->address == 0u);
    BOOST_TEST(flushed->size == 8u);
}

BOOST_AUTO_TEST_CASE(a_store_that_follows_flushes_nothing)
{
    StreamBuffers streams(streams_with(8));
    BOOST_TEST_REQUIRE(store(streams, 3, bytes(5), 4));
    BOOST_TEST(streams.open(8));
    BOOST_TEST(!streams.next_transaction().has_value());
    BOOST_TEST(streams.in_use() == 1u);
}

BOOST_DATA_TEST_CASE(by_address_a_block_always_has_the_same_buffer, data::make({1, 2, 8, 16}) * data::make(kCards),
                     buffers, card)
{
    StreamBuffers streams(streams_with(buffers, StreamAssignment("by-address"), card));
    for (const std::uint64_t block : {0u, 1u, 2u, 7u, 8u, 9u, 16u, 1023u, 5u, 5u}) {
        BOOST_TEST_REQUIRE(store(streams, block * card.stream, bytes(4), 4));
        streams.flush();
        const auto transaction = streams.next_transaction();
        BOOST_TEST_REQUIRE(transaction.has_value());
        BOOST_TEST(transaction->buffer == block % static_cast<std::uint64_t>(buffers));
        BOOST_TEST(streams.respond(transaction->buffer));
    }
}

BOOST_DATA_TEST_CASE(by_address_a_store_to_a_block_on_its_way_has_to_wait, data::make({1, 2, 8}), buffers)
{
    StreamBuffers streams(streams_with(buffers, StreamAssignment("by-address")));
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(64), 64));
    const auto span = static_cast<std::uint64_t>(buffers) * kBlockBytes;
    BOOST_TEST(!streams.open(0));
    BOOST_TEST(!streams.open(span));  // another block of the same buffer
    if (buffers > 1) BOOST_TEST(streams.open(kBlockBytes));
    const auto transaction = streams.next_transaction();
    BOOST_TEST_REQUIRE(transaction.has_value());
    BOOST_TEST(!streams.open(0));
    BOOST_TEST(streams.respond(transaction->buffer));
    BOOST_TEST(streams.open(0));
}

BOOST_DATA_TEST_CASE(any_free_takes_as_many_blocks_as_there_are_buffers_wherever_they_lie,
                     data::make({1, 2, 8}) * data::make({0, 1, 8}), buffers, stride)
{
    StreamBuffers streams(streams_with(buffers));
    const auto apart = static_cast<std::uint64_t>(stride) * kBlockBytes;
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(buffers); ++i) {
        BOOST_TEST_REQUIRE(store(streams, i * apart, bytes(64), 64));
    }
    BOOST_TEST(streams.in_use() == static_cast<unsigned>(buffers));
    BOOST_TEST(!streams.open(1'000'000));
    const auto transaction = streams.next_transaction();
    BOOST_TEST_REQUIRE(transaction.has_value());
    streams.respond(transaction->buffer);
    BOOST_TEST(streams.open(1'000'000));
}

BOOST_DATA_TEST_CASE(a_buffer_has_one_transaction_outstanding, data::make({17, 32, 48, 60, 63}), size)
{
    StreamBuffers streams(streams_with(8));
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(static_cast<std::size_t>(size)), 4));
    streams.flush();
    const auto pieces = (static_cast<std::size_t>(size) + kSubBlockBytes - 1) / kSubBlockBytes;
    for (std::size_t i = 0; i < pieces; ++i) {
        const auto transaction = streams.next_transaction();
        BOOST_TEST_REQUIRE(transaction.has_value());
        BOOST_TEST(transaction->address == i * kSubBlockBytes);
        BOOST_TEST(!streams.next_transaction().has_value());
        BOOST_TEST(streams.respond(transaction->buffer) == (i + 1 == pieces));
    }
    BOOST_TEST(streams.in_use() == 0u);
}

BOOST_AUTO_TEST_CASE(buffers_send_in_the_order_in_which_they_became_ready)
{
    StreamBuffers streams(streams_with(8));
    for (const std::uint64_t block : {5u, 1u, 3u})
        BOOST_TEST_REQUIRE(store(streams, block * kBlockBytes, bytes(64), 64));
    for (const std::uint64_t block : {5u, 1u, 3u})
        BOOST_TEST(streams.next_transaction()->address == block * kBlockBytes);
}

BOOST_DATA_TEST_CASE(the_timeout_counts_from_the_last_store, data::make({100_ns, 5_us}), timeout)
{
    auto params = streams_with(8);
    params.flush_timeout = timeout;
    StreamBuffers streams(params);
    BOOST_TEST(streams.timeout() == Duration::never());
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(4), 4, 1_us));
    BOOST_TEST(streams.timeout() == 1_us + timeout);
    BOOST_TEST_REQUIRE(store(streams, 4, bytes(4), 4, 3_us));
    BOOST_TEST(streams.timeout() == 3_us + timeout);
    streams.flush();
    BOOST_TEST(streams.timeout() == Duration::never());
}

/// Its address phase has been answered, its data are still on the bus.
BOOST_DATA_TEST_CASE(a_store_on_the_bus_suspends_the_timeout, kRules, rule)
{
    StreamBuffers streams(streams_with(1, rule));
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(4), 4, 1_us));
    BOOST_TEST_REQUIRE(streams.open(4));
    BOOST_TEST(streams.timeout() == Duration::never());
    streams.store(4, bytes(4), 9_us);
    BOOST_TEST(streams.timeout() == 9_us + PsbParams().flush_timeout);
    BOOST_TEST(streams.in_use() == 1u);
}

BOOST_AUTO_TEST_CASE(a_retried_store_does_not_suspend_the_timeout)
{
    StreamBuffers streams(streams_with(2, StreamAssignment("by-address")));
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(64), 64));
    BOOST_TEST_REQUIRE(!streams.open(0));
    BOOST_TEST_REQUIRE(store(streams, 64, bytes(4), 4, 1_us));
    BOOST_TEST(streams.timeout() == 1_us + PsbParams().flush_timeout);
}

BOOST_AUTO_TEST_CASE(misuse_is_an_error)
{
    StreamBuffers streams(streams_with(1));
    BOOST_CHECK_THROW(streams.store(60, bytes(8), 1_us), ModelError);  // crosses a block
    BOOST_CHECK_THROW(streams.respond(0), ModelError);
    BOOST_TEST_REQUIRE(store(streams, 0, bytes(64), 64));
    BOOST_CHECK_THROW(streams.store(64, bytes(4), 1_us), ModelError);  // without open()
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
